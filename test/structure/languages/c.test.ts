import { describe, expect, it } from "vitest";
import { languageOf } from "../../../src/structure/index.ts";
import { duplicatesIn, outlined } from "./outlined.ts";

const source = `#include <stdio.h>
#include "mine.h"
#define MAX(a, b) ((a) > (b))

/* Adds. */
static int add(int a, int b) { return sum(a, b); } // fast
int later(void);
struct point { int x, *y; };
typedef struct { int z; } thing;
enum colour { RED, GREEN };
char *(*maker(int a))(int) { return 0; }
int (*handler)(int);
int first = 1, second[3];
`;

describe("the structure of C", () => {
  it("E-01 shows functions, types, variables and macros", async () => {
    const { shape, imports, span, body, symbol, references } = await outlined("c", source);
    expect(shape).toEqual([
      "macro MAX",
      "function add",
      "function later",
      "struct point",
      "property point.x",
      "property point.y",
      "struct thing",
      "property thing.z",
      "enum colour",
      "constant colour.RED",
      "constant colour.GREEN",
      "function maker",
      "variable handler",
      "variable first",
      "variable second",
    ]);
    expect(imports).toEqual(["stdio.h:", "mine.h:"]);
    expect(span("add")).toBe(
      "/* Adds. */\nstatic int add(int a, int b) { return sum(a, b); } // fast",
    );
    expect(span("point")).toBe("struct point { int x, *y; };");
    expect(span("first")).toBe("first = 1");
    expect(body("add")).toBe("{ return sum(a, b); }");
    expect(symbol("add").isPrivate).toBe(true);
    expect(references).toEqual(["call sum @add"]);
  });

  it("E-01 a header with words of C++ is C++", () => {
    expect(languageOf("a.h", "struct a { int x; };")).toBe("c");
    expect(languageOf("a.h", "namespace a { }")).toBe("cpp");
    expect(languageOf("a.c", "/* std::x */")).toBe("c");
  });

  it.each([
    ["functions", "int f(void) { return 1; }\nint f(int a) { return 2; }\n", "symbol f 1,2"],
    ["structs", "struct s { int a; };\nstruct s { int b; };\n", "symbol s 1,2"],
    ["fields", "struct s {\n int a;\n char a;\n};\n", "symbol a 2,3"],
    [
      "typedefs with a body",
      "typedef struct { int a; } t;\ntypedef struct { int b; } t;\n",
      "symbol t 1,2",
    ],
    [
      "names in capitals",
      "int MAX(int a) { return 1; }\nint MAX(int a) { return 2; }\n",
      "symbol MAX 1,2",
    ],
    ["one branch", "#ifndef H\n#define H\nint f() {}\nint f() {}\n#endif\n", "symbol f 3,4"],
  ])("E-02 finds what stands twice: %s", async (_, text, expected) => {
    expect(await duplicatesIn("c", text)).toEqual([expected]);
  });

  it.each([
    [
      "declarations",
      "int f(void);\nint f(void);\nint f(void) { return 1; }\nextern int v;\nint v;\n",
    ],
    [
      "branches",
      "#ifdef X\nint f() {}\n#elif Y\nint f() {}\n#else\nint f() {}\n#endif\nint f() {}\n",
    ],
    ["tags", "struct s { int a; };\nenum t { A };\nunion u { int a; };\nint s(void) {}\n"],
    ["repeated typedefs", "typedef int t;\ntypedef int t;\n"],
    ["macros", "#define A 1\n#undef A\n#define A 2\n"],
    ["macros that make functions", "int CMD(a)(int x) {}\nint CMD(b)(int x) {}\n"],
    [
      "macros in an enum",
      "enum e {\n  OPT(A, LONG, 1),\n  OPT(B, LONG, 2),\n  OPT(C, LONG, 3)\n};\n",
    ],
    ["macros with a type", "static int MADE(a) { }\nstatic int MADE(a) { }\n"],
    ["macros that make names", "int __NTH(f(int a)) { }\nint __NTH(g(int a)) { }\n"],
    ["macros that make fields", "struct s {\n int MADE(a);\n int MADE(b);\n};\n"],
    ["annotations", "void f(void) LOCKS(int a) { }\nvoid g(void) LOCKS(int a) { }\n"],
    ["test macros", "TEST_BEGIN(a) { }\nTEST_END\nTEST_BEGIN(b) { }\nTEST_END\n"],
  ])("E-02 lets legal twins pass: %s", async (_, text) => {
    expect(await duplicatesIn("c", text)).toEqual([]);
  });
});
