import { describe, expect, it } from "vitest";
import { findDuplicates, type OutlineSymbol, SourceText } from "../../src/structure/index.ts";
import { outlineData } from "../../src/structure/data/index.ts";

const read = (language: string, text: string) => {
  const source = new SourceText(text);
  const built = outlineData(language, source);
  if (!built) throw new Error(`${language} is no data format`);
  const outline = { ...built, path: "file", coverage: {} as never };
  const all: OutlineSymbol[] = [];
  const visit = (one: OutlineSymbol): void => {
    all.push(one);
    expect(text.slice(one.nameSpan.from, one.nameSpan.to)).toBe(one.name);
    for (const child of one.children) {
      expect(child.span.from).toBeGreaterThanOrEqual(one.span.from);
      expect(child.span.to).toBeLessThanOrEqual(one.span.to);
      visit(child);
    }
  };
  outline.symbols.forEach(visit);
  expect(new Set(all.map((one) => one.path)).size).toBe(all.length);
  return {
    outline,
    depth: depthOf(outline.symbols),
    /** `path = text`. */
    pairs: all.map((one) => `${one.path} = ${text.slice(one.span.from, one.span.to)}`),
    body: (path: string) => {
      const found = all.find((one) => one.path === path)?.body;
      return found && text.slice(found.from, found.to);
    },
    duplicates: findDuplicates(outline, source).map(
      (one) => `${one.kind} ${one.name} ${one.first.line},${one.second.line}`,
    ),
    problems: outline.problems.map((one) => `${one.line}:${one.column} ${one.message}`),
  };
};

const depthOf = (symbols: readonly OutlineSymbol[]): number =>
  symbols.length === 0 ? 0 : 1 + Math.max(...symbols.map((one) => depthOf(one.children)));

