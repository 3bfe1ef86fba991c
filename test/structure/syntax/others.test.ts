import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type SourceProblem } from "../../../src/structure/index.ts";
import { judgeSyntax } from "../../../src/structure/syntax/index.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

const content = async (): Promise<SourceProblem[]> => [];
const objecting = async (): Promise<SourceProblem[]> => [
  { line: 7, column: 3, message: "unexpected text" },
];
const judge = (language: string, text: string, tree = content, path = `a.${language}`) =>
  judgeSyntax({ language, path, text }, tree);

describe("Go by gofmt", () => {
  it("E-09 accepts files, refuses parts of files", async () => {
    const text =
      "// A comment.\n/* b */ package a\n\ntype T[P any] struct{ x P }\n\nfunc (t *T[P]) m() {\n\tfor range 10 {\n\t}\n}\n";
    expect(await judge("go", text)).toMatchObject({ state: "valid" });
    expect(await judge("go", "\nfunc f() {}\n")).toMatchObject({
      errors: [{ line: 2, column: 1, code: "package" }],
    });
    expect(await judge("go", "packages a\n")).toMatchObject({ state: "invalid" });
  });

  it("E-09 tells the first error in UTF-16 columns, and counts the others", async () => {
    const { errors } = await judge("go", 'package a\nfunc f() { é := "😀" + ) }\nvar x = )\n');
    expect(errors[0]).toEqual({
      line: 2,
      column: 24,
      message: "expected operand, found ')'",
      code: "",
    });
    expect(errors).toHaveLength(2);
  });

  it("E-09 more errors than it can bear are told by the other parser; then it works again", async () => {
    const broken = `package a\n${"var x = )\n".repeat(30)}`;
    expect(await judge("go", broken, objecting)).toMatchObject({
      state: "invalid",
      errors: [{ line: 7 }],
    });
    expect(await judge("go", broken)).toMatchObject({ state: "not-checked" });
    expect(await judge("go", "package a\n")).toMatchObject({ state: "valid" });
  });
});

describe("Ruby by prism", () => {
  it("E-09 accepts and refuses as Ruby does", async () => {
    expect(
      await judge("ruby", "def f(a, *, k: 1, **) = puts(it)\nx => {a:}\n__END__\n)(\n"),
    ).toMatchObject({ state: "valid" });
    const { state, errors } = await judge("ruby", "é = '😀'; )\n");
    expect(state).toBe("invalid");
    expect(errors[0]).toMatchObject({ line: 1, column: 11 });
    expect(await judge("ruby", "class A\n  def f\n  end\n")).toMatchObject({ state: "invalid" });
    expect(await judge("ruby", "retry\n")).toMatchObject({
      errors: [{ code: "invalid_retry_without_rescue" }],
    });
  });
});

describe("PHP by two parsers", () => {
  it("E-09 refuses what both refuse, accepts what both accept", async () => {
    const broken = "<?php\n\n  function f( {";
    expect(await judge("php", broken, objecting)).toMatchObject({
      state: "invalid",
      errors: [{ line: 3, column: 15 }],
    });
    expect(
      await judge("php", "<p><?= $x ?></p>\n<?php enum A: string { case B = 'b'; }"),
    ).toMatchObject({ state: "valid" });
  });

  it("E-09 claims nothing where they disagree", async () => {
    const one = await judge("php", "<?php function f( {");
    expect(one).toMatchObject({ state: "not-checked", errors: [] });
    expect(one.why).toMatch(/disagree; php-parser objects to line 1/);
    const other = await judge("php", "<?php f();", objecting);
    expect(other.why).toMatch(/disagree; tree-sitter objects to line 7/);
  });

  it("E-09 knows current PHP, short tags and comments without end", async () => {
    const text =
      "<?php class A { public private(set) int $x { get => 1; } }\n$a |> f(...);\nnew A()->x;\n";
    expect(await judge("php", text)).toMatchObject({ state: "valid" });
    expect(await judge("php", "<? echo 1 ?>")).toMatchObject({ state: "valid" });
    expect(await judge("php", "<?) text")).toMatchObject({ state: "valid" });
    expect(await judge("php", "<?php\nf(); /* é")).toMatchObject({
      errors: [{ line: 2, column: 6, code: "comment" }],
    });
    expect(await judge("php", "<?php $x = '/*';")).toMatchObject({ state: "valid" });
  });
});

