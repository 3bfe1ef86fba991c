import { describe, expect, test } from "vitest";
import {
  type CallFinding,
  checkCalls,
  type SourceFiles,
  SymbolUniverse,
} from "../../../src/structure/index.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

const sourcesOf = (files: Readonly<Record<string, string>>): SourceFiles => ({
  list: () => Object.keys(files),
  read: (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
});

const analyser = sharedAnalyser();

interface Setting {
  readonly project?: Readonly<Record<string, string>>;
  readonly library?: Readonly<Record<string, string>>;
  readonly before?: string;
  readonly path?: string;
}

/** What is said about an edit of one file in a project with a library. */
const check = async (after: string, setting: Setting = {}): Promise<CallFinding[]> => {
  const { project = {}, library = {}, before = "", path = "app.py" } = setting;
  const universe = new SymbolUniverse();
  const files = { ...project, [path]: before };
  await universe.update(sourcesOf(files));
  const family = path.endsWith(".py") ? "python" : "script";
  await universe.addLibrary(family, "library", sourcesOf(library));
  const outlineOf = async (one: string) =>
    files[one] === undefined ? undefined : analyser.outline(files[one], one);
  const [old, now] = await Promise.all([
    analyser.outline(before, path),
    analyser.outline(after, path),
  ]);
  return checkCalls([{ path, before: old, after: now }], universe, outlineOf);
};

const missing = (found: readonly CallFinding[]): string[] =>
  found
    .filter(({ state }) => state === "missing")
    .map(({ reference: { receiver, name } }) => [receiver, name].filter(Boolean).join("."));

const service = `class AuthService:
    def login(self, user):
        return user

    def logout(self, user):
        return None
`;

describe("E-08 calls to what does not exist, Python", () => {
  test("E-08 a member of a class that nothing names is refused, with the nearest members and their lines", async () => {
    const after = `${service}
    def again(self, user):
        return self.log_in(user)
`;
    const found = await check(after, { before: service });
    expect(missing(found)).toEqual(["self.log_in"]);
    expect(found[0]).toMatchObject({ by: "nowhere", reference: { line: 9 } });
    expect(found[0]!.nearest[0]).toEqual({ name: "self.login", path: "app.py", line: 2 });
    expect(found[0]!.nearest.length).toBeLessThanOrEqual(3);
  });

  test("E-08 a member of a closed class whose name only occurs elsewhere as a word is refused", async () => {
    const project = { "other.py": "def use(x):\n    return x.refresh_all()\n" };
    const after = `${service}
    def again(self):
        return self.refresh_all()
`;
    const found = await check(after, { before: service, project });
    expect(missing(found)).toEqual(["self.refresh_all"]);
    expect(found[0]!.by).toBe("closed-class");
  });

  test("E-08 a member called on the class by name is refused", async () => {
    const found = await check(`${service}\n\nAuthService.make_default()\n`, { before: service });
    expect(missing(found)).toEqual(["AuthService.make_default"]);
  });

  test("E-08 a function that nothing in the file binds is refused, and where it is defined is told", async () => {
    const project = { "tools.py": "X = 1\n\ndef tidy_up(x):\n    return x\n" };
    const found = await check("def run():\n    return tidy_up(1)\n", { project });
    expect(missing(found)).toEqual(["tidy_up"]);
    expect(found[0]).toMatchObject({
      by: "unbound",
      nearest: [{ name: "tidy_up", path: "tools.py", line: 3 }],
    });
  });

  test("E-08 a member of an imported project module that nothing names is refused", async () => {
    const project = { "tools.py": "def tidy_up(x):\n    return x\n" };
    const found = await check("import tools\n\ntools.tidy_upp(1)\n", { project });
    expect(missing(found)).toEqual(["tools.tidy_upp"]);
    expect(found[0]!.nearest[0]).toEqual({ name: "tidy_up", path: "tools.py", line: 1 });
  });

  test("E-08 a comment or docstring that announces the name does not make it exist", async () => {
    const after = `${service}
    def again(self):
        """Uses rebuild_index."""
        # rebuild_index does it
        return self.rebuild_index()
`;
    expect(missing(await check(after, { before: service }))).toEqual(["self.rebuild_index"]);
  });

  test("E-08 an old call to something missing never blocks, not even in a renamed function", async () => {
    const before = `${service}
    def again(self):
        return self.log_in()
`;
    expect(await check(before.replace("def again", "def once_more"), { before })).toEqual([]);
    expect(await check(`${before}\n\ndef other():\n    return 1\n`, { before })).toEqual([]);
  });

  const inClass = (body: string, head = "class Thing:"): string =>
    `${head}\n    def go(self):\n        ${body}\n`;

  const passing: Record<string, { readonly after: string } & Setting> = {
    "inherited from the same file": {
      after: `${service}\n\n${inClass("self.login(1)", "class Sub(AuthService):")}`,
    },
    "inherited from another file": {
      project: { "base.py": "class Base:\n    def helper_one(self):\n        pass\n" },
      after: `from base import Base\n\n${inClass("self.helper_one()", "class Sub(Base):")}`,
    },
    "re-exported by a package": {
      project: {
        "pkg/__init__.py": "from .inner import work_hard\n",
        "pkg/inner.py": "def work_hard():\n    pass\n",
      },
      after: "import pkg\n\npkg.work_hard()\n",
    },
    "a private member": {
      after:
        "class A:\n    def __hidden(self):\n        pass\n\n    def go(self):\n        self.__hidden()\n",
    },
    "made by __getattr__": {
      after:
        "class A:\n    def __getattr__(self, name):\n        return print\n\n    def go(self):\n        self.whatever_name()\n",
    },
    "made by setattr in a loop": {
      after: `class A:\n    def go(self):\n        self.get_size()\n\n\nfor n in ("size",):\n    setattr(A, "get_" + n, lambda self: 1)\n`,
    },
    "patched into the class from another file": {
      project: { "patch.py": "import app\napp.Thing.extra_method = lambda self: 1\n" },
      after: inClass("self.extra_method()"),
    },
    "made by setattr in another file": {
      project: {
        "patch.py": "import app\nfor n in ('a', 'b'):\n    setattr(app.Thing, 'do_' + n, print)\n",
      },
      after: inClass("self.do_a()"),
    },
    "made by a class decorator": {
      project: { "deco.py": "def add_members(cls):\n    return cls\n" },
      after: `from deco import add_members\n\n@add_members\n${inClass("self.made_by_decorator()")}`,
    },
    "named in a string for getattr": {
      after: `def pick(x):\n    return getattr(x, "run_special")\n\n\ndef go(x):\n    x.run_special()\n`,
    },
    "from a star import": {
      after: "from somewhere import *\n\nbrought_by_star()\n",
    },
    "a mixin whose host defines it": {
      project: {
        "host.py":
          "from app import Thing\n\nclass Host(Thing):\n    def host_method(self):\n        pass\n",
      },
      after: inClass("self.host_method()"),
    },
    "a field of a named tuple": {
      after: `from collections import namedtuple\nP = namedtuple("P", "callback other")\n\ndef go(p: P):\n    p.callback()\n`,
    },
    "a field of a dataclass": {
      after:
        "from dataclasses import dataclass\n\n@dataclass\nclass D:\n    on_done: object\n\n    def go(self):\n        self.on_done()\n",
    },
    "a member of an enumeration": {
      after:
        "from enum import Enum\n\nclass Color(Enum):\n    RED = 1\n\n    def go(self):\n        Color.RED()\n",
    },
    "an attribute assigned in a method": {
      after:
        "class A:\n    def __init__(self, f):\n        self.callback_fn = f\n\n    def go(self):\n        self.callback_fn()\n",
    },
    "a variable of a module": {
      project: { "conf.py": "handler_fn = print\n" },
      after: "import conf\n\nconf.handler_fn()\n",
    },
    "built-in functions and methods of built-in types": {
      after: `print("a".casefold(), [1].copy(), {}.setdefault(1, 2), b"".hex(), len(sorted([])))\n`,
    },
    "a parameter, a lambda and a nested function": {
      after:
        "def go(callback_param):\n    double = lambda x: x\n    def nested_fn():\n        pass\n    callback_param()\n    double(1)\n    nested_fn()\n",
    },
    "a name that a loop, a with, an except or a walrus binds": {
      after:
        "for fn_one in []:\n    fn_one()\nwith open('x') as fn_two:\n    fn_two()\nif (fn_three := print):\n    fn_three()\n",
    },
    "a method of a library": {
      library: { "lib/__init__.py": "class Client:\n    def fetch_rows(self):\n        pass\n" },
      after: "import lib\n\nlib.Client().fetch_rows()\n",
    },
    "a name in a compiled module": {
      library: { "fast.cpython-313.so": "\0\0\x01compress_block\0\0" },
      after: "import fast\n\nfast.compress_block()\n",
    },
    "a mock": {
      after:
        "from unittest.mock import Mock\n\ndef test_it():\n    m = Mock()\n    m.any_name_at_all()\n",
    },
    "an object from a module that is not installed": {
      after: "import not_installed\n\nnot_installed.make_a_thing()\n",
    },
    "a base class that is not there": {
      after: `from gone import Base\n\n${inClass("self.something_inherited()", "class Sub(Base):")}`,
    },
    "a metaclass": {
      after: inClass("self.made_by_meta()", "class Thing(metaclass=Maker):"),
    },
    "a name of Python 2 in a file for both": {
      after: "try:\n    text = unicode('a')\nexcept NameError:\n    text = 'a'\n",
    },
  };
  test.each(Object.entries(passing))("E-08 passes: %s", async (_, { after, ...setting }) => {
    expect(missing(await check(after, setting))).toEqual([]);
  });

  test("E-08 what nothing names but something could make is doubtful, with the reason", async () => {
    const found = await check(passing["a base class that is not there"]!.after);
    expect(found).toMatchObject([{ state: "doubtful", why: expect.stringContaining("Base") }]);
  });

  test("E-08 a definition in another file of the same edit makes the name exist", async () => {
    const universe = new SymbolUniverse();
    await universe.addLibrary("python", "none", sourcesOf({}));
    const [a, b] = await Promise.all([
      analyser.outline("def fresh_function():\n    pass\n", "a.py"),
      analyser.outline("import a\n\na.fresh_function()\n", "b.py"),
    ]);
    const both = [
      { path: "a.py", before: undefined, after: a },
      { path: "b.py", before: undefined, after: b },
    ];
    expect(await checkCalls(both, universe, async () => undefined)).toEqual([]);
    expect((await checkCalls(both.slice(1), universe, async () => undefined)).length).toBe(1);
  });
});

describe("E-08 members of Python's own modules", () => {
  const library = { "words.py": "makedir = exist = stringify = 1\n" };

  test.each([
    ["import os\n\nos.makedir('a')\n", "os.makedir"],
    ["import os\n\nos.path.exist('a')\n", "os.path.exist"],
    ["from os import path\n\npath.exist('a')\n", "path.exist"],
    ["import json as j\n\nj.stringify({})\n", "j.stringify"],
    ["import datetime\n\ndatetime.now()\n", "datetime.now"],
  ])("E-08 refused although the word is in a library: %s", async (after, called) => {
    const found = await check(after, { library });
    expect(missing(found)).toEqual([called]);
    expect(found[0]).toMatchObject({ owner: "library" });
  });

  test.each([
    "import os\n\nos.makedirs('a')\nos.path.exists('b')\nos.posix_spawn()\nos.startfile()\n",
    "from datetime import datetime\n\ndatetime.now()\n",
    "import json\n\njson.stringify = print\njson.stringify(1)\n",
    "import os\n\nif hasattr(os, 'makedir'):\n    os.makedir('a')\n",
    "import os\n\n\ndef f(os):\n    os.makedir('a')\n",
    "import os\n\ntry:\n    os.makedir('a')\nexcept AttributeError:\n    pass\n",
    // As an argument it is no parameter: what newer interpreters have is known all the same.
    "import os\n\nprint(os, 1)\nos.process_cpu_count()\n",
    "import itertools\n\nitertools.izip([], [])\n",
  ])("E-08 passes: %s", async (after) => {
    expect(missing(await check(after, { library }))).toEqual([]);
  });

  test("E-08 what only newer interpreters than this machine's have exists", async () => {
    const after = `from pathlib import Path
from fractions import Fraction
import logging

Path("a").copy_into("b")
Fraction.from_number(1)
logging.getLogger("a").getChildren()
Path("a").copy_inot("b")
`;
    expect(missing(await check(after, { library }))).toEqual(['Path("a").copy_inot']);
  });

  test("E-08 doubts about objects in general are none about a class that is seen whole", async () => {
    const project = {
      "any.py": "class Any:\n    def __getattr__(self, name):\n        return name\n",
      "shop.py": `class Any:
    def __getattr__(self, name):
        return name

class Shop:
    def buy(self):
        return 1

class Open(Any):
    pass
`,
    };
    const after = `import any
import shop
from shop import Open, Shop

Shop().sell_everything()
Open().sell_everything()
shop.close_everything()
any.Any().anything()
`;
    const found = missing(await check(after, { project, library }));
    expect(found).toEqual(["Shop().sell_everything", "shop.close_everything"]);
  });

  test("E-08 a function of another file that speaks of builtins is still not imported", async () => {
    const project = {
      "tools.py": "import builtins\n\ndef tidy_up(x):\n    return builtins.len(x)\n",
    };
    expect(missing(await check("tidy_up(1)\n", { project }))).toEqual(["tidy_up"]);
    const adding = { "tools.py": "import builtins\n\nbuiltins.tidy_up = print\n" };
    expect(missing(await check("tidy_up(1)\n", { project: adding }))).toEqual([]);
  });
});

describe("E-08 calls to what does not exist, TypeScript and JavaScript", () => {
  const client = `export class Client {
  send(text: string): void {
    console.log(text);
  }
}
`;
  test("E-08 a member of a class that nothing names is refused, with the nearest one", async () => {
    const after = client.replace(
      "  send(",
      "  twice(): void {\n    this.sendd('a');\n  }\n\n  send(",
    );
    const found = await check(after, { before: client, path: "client.ts" });
    expect(missing(found)).toEqual(["this.sendd"]);
    expect(found[0]!.nearest[0]).toEqual({ name: "this.send", path: "client.ts", line: 6 });
  });

  test("E-08 a function that nothing names is refused", async () => {
    const after = `${client}\nmakeTheClient();\n`;
    const project = { "package.json": "{}" };
    const found = await check(after, { before: client, path: "c.ts", project });
    expect(missing(found)).toEqual(["makeTheClient"]);
    const node = await check(`require("fs");\nmakeTheClient();\n`, { path: "c.js", project });
    expect(missing(node)).toEqual(["makeTheClient"]);
  });

  test.each<[string, string, string, Readonly<Record<string, string>>?]>([
    ["a page's script", "site.js", "gtag('event');", { "package.json": "{}" }],
    ["no manifest", "site.js", "require('fs'); gtag('event');", {}],
    [
      "a package that is declared and absent",
      "a.ts",
      "defineEventHandler(() => 1);",
      { "package.json": '{"devDependencies":{"h3":"1"}}' },
    ],
    ["a value of any type", "a.ts", "JSON.parse('1').frobnicateIt();"],
    ["a newer engine", "a.ts", "Math.sumPrecise([1]);"],
    ["another engine", "a.ts", "Deno.serveAllOfIt();"],
  ])("E-08 a closed world: unknown, not missing: %s", async (_, path, after, project = {}) => {
    const found = await check(`${after}\n`, { path, project });
    expect(found).toMatchObject([{ state: "doubtful" }]);
  });

  test("E-08 a closed world: names of environments are known without being installed", async () => {
    const after = `describe("a", () => it("b", () => {}));
jQuery("a");
$("b");
GM_setValue("a", 1);
printjson(1);
process.loadEnvFile();
process.getBuiltinModule("fs");
`;
    expect(await check(after, { path: "a.ts", project: { "package.json": "{}" } })).toEqual([]);
  });

  test("E-08 a slip of a name of the file is missing in whatever world", async () => {
    const after = "function totalPrice() {}\ntotalPrize();\n";
    expect(missing(await check(after, { path: "page.js" }))).toEqual(["totalPrize"]);
  });

  test.each([
    ["JSON.stringfy(1);", "JSON.stringify"],
    ["Math.rond(1);", "Math.round"],
    ["Object.entires({});", "Object.entries"],
  ])("E-08 a slip of a built-in's member is refused at the edit: %s", async (after, meant) => {
    const found = await check(`${after}\n`, { path: "a.js" });
    expect(found).toMatchObject([
      { state: "missing", owner: "library", nearest: [{ name: meant }] },
    ]);
  });

  const passing: Record<string, string> = {
    "built-in globals and prototypes":
      "structuredClone([1].toSorted()); 'a'.padStart(2); new Map().getOrInsert?.(1); fetch('x'); document.querySelectorAll('a');",
    "inherited from a class in the file":
      "class A { go() {} }\nclass B extends A { run() { this.go(); super.go(); } }",
    "a field, a parameter, a destructured name":
      "class A { cb = () => 1; run({ inner }, fn) { this.cb(); inner(); fn(); } }",
    "a key of an object":
      "const tools = { sharpenIt() {}, cut: () => 1 };\ntools.sharpenIt(); tools.cut();",
    "a computed member":
      "class A { run() { this.madeUp(); } }\nfor (const n of ['x']) A.prototype['made' + n] = () => 1;",
    "an unknown base":
      "import { Base } from 'gone';\nclass A extends Base { run() { this.fromBase(); } }",
    "a proxy": "const p = new Proxy({}, {});\np.anythingGoes();",
    "an import": "import { helperFn } from './x.js';\nhelperFn();",
  };
  test.each(Object.entries(passing))("E-08 passes: %s", async (_, after) => {
    expect(missing(await check(after, { path: "a.js" }))).toEqual([]);
    expect(missing(await check(after, { path: "a.ts" }))).toEqual([]);
  });
});