describe("JSON", () => {
  it("E-01 keys with their values, nested and in lists", () => {
    const text = `{ "name": "x", "a.b": { "list": [1, {"c": null}, [{"c": 2}]] },\n "a": {"b": {}} }`;
    const { pairs, body, problems } = read("json", text);
    expect(pairs).toEqual([
      `name = "name": "x"`,
      `a.b = "a.b": { "list": [1, {"c": null}, [{"c": 2}]] }`,
      `a.b.list = "list": [1, {"c": null}, [{"c": 2}]]`,
      `a.b.list.1.c = "c": null`,
      `a.b.list.2.0.c = "c": 2`,
      `a = "a": {"b": {}}`,
      `a.b~2 = "b": {}`,
    ]);
    expect(body("a")).toBe(`{"b": {}}`);
    expect(body("name")).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it("E-02 a key that stands twice in one object, also when it is written differently", () => {
    expect(read("json", `{"a": 1,\n"b": {"a": 1},\n"\\u0061": 2}`).duplicates).toEqual([
      "key \\u0061 1,3",
    ]);
    expect(read("json", `[{"a": 1,\n"a": 1}]`).duplicates).toEqual(["key a 1,2"]);
  });

  it("E-02 the same key in other objects is no conflict", () => {
    expect(read("json", `[{"a": {"a": 1}}, {"a": {"a": 1}}]`).duplicates).toEqual([]);
    expect(read("json", `{"x": [{"a": 1}, {"a": 2}], "A": 1, "a": 1}`).duplicates).toEqual([]);
  });

  it("E-01 comments and last commas are fine in JSONC and noticed in JSON", () => {
    const text = `// head\n{"a": 1, /* in */ "b": [2,],}\n`;
    expect(read("jsonc", text)).toMatchObject({
      pairs: [`a = "a": 1`, `b = "b": [2,]`],
      problems: [],
    });
    expect(read("json", text).problems.map((one) => one.split(" ")[0])).toEqual([
      "1:1",
      "2:10",
      "2:27",
      "2:29",
    ]);
    expect(read("jsonc", "{a: 1, a: 2}").duplicates).toEqual(["key a 1,1"]);
  });

  it.each([
    "",
    "}",
    "]]",
    '{"a"',
    '{"a":',
    '{"a":[',
    '{"a" "b"}',
    '{"a":1 "b":2}',
    "[}",
    '"x',
    "{,}",
  ])("E-14 reads what it can of %j", (text) => {
    const { problems } = read("json", text);
    expect(problems.length > 0).toBe(text !== "");
  });
});

describe("YAML", () => {
  const text = `# head
a: &anchor
  b: 1   # behind
  "c d": [x, {q: 1}]
  list:
    - n: 1
      text: |
        one
        two

    - n: 2
empty:
merged:
  <<: *anchor
  <<: *anchor
---
a: 2
`;

  it("E-01 keys with their values, without comments and line breaks behind", () => {
    const { pairs, problems, body } = read("yaml", text);
    expect(problems).toEqual([]);
    expect(pairs.slice(1)).toEqual([
      "a.b = b: 1",
      'a.c d = "c d": [x, {q: 1}]',
      "a.c d.1.q = q: 1",
      "a.list = list:\n    - n: 1\n      text: |\n        one\n        two\n\n    - n: 2",
      "a.list.0.n = n: 1",
      "a.list.0.text = text: |\n        one\n        two",
      "a.list.1.n = n: 2",
      "empty = empty:",
      "merged = merged:\n  <<: *anchor\n  <<: *anchor",
      "merged.<< = <<: *anchor",
      "merged.<<~2 = <<: *anchor",
      "a~2 = a: 2",
    ]);
    expect(pairs[0]).toMatch(/^a = a: &anchor\n[^]*- n: 2$/);
    expect(body("a.c d")).toBe("[x, {q: 1}]");
  });

  it("E-02 documents, list elements and merge keys are no conflict", () => {
    expect(read("yaml", text).duplicates).toEqual([]);
    expect(read("yaml", "1: a\n'1': b\nx: {y: 1}\ny: 1\n").duplicates).toEqual([]);
  });

  it("E-02 a key that stands twice in one map", () => {
    expect(read("yaml", "a: 1\nb:\n  c: 1\n  'c': 2\na: 3\n").duplicates.toSorted()).toEqual([
      "key a 1,5",
      "key c 3,4",
    ]);
    expect(read("yaml", "---\na: 1\n---\na: 1\na: 2\n").duplicates).toEqual(["key a 4,5"]);
    expect(read("yaml", "- {x: 1, x: 2}\n").duplicates).toEqual(["key x 1,1"]);
  });

  it("E-14 line endings, templates and broken files", () => {
    expect(read("yaml", "a:\r\n  b: 1\r\n").pairs).toEqual(["a = a:\r\n  b: 1", "a.b = b: 1"]);
    expect(read("yaml", "{{- if x }}\na: {{ .V }}\n").problems.length).toBeGreaterThan(0);
    expect(read("yaml", "a: [\nb: 'x").problems.length).toBeGreaterThan(0);
  });
});

describe("TOML", () => {
  const text = `title = "x" # behind
a."b c" = 1

[tool.x]
list = [
  "]", # ]
  { k = 'v' },
]
text = """
[no]
z = 1 \\""" """
day = 1979-05-27 07:32:00Z
at = {p = 1, q.r = 2}

[[e]]
n = 1
[e.f]
n = 1
[[e]]
n = 2
[e.f]
n = 2
`;

  it("E-01 tables, keys, inline tables and elements", () => {
    const { pairs, problems, body } = read("toml", text);
    expect(problems).toEqual([]);
    expect(pairs.map((one) => one.split(" = ")[0])).toEqual([
      "title",
      'a."b c"',
      "tool.x",
      "tool.x.list",
      "tool.x.list.1.k",
      "tool.x.text",
      "tool.x.day",
      "tool.x.at",
      "tool.x.at.p",
      "tool.x.at.q.r",
      "e",
      "e.n",
      "e.f",
      "e.f.n",
      "e~2",
      "e~2.n",
      "e.f~2",
      "e.f~2.n",
    ]);
    expect(pairs).toContain('title = title = "x"');
    expect(pairs).toContain("tool.x.day = day = 1979-05-27 07:32:00Z");
    expect(pairs).toContain('tool.x.text = text = """\n[no]\nz = 1 \\""" """');
    expect(pairs).toContain("e.f~2 = [e.f]\nn = 2");
    expect(body("tool.x.at")).toBe("{p = 1, q.r = 2}");
  });

  it("E-02 elements of an array of tables are no conflict", () => {
    expect(read("toml", text).duplicates).toEqual([]);
    expect(read("toml", "a.b = 1\na.c = 1\n[t]\na.b = 1\n[t.a]\nb = 1\n").duplicates).toEqual([]);
  });

  it.each([
    ["keys", "a = 1\n'a' = 2\n", "key 'a' 1,2"],
    ["dotted keys", 'a.b = 1\na . "b" = 2\n', 'key a . "b" 1,2'],
    ["tables", "[a]\nx = 1\n[b]\n[a]\n", "key a 1,4"],
    ["keys of a table", "[a]\nx = 1\nx = 2\n", "key x 2,3"],
    ["inline keys", "a = { x = 1, x = 2 }\n", "key x 1,1"],
    ["tables of one element", "[[e]]\n[e.f]\n[e.f]\n", "key e.f 2,3"],
  ])("E-02 finds %s that stand twice", (_, source, expected) => {
    expect(read("toml", source).duplicates).toEqual([expected]);
  });

  it("E-14 goes on behind a line it cannot read", () => {
    const { pairs, problems } = read("toml", "a = 1\nnonsense\nb = \n[x\nc = 3\r\n");
    expect(pairs).toEqual(["a = a = 1", "b = b = ", "c = c = 3"]);
    expect(problems.map((one) => one.split(" ")[0])).toEqual(["2:1", "3:1", "4:1"]);
  });
});

describe("E-14 files without measure", () => {
  const many = (line: (index: number) => string, between: string): string =>
    Array.from({ length: 200_001 }, (_, index) => line(index)).join(between);

  it.each([
    ["json", `${'{"a":'.repeat(100_000)}`],
    ["json", "[".repeat(100_000)],
    ["yaml", "{a: ".repeat(100_000)],
    ["yaml", "- ".repeat(20_000)],
    ["yaml", Array.from({ length: 1000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
    ["toml", `a = ${"{a = ".repeat(100_000)}`],
    ["toml", `a = ${"[".repeat(100_000)}`],
  ])("E-14 nesting stops with a problem: %s", (language, text) => {
    const { problems, depth } = read(language, text);
    expect(problems.join("\n")).toMatch(/nested .* deep|nested too deep/);
    expect(depth).toBeLessThanOrEqual(200);
  });

  it("E-14 199 levels are read", () => {
    const { problems, depth } = read("json", `${'{"a":'.repeat(199)}1${"}".repeat(199)}`);
    expect(problems).toEqual([]);
    expect(depth).toBe(199);
  });

  it("E-14 too many keys stop with a problem", () => {
    const built = outlineData("toml", new SourceText(many((index) => `k${index} = 1`, "\n")));
    expect(built?.symbols.length).toBe(200_000);
    expect(built?.problems.map((one) => one.message)).toEqual([
      "more than 200000 keys: the rest was not read",
    ]);
  });
});
