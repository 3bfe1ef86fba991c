/** Two sessions' commands run at the same time in one checkout: no line has the name of the wrong one. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lineSpans } from "../../../src/lines/index.ts";
import { hookParts } from "../../../src/surfaces/hooks/parts.ts";
import { git } from "../../helpers/git-repository.ts";
import { hookPlace } from "../../helpers/hook-place.ts";
import { put } from "../../helpers/temporary-folder.ts";

const scene = async () => {
  const place = await hookPlace();
  const { root, headgate } = place;
  for (const name of ["a.txt", "b.txt"]) put(join(root, name), "1\n2\n3\n");
  put(join(root, ".gitignore"), ".headgate/\n");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "Base");
  /** The command begins; it ends with the call of what it answers. */
  const begin = async (session: string, command: string): Promise<() => Promise<void>> => {
    const tool = { kind: "shell", command, shell: "posix", name: "Bash" } as const;
    const more = { session, toolUseId: `${session} ${command}` };
    const answer = await place.ask(place.call(tool, more), hookParts);
    expect(answer).not.toMatchObject({ kind: "refuse" });
    return async () => {
      await place.ask(place.call(tool, { ...more, event: "after-tool" }), hookParts);
    };
  };
  /** Of each uncommitted line; empty: it has none. */
  const authors = async (path: string): Promise<Record<string, string>> => {
    const before = Buffer.from("1\n2\n3\n");
    const weave = (await headgate.lines.view(new Map([[path, before]]))).get(path)?.weave;
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    return Object.fromEntries(
      (weave ? lineSpans(weave, () => false) : []).flatMap(({ from, edit }) => [
        [lines[from - 1] ?? "", edit.actor] as const,
      ]),
    );
  };
  const add = (path: string, line: string): void => appendFileSync(join(root, path), `${line}\n`);
  return { root, begin, authors, add };
};

describe("N-01 two commands at the same time", () => {
  it("the one that ends last does not get the other's lines, and what follows has its author again", async () => {
    const { begin, authors, add } = await scene();
    const endFirst = await begin("s1", "make one");
    const endSecond = await begin("s2", "make two");
    add("a.txt", "of s2");
    add("b.txt", "of s2 too");
    await endSecond();
    add("a.txt", "of s1");
    await endFirst();
    expect(await authors("a.txt")).toEqual({ "of s2": "", "of s1": "" });
    expect(await authors("b.txt")).toEqual({ "of s2 too": "" });
    const endThird = await begin("s1", "make three");
    add("b.txt", "later");
    await endThird();
    expect((await authors("b.txt"))["of s2 too"]).toBe("");
  });

  it("the one that begins later gets nothing of the one that goes on", async () => {
    const { begin, authors, add } = await scene();
    const endFirst = await begin("s1", "make one");
    const endSecond = await begin("s2", "make two");
    add("a.txt", "of s1");
    await endSecond();
    await endFirst();
    expect(await authors("a.txt")).toEqual({ "of s1": "" });
  });

  it("one after the other: each has its own", async () => {
    const { begin, authors, add } = await scene();
    const endFirst = await begin("s1", "make one");
    add("a.txt", "of s1");
    await endFirst();
    // Ends are known to a few milliseconds.
    const at = Date.now();
    await expect.poll(() => Date.now() - at, { interval: 10 }).toBeGreaterThan(30);
    const endSecond = await begin("s2", "make two");
    add("b.txt", "of s2");
    await endSecond();
    expect(await authors("a.txt")).toEqual({ "of s1": "claude:s1" });
    expect(await authors("b.txt")).toEqual({ "of s2": "claude:s2" });
  });
});
