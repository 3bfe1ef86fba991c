import { describe, expect, it } from "vitest";
import { proofAgainst } from "../../../src/structure/syntax/c-family.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

const lineOf = (text: string): number | undefined => {
  const found = proofAgainst(text);
  return found && text.slice(0, found.at).split("\n").length;
};

describe("what is certainly wrong in C and C++", () => {
  it.each([
    ["an open block", "int f(void) {\n  if (a) {\n  g();\n}\n", 1],
    ["a bracket too many", "int f(void) {\n  g());\n}\n", 2],
    ["brackets that cross", "int f(void) {\n  g(a];\n}\n", 2],
    ["a text without end", 'char *a = "x;\nint b;\n', 1],
    ["a value that is missing", "int f(void) {\n  int a = ;\n  return a;\n}\n", 2],
    ["a condition without its end", "int f(void) {\n  if (a ==) g();\n}\n", 2],
    ["an argument without its end", "int f(void) {\n  g(a +);\n}\n", 2],
    ["a word twice", "int f(void) {\n  return return 1;\n}\n", 2],
    ["a type without a name", "int = 1;\n", 1],
    ["a specifier alone", "static {\n}\n", 1],
    ["a statement cut off", "int f(void) {\n  total\n  return 1;\n}\n", 3],
    ["a value before the end of a block", "int f(void) {\n  g();\n  return 5\n}\n", 4],
    ["a name before the end of a block", "int f(int a) {\n  g();\n  return a\n}\n", 4],
    ["two names for one value", "int f(void) {\n  a = b\n  c = d;\n}\n", 3],
    ["a function without its head", "static inline int\n{\n  return 1;\n}\n", 2],
    ["a statement outside", "int a;\nreturn 1;\n", 2],
    ["an else without an if", "int f(void) {\n  g();\n  else { h(); }\n}\n", 3],
    ["an else at the beginning", "int f(void) {\n  else { h(); }\n}\n", 2],
    ["an access mark in a function", "class A {};\nint A::f() {\n  public:\n  return 1;\n}\n", 3],
    ["a case without a value", "int f(int a) {\n  switch (a) { case : g(); }\n}\n", 2],
    ["a block open in one conditional", "#ifdef A\nint f(void) {\n#endif\nint g(void);\n", 1],
    ["behind a guard", "#ifndef A_H\n#define A_H\nint f(void) {\n#endif\n", 3],
  ])("E-09 finds %s", (_, text, line) => {
    expect(lineOf(text)).toBe(line);
  });

  it.each([
    ["brackets in comments and texts", "/* ( */ char *a = \"{\", b = '['; // {\n"],
    ["a raw text", 'auto a = R"x(" { )x";\n'],
    ["long numbers", "int a = 1'000'000;\n"],
    ["branches that agree", "#if A\nint f(int a) {\n#else\nint f(void) {\n#endif\n}\n"],
    ["what one conditional opens and another closes", "#if A\n{\n#endif\n#if A\n}\n#endif\n"],
    [
      "branches that close the same block",
      "int f(void) {\n if (a) {\n#if A\n }\n#else\n g(); }\n#endif\n return 1;\n}\n",
    ],
    ["a part that is never read", "#if 0\nit's { not code\n#endif\nint a;\n"],
    [
      "the other language's brackets",
      '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n',
    ],
    ["macros with brackets", "#define BEGIN {\n#define END }\nint f(void) BEGIN return 1; END }\n"],
    [
      "macros that are functions",
      "BEGIN_F(a)\n  return 1;\nEND_F\nBEGIN_F(b)\n  return 2;\nEND_F\n",
    ],
    ["anything as an argument", "X(+) Y(a, ;) Z(typedef) W(return)\n"],
    ["names of operators", "using A::operator=;\nbool (A::*f)(int) = &A::operator==;\n"],
    [
      "types without names",
      "void f(int = 1, char * = 0);\ntemplate <int = 3> class A;\nusing R = T&;\n",
    ],
    [
      "an else behind values in braces",
      "int f() {\n if (a) return A{}(b) == 0;\n else return 1;\n}\n",
    ],
    ["an else behind a loop", "int f(void) {\n if (a) for (;;) g(); else h();\n}\n"],
    ["a macro as a condition", "int f(void) {\n IF_SET(a) { g(); } else { h(); }\n}\n"],
    ["macros without a sign behind them", "int f(void) {\n g();\n DONE\n}\n"],
    ["a type with a body", "static struct a {\n int b;\n} c;\nstatic MADE {\n};\n"],
    ["a value of a type", "struct a f(int x) {\n g();\n return (struct a){.b = x};\n}\n"],
    ["words for operators", "bool f() {\n a = b and c;\n return d or e;\n}\n"],
    ["a name that is a macro here", "#define likely\nint f(void) {\n return likely a;\n}\n"],
    ["a class with an odd head", "class A : public B(c) {\n int a;\n public:\n int b;\n};\n"],
  ])("E-09 says nothing about %s", (_, text) => {
    expect(proofAgainst(text)).toBeUndefined();
  });
});

describe("two judges of C", () => {
  const analyser = sharedAnalyser();

  it("E-09 what both find is no guess any more, and the coverage says so", async () => {
    const text = "int f(void) {\n  CHECK_ALL(a)\n  g(;\n}\n";
    const { outline } = await analyser.outline(text, "a.c");
    expect(outline.coverage.syntax).toMatchObject({ state: "live" });
    expect((await analyser.syntax(text, "a.c")).errors).toContainEqual({
      line: 4,
      column: 1,
      message: "'}' while '(' is open",
      code: "proven",
    });
  });

  it("E-09 what only the grammar finds stays a guess", async () => {
    const { outline } = await analyser.outline("int a GUARDED BY b;\n", "a.c");
    expect(outline.problems).not.toEqual([]);
    expect(outline.coverage.syntax).toMatchObject({ state: "delta" });
  });
});
