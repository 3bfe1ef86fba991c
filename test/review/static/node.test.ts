import { describe, expect, it } from "vitest";
import { nodesOf } from "../../../src/review/static/node.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

const nodes = async (content: string, path: string) => {
  const parsed = await analyser.tree(content, path);
  if (!parsed.ok) throw new Error(parsed.why);
  return nodesOf(parsed.tree, parsed.source.text);
};

describe("a syntax tree outside the parsing process", () => {
  it("has every node once, inside its parent, in the order of the text", async () => {
    const { root } = await nodes("def f(a, b=1):\n    return g(a)[b] + 'ü😀'\n\nf(2)\n", "a.py");
    const all = [...root.walk()];
    expect(all[0]).toBe(root);
    expect(new Set(all).size).toBe(all.length);
    for (const node of all) {
      for (const child of node.children) {
        expect(child.parent).toBe(node);
        expect(child.isWithin(node)).toBe(true);
      }
    }
    expect(all.map(({ from }) => from)).toEqual(
      all.map(({ from }) => from).toSorted((a, b) => a - b),
    );
  });

  it("knows kinds, roles and texts, also behind characters of two units", async () => {
    const { byKind } = await nodes('const s = "😀"; call(s, 1);\n', "a.ts");
    const call = byKind.get("call_expression")?.[0];
    expect(call?.text).toBe("call(s, 1)");
    expect(call?.child("function")?.text).toBe("call");
    expect(call?.child("arguments")?.named.map(({ text }) => text)).toEqual(["s", "1"]);
    expect(call?.around("program")?.kind).toBe("program");
    expect(call?.child("arguments")?.hasToken(",")).toBe(true);
  });

  it("is refused with a reason where there is none", async () => {
    expect(await analyser.tree("a: 1", "a.yaml")).toMatchObject({ ok: false });
    expect(await analyser.tree("hello", "a.unknown")).toMatchObject({ ok: false });
  });
});
