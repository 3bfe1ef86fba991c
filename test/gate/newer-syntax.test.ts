import { describe, expect, it } from "vitest";
import { judge, treeOf } from "../../src/gate/index.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

const verdictOn = async (path: string, before: string | undefined, after: string) => {
  const tree = treeOf(before === undefined ? {} : { [path]: before });
  const context = { analyser, tree, policy: {} };
  return judge({ writes: [{ path, after }] }, context);
};

const codes = async (path: string, before: string | undefined, after: string) =>
  (await verdictOn(path, before, after)).reasons.map(({ code }) => code);

/** What is added to a clean file of the language; compilers take all of it. */
const newer: Readonly<Record<string, { clean: string; added: readonly string[] }>> = {
  "a.swift": {
    clean: "struct A {\n  let x = 1\n}\n",
    added: [
      "#if canImport(Glibc)\nimport Glibc\n#elseif os(Windows)\nimport ucrt\n#endif\n",
      'func f() {\n  #warning("later")\n}\n',
      'let raw = #"a "quoted\\d" (text"#\n',
      "func g(file: StaticString = #filePath, line: UInt = #line) {}\n",
      "@Test func t() throws {\n  #expect(1 == 1)\n  let v = try #require(Optional(1))\n}\n",
      "func h() throws(MyError) -> Int { 1 }\n",
      "func i(_ x: sending String) async {}\n",
      '#Preview {\n  Text("a")\n}\n',
      '@freestanding(expression) macro stringify<T>(_ v: T) -> (T, String) = #externalMacro(module: "M", type: "S")\n',
      "nonisolated(unsafe) var shared = 0\n",
      "let r = /a[(]b/\nlet s = #/c{/#\n",
    ],
  },
  "a.rs": {
    clean: "fn main() {}\n",
    added: [
      'unsafe extern "C" {\n    pub safe fn sqrt(x: f64) -> f64;\n}\n',
      "fn l<'a>(x: &'a str) -> char { if x == r#\"(\"# { '(' } else { '\\'' } }\n",
    ],
  },
  "a.cpp": {
    clean: "int main() { return 0; }\n",
    added: [
      "constexpr int f() { if consteval { return 1; } else { return 2; } }\n",
      "struct A { int x; int get(this A const& self) { return self.x; } };\n",
      "auto g = [](int x) static { return x; };\n",
      "auto h = [] static { return 1; };\n",
    ],
  },
  "a.c": {
    clean: "int main(void) { return 0; }\n",
    added: [
      "enum color : unsigned char { red, green };\n",
      "void f(void) { auto q = nullptr; (void)q; }\n",
    ],
  },
  "A.cs": {
    clean: "class A { int x; }\n",
    added: [
      "class B<T> where T : allows ref struct { }\n",
      "class C { void F(A? a) { a?.b = 1; } }\n",
      "static class E { extension(string s) { public bool IsEmpty => s.Length == 0; } }\n",
      "class D { public void operator +=(int x) { } }\n",
      'class G { string s = $$"""{ {{1 + 1}} " """; string t = $@"a""{1}{{"; }\n',
    ],
  },
  "A.java": {
    clean: "class A { int x; }\n",
    added: [
      "class B extends A { B(int v) { if (v < 0) throw new Error(); super(); } }\n",
      'class C { String s = """\n  a "(" b\n  """; char c = \'{\'; }\n',
    ],
  },
  "a.sh": {
    clean: "echo if done\n",
    added: [
      'case "$1" in\n  (a) x=${y%)} ;;\n  done) echo "it\'s $(echo ")")" ;;\nesac\n',
      "cat <<EOF\nif ( {\nEOF\n[[ $a =~ ^\\( ]] && (( i++ ))\n",
    ],
  },
  "a.kt": {
    clean: "class A(val x: Int)\n",
    added: [
      'fun f(a: Any) = when (a) {\n  is Int if a > 1 -> "x"\n  else -> "y"\n}\n',
      'val t = $$"""{ "a": "$$b", "c": "${" }"""\n',
      "context(log: Logger) fun g() {}\n",
      'var z: Int = 1\n  @JvmName("a") get\n',
      'val s = "a ${"b }" + "{"} c"\n',
    ],
  },
};

describe("a grammar alone refuses nothing", () => {
  for (const [path, { clean, added }] of Object.entries(newer)) {
    for (const code of added) {
      it(`E-17 ${path}: ${JSON.stringify(code.slice(0, 50))} passes, in an old and in a new file`, async () => {
        expect(await codes(path, clean, `${clean}\n${code}`)).toEqual([]);
        expect(await codes(path, undefined, `${clean}\n${code}`)).toEqual([]);
      });
    }
  }

  it("E-17 import module of Java passes", async () => {
    expect(
      await codes("A.java", "class A { }\n", "import module java.base;\nclass A { }\n"),
    ).toEqual([]);
  });

  it.each([
    ["a.swift", "struct A {\n  func f() { g(1 }\n}\n"],
    ["a.kt", 'fun f() {\n  println("a")\n'],
    ["A.cs", "class A { void F() { G(1; } }\n"],
    ["A.java", "class A { void f() { g(1)); } }\n"],
    ["a.rs", "fn f() { let a = [1, 2; }\n"],
    ["a.scala", "object A {\n  def f = List(1\n}\n"],
    ["a.lua", "function f()\n  if x then\n    g()\nend\n"],
    ["a.c", "int f(void) { return g(1; }\n"],
    ["a.sh", "f() {\n  if [ -n x ]; then\n    echo done\n}\n"],
    ["b.sh", 'case $1 in\n  a) echo "$(date";;\nesac\n'],
  ])("E-17 brackets that do not close are proof: %s", async (path, after) => {
    expect(await codes(path, undefined, after)).toContain("SYNTAX_ERROR");
    const clean = "\n";
    expect(await codes(path, clean, after)).toContain("SYNTAX_ERROR");
  });

  it("E-17 where files around it are not understood either, it is a note", async () => {
    const template = "local t = {}\n{% for n in names %}\nt[{{n}}] = function(\n{% endfor %}\n";
    const tree = treeOf({ "lua/other.lua": template });
    const after = template.replace("names", "others");
    const context = { analyser, tree, policy: {} };
    const broken = { writes: [{ path: "lua/a.lua", after: "function f(\n" }] };
    const { verdict, notes } = await judge(broken, context);
    expect({ verdict, codes: notes.map(({ code }) => code) }).toMatchObject({ verdict: "allow" });
    expect(notes.map(({ code }) => code)).toContain("SYNTAX_ERROR");
    expect((await judge({ writes: [{ path: "lua/b.lua", after }] }, context)).verdict).toBe(
      "allow",
    );
  });
});

