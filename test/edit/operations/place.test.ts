import { describe, expect, it } from "vitest";
import { planning } from "./planning.ts";

const { edited } = planning();

const python = `#!/usr/bin/env python
"""Doc."""
import os
from typing import (
    Any,
)


class A:
    """A."""

    def one(self):
        return 1


class B:
    pass


if __name__ == "__main__":
    A().one()
`;

describe("E-03 where new code goes", () => {
  it("E-03 in a class: after its last method, indented as its members are", async () => {
    const after = await edited("a.py", python, {
      do: "add",
      file: "a.py",
      into: "A",
      code: "def two(self):\n    return 2\n",
    });
    expect(after).toBe(
      python.replace(
        "        return 1\n",
        "        return 1\n\n    def two(self):\n        return 2\n",
      ),
    );
  });

  it("E-03 in a class of a placeholder: instead of it", async () => {
    const code = "def two(self):\n    return 2";
    const after = await edited("a.py", python, { do: "add", file: "a.py", into: "B", code });
    expect(after).toBe(
      python.replace("class B:\n    pass", "class B:\n    def two(self):\n        return 2"),
    );
    expect(
      await edited("a.py", "class B: ...\n", { do: "add", file: "a.py", into: "B", code }),
    ).toBe("class B:\n    def two(self):\n        return 2\n");
    expect(
      await edited("a.py", "class B: x = 1\n", { do: "add", file: "a.py", into: "B", code }),
    ).toBe("class B:\n    x = 1\n\n    def two(self):\n        return 2\n");
  });

  it("E-03 in a class of a docstring, with or without a placeholder: after it, nothing else changes", async () => {
    const code = "def two(self):\n    return 2";
    for (const body of ['    """D."""\n', '    """D."""\n    pass\n', "    # Later.\n    pass\n"]) {
      const source = `try:\n    pass\nfinally:\n    pass\n\n\nclass B:\n${body}`;
      expect(await edited("a.py", source, { do: "add", file: "a.py", into: "B", code })).toBe(
        `${source}\n    def two(self):\n        return 2\n`,
      );
    }
  });

  it("E-03 at module level: after the last definition, before the main guard", async () => {
    const after = await edited("a.py", python, {
      do: "add",
      file: "a.py",
      code: "def f():\n    pass",
    });
    expect(after).toBe(
      python.replace("class B:\n    pass\n", "class B:\n    pass\n\n\ndef f():\n    pass\n"),
    );
    const script = 'x = 1\nprint(x)\n\nif __name__ == "__main__":\n    print(x)\n';
    expect(
      await edited("a.py", script, { do: "add", file: "a.py", code: "def f():\n    pass" }),
    ).toBe(script.replace("print(x)\n\nif", "print(x)\n\n\ndef f():\n    pass\n\nif"));
  });

  it("E-03 into an empty file, and one without a final newline", async () => {
    const add = { do: "add", file: "a.py", code: "def f():\n    pass" } as const;
    expect(await edited("a.py", "", add)).toBe("def f():\n    pass\n");
    expect(await edited("a.py", "import os", add)).toBe("import os\n\n\ndef f():\n    pass");
  });

  it("E-03 before and after a named symbol", async () => {
    const source = "class A {\n  one() {}\n\n  two() {}\n}\n";
    const add = { do: "add", file: "a.ts", into: "A", code: "three() {}" } as const;
    expect(await edited("a.ts", source, { ...add, after: "one" })).toBe(
      "class A {\n  one() {}\n\n  three() {}\n\n  two() {}\n}\n".replace(
        "\n\n  three",
        "\n\n  three",
      ),
    );
    expect(await edited("a.ts", source, { ...add, before: "one" })).toBe(
      "class A {\n  three() {}\n\n  one() {}\n\n  two() {}\n}\n",
    );
    expect(await edited("a.ts", source, { ...add, before: "A.two" })).toBe(
      "class A {\n  one() {}\n\n  three() {}\n\n  two() {}\n}\n",
    );
  });

  it("E-03 into empty braces, also on the line below", async () => {
    const add = { do: "add", file: "a.ts", into: "A", code: "one() {\n  return 1;\n}" } as const;
    const filled = "class A {\n  one() {\n    return 1;\n  }\n}\n";
    expect(await edited("a.ts", "class A {}\n", add)).toBe(filled);
    expect(await edited("a.ts", "class A {\n}\n", add)).toBe(filled);
    expect(await edited("a.ts", "class A { x = 1; }\n", add)).toBe(
      "class A { x = 1;\n\n  one() {\n    return 1;\n  }\n}\n",
    );
  });

  it("E-03 members listed with commas get theirs", async () => {
    const source = "const api = {\n  one() {},\n  two() {},\n};\n";
    expect(
      await edited("a.ts", source, {
        do: "add",
        file: "a.ts",
        after: "api.two",
        code: "three() {}",
      }),
    ).toBe("const api = {\n  one() {},\n  two() {},\n  three() {},\n};\n");
    expect(
      await edited("a.ts", source.replace("two() {},", "two() {}"), {
        do: "add",
        file: "a.ts",
        after: "api.two",
        code: "three() {}",
      }),
    ).toBe("const api = {\n  one() {},\n  two() {},\n  three() {}\n};\n");
  });

  it("E-03 Go methods beside their type, Rust methods in its impl, Ruby before the private part", async () => {
    const go =
      "package a\n\ntype T struct {\n\tx int\n}\n\nfunc (t *T) One() {}\n\nfunc other() {}\n";
    expect(
      await edited("a.go", go, {
        do: "add",
        file: "a.go",
        into: "T",
        code: "func (t *T) Two() {\n    x()\n}",
      }),
    ).toBe(go.replace("One() {}\n", "One() {}\n\nfunc (t *T) Two() {\n\tx()\n}\n"));
    const rust = "struct T {\n    x: i32,\n}\n\nimpl T {\n    fn one() {}\n}\n";
    expect(
      await edited("a.rs", rust, {
        do: "add",
        file: "a.rs",
        into: "T",
        code: "pub fn two() {\n  x()\n}",
      }),
    ).toBe(rust.replace("one() {}\n", "one() {}\n\n    pub fn two() {\n        x()\n    }\n"));
    const ruby =
      "class T\n  def one\n    1\n  end\n\n  private\n\n  def hidden\n    2\n  end\nend\n";
    expect(
      await edited("a.rb", ruby, { do: "add", file: "a.rb", into: "T", code: "def two\n  2\nend" }),
    ).toBe(ruby.replace("  private", "  def two\n    2\n  end\n\n  private"));
  });

  it("E-03 an empty Ruby class, a PHP file with a closing mark", async () => {
    expect(
      await edited("a.rb", "class T\nend\n", {
        do: "add",
        file: "a.rb",
        into: "T",
        code: "def two\n  2\nend",
      }),
    ).toBe("class T\n  def two\n    2\n  end\nend\n");
    expect(
      await edited("a.php", "<?php\necho 1;\n?>\n", {
        do: "add",
        file: "a.php",
        code: "function f() {\n}",
      }),
    ).toBe("<?php\necho 1;\n\nfunction f() {\n}\n?>\n");
  });
});

