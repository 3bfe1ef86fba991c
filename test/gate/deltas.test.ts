import { describe, expect, it } from "vitest";
import { judge, type Policy, treeOf, type Verdict, type Write } from "../../src/gate/index.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

const ask = (writes: readonly Write[], files: Record<string, string>, policy: Policy = {}) =>
  judge({ writes }, { analyser, tree: treeOf(files), policy });
const change = (path: string, before: string, after: string | null, policy?: Policy) =>
  ask([{ path, after }], { [path]: before }, policy);
const remarksIn = ({ notes }: Verdict): string[] => notes.map(({ code }) => code);
const moved = ({ deltas }: Verdict) =>
  Object.fromEntries(
    Object.entries(deltas.total)
      .filter(([name, { before, after }]) => before !== after && !/bytes|lineEnds/.test(name))
      .map(([name, { before, after }]) => [name, `${before} ${after}`]),
  );

const suite = `import { expect, it } from "vitest";
// it("is a comment", () => expect(1));
const text = 'it("is text", () => expect(1))';
it("adds", () => {
  expect(1 + 1).toBe(2);
  expect(text).toContain("it(");
});
it.each([1, 2])("takes %i", (one) => expect(one).toBeGreaterThan(0));
`;

describe("E-20 deltas of each verdict", () => {
  it("are exact, for each file and in all", async () => {
    const files = { "a.test.ts": suite, "b.ts": "export const b = 1;\r\n" };
    const verdict = await ask(
      [
        { path: "a.test.ts", after: suite.replace("it.each", "it.only.each") },
        {
          path: "b.ts",
          after: "export function b() {}\n// eslint-disable-next-line\nfunction c() {}\n",
        },
      ],
      files,
    );
    expect(verdict.deltas.files).toMatchObject([
      {
        path: "a.test.ts",
        tests: { before: 2, after: 2 },
        assertions: { before: 3, after: 3 },
        focusedTests: { before: 0, after: 1 },
        bytes: { before: suite.length, after: suite.length + 5 },
      },
      {
        path: "b.ts",
        functions: { before: 0, after: 2 },
        publicSymbols: { before: 1, after: 1 },
        suppressions: { before: 0, after: 1 },
        lineEndsCrlf: { before: 1, after: 0 },
        lineEndsLf: { before: 0, after: 3 },
        oddCharacters: { before: 0, after: 0 },
      },
    ]);
    expect(verdict.deltas.total).toMatchObject({
      tests: { before: 2, after: 2 },
      functions: { before: 0, after: 2 },
      suppressions: { before: 0, after: 1 },
    });
  });

  it("count one content by the place that each file has", async () => {
    const after = suite.replace('import { expect, it } from "vitest";\n', "");
    const paths = ["src/a.ts", "test/a.ts", "src/a.ts"];
    for (const path of paths) {
      const { deltas } = await change(path, after, after.replace("1 + 1", "2"));
      const count = path.startsWith("test") ? 2 : 0;
      expect(deltas.total.tests, path).toEqual({ before: count, after: count });
    }
  });

  it.each([
    [
      "test_a.py",
      "def test_a():\n    assert f()\n\n\ndef test_b():\n    assert g()\n",
      "def test_a():\n    f()\n",
      { tests: "2 1", assertions: "2 0", publicSymbols: "2 1", functions: "2 1", symbols: "2 1" },
    ],
    [
      "a_test.go",
      "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, f())\n}\n",
      "package a\n\nfunc TestA(t *testing.T) {\n\tt.Skip()\n}\n",
      { assertions: "1 0", skippedTests: "0 1" },
    ],
    [
      "a.rs",
      "#[test]\nfn a() {\n    assert_eq!(1, f());\n}\n",
      "#[allow(dead_code)]\n#[test]\n#[ignore]\nfn a() {}\n",
      { assertions: "1 0", skippedTests: "0 1", suppressions: "0 1" },
    ],
    [
      "ATest.java",
      "class ATest {\n  @Test void a() { assertEquals(1, f()); }\n}\n",
      "class ATest {\n  @Disabled @Test void a() { }\n}\n",
      { assertions: "1 0", skippedTests: "0 1" },
    ],
  ])("%s is counted in its own words", async (path, before, after, expected) => {
    expect(moved(await change(path, before, after))).toEqual(expected);
  });

  it("fewer tests or assertions, skipped and focused ones, debuggers and lost symbols are remarks", async () => {
    const cases: readonly [string, string, string | null, string][] = [
      ["a.test.ts", suite, suite.replace("  expect(1 + 1).toBe(2);\n", ""), "TESTS_FEWER"],
      ["a.test.ts", suite, null, "TESTS_FEWER"],
      ["a.test.ts", suite, suite.replace('it("adds"', 'it.skip("adds"'), "TEST_SKIPPED"],
      ["a.test.ts", suite, suite.replace('it("adds"', 'it.only("adds"'), "TEST_FOCUSED"],
      ["a.js", "f();\n", "debugger;\nf();\n", "DEBUGGER_LEFT"],
      ["a.py", "f()\n", "breakpoint()\nf()\n", "DEBUGGER_LEFT"],
      ["a.ts", "f();\n", "// @ts-ignore\nf();\n", "CHECK_SUPPRESSED"],
      [
        "a.py",
        "a\nb\nc\nd\n".replaceAll(/(\w)/g, "def $1(): pass"),
        "def a(): pass\n",
        "SYMBOLS_LOST",
      ],
    ];
    for (const [path, before, after, code] of cases) {
      const verdict = await change(path, before, after);
      expect([verdict.verdict, remarksIn(verdict)], `${path} ${code}`).toEqual(["allow", [code]]);
      const strict = await change(path, before, after, { levelOf: () => "deny" });
      expect(strict.reasons.map((reason) => reason.code)).toEqual([code]);
      expect((await change(path, before, after, { levelOf: () => "off" })).notes).toEqual([]);
    }
  });

  it("a test that moves to another file of the change is not lost", async () => {
    const rest = suite.replace(/^it\.each.*\n/m, "");
    const verdict = await ask(
      [
        { path: "a.test.ts", after: rest },
        { path: "b.test.ts", after: suite.replace(/^it\("adds"[^]*?^\}\);\n/m, "") },
      ],
      { "a.test.ts": suite },
    );
    expect(remarksIn(verdict)).not.toContain("TESTS_FEWER");
  });
});