describe("a second mistake in a broken file", () => {
  const broken = "export const a = (1;\n\nexport function f(x: number) {\n  return x;\n}\n";

  it.each([
    ["another bracket", broken.replace("return x;", "return (x;")],
    ["a function cut off", broken.slice(0, broken.indexOf("  return x"))],
  ])("E-17 %s is refused", async (_, after) => {
    expect(await codes("a.ts", broken, after)).toContain("SYNTAX_ERROR");
  });

  it.each([
    ["a repair", broken.replace("(1;", "1;")],
    ["an edit elsewhere", broken.replace("return x;", "return x + 1;")],
    ["another wrong try at the same place", broken.replace("(1;", "(1,;")],
  ])("E-17 %s passes", async (_, after) => {
    expect(await codes("a.ts", broken, after)).toEqual([]);
  });
});

const pasted = "package a\n\nimport b.c\n\nclass A {\n  fun f() {}\n}\n";

describe("what stands twice", () => {
  it.each([
    ["a.py", "def f():\n    return 1\n\n\ndel f\n\n\ndef f():\n    return 2\n"],
    ["a.py", "def f():\n    return 1\n\n\n_old = f\n\n\ndef f():\n    return _old() + 1\n"],
    ["a.py", "import os\nimport os\n"],
    [
      "a.py",
      "def t():\n    def f(): pass\n    with x():\n        run(f)\n    def f(): pass\n    run(f)\n",
    ],
    [
      "a.py",
      "def t():\n    @cli.command()\n    def f(): pass\n    @cli.command()\n    def f(): pass\n",
    ],
    ["a.kt", "fun f(a: Int) = 1\nfun f(a: String) = 2\nfun A.g() = 1\nfun B.g() = 2\n"],
    ["a.kt", "expect class A\nactual class A\n"],
    ["a.swift", "#if os(Linux)\nfunc f() {}\n#else\nfunc f() {}\n#endif\n"],
    ["a.swift", "struct A {}\nextension A { func f() {} }\nextension A { func f(x: Int) {} }\n"],
    ["a.swift", "struct A {\n  func f(a x: Int) {}\n  func f(b x: Int) {}\n}\n"],
    ["a.scala", "class A\nobject A {\n  def f(x: Int) = 1\n  def f(x: String) = 2\n}\n"],
    ["a.lua", "function f() end\nlocal old = f\nfunction f() old() end\n"],
    ["a.sh", "f() { echo 1; }\nf\nf() { echo 2; }\nf\n"],
    [
      "a.c",
      "int g;\nint g;\nextern int h;\nint h = 1;\n#ifdef A\nint i = 1;\n#else\nint i = 2;\n#endif\n",
    ],
    [
      "a.ts",
      "export default function f(a: string): void;\nexport default function f(a: number): void;\nexport default function f(a: unknown) {}\n",
    ],
    [
      "A.cs",
      "namespace N { class A { } }\nnamespace N { class B { } partial class C { } }\nnamespace N { partial class C { } }\n",
    ],
  ])("E-23 on purpose passes: %s %j", async (path, after) => {
    expect(await codes(path, "\n", after)).toEqual([]);
  });

  it.each([
    [
      "a.py",
      "def t():\n    def f():\n        return 1\n\n    def f():\n        return 2\n\n    return f\n",
    ],
    ["a.py", "def f():\n    return 1\n\n\ndef g():\n    return f()\n\n\ndef f():\n    return 2\n"],
    [
      "a.kt",
      "class A {\n  fun f(a: Int): Int { return 1 }\n  fun f(a: Int): Int { return 2 }\n}\n",
    ],
    ["a.swift", "struct A {\n  func f(a: Int) -> Int { 1 }\n  func f(a: Int) -> Int { 2 }\n}\n"],
    ["a.kt", `${pasted}\n${pasted}`],
    ["a.swift", "class A {}\nclass A {}\n"],
    ["a.scala", "object A {\n  def f(x: Int): Int = 1\n  def f(x: Int): Int = 2\n}\n"],
    ["a.lua", "function M.f() return 1 end\nfunction M.f() return 2 end\n"],
    ["a.sh", "f() {\n  echo 1\n}\n\nf() {\n  echo 2\n}\n"],
    ["a.c", "int g = 1;\nint g = 2;\n"],
    ["a.ts", "export default function f() {}\nexport default class A {}\n"],
    ["A.cs", "namespace N { class A { } }\nnamespace N { class A { } }\n"],
  ])("E-23 by mistake is refused: %s %j", async (path, after) => {
    const found = await codes(path, "\n", after);
    expect(found.some((code) => /^(DUPLICATE_|SYNTAX_ERROR)/.test(code))).toBe(true);
  });
});