describe("E-03 indentation", () => {
  it("E-03 what is modified keeps its own indentation where the file has two kinds", async () => {
    const spaced = ["a", "b", "c"]
      .map((name) => `int ${name}(void)\n{\n    return 1;\n}\n\n`)
      .join("");
    const source = `${spaced}int g(void)\n{\n\treturn 1;\n}\n`;
    const code = "int g(void)\n{\n\treturn 2;\n}\n";
    expect(await edited("a.c", source, { do: "modify", file: "a.c", symbol: "g", code })).toBe(
      `${spaced}${code}`,
    );
  });

  it.each([
    ["a.rs", "impl A {\n    fn f() {\n@    }\n}\n", "impl.A.f", "fn f() {\n@}"],
    ["a.py", "class A:\n    def f(self):\n@", "A.f", "def f(self):\n@"],
  ])("E-03 a string that goes on after a backslash stays as it is given: %s", async (...row) => {
    const [file, source, symbol, code] = row;
    const text = '"a \\\n   b \\\n\t\tc")\n';
    const given = code.replace("@", `    g(${text}`);
    const after = await edited(file, source.replace("@", `        g("x")\n`), {
      ...{ do: "modify", file, symbol, code: given },
    });
    expect(after).toBe(source.replace("@", `        g(${text}`));
  });

  it("E-03 tabs or spaces as the file has them; strings are left alone", async () => {
    const tabs = "class A:\n\tdef one(self):\n\t\treturn 1\n";
    const code = `    def two(self):
        """Doc.

        More.
        """
        if self:
            x = """
    raw
"""
        return x
`;
    expect(await edited("a.py", tabs, { do: "add", file: "a.py", into: "A", code })).toBe(
      `${tabs}
\tdef two(self):
\t\t"""Doc.

\t\tMore.
\t\t"""
\t\tif self:
\t\t\tx = """
    raw
"""
\t\treturn x
`,
    );
  });

  it("E-03 template literals, heredocs and raw strings keep every blank", async () => {
    const typescript = "class A {\n    one() {\n        return 1;\n    }\n}\n";
    expect(
      await edited("a.ts", typescript, {
        do: "add",
        file: "a.ts",
        into: "A",
        code: "two() {\n  return `\n  a ${[\n  `b\n b`,\n  ].join()}\nc`;\n}",
      }),
    ).toContain(
      "    two() {\n        return `\n  a ${[\n        `b\n b`,\n        ].join()}\nc`;\n    }\n",
    );
    const ruby = "class T\n  def one\n    1\n  end\nend\n";
    expect(
      await edited("a.rb", ruby, {
        do: "add",
        file: "a.rb",
        into: "T",
        code: "def two\n  x = <<-X\n a\n  X\n  x\nend",
      }),
    ).toContain("  def two\n    x = <<-X\n a\n  X\n    x\n  end\n");
  });

  it("E-03 comments and directives at the margin stay there", async () => {
    expect(
      await edited("a.cs", "class A\n{\n}\n", {
        do: "add",
        file: "a.cs",
        into: "A",
        code: "    void B()\n    {\n#if X\n        C();\n#endif\n//      D();\n    }",
      }),
    ).toBe(
      "class A\n{\n    void B()\n    {\n#if X\n        C();\n#endif\n//      D();\n    }\n}\n",
    );
  });

  it("E-03 code whose first line lost its indentation is put straight", async () => {
    expect(
      await edited("a.ts", "class A {\n}\n", {
        do: "add",
        file: "a.ts",
        into: "A",
        code: "one() {\n      return 1;\n    }",
      }),
    ).toBe("class A {\n  one() {\n    return 1;\n  }\n}\n");
  });
});

