import { describe, expect, it } from "vitest";
import { findDuplicates } from "../../../src/structure/index.ts";
import { withoutMacros } from "../../../src/structure/languages/c-macros.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

/** What is left, with its white space made one blank. */
const left = (text: string): string => {
  const read = withoutMacros(text);
  expect(read).toHaveLength(text.length);
  expect(read.split("\n").map((line) => line.length)).toEqual(
    text.split("\n").map((line) => line.length),
  );
  return read.replaceAll(/\s+/g, " ").trim();
};

describe("C read without its macros", () => {
  it.each([
    ["API_EXPORT int f(void);", "int f(void);"],
    ["API_OLD API_EXPORT const char *f(void);", "const char *f(void);"],
    ["int API_CALL f(void);", "int f(void);"],
    ["class API_EXPORT A API_FINAL : public B {};", "class A : public B {};"],
    ["int f(void) NOTHROW NONNULL((1));", "int f(void) ;"],
    ["int size_ GUARDED_BY(mutex_);", "int size_ ;"],
    ["bool f() const LOCKED(a) { return 1; }", "bool f() const { return 1; }"],
    ["struct a { void (API_CALL *f)(int); };", "struct a { void ( *f)(int); };"],
    ["struct a { char name __flexarr; };", "struct a { char name ; };"],
    ["BEGIN_DECLS\nint f(void);\nEND_DECLS\n", "int f(void);"],
    ["DEFINE_LIST(a, b)\nDEFINE_LIST(c, d)\nint f(void);", "int f(void);"],
    ["extern LIB_API(int) f(void);", "extern LIB_API_int_ f(void);"],
    ["void f(STACK_OF(A) *b);", "void f(STACK_OF_A_ *b);"],
    ['#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);', "int f(void);"],
  ])("E-01 %j", (text, expected) => {
    expect(left(text)).toBe(expected);
  });

  it.each([
    "FILE *f(void);",
    "DWORD f(void);",
    "static DWORD f(void);",
    "DWORD\nf(void)\n{\n}",
    "static int DEBUG;",
    "typedef struct A_B A_C;",
    "int MAIN(int a);",
    "TEST(Group, name) { CHECK(a == 1); }",
    "return FLAG;",
    "#ifdef __cplusplus\nint f();\n#endif",
  ])("E-01 leaves %j", (text) => {
    expect(withoutMacros(text)).toBe(text);
  });

  it("E-02 what macros hid from the grammar is found twice, and ranges are the file's own", async () => {
    const analyser = sharedAnalyser();
    const one = "API_EXPORT Thing *API_CALL made(int a) NOTHROW\n{ return 0; }\n";
    const text = `BEGIN_DECLS\n${one}MARK_END(made)\n${one}END_DECLS\n`;
    const { outline, source } = await analyser.outline(text, "a.c");
    expect(outline.problems).toEqual([]);
    const [first] = outline.symbols;
    expect(text.slice(first!.nameSpan.from, first!.nameSpan.to)).toBe("made");
    expect(findDuplicates(outline, source).map(({ name }) => name)).toEqual(["made"]);
  });
});
