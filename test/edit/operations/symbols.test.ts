import { describe, expect, it } from "vitest";
import { planning } from "./planning.ts";

const { changes, edited, refused } = planning();

const python = `__all__ = ["helper", "A"]


def helper(x, flag=None):
    return x


class A:
    # Says it.
    @property
    def one(self):
        return helper(self.two(flag=1), flag=2)

    def two(self, helper=None):
        return helper


def user(obj):
    """Not helper."""
    return f"{helper(obj)} helper {obj.helper}"
`;

describe("E-11 modify", () => {
  it("E-11 keeps comment and decorators that the code does not bring", async () => {
    const code = "def one(self):\n    return 1";
    expect(
      await edited("a.py", python, { do: "modify", file: "a.py", symbol: "A.one", code }),
    ).toBe(python.replace("helper(self.two(flag=1), flag=2)", "1"));
    const decorated = `@cached_property\n${code}`;
    expect(
      await edited("a.py", python, {
        do: "modify",
        file: "a.py",
        symbol: "A.one",
        code: decorated,
      }),
    ).toContain("    # Says it.\n    @cached_property\n    def one(self):\n        return 1\n\n");
    const commented = `# Another.\n${code}`;
    expect(
      await edited("a.py", python, {
        do: "modify",
        file: "a.py",
        symbol: "A.one",
        code: commented,
      }),
    ).toContain(
      "class A:\n    # Another.\n    @property\n    def one(self):\n        return 1\n\n",
    );
    const both = `# Another.\n@x\n${code}`;
    expect(
      await edited("a.py", python, { do: "modify", file: "a.py", symbol: "A.one", code: both }),
    ).toContain("class A:\n    # Another.\n    @x\n    def one(self):\n        return 1\n\n");
  });

  it("E-11 keeps annotations and doc comments of Java, attributes of Rust and C#", async () => {
    const java =
      "class A {\n    /** Says. */\n    @Override\n    int one() {\n        return 1;\n    }\n}\n";
    expect(
      await edited("a.java", java, {
        do: "modify",
        file: "a.java",
        symbol: "A.one",
        code: "int one() {\n    return 2;\n}",
      }),
    ).toBe(java.replace("return 1", "return 2"));
    const rust = "/// Says.\n#[inline]\nfn one() -> i32 {\n    1\n}\n";
    expect(
      await edited("a.rs", rust, {
        do: "modify",
        file: "a.rs",
        symbol: "one",
        code: "fn one() -> i32 {\n    2\n}",
      }),
    ).toBe(rust.replace("    1\n", "    2\n"));
  });

  it.each([
    ["def uno(self):\n    pass", "use rename"],
    ["def one(self):\n    pass\n\ndef three(self):\n    pass", "2 definitions"],
    ["print(1)", "no definition"],
    ["print(1)\ndef one(self):\n    pass", "statements around it"],
  ])("E-11 refuses code that is not one definition of that name: %j", async (code, why) => {
    const error = await refused("a.py", python, {
      do: "modify",
      file: "a.py",
      symbol: "A.one",
      code,
    });
    expect(error.code).toBe("CODE_UNFIT");
    expect(error.message).toContain(why);
  });
});