describe("E-03 imports among imports", () => {
  const importing = (file: string, content: string, code: string): Promise<string> =>
    edited(file, content, { do: "add-import", file, code });

  it.each([
    [
      "after a multi-line one",
      "a.py",
      python,
      "import re",
      python.replace("    Any,\n)\n", "    Any,\n)\nimport re\n"),
    ],
    [
      "after shebang and docstring",
      "a.py",
      '#!/bin/x\n"""D."""\n\nx = 1\n',
      "import re",
      '#!/bin/x\n"""D."""\n\nimport re\n\nx = 1\n',
    ],
    [
      "before all others: __future__",
      "a.py",
      '"""D."""\nimport os\n',
      "from __future__ import x",
      '"""D."""\nfrom __future__ import x\nimport os\n',
    ],
    [
      "after __future__",
      "a.py",
      "from __future__ import x\n\ny = 1\n",
      "import re",
      "from __future__ import x\nimport re\n\ny = 1\n",
    ],
    [
      "before code",
      "a.py",
      "def f():\n    pass\n",
      "import re",
      "import re\n\n\ndef f():\n    pass\n",
    ],
    [
      'after "use strict"',
      "a.js",
      '"use strict";\nf();\n',
      'import "x";',
      '"use strict";\nimport "x";\n\nf();\n',
    ],
    [
      "after a licence",
      "a.ts",
      "// Licence\n\nexport const a = 1;\n",
      'import "x";',
      '// Licence\n\nimport "x";\n\nexport const a = 1;\n',
    ],
    [
      "in Go's group",
      "a.go",
      'package a\n\nimport (\n\t"fmt"\n)\n',
      'import "os"',
      'package a\n\nimport (\n\t"fmt"\n\t"os"\n)\n',
    ],
    [
      "after a package line",
      "a.java",
      "package a;\n\nclass A {\n}\n",
      "import b.C;",
      "package a;\n\nimport b.C;\n\nclass A {\n}\n",
    ],
    [
      "after a PHP namespace",
      "a.php",
      "<?php\nnamespace A;\n\nclass B {\n}\n",
      "use C;",
      "<?php\nnamespace A;\n\nuse C;\n\nclass B {\n}\n",
    ],
  ])("E-03 %s", async (_title, file, content, code, expected) => {
    expect(await importing(file, content, code)).toBe(expected);
  });

  it.each([
    ["a.py", "import os, sys\n", { from: "os" }, "import sys\n"],
    [
      "a.py",
      "from a import (\n    b,\n    c,\n)\n",
      { from: "a", name: "b" },
      "from a import (\n    c,\n)\n",
    ],
    ["a.py", "from a import b as x, c\n", { from: "a", name: "b" }, "from a import c\n"],
    [
      "a.py",
      "import os\nfrom a import b\n\nx = 1\n",
      { from: "a", name: "b" },
      "import os\n\nx = 1\n",
    ],
    [
      "a.ts",
      'import { a, b } from "x";\nf();\n',
      { from: "x", name: "b" },
      'import { a } from "x";\nf();\n',
    ],
  ])("E-11 removing from %s: %j", async (file, content, wish, expected) => {
    expect(await edited(file, content, { do: "remove-import", file, ...wish })).toBe(expected);
  });
});
