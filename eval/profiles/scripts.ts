import { cStyle, type Profile } from "./profile.ts";

const script: Profile = {
  ...cStyle,
  unit: "  ",
  member: (name) => `${name}(value, other) {\n\treturn [value, other, "${name}"];\n}`,
  func: (name) => `function ${name}(value, other) {\n\treturn [value, other];\n}`,
  twins: [
    [
      "getter and setter",
      "class N {\n\tget value() {\n\t\treturn 1;\n\t}\n\n\tset value(one) {\n\t\tthis.one = one;\n\t}\n}",
    ],
    [
      "static and instance",
      "class N {\n\tmake() {\n\t\treturn 1;\n\t}\n\n\tstatic make() {\n\t\treturn new N();\n\t}\n}",
    ],
    ["method of two classes", "class N {\n\trun() {}\n}\n\nclass NOther {\n\trun() {}\n}"],
    [
      "function in two blocks",
      "if (globalThis.N) {\n\tconst N = () => 1;\n\tN();\n} else {\n\tconst N = () => 2;\n\tN();\n}",
    ],
    ["function and method of one name", "function N() {}\n\nclass NHolder {\n\tN() {}\n}"],
    [
      "inner functions of one name",
      "function N() {\n\tfunction inner() {}\n\tinner();\n}\n\nfunction N2() {\n\tfunction inner() {}\n\tinner();\n}",
    ],
    [
      "objects with the same keys",
      "const N = { a: 1, get b() { return 1; }, set b(x) {} };\nconst N2 = { a: 1, b() {} };",
    ],
  ],
  marks: [],
  keywords: ["function", "return", "const", "let", "if", "for", "new", "throw", "while"],
  outside: ["break;", "continue;", "return 1 +;", "await = ;", "super();", "yield* ;", "case 1:"],
  misplaced: ["@decorated", "static x() {}", "public x = 1"],
};

const typed: Profile = {
  ...script,
  member: (name) => `${name}(value: number, other = "x"): unknown[] {\n\treturn [value, other];\n}`,
  func: (name) =>
    `function ${name}(value: number, other?: string): unknown[] {\n\treturn [value, other];\n}`,
  twins: [
    ...script.twins.filter(([kind]) => kind !== "objects with the same keys"),
    [
      "overload signatures",
      "class N {\n\trun(one: string): string;\n\trun(one: number): number;\n\trun(one: string | number): string | number {\n\t\treturn one;\n\t}\n}",
    ],
    [
      "function overloads",
      "function N(one: string): string;\nfunction N(one: number): number;\nfunction N(one: unknown): unknown {\n\treturn one;\n}",
    ],
    ["merged interfaces", "interface N {\n\ta: string;\n}\n\ninterface N {\n\tb: string;\n}"],
    ["class and namespace", "class N {\n\ta = 1;\n}\n\nnamespace N {\n\texport const b = 1;\n}"],
    ["type and value of one name", "type N = { a: string };\nconst N = { a: '' };"],
    [
      "interface overloads",
      "interface N {\n\trun(one: string): string;\n\trun(one: number): number;\n}",
    ],
    [
      "abstract overloads",
      "abstract class N {\n\tabstract run(one: string): string;\n\tabstract run(one: number): number;\n}",
    ],
    ["interface and class", "interface N {\n\ta: string;\n}\n\nclass N {\n\tb = 1;\n}"],
    ["function and namespace", "function N() {}\n\nnamespace N {\n\texport const b = 1;\n}"],
  ],
  outside: [...script.outside, "readonly x: ;", "as const;"],
};

export const scripts: Readonly<Record<string, Profile>> = {
  python: {
    comment: "#",
    unit: "    ",
    member: (name) =>
      `def ${name}(self, value, other=None):\n\t"""Made by the evaluation."""\n\treturn [value, other]`,
    func: (name) =>
      `def ${name}(value, other=None):\n\tif value:\n\t\treturn other\n\treturn value`,
    twins: [
      [
        "getter and setter",
        "class N:\n\t@property\n\tdef value(self):\n\t\treturn 1\n\n\t@value.setter\n\tdef value(self, one):\n\t\tself.one = one\n\n\t@value.deleter\n\tdef value(self):\n\t\tpass",
      ],
      [
        "overload",
        "import typing\n\n\n@typing.overload\ndef N(one: int) -> int: ...\n\n\n@typing.overload\ndef N(one: str) -> str: ...\n\n\ndef N(one):\n\treturn one",
      ],
      [
        "overload of a method",
        "class N:\n\t@overload\n\tdef run(self, one: int) -> int: ...\n\n\t@overload\n\tdef run(self, one: str) -> str: ...\n\n\tdef run(self, one):\n\t\treturn one",
      ],
      [
        "singledispatch",
        "@functools.singledispatch\ndef N(one):\n\treturn one\n\n\n@N.register(int)\ndef _(one):\n\treturn 1\n\n\n@N.register(str)\ndef _(one):\n\treturn 2",
      ],
      [
        "try and except",
        "try:\n\tdef N():\n\t\treturn 1\nexcept ImportError:\n\tdef N():\n\t\treturn 2",
      ],
      ["if and else", "if True:\n\tclass N:\n\t\tpass\nelse:\n\tclass N:\n\t\tx = 1"],
      [
        "if and else in a class",
        "class N:\n\tif True:\n\t\tdef run(self):\n\t\t\treturn 1\n\telse:\n\t\tdef run(self):\n\t\t\treturn 2",
      ],
      [
        "method of two classes",
        "class N:\n\tdef run(self):\n\t\tpass\n\n\nclass NOther:\n\tdef run(self):\n\t\tpass",
      ],
      [
        "inner functions of one name",
        "def N():\n\tdef inner():\n\t\tpass\n\treturn inner\n\n\ndef N2():\n\tdef inner():\n\t\tpass\n\treturn inner",
      ],
      [
        "routes of one name",
        "@app.route('/N')\ndef N():\n\treturn 1\n\n\n@app.route('/N2')\ndef N():\n\treturn 2",
      ],
      [
        "match cases",
        "def N(one):\n\tmatch one:\n\t\tcase 1:\n\t\t\tdef f():\n\t\t\t\treturn 1\n\t\tcase _:\n\t\t\tdef f():\n\t\t\t\treturn 2\n\treturn f",
      ],
      [
        "loop and else",
        "for N in (1, 2):\n\tdef N2():\n\t\treturn N\nelse:\n\tdef N2():\n\t\treturn 0",
      ],
      ["variable twice", "N = 1\nN = N + 1"],
      [
        "method and function of one name",
        "def N():\n\tpass\n\n\nclass NHolder:\n\tdef N(self):\n\t\tpass",
      ],
    ],
    marks: ["@staticmethod", "@classmethod", "@property"],
    keywords: ["def", "return", "if", "for", "while", "import", "class", "raise", "with", "not in"],
    strayElse: "else:\n    pass",
    nothing: "return None",
    outside: ["return 1", "break", "continue", "await run()", "yield 1", "return", "nonlocal x"],
    misplaced: ["@decorated", "@staticmethod", "@property"],
  },
  javascript: script,
  typescript: typed,
  tsx: typed,
};
