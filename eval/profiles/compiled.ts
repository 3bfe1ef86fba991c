import { cStyle, type Profile } from "./profile.ts";

export const compiled: Readonly<Record<string, Profile>> = {
  java: {
    ...cStyle,
    member: (name) =>
      `public int ${name}(int value, String other) {\n\treturn value + other.length();\n}`,
    func: (name) => `class ${name} {\n\tint value;\n}`,
    twins: [
      [
        "overloads",
        "class N {\n\tvoid run() {}\n\n\tvoid run(int one) {}\n\n\tvoid run(String one) {}\n\n\tvoid run(int one, int two) {}\n}",
      ],
      ["constructors", "class N {\n\tN() {}\n\n\tN(int one) {}\n}"],
      [
        "array and list",
        "class N {\n\tvoid run(int[] one) {}\n\n\tvoid run(java.util.List<String> one) {}\n\n\tvoid run(int... one, String two) {}\n}"
          .replace(", String two", "")
          .replace("\n\n\tvoid run(int... one) {}", ""),
      ],
      [
        "inner classes",
        "class N {\n\tstatic class A {\n\t\tvoid run() {}\n\t}\n\n\tstatic class B {\n\t\tvoid run() {}\n\t}\n}",
      ],
      ["field and method", "class N {\n\tint run;\n\n\tint run() {\n\t\treturn run;\n\t}\n}"],
      [
        "generic overloads",
        "class N {\n\t<T> void run(T one) {}\n\n\t<T extends Comparable<T>> void run(T one) {}\n}",
      ],
    ],
    marks: ["@Deprecated", '@SuppressWarnings("unchecked")'],
    keywords: ["return", "public", "new", "if", "for", "throw", "final"],
    outside: ["case 1:", "return 1 +;", "extends;", "catch (Exception e) {}", "public int;"],
    misplaced: ["@Override ;;", "@Override", "private int x() {}"],
  },
  csharp: {
    ...cStyle,
    member: (name) =>
      `public int ${name}(int value, string other)\n{\n\treturn value + other.Length;\n}`,
    func: (name) => `internal class ${name}\n{\n\tpublic int Value;\n}`,
    twins: [
      [
        "overloads",
        "internal class N\n{\n\tvoid Run() { }\n\n\tvoid Run(int one) { }\n\n\tvoid Run(string one) { }\n\n\tvoid Run(ref int one) { }\n}",
      ],
      [
        "generic arity",
        "internal class N\n{\n\tvoid Run() { }\n\n\tvoid Run<T>() { }\n\n\tvoid Run<T, U>() { }\n}",
      ],
      ["generic classes", "internal class N\n{\n}\n\ninternal class N<T>\n{\n}"],
      [
        "partial classes",
        "internal partial class N\n{\n\tint a;\n}\n\ninternal partial class N\n{\n\tint b;\n}",
      ],
      [
        "explicit interfaces",
        "internal class N : IA, IB\n{\n\tvoid IA.Run() { }\n\n\tvoid IB.Run() { }\n\n\tpublic void Run() { }\n}",
      ],
      [
        "preprocessor branches",
        "internal class N\n{\n#if DEBUG\n\tvoid Run() { }\n#else\n\tvoid Run() { }\n#endif\n}",
      ],
    ],
    marks: ["[Obsolete]"],
    keywords: ["return", "class", "new", "if", "foreach", "throw"],
    outside: ["case 1:", "return 1 +;", "catch { }"],
    misplaced: ["[Obsolete]", "private int X() { }"],
  },
  go: {
    ...cStyle,
    unit: "\t",
    func: (name) => `func ${name}(value int, other string) int {\n\treturn value + len(other)\n}`,
    twins: [
      [
        "methods of two receivers",
        "type N struct{}\n\ntype NOther struct{}\n\nfunc (n N) Run() {}\n\nfunc (n *NOther) Run() {}",
      ],
      ["two init", "func init() {\n\tprintln(1)\n}\n\nfunc init() {\n\tprintln(2)\n}"],
      ["blank names", "var _ = 1\n\nvar _ = 2\n\nfunc _() {}\n\nfunc _() {}"],
      ["method and function", "type N struct{}\n\nfunc (N) NRun() {}\n\nfunc NRun() {}"],
      [
        "generic receivers",
        "type N[T any] struct{}\n\nfunc (n *N[T]) Run() {}\n\ntype N2[T any] struct{}\n\nfunc (n *N2[T]) Run() {}",
      ],
    ],
    marks: [],
    keywords: ["func", "return", "if", "for", "range", "var", "switch"],
    outside: ["else", "return 1 +", "case 1:", "func inner() {}", 'import "x"'],
    misplaced: ["@decorated", "package x"],
  },
  ruby: {
    comment: "#",
    unit: "  ",
    strayElse: "else\n  1",
    member: (name) => `def ${name}(value, other = nil)\n\t[value, other]\nend`,
    func: (name) => `def ${name}(value, other = nil)\n\t[value, other]\nend`,
    twins: [
      [
        "self and instance",
        "class N\n\tdef run\n\t\t1\n\tend\n\n\tdef self.run\n\t\t2\n\tend\nend",
      ],
      [
        "two classes",
        "class N\n\tdef run\n\t\t1\n\tend\nend\n\nclass NOther\n\tdef run\n\t\t1\n\tend\nend",
      ],
      [
        "re-opened class",
        "class N\n\tdef a\n\t\t1\n\tend\nend\n\nclass N\n\tdef b\n\t\t2\n\tend\nend",
      ],
      [
        "if and else",
        "class N\n\tif RUBY_VERSION > '3'\n\t\tdef run\n\t\t\t1\n\t\tend\n\telse\n\t\tdef run\n\t\t\t2\n\t\tend\n\tend\nend",
      ],
      [
        "singleton class",
        "class N\n\tdef run\n\t\t1\n\tend\n\n\tclass << self\n\t\tdef run\n\t\t\t2\n\t\tend\n\tend\nend",
      ],
      [
        "writer and reader",
        "class N\n\tdef value\n\t\t1\n\tend\n\n\tdef value=(one)\n\t\t@one = one\n\tend\n\n\tdef value?\n\t\ttrue\n\tend\nend",
      ],
    ],
    marks: ["private", "protected"],
    keywords: ["def", "return", "if", "unless", "class", "do"],
    nothing: "nil",
    outside: ["end", "break", "else", "retry", "def", "yield = 1"],
    misplaced: ["@@", "rescue => e then (", "when 1"],
  },
  php: {
    ...cStyle,
    member: (name) =>
      `public function ${name}(int $value, ?string $other = null): array\n{\n\treturn [$value, $other];\n}`,
    func: (name) => `function ${name}($value, $other = null)\n{\n\treturn [$value, $other];\n}`,
    twins: [
      [
        "two classes",
        "class N\n{\n\tpublic function run() {}\n}\n\nclass NOther\n{\n\tpublic function run() {}\n}",
      ],
      ["function and method", "function N() {}\n\nclass NHolder\n{\n\tpublic function N() {}\n}"],
      [
        "branches",
        "if (PHP_VERSION_ID > 80000) {\n\tfunction N() {}\n} else {\n\tfunction N() {}\n}",
      ],
      ["class and function", "class N\n{\n}\n\nfunction N() {}"],
      ["property and method", "class N\n{\n\tprivate $run;\n\n\tpublic function run() {}\n}"],
    ],
    marks: ["#[Pure]"],
    keywords: ["function", "return", "new", "foreach", "if", "public"],
    outside: ["case 1:", "return 1 +;", "else;", "public $x;", "} }"],
    misplaced: ["#[Pure", "private function x() {}"],
  },
  rust: {
    ...cStyle,
    strayElse: "else {\n}\n",
    member: (name) =>
      `pub fn ${name}(value: usize, other: &str) -> usize {\n\tvalue + other.len()\n}`,
    func: (name) => `fn ${name}(value: usize, other: &str) -> usize {\n\tvalue + other.len()\n}`,
    twins: [
      [
        "impls of two types",
        "struct N;\n\nstruct NOther;\n\nimpl N {\n\tfn run(&self) {}\n}\n\nimpl NOther {\n\tfn run(&self) {}\n}",
      ],
      [
        "inherent and trait",
        "struct N;\n\nimpl N {\n\tfn fmt(&self) {}\n}\n\nimpl std::fmt::Debug for N {\n\tfn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {\n\t\tOk(())\n\t}\n}",
      ],
      ["cfg", "#[cfg(unix)]\nfn N() {}\n\n#[cfg(windows)]\nfn N() {}"],
      [
        "two traits",
        "struct N;\n\nimpl From<u8> for N {\n\tfn from(_: u8) -> N {\n\t\tN\n\t}\n}\n\nimpl From<u16> for N {\n\tfn from(_: u16) -> N {\n\t\tN\n\t}\n}",
      ],
      ["type and value", "struct N {\n\ta: u8,\n}\n\nfn N() -> u8 {\n\t1\n}"],
      ["modules", "mod N {\n\tpub fn run() {}\n}\n\nmod N2 {\n\tpub fn run() {}\n}"],
      ["macro and function", "macro_rules! N {\n\t() => {};\n}\n\nfn N() {}"],
    ],
    marks: ["#[inline]", "#[must_use]"],
    keywords: ["fn", "return", "let", "if", "for", "match", "impl"],
    outside: ["else", "return 1 +;", "=> 1,", "impl ;", "let = 1;"],
    misplaced: ["#[inline", "pub x: u8,"],
  },
  c: {
    ...cStyle,
    func: (name) =>
      `static int ${name}(int value, const char *other) {\n\treturn value + other[0];\n}`,
    twins: [
      [
        "prototype and definition",
        "static int N(int one);\n\nstatic int N(int one) {\n\treturn one;\n}",
      ],
      [
        "preprocessor branches",
        "#ifdef N_A\nstatic int N(int one) {\n\treturn one;\n}\n#else\nstatic int N(int one) {\n\treturn one + 1;\n}\n#endif",
      ],
      ["tag and type", "struct N {\n\tint a;\n};\n\ntypedef struct N N;"],
      [
        "tag and function",
        "struct N {\n\tint a;\n};\n\nstatic int N(struct N *one) {\n\treturn one->a;\n}",
      ],
      ["two prototypes", "int N(int one);\nint N(int one);"],
    ],
    marks: ["__attribute__((unused))"],
    keywords: ["return", "struct", "if", "for", "while", "int"],
    outside: ["else", "return 1 +;", "static ;;)", "int = 1;"],
    misplaced: ["__attribute__((", "int x() {"],
  },
  cpp: {
    ...cStyle,
    member: (name) => `int ${name}(int value, const char *other) {\n\treturn value + other[0];\n}`,
    func: (name) =>
      `static int ${name}(int value, const char *other) {\n\treturn value + other[0];\n}`,
    twins: [
      [
        "overloads",
        "static int N(int one) {\n\treturn one;\n}\n\nstatic int N(double one) {\n\treturn 1;\n}",
      ],
      [
        "const overload",
        "struct N {\n\tint run() {\n\t\treturn 1;\n\t}\n\n\tint run() const {\n\t\treturn 2;\n\t}\n\n\tint run() && = delete;\n}".replace(
          "\n\n\tint run() && = delete;",
          "",
        ) + ";",
      ],
      [
        "template and specialisation",
        "template <typename T>\nint N(T one) {\n\treturn 1;\n}\n\ntemplate <>\nint N<int>(int one) {\n\treturn 2;\n}",
      ],
      [
        "prototype and definition",
        "static int N(int one);\n\nstatic int N(int one) {\n\treturn one;\n}",
      ],
      [
        "two namespaces",
        "namespace N {\nint run() {\n\treturn 1;\n}\n}\n\nnamespace N2 {\nint run() {\n\treturn 1;\n}\n}",
      ],
      ["re-opened namespace", "namespace N {\nint run();\n}\n\nnamespace N {\nint go();\n}"],
      [
        "class specialisation",
        "template <typename T>\nstruct N {\n};\n\ntemplate <>\nstruct N<int> {\n};\n\ntemplate <typename T>\nstruct N<T *> {\n};",
      ],
      [
        "constructors",
        "struct N {\n\tN() {}\n\n\texplicit N(int one) {}\n\n\tN(const N &other) {}\n};",
      ],
    ],
    marks: ["[[maybe_unused]]"],
    keywords: ["return", "struct", "if", "for", "while", "int"],
    outside: ["else", "return 1 +;", "int = 1;", "case :"],
    misplaced: ["__attribute__((", "public:"],
  },
};
