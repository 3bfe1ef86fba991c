import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const file = `"""Module."""
from __future__ import annotations
import os.path, sys as system
from .near import (a, b as c)
from x import *

LIMIT = 1
_state = None


# Lets people in.
@service(name="door")
class Door(Base, metaclass=Meta):
    # How many.
    size: int = 1

    # Makes one.
    def __init__(self):
        """Fill it."""
        self.open(1)

    @property
    def width(self): return help(self)

    @width.setter
    def width(self, value): pass

    async def open(self, a, *, b=1):
        def inner(): pass
        os.path.join(a)


def run(): pass  # always
`;

describe("E-01 the structure of Python", () => {
  it("E-01 shows classes, methods, functions and variables", async () => {
    const { shape } = await outlined("python", file);
    expect(shape).toEqual([
      "constant LIMIT",
      "variable _state",
      "class Door",
      "property Door.size",
      "constructor Door.__init__",
      "method Door.width",
      "method Door.width~2",
      "method Door.open",
      "function Door.open.inner",
      "function run",
    ]);
  });

  it("E-01 spans hold comments and decorators, also above the first in a block", async () => {
    const { span, core, body, symbol } = await outlined("python", file);
    expect(span("Door")).toBe(file.slice(file.indexOf("# Lets"), file.indexOf("\n\n\ndef run")));
    expect(core("Door")).toMatch(/^class Door/);
    expect(span("Door.size")).toBe("# How many.\n    size: int = 1");
    expect(span("Door.__init__")).toMatch(/^# Makes one\.\n {4}def __init__[^]*self\.open\(1\)$/);
    expect(body("Door.__init__")).toBe('"""Fill it."""\n        self.open(1)');
    expect(span("Door.width~2")).toBe("@width.setter\n    def width(self, value): pass");
    expect(span("run")).toBe("def run(): pass  # always");
    expect(symbol("Door")).toMatchObject({ bases: ["Base"], decorators: ['service(name="door")'] });
    expect(symbol("Door.__init__").doc).toBe("Fill it.");
    expect(symbol("Door.open").signature).toBe("async def open(self, a, *, b=1):");
  });

  it("E-01 comments and continued lines are no names", async () => {
    const text = "from a import b, \\\n  c, \\\n  d\nfrom e import (\n  f, # g\n  h,\n)\n";
    const { imports, duplicates } = await outlined("python", text);
    expect(imports).toEqual(["a: b>b c>c d>d", "e: f>f h>h"]);
    expect(duplicates).toEqual([]);
  });

  it("E-01 imports and calls", async () => {
    const { imports, references } = await outlined("python", file);
    expect(imports.toSorted()).toEqual(
      [
        "__future__: annotations>annotations",
        "os.path: >os.path",
        "sys: >system",
        ".near: a>a b>c",
        "x: *>*",
      ].toSorted(),
    );
    expect(references).toEqual([
      "call service @Door",
      "member-call self.open @Door.__init__",
      "call help @Door.width",
      "member-call os.path.join @Door.open",
    ]);
  });
});

describe("E-02 what stands twice in Python", () => {
  it.each([
    [
      "a property's accessors",
      "class A:\n @property\n def a(self): pass\n @a.setter\n def a(self, v): pass\n @a.deleter\n def a(self): pass\n",
    ],
    [
      "overloads",
      "@overload\ndef f(a: int): ...\n@typing.overload\ndef f(a: str): ...\ndef f(a): pass\n",
    ],
    [
      "dispatch",
      "@singledispatch\ndef f(a): pass\n@f.register\ndef _(a: int): pass\n@f.register\ndef _(a: str): pass\n",
    ],
    [
      "registered functions",
      '@app.get("/a")\ndef page(): pass\n@app.get("/b")\ndef page(): pass\n',
    ],
    ["branches", "if A:\n def f(): pass\nelif B:\n def f(): pass\nelse:\n def f(): pass\n"],
    ["TYPE_CHECKING", "if TYPE_CHECKING:\n from a import B\nelse:\n class B: pass\n"],
    ["a fallback", "try:\n from a import f\nexcept ImportError:\n def f(): pass\n"],
    ["one name in two classes", "class A:\n def f(self): pass\nclass B:\n def f(self): pass\n"],
    ["steps of one function", "def test():\n class A: pass\n f(A)\n class A: pass\n f(A)\n"],
    ["a variable set twice", "A = 1\nA = 2\n"],
    [
      "one name from two modules",
      "from a import f\nfrom b import f as g\nimport a.b\nimport a.c\n",
    ],
  ])("E-02 allows %s", async (_, text) => {
    expect(await duplicatesIn("python", text)).toEqual([]);
  });

  it.each([
    ["class A:\n def f(self): pass\n def f(self, a): pass\n", "symbol f 2,3"],
    ["class A:\n def f(self): pass\n @staticmethod\n def f(): pass\n", "symbol f 2,4"],
    ["class A: pass\nclass A: pass\n", "symbol A 1,2"],
    ["def f(): pass\nasync def f(): pass\n", "symbol f 1,2"],
    ["import os\nimport os\n", "import os 1,2"],
    ["from a import b\nfrom a import c, b\n", "import b 1,2"],
  ])("E-02 finds %j", async (text, found) => {
    expect(await duplicatesIn("python", text)).toEqual([found]);
  });
});