describe("data files", () => {
  it.each([
    ["json", "a.json", '{"a": [1, null], "a": 2}', undefined],
    ["json", "package.json", '{"a": 1,}', [1, 9]],
    ["json", "package.json", '// no\n{"a": 1}', [1, 1]],
    // Who reads it nobody knows: many readers take these.
    ["json", "data.json", '// yes\n{"a": 1,}', undefined],
    ["json", "a.json", "{'a': 1}", [1, 2]],
    ["json", "a.json", '{\r\n"a" 1}', [2, 5]],
    ["json", "a.json", '"a\tb"', [1, 1]],
    ["json", "app/tsconfig.build.json", '{"a": 1, /* yes */}', undefined],
    ["json", ".vscode/settings.json", "// yes\n{}", undefined],
    ["jsonc", "a.jsonc", '{"a": 1, // yes\n}', undefined],
    ["jsonc", "a.jsonc", '{"a": }', [1, 7]],
    ["jsonc", "a.json5", "{a: 'b', c: +.5, /* d */}", undefined],
    ["jsonc", "a.json5", "{a: 'b'", [1, 2]],
    ["yaml", "a.yaml", "a: &x 1\na: *x\n---\n!Ref b\n...\n", undefined],
    ["yaml", "a.yaml", "a: 1\n---\nb: [1\nc: 2\n", [4, 1]],
    ["yaml", "a.yaml", "a:\n\t- b\n", [2, 1]],
    ["toml", "a.toml", "a = 99999999999999999999\n[b]\nc.d = 1979-05-27\n", undefined],
    ["toml", "a.toml", "a = 1\na = 2\n[b]\n[b]\n", undefined],
    ["toml", "a.toml", "a = 1\nb = [1 2]\n", [2, 8]],
  ] as const)("E-09 %s: %s with %j", async (language, path, text, place) => {
    const { state, errors } = await judge(language, text, content, path);
    expect(state).toBe(place ? "invalid" : "valid");
    if (place) expect([errors[0]?.line, errors[0]?.column]).toEqual(place);
  });

  it("E-09 a template that becomes YAML later is not checked", async () => {
    expect(await judge("yaml", "{{- if .x }}\na: 1\n{{- end }}\n")).toMatchObject({
      state: "not-checked",
    });
  });
});

describe("languages without a judge of their own", () => {
  const analyser = sharedAnalyser();

  it("E-09 are judged by the structure parser, which says so", async () => {
    expect(await judge("java", "class A {}")).toEqual({
      state: "valid",
      by: "tree-sitter",
      errors: [],
    });
    expect(await judge("java", "class", objecting)).toMatchObject({
      by: "tree-sitter",
      errors: [{ line: 7, column: 3 }],
    });
    expect(await analyser.syntax("class A { void f( { }\n", "A.java")).toMatchObject({
      state: "invalid",
      by: "tree-sitter",
    });
    expect(await analyser.syntax("class A { }\n", "A.java")).toMatchObject({ state: "valid" });
  });
});

describe("verdicts", () => {
  it.each([
    ["python", "@astral-sh/ruff-wasm-nodejs"],
    ["typescript", "oxc-parser"],
    ["go", "@wasm-fmt/gofmt"],
    ["ruby", "@ruby/prism"],
    ["php", "php-parser"],
    ["json", "jsonc-parser"],
    ["yaml", "yaml"],
    ["toml", "smol-toml"],
  ])("E-09 say by whom: %s", async (language, name) => {
    const file = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
    expect((await judge(language, "1")).by).toMatch(
      new RegExp(` ${version.replaceAll(".", "\\.")}$`),
    );
  });
});