describe("E-11 remove", () => {
  it("E-11 takes comment, decorators and one gap with it", async () => {
    expect(await edited("a.py", python, { do: "remove", file: "a.py", symbol: "A.one" })).toBe(
      python.replace(/ {4}# Says it\.[^]*flag=2\)\n\n/, ""),
    );
  });

  it("E-11 leaves a valid block behind", async () => {
    const remove = { do: "remove", file: "a.py", symbol: "A.one" } as const;
    const one = "class A:\n    def one(self):\n        return 1\n\n\nx = 1\n";
    expect(await edited("a.py", one, remove)).toBe("class A:\n    pass\n\n\nx = 1\n");
    expect(await edited("a.py", "class A: one = 1\n", remove)).toBe("class A: pass\n");
    const documented = one.replace("class A:\n", 'class A:\n    """D."""\n\n');
    expect(await edited("a.py", documented, remove)).toBe('class A:\n    """D."""\n\n\nx = 1\n');
    expect(
      await edited("a.ts", "class A {\n  one() {}\n}\n", {
        do: "remove",
        file: "a.ts",
        symbol: "A.one",
      }),
    ).toBe("class A {}\n");
  });

  it("E-11 refuses to take out one name of a shared statement", async () => {
    const error = await refused("a.go", "package a\n\ntype T struct {\n\tx, y int\n}\n", {
      do: "remove",
      file: "a.go",
      symbol: "T.x",
    });
    expect(error.code).toBe("SYMBOL_AMBIGUOUS");
  });
});

describe("E-11 rename", () => {
  it("E-11 follows a function through its file, not into strings, arguments, members and bindings", async () => {
    const after = await edited("a.py", python, {
      do: "rename",
      file: "a.py",
      symbol: "helper",
      to: "aid",
    });
    expect(after).toBe(`__all__ = ["aid", "A"]


def aid(x, flag=None):
    return x


class A:
    # Says it.
    @property
    def one(self):
        return aid(self.two(flag=1), flag=2)

    def two(self, helper=None):
        return helper


def user(obj):
    """Not helper."""
    return f"{aid(obj)} helper {obj.helper}"
`);
  });

  it("E-11 follows a member behind self and this, and leaves strangers alone", async () => {
    const source =
      "class A {\n  run() {\n    this.run();\n    other.run();\n    run();\n  }\n}\nnew A().run();\n";
    expect(
      await edited("a.ts", source, { do: "rename", file: "a.ts", symbol: "A.run", to: "go" }),
    ).toBe(
      "class A {\n  go() {\n    this.go();\n    other.run();\n    run();\n  }\n}\nnew A().go();\n",
    );
  });

  it("E-11 keeps the key of a shorthand property and follows a class to its constructor", async () => {
    expect(
      await edited("a.ts", "const a = 1;\nconst o = { a, b: a };\nexport { a };\n", {
        do: "rename",
        file: "a.ts",
        symbol: "a",
        to: "z",
      }),
    ).toBe("const z = 1;\nconst o = { a: z, b: z };\nexport { z };\n");
    expect(
      await edited("A.java", "class A {\n    A() {\n    }\n}\n", {
        do: "rename",
        file: "A.java",
        symbol: "A",
        to: "B",
      }),
    ).toBe("class B {\n    B() {\n    }\n}\n");
  });

  it("E-11 refuses what is no name, and a constructor's", async () => {
    const to = "not a name";
    expect(
      (await refused("a.py", python, { do: "rename", file: "a.py", symbol: "A", to })).code,
    ).toBe("CODE_UNFIT");
    const error = await refused("a.ts", "class A {\n  constructor() {}\n}\n", {
      do: "rename",
      file: "a.ts",
      symbol: "A.constructor",
      to: "b",
    });
    expect(error.message).toContain("rename its class");
  });
});

describe("E-11 move", () => {
  it("E-11 to another class, dedented to a module, and to another file with its own habits", async () => {
    expect(
      await edited("a.py", python, { do: "move", file: "a.py", symbol: "A.two", after: "helper" }),
    ).toContain("    return x\n\n\ndef two(self, helper=None):\n    return helper\n\n\nclass A:");
    const [first, second] = await changes(
      { "a.py": python, "b.py": "class B:\n\tdef one(self):\n\t\treturn 1\n" },
      [{ do: "move", file: "a.py", symbol: "A.two", toFile: "b.py", into: "B" }],
    );
    expect(first?.after?.toString()).not.toContain("def two");
    expect(second?.after?.toString()).toBe(
      "class B:\n\tdef one(self):\n\t\treturn 1\n\n\tdef two(self, helper=None):\n\t\treturn helper\n",
    );
    const [, created] = await changes({ "a.py": python }, [
      { do: "move", file: "a.py", symbol: "user", toFile: "c.py" },
    ]);
    expect(created).toMatchObject({ path: "c.py", kind: "create", before: null });
    expect(created?.after?.toString()).toMatch(/^def user\(obj\):\n[^]*\}"\n$/);
  });
});

describe("E-05 symbols that are not there, or more than once", () => {
  it("E-05 lists the nearest names with their lines", async () => {
    const error = await refused("a.py", python, { do: "remove", file: "a.py", symbol: "A.ones" });
    expect(error.code).toBe("SYMBOL_UNKNOWN");
    expect(error.message).toContain("A.one (line 9)");
    expect(error.data["nearest"]).toContainEqual({ symbol: "A.one", line: 9 });
    const elsewhere = await refused("a.py", python, { do: "remove", file: "a.py", symbol: "two" });
    expect(elsewhere.data["nearest"]).toContainEqual({ symbol: "A.two", line: 14 });
  });

  it("E-05 lists the names that exist where none is near", async () => {
    const error = await refused("a.py", python, { do: "remove", file: "a.py", symbol: "zzz" });
    expect(error.message).toMatch(/^a\.py has no symbol called zzz\. It has: .*\bA\.one\b.*\.$/);
    const none = await refused("a.py", "x()\n", { do: "remove", file: "a.py", symbol: "zzz" });
    expect(none.message).toContain("It has no symbols.");
    const wish = { do: "remove-import", file: "a.py", from: "zzz" } as const;
    const imports = await refused("a.py", "import os\nimport re\n", wish);
    expect(imports.message).toContain("It imports: os, re.");
  });

  it("E-05 refuses to choose between twins, and names each of them", async () => {
    const twins =
      "class A:\n    @property\n    def x(self):\n        return 1\n\n    @x.setter\n    def x(self, v):\n        pass\n";
    const error = await refused("a.py", twins, { do: "remove", file: "a.py", symbol: "A.x" });
    expect(error.code).toBe("SYMBOL_AMBIGUOUS");
    expect(error.message).toContain("A.x~1 (line 2), A.x~2 (line 6)");
    const rest = await edited("a.py", twins, { do: "remove", file: "a.py", symbol: "A.x~2" });
    expect(rest).toBe("class A:\n    @property\n    def x(self):\n        return 1\n");
    const first = await edited("a.py", twins, { do: "remove", file: "a.py", symbol: "A.x~1" });
    expect(first).toContain("class A:\n    @x.setter");
  });

  it("E-05 says that a file has no structure", async () => {
    const error = await refused("notes.txt", "x\n", {
      do: "remove",
      file: "notes.txt",
      symbol: "x",
    });
    expect(error.code).toBe("STRUCTURE_ABSENT");
    expect(error.message).toContain("notes.txt");
  });
});

describe("E-11 several operations and files", () => {
  it("E-11 apply one after the other, and give one change per file with what was read", async () => {
    const plan = await changes({ "a.py": "x = 1\n", "b.txt": "b\n" }, [
      { do: "add", file: "a.py", code: "def f():\n    pass" },
      { do: "rename", file: "a.py", symbol: "f", to: "g" },
      { do: "replace", file: "b.txt", old: "b", new: "c" },
      { do: "insert", file: "b.txt", after: "c", code: "d" },
      { do: "insert", file: "b.txt", code: "e" },
      { do: "create", file: "run", content: "#!/bin/sh\n", executable: true },
    ]);
    expect(
      plan.map(({ path, kind, before, after, mode }) => [
        path,
        kind,
        before?.toString(),
        after?.toString(),
        mode,
      ]),
    ).toEqual([
      ["a.py", "modify", "x = 1\n", "x = 1\n\n\ndef g():\n    pass\n", undefined],
      ["b.txt", "modify", "b\n", "c\nd\ne\n", undefined],
      ["run", "create", undefined, "#!/bin/sh\n", 0o755],
    ]);
  });

  it("E-11 creates, writes, deletes and moves files, and says when that cannot be", async () => {
    const files = { "a.txt": "a", "b.txt": "b" };
    expect(await changes(files, [{ do: "move-file", file: "a.txt", to: "c.txt" }])).toEqual([
      { path: "a.txt", kind: "delete", before: Buffer.from("a"), after: null },
      { path: "c.txt", kind: "create", before: null, after: Buffer.from("a") },
    ]);
    expect(await changes(files, [{ do: "write", file: "a.txt", content: "a" }])).toEqual([]);
    expect(
      await changes(files, [
        { do: "create", file: "n", content: "" },
        { do: "delete", file: "n" },
      ]),
    ).toEqual([]);
    const codes = [
      await refused("a", "a", { do: "create", file: "a", content: "" }),
      await refused("a", "a", { do: "delete", file: "b" }),
      await refused("a", "a", { do: "move-file", file: "a", to: "a" }),
      await refused("a", "a", { do: "add", file: "b.py", code: "x = 1" }),
    ].map(({ code }) => code);
    expect(codes).toEqual(["FILE_EXISTS", "FILE_ABSENT", "FILE_EXISTS", "FILE_ABSENT"]);
  });
});
