import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const source = `#include <vector>
namespace shop {
// Lets people in.
template <typename T>
class Door final : public Base<T>, Thing {
 public:
  Door();
  ~Door() {}
  int open(int n) const;
  operator bool() const { return true; }
  Door& operator=(const Door&) = default;
 private:
  int count = 0;
  enum class Colour { Red };
};

template <typename T>
int Door<T>::open(int n) const { return n; }
void far::away::go(const std::string& s) {}
using Ints = std::vector<int>;
int helper(int);
}
TEST(Door, Opens) { }
`;

describe("the structure of C++", () => {
  it("E-01 shows namespaces, classes, members and definitions outside of their class", async () => {
    const { outline, shape, symbol, span } = await outlined("cpp", source);
    expect(outline.problems).toEqual([]);
    expect(shape.map((one) => one.replace(/~\d$/, ""))).toEqual([
      "namespace shop",
      "class shop.Door",
      "constructor shop.Door.Door",
      "method shop.Door.~Door",
      "method shop.Door.open",
      "method shop.Door.bool",
      "method shop.Door.operator=",
      "property shop.Door.count",
      "enum shop.Door.Colour",
      "constant shop.Door.Colour.Red",
      "method shop.Door.open",
      "method shop.far.away.go",
      "type shop.Ints",
      "function shop.helper",
      "function TEST",
    ]);
    expect(span("shop.Door")).toMatch(/^\/\/ Lets people in\.\ntemplate <typename T>[^]*\n\};$/);
    expect(symbol("shop.Door").bases).toEqual(["Base<T>", "Thing"]);
    expect(symbol("shop.Door.count").isPrivate).toBe(true);
    expect(symbol("shop.Door.~Door").isPrivate).toBe(false);
    expect(span("shop.far.away.go")).toBe("void far::away::go(const std::string& s) {}");
  });

  it.each([
    [
      "functions, whatever the parameters are called",
      "void f(int a) {}\nvoid f(int b) {}\n",
      "symbol f 1,2",
    ],
    ["layout and defaults", "void f(int *a) {}\nvoid f(int* b = 0) {}\n", "symbol f 1,2"],
    [
      "methods",
      "class A {\n int f() const { return 1; }\n int f() const { return 2; }\n};\n",
      "symbol f 2,3",
    ],
    [
      "declared and defined in a class",
      "class A {\n int f();\n int f() { return 1; }\n};\n",
      "symbol f 2,3",
    ],
    ["outside of the class", "void A::f() {}\nvoid A::f() {}\n", "symbol f 1,2"],
    ["classes", "class A {};\nstruct A {};\n", "symbol A 1,2"],
    [
      "templates",
      "template <class T> void f(T a) {}\ntemplate <class T> void f(T b) {}\n",
      "symbol f 1,2",
    ],
    ["tests", "TEST(A, b) { }\nTEST(A, b) { }\n", "symbol TEST 1,2"],
  ])("E-02 finds what stands twice: %s", async (_, text, expected) => {
    expect(await duplicatesIn("cpp", text)).toEqual([expected]);
  });

  it.each([
    ["overloads", "void f(int) {}\nvoid f(long) {}\nvoid f(int, int) {}\nvoid f(const int*) {}\n"],
    [
      "const and references",
      "class A { int f() {} int f() const {} int g() & {} int g() && {} };\n",
    ],
    ["other classes", "void A::f() {}\nvoid B::f() {}\nvoid f() {}\n"],
    ["declarations outside", "void f();\nvoid f();\nvoid f() {}\nclass A;\nclass A {};\n"],
    [
      "specialisations",
      "template <class T> struct S {};\ntemplate <class T> struct S<T*> {};\ntemplate <> struct S<int> {};\n",
    ],
    [
      "template heads",
      "template <class T> void f(T) {}\ntemplate <class T, class U> void f(T) {}\ntemplate <> void f(int) {}\n",
    ],
    [
      "chosen by result",
      "template <class T> enable_if_t<A<T>> f(T) {}\ntemplate <class T> enable_if_t<B<T>> f(T) {}\n",
    ],
    [
      "constraints",
      "template <class T> requires A<T> void f(T) {}\ntemplate <class T> requires B<T> void f(T) {}\n",
    ],
    [
      "a macro that stands for one class and then for another",
      "void MY_CLASS::f() {}\n#undef MY_CLASS\n#define MY_CLASS B\nvoid MY_CLASS::f() {}\n",
    ],
    ["branches", "#ifdef X\nvoid f() {}\n#else\nvoid f() {}\n#endif\n"],
    [
      "namespaces",
      "namespace a { void f() {} }\nnamespace b { void f() {} }\nnamespace a { void g() {} }\n",
    ],
    ["tests", "TEST(A, b) { }\nTEST(A, c) { }\nTEST(B, b) { }\n"],
    [
      "lock macros",
      "class A {\n void f() LOCKS(mu) {}\n void g() LOCKS(mu) {}\n int a GUARDED_BY(mu);\n int b GUARDED_BY(mu);\n};\n",
    ],
    ["conversions", "struct A { operator int() {} operator bool() {} };\n"],
  ])("E-02 lets legal twins pass: %s", async (_, text) => {
    expect(await duplicatesIn("cpp", text)).toEqual([]);
  });
});
