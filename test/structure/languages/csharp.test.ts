import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const source = `using System;
using Alias = Some.Thing;

namespace Shop.Core
{
    /// <summary>Lets people in.</summary>
    [Service]
    public class Door<T> : Base, IDoor where T : class
    {
        const int Max = 1;
        int a, b;
        public Door(int x) {}
        static Door() {}
        public int Size { get; set; } // how large
        int IDoor.Size => 1;
        public void Open<U>(ref int a, params string[] b) { Log.Write(a); Shut(); }
        public int this[int i] { get { return 1; } }
        public static Door<T> operator +(Door<T> a, Door<T> b) => a;
        public static explicit operator int(Door<T> a) => 1;
        event Action Opened;
        enum Colour { Red, Green }
    }
}
`;

const inClass = (members: string): string => `class A {\n${members}\n}\n`;

describe("the structure of C#", () => {
  it("E-01 shows namespaces, types and members", async () => {
    const { shape, imports } = await outlined("csharp", source);
    expect(shape).toEqual([
      "namespace Shop.Core",
      "class Shop.Core.Door",
      "constant Shop.Core.Door.Max",
      "property Shop.Core.Door.a",
      "property Shop.Core.Door.b",
      "constructor Shop.Core.Door.Door",
      "constructor Shop.Core.Door.Door~2",
      "property Shop.Core.Door.Size",
      "property Shop.Core.Door.Size~2",
      "method Shop.Core.Door.Open",
      "property Shop.Core.Door.this",
      "method Shop.Core.Door.+",
      "method Shop.Core.Door.int",
      "property Shop.Core.Door.Opened",
      "enum Shop.Core.Door.Colour",
      "constant Shop.Core.Door.Colour.Red",
      "constant Shop.Core.Door.Colour.Green",
    ]);
    expect(imports).toEqual(["System: *>*", "Some.Thing: Some.Thing>Alias"]);
  });

  it("E-01 spans hold doc comment and attribute, and the comment behind", async () => {
    const { span, body, symbol, references } = await outlined("csharp", source);
    expect(span("Shop.Core.Door")).toMatch(/^\/\/\/ <summary>[^]*\[Service\][^]*\n {4}\}$/);
    expect(span("Shop.Core.Door.Size")).toBe("public int Size { get; set; } // how large");
    expect(span("Shop.Core.Door.b")).toBe("b;");
    expect(body("Shop.Core.Door.Open")).toBe("{ Log.Write(a); Shut(); }");
    expect(symbol("Shop.Core.Door").bases).toEqual(["Base", "IDoor"]);
    expect(symbol("Shop.Core.Door").decorators).toEqual(["Service"]);
    expect(references).toContain("call Shut @Shop.Core.Door.Open");
    expect(references).toContain("member-call Log.Write @Shop.Core.Door.Open");
  });

  it.each([
    ["methods", "void F(int a) {}\nvoid F(int b) {}", "symbol F 2,3"],
    ["properties", "int P => 1;\nint P { get; }", "symbol P 2,3"],
    ["constructors", "A(string s) {}\nA(string t) {}", "symbol A 2,3"],
    ["nested types", "class B {}\nstruct B {}", "symbol B 2,3"],
    ["fields", "int a;\nint a;", "symbol a 2,3"],
    ["local functions", "void F() {\nint g() => 1;\nint g() => 2;\n}", "symbol g 3,4"],
    ["one branch", "#if X\nvoid F() {}\nvoid F() {}\n#endif", "symbol F 3,4"],
    ["generic methods", "void F<T>(T a) {}\nvoid F<T>(T b) {}", "symbol F 2,3"],
  ])("E-02 finds what stands twice: %s", async (_, members, expected) => {
    expect(await duplicatesIn("csharp", inClass(members))).toEqual([expected]);
  });

  it.each([
    "partial class A { void F() {} }\npartial class A { void F() {} }\n",
    "namespace N { partial class A { void F() {} } }\nnamespace N { partial class A { void F() {} } }\n",
  ])("E-02 parts of one type share their members: %s", async (text) => {
    expect(await duplicatesIn("csharp", text)).toEqual(["symbol F 1,2"]);
  });

  it.each([
    [
      "overloads",
      inClass("void F() {}\nvoid F(int a) {}\nvoid F(ref int a) {}\nvoid F(int[] a) {}"),
    ],
    ["arity", inClass("void F() {}\nvoid F<T>() {}\nclass B {}\nclass B<T> {}")],
    ["explicit interfaces", inClass("void F() {}\nvoid I.F() {}\nvoid J.F() {}")],
    ["partial types", "partial class A { void F() {} }\npartial class A { void G() {} }\n"],
    [
      "partial types of several arities",
      "partial class A { void F() {} }\npartial class A<T> { void F() {} }\nnamespace N { partial class A { void F() {} } }\n",
    ],
    [
      "parts of a type in branches",
      "partial class A { void F() {} }\n#if X\npartial class A { void G() {} }\n#else\npartial class A { void G() {} }\n#endif\n",
    ],
    ["partial methods", inClass("partial void F();\npartial void F() {}")],
    [
      "#if branches",
      inClass("#if X\nvoid F() {}\n#elif Y\nvoid F() {}\n#else\nvoid F() {}\n#endif"),
    ],
    ["operators", inClass("static A operator +(A a) => a;\nstatic A operator -(A a) => a;")],
    [
      "conversions",
      inClass("static implicit operator int(A a) => 1;\nstatic implicit operator byte(A a) => 1;"),
    ],
    ["namespaces", "namespace N { class A {} }\nnamespace N { class B {} }\n"],
    ["a static constructor", inClass("A() {}\nstatic A() {}\n~A() {}")],
  ])("E-02 lets legal twins pass: %s", async (_, text) => {
    expect(await duplicatesIn("csharp", text)).toEqual([]);
  });
});
