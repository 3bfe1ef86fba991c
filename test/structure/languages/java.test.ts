import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const file = `package a.b;

import java.util.List;
import static java.lang.Math.*;

/** Holds things. */
@Ann(x = 1)
public abstract class A<T extends Foo> extends B<T> implements C, D {
  private static final int X = 1, Y[] = {};
  /** The thing. */
  @Inject
  private Foo f; // kept

  public A(String... names) { super(); this.go(); }

  @Override
  public <U> void m(final List<String> a, int b[]) throws E {
    help();
    a.b.c();
    new Foo(1) { void run() {} };
  }

  abstract void n(int[] x);
  enum E { P, Q(1) { void z() {} }; int k; }
  record R(int a) { R { } static int q; }
  interface I { int K = 1; void a(); }
  @interface An { String value() default ""; }
}
`;

describe("E-01 the structure of Java", () => {
  it("E-01 shows types with their members", async () => {
    const { shape } = await outlined("java", file);
    expect(shape).toEqual([
      "class A",
      "constant A.X",
      "constant A.Y",
      "property A.f",
      "constructor A.A",
      "method A.m",
      "method A.m.run",
      "method A.n",
      "enum A.E",
      "constant A.E.P",
      "constant A.E.Q",
      "method A.E.Q.z",
      "property A.E.k",
      "class A.R",
      "constructor A.R.R",
      "property A.R.q",
      "interface A.I",
      "constant A.I.K",
      "method A.I.a",
      "interface A.An",
      "method A.An.value",
    ]);
  });

  it("E-01 spans hold doc comment and annotations", async () => {
    const { span, body, symbol } = await outlined("java", file);
    expect(span("A")).toBe(file.slice(file.indexOf("/** Holds"), -1));
    expect(span("A.f")).toBe("/** The thing. */\n  @Inject\n  private Foo f; // kept");
    expect(span("A.m")).toMatch(/^@Override\n {2}public <U> void m[^]*\n {2}\}$/);
    expect(body("A.m")).toMatch(/^\{\n {4}help[^]*\n {2}\}$/);
    expect(symbol("A")).toMatchObject({
      doc: "Holds things.",
      bases: ["B<T>", "C", "D"],
      decorators: ["Ann(x = 1)"],
      isExported: true,
    });
    expect(symbol("A.m").decorators).toEqual(["Override"]);
    expect(symbol("A.f").isPrivate).toBe(true);
  });

  it("E-01 imports and calls", async () => {
    const { imports, references } = await outlined("java", file);
    expect(imports).toEqual(["java.util: List>List", "static java.lang.Math: *>*"]);
    expect(references).toEqual([
      "member-call this.go @A.A",
      "call help @A.m",
      "member-call a.b.c @A.m",
      "call Foo @A.m",
    ]);
  });
});

describe("E-02 what stands twice in Java", () => {
  it.each([
    [
      "overloads",
      "class A { void m(int a) {} void m(long a) {} void m(int a, int b) {} void m() {} }",
    ],
    [
      "arrays beside plain types",
      "class A { void m(int a) {} void m(int[] a) {} void m(int[]... a) {} }",
    ],
    ["overloaded constructors", "class A { A() {} A(int a) {} }"],
    ["a field, a method and a type of one name", "class A { int b; void b() {} class b {} }"],
    [
      "anonymous classes",
      "class A { void m() { f(new R() { void r() {} }, new R() { void r() {} }); } }",
    ],
    ["a compact beside another constructor", "record A(int a) { A { } A() { this(1); } }"],
    [
      "imports of different members",
      "import a.B;\nimport a.C;\nimport static a.B.c;\nimport static a.B;\nimport a.D.*;\nimport static a.D.*;\nclass X {}",
    ],
  ])("E-02 allows %s", async (_, text) => {
    expect(await duplicatesIn("java", text)).toEqual([]);
  });

  it.each([
    ["class A {\n void m(int a) {}\n int m(final int b) { return 1; }\n}", "symbol m 2,3"],
    ["class A {\n void m(List<String> a) {}\n void m(@N List<Map<A, B>> b) {}\n}", "symbol m 2,3"],
    ["class A {\n void m(int... a) {}\n void m(int a[]) {}\n}", "symbol m 2,3"],
    ["class A {\n A(int a) {}\n A(int b) {}\n}", "symbol A 2,3"],
    ["class A {\n int b;\n String b;\n}", "symbol b 2,3"],
    ["class A {\n class B {}\n interface B {}\n}", "symbol B 2,3"],
    ["enum A {\n B,\n B\n}", "symbol B 2,3"],
    ["import a.B;\nimport a.B;\nclass X {}", "import B 1,2"],
  ])("E-02 finds %j", async (text, found) => {
    expect(await duplicatesIn("java", text)).toEqual([found]);
  });
});
