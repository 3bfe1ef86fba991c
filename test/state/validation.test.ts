import { describe, expect, it } from "vitest";
import {
  type ContentKind,
  type ContentRules,
  kindOf,
  validateContent,
} from "../../src/state/index.ts";

const problemOf = async (
  content: string | Uint8Array,
  kind: ContentKind,
  rules?: ContentRules,
): Promise<string | undefined> => {
  const result = await validateContent(content, kind, rules);
  return result.ok ? undefined : result.problem.message;
};

describe("validation by kind", () => {
  it("S-06 knows the kind from the name", () => {
    const names = ["a.json", "a.jsonc", "a.yml", "A.YAML", "b.md", "c.txt", "json", "a.json.tmp"];
    expect(names.map(kindOf)).toEqual([
      "json",
      "jsonc",
      "yaml",
      "yaml",
      "markdown",
      "text",
      "text",
      "text",
    ]);
  });

  it("S-06 JSON parses, means one thing and fits its schema", async () => {
    expect(await problemOf('{"a":[1]}', "json")).toBeUndefined();
    expect(await problemOf("// c\n{}", "jsonc")).toBeUndefined();
    expect(await problemOf("// c\n{}", "json")).toMatch(/not JSON/);
    expect(await problemOf("", "json")).toBe("the content is empty");
    const schema = (value: unknown) => (Array.isArray(value) ? undefined : "must be a list");
    expect(await problemOf("{}", "json", { schema })).toBe("must be a list");
    expect(await problemOf('{"checksum":"sha256:0","value":1}', "json")).toMatch(/checksum/);
  });

  it("S-06 YAML likewise", async () => {
    expect(await problemOf("a: 1\n---\nb: 2\n", "yaml")).toBeUndefined();
    expect(await problemOf("a: [", "yaml")).toMatch(/not YAML/);
    expect(await problemOf("a: 1\na: 2", "yaml")).toMatch(/unique/);
    const bomb = `a: &a [x]\n${"bcdefghij"
      .split("")
      .map((key, index) => `${key}: &${key} [${`*${"abcdefghi"[index]},`.repeat(9)}]`)
      .join("\n")}`;
    expect(await problemOf(bomb, "yaml")).toMatch(/alias/i);
    expect(await problemOf(`${"[".repeat(20_000)}`, "yaml")).toBeDefined();
  });

  it("S-06 Markdown has its required front matter or marker", async () => {
    const text = "---\nplan: 1\n---\n# T\n";
    expect(await problemOf(text, "markdown", { frontMatter: ["plan"] })).toBeUndefined();
    expect(await problemOf(text, "markdown", { frontMatter: ["plan", "x"] })).toMatch(/no x/);
    expect(await problemOf("# T\n", "markdown", { frontMatter: ["plan"] })).toMatch(/missing/);
    expect(await problemOf("# T\n", "markdown", { marker: "<!-- m -->" })).toMatch(/marker/);
    expect(await problemOf("---\na: [\n---\n", "markdown")).toMatch(/front matter: not YAML/);
    expect(await problemOf("  \n", "markdown")).toBe("the content is empty");
    expect(await problemOf("a\0b", "markdown")).toMatch(/NUL/);
    expect(await problemOf(Buffer.from([0xc3]), "markdown")).toBe("not UTF-8 text");
  });
});
