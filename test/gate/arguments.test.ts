import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  callArguments,
  judge,
  type JudgeStage,
  treeOf,
  type Verdict,
} from "../../src/gate/index.ts";
import { type Checker, createChecker, SymbolUniverse } from "../../src/structure/index.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

type Texts = Readonly<Record<string, string>>;

const propose = async (
  files: Texts,
  edits: Texts,
  stage: JudgeStage = "commit",
  checker?: Checker,
): Promise<Verdict> => {
  const tree = treeOf(files);
  const universe = new SymbolUniverse();
  await universe.update({ list: () => Object.keys(files), read: (path) => tree.read(path) });
  const rule = callArguments({
    analyser,
    ...(checker && { checker }),
    universe: async () => universe,
    outlineOf: async (path) => {
      const bytes = tree.read(path);
      return bytes && analyser.outline(bytes, path);
    },
  });
  const writes = Object.entries(edits).map(([path, after]) => ({ path, after }));
  const further = [{ name: "arguments", rule }] as const;
  return judge({ writes }, { analyser, tree, policy: {}, further, stage });
};

const python = `import functools
import os


def plain(a, b, c=1):
    return a


def strict(a, /, b, *, key, other=2):
    return a


def open_ended(a, *rest, **more):
    return a


@os.register
def wrapped(a):
    return a


@functools.lru_cache(maxsize=None)
def cached(a):
    return a


def twice(a):
    return a


if os.name == "nt":

    def twice(a, b):
        return a


class Base:
    def __init__(self, name, size=1):
        self.name = name

    def own(self, x):
        return x

    @staticmethod
    def loose(x, y):
        return x

    @classmethod
    def made(cls, x):
        return cls(x)

    def shared(self, x):
        return x

    @property
    def shown(self):
        return print


class Heir(Base):
    def shared(self, x, y):
        return x


class Empty:
    pass
`;

const wrongPython: readonly (readonly [call: string, why: string])[] = [
  ["lib.plain(1)", "needs 'b'"],
  ["plain(1)", "needs 'b'"],
  ["plain()", "needs 'a', 'b'"],
  ["plain(1, 2, 3, 4)", "takes 3 arguments by position, 4 given"],
  ["plain(1, 2, d=3)", "no parameter 'd'"],
  ["plain(1, a=2, b=3)", "'a' is given twice"],
  ["plain(b=1)", "needs 'a'"],
  ["strict(1, 2)", "needs 'key'"],
  ["strict(a=1, b=2, key=3)", "no parameter 'a'"],
  ["strict(1, 2, 3, key=3)", "takes 2 arguments by position"],
  ["open_ended()", "needs 'a'"],
  ["cached(1, 2)", "takes 1 argument by position"],
  ["Base()", "needs 'name'"],
  ["Base('a').own()", "needs 'x'"],
  ["Base('a', 1, 2)", "takes 2 arguments by position"],
  ["Heir()", "needs 'name'"],
  ["Empty(1)", "takes 0 arguments"],
  ["Base.loose(1)", "needs 'y'"],
  ["Base.made()", "needs 'x'"],
];

const rightPython: readonly string[] = [
  "plain(1, 2)",
  "plain(1, b=2)",
  "plain(1, 2, 3)",
  "plain(*[1])",
  "plain(1, **{'b': 2})",
  "strict(1, 2, key=3)",
  "strict(1, b=2, key=3, other=4)",
  "open_ended(1, 2, 3, x=4)",
  "wrapped()",
  "twice(1, 2)",
  "Base('a')",
  "Base('a', size=2)",
  "Base.own(Base('a'), 1)",
  "Base.made(1)",
  "Base('a').own(1)",
  "unknown()",
];

const imports = `import lib
from lib import Base, Empty, Heir, cached, open_ended, plain, strict, twice, wrapped

`;

describe("E-19 arguments of Python calls", () => {
  test.each(wrongPython)("E-19 %s: %s", async (call, why) => {
    const { verdict, reasons } = await propose(
      { "lib.py": python, "use.py": imports },
      { "use.py": `${imports}value = ${call}\n` },
    );
    expect(reasons).toMatchObject([
      {
        code: "ARGUMENTS_MISMATCH",
        path: "use.py",
        line: 4,
        message: expect.stringContaining(why),
      },
    ]);
    expect(verdict).toBe("deny");
  });

  test("E-19 calls that fit, or that more than one function could answer, pass", async () => {
    const body = rightPython.map((call) => `value = ${call}\n`).join("");
    const { reasons, notes } = await propose(
      { "lib.py": python, "use.py": imports },
      { "use.py": imports + body },
    );
    expect([...reasons, ...notes]).toEqual([]);
  });

  test("E-19 members of the own object: wrong only where no other class answers", async () => {
    const more = `
    def caller(self):
        self.own()
        self.loose(1)
        self.shared(1, 2)
        self.made(1)
        self.shown(1, 2, 3)
`;
    const after = python.replace("\n\nclass Heir", `${more}\n\nclass Heir`);
    const { reasons } = await propose({ "lib.py": python }, { "lib.py": after });
    const wrong = reasons.map(({ message }) => /^'([\w.]+)'/.exec(message)?.[1]);
    expect(wrong).toEqual(["self.own", "self.loose"]);
  });

  test.each([
    ["a second meaning in the file", "def f(plain):\n    return plain(1)\n"],
    ["an assignment", "plain = lambda x: x\nplain(1)\n"],
    ["a loop", "for plain in [print]:\n    plain(1)\n"],
    ["a patch by its name", "patch('lib.plain')\nplain(1)\n"],
    ["a call that shall fail", "try:\n    plain(1)\nexcept TypeError:\n    pass\n"],
    ["names made at run time", "globals()['plain'] = print\nplain(1)\n"],
  ])("E-19 silent about %s", async (_, body) => {
    const { reasons, notes } = await propose(
      { "lib.py": python, "use.py": imports },
      { "use.py": imports + body },
    );
    expect([...reasons, ...notes]).toEqual([]);
  });

  test("E-19 a wrong call that was there before is not held against the edit", async () => {
    const before = `${imports}plain(1)\n`;
    const { verdict } = await propose(
      { "lib.py": python, "use.py": before },
      { "use.py": `${before}print(2)\n` },
    );
    expect(verdict).toBe("allow");
  });

  test("E-19 callers elsewhere of a changed signature: an open end, with their places", async () => {
    const files = {
      "lib.py": "def f(a):\n    return a\n",
      "use.py": "from lib import f\n\nf(1)\n",
      "fine.py": "from lib import f\n\nf(*[1])\n",
      "other.py": "def f(a):\n    return a\n\n\nf(1)\n",
    };
    const edits = { "lib.py": "def f(a, b):\n    return a\n" };
    const edit = await propose(files, edits, "edit");
    expect(edit.verdict).toBe("allow");
    expect(edit.notes).toMatchObject([
      { code: "ARGUMENTS_MISMATCH", path: "use.py", line: 3, missing: "f()" },
    ]);
    expect((await propose(files, edits)).reasons).toMatchObject([{ path: "use.py", line: 3 }]);
    const both = { ...edits, "use.py": "from lib import f\n\nf(1, 2)\n" };
    expect((await propose(files, both)).verdict).toBe("allow");
  });
});

/** One shop in each language; `calls` are what another file does with it. */
const shops = {
  py: {
    shop: "class Shop:\n    def buy(self, item, count):\n        return item\n\n    def sell(self, item):\n        return item\n",
    calls: (...lines: string[]) => `from shop import Shop\n\n${lines.join("\n")}\n`,
  },
  ts: {
    shop: "export class Shop {\n  buy(item: string, count: number): string {\n    return item;\n  }\n  sell(item: string): string {\n    return item;\n  }\n}\n",
    calls: (...lines: string[]) => `import { Shop } from "./shop.ts";\n\n${lines.join(";\n")};\n`,
  },
};

describe("E-18 E-19 methods of objects whose class is known", () => {
  test.each([
    ["py", "Shop().buy()", "needs 'item', 'count'"],
    ["py", "shop = Shop()\nshop.sell('a', 2)", "takes 1 argument by position, 2 given"],
    ["py", "Shop().buy('a', amount=2)", "no parameter 'amount'"],
    ["ts", "new Shop().buy('a')", "needs 2 arguments, 1 given"],
    ["ts", "const shop = new Shop();\nshop.sell()", "needs 1 argument, 0 given"],
  ] as const)("E-19 in %s: %s", async (kind, line, why) => {
    const { shop, calls } = shops[kind];
    const files = { [`shop.${kind}`]: shop, [`use.${kind}`]: calls() };
    const edits = { [`use.${kind}`]: calls(...line.split(/;?\n/)) };
    const { verdict, reasons } = await propose(files, edits);
    expect(reasons).toMatchObject([
      { code: "ARGUMENTS_MISMATCH", message: expect.stringContaining(why) },
    ]);
    expect(verdict).toBe("deny");
    expect((await propose(files, edits, "edit")).verdict).toBe("allow");
  });

  test.each([
    ["py", "Shop().buy('a', 1)", ""],
    ["py", "shop = Shop()\nshop = other()\nshop.sell()", ""],
    ["py", "def f(shop):\n    return shop.sell()", ""],
    ["py", "shop = Shop()\nshop.sell = print\nshop.sell()", ""],
    ["py", "Shop().sell()", "\n\nimport functools\nShop.sell = functools.partial(Shop.sell, 1)\n"],
    ["ts", "let shop = new Shop()\nshop = other()\nshop.sell()", ""],
    ["ts", "// @ts-expect-error too few\nnew Shop().buy()", ""],
  ] as const)("E-19 silent in %s about %s", async (kind, line, more) => {
    const { shop, calls } = shops[kind];
    const files = { [`shop.${kind}`]: shop + more, [`use.${kind}`]: calls() };
    const { reasons } = await propose(files, { [`use.${kind}`]: calls(...line.split("\n")) });
    expect(reasons).toEqual([]);
  });

  test.each(["py", "ts"] as const)(
    "E-18 E-19 in %s a method that changes or goes while another file calls it",
    async (kind) => {
      const { shop, calls } = shops[kind];
      const made = kind === "py" ? "Shop()" : "new Shop()";
      const use = calls(`${made}.sell("a")`);
      const files = { [`shop.${kind}`]: shop, [`use.${kind}`]: use };
      const changed = shop.replace(
        /(sell\([^)]*)\)/,
        kind === "py" ? "$1, to)" : "$1, to: string)",
      );
      expect((await propose(files, { [`shop.${kind}`]: changed })).reasons).toMatchObject([
        { code: "ARGUMENTS_MISMATCH", path: `use.${kind}`, line: 3 },
      ]);
      const gone = { [`shop.${kind}`]: shop.replace("sell", "vend") };
      const removed = { code: "SYMBOL_REMOVED", symbol: "Shop.sell", missing: "Shop.sell" };
      expect((await propose(files, gone)).reasons).toMatchObject([removed]);
      expect(await propose(files, gone, "edit")).toMatchObject({
        ...{ verdict: "allow", notes: [removed] },
      });
      const both = { ...gone, [`use.${kind}`]: use.replace("sell", "vend") };
      expect((await propose(files, both)).verdict).toBe("allow");
      const asked = calls(`def f(shop):\n    return shop.sell("a")`);
      const unsure =
        kind === "py" ? asked : calls(`export const f = (shop: Shop) => shop.sell("a")`);
      expect((await propose({ ...files, [`use.${kind}`]: unsure }, gone)).verdict).toBe("allow");
    },
  );
});

const script = `export function plain(a: number, b: string, c?: number, d = 1): void {}
export const arrow = (a: number): number => a;
export const typed: (...all: unknown[]) => void = (a) => {};
export function rest(a: number, ...more: number[]): void {}
export function open<T>(value: T): void {}
export function silent(done: void): void {}
export function over(a: string): void;
export function over(a: string, b: number): void;
export function over(a: string, b?: number): void {}
export class Box {
  constructor(size: number) {}
  own(a: number): void {}
  static of(a: number): Box {
    return new Box(a);
  }
}
`;
const scriptImports = `import * as lib from "./lib.ts";
import { arrow, Box, open, over, plain, rest, silent, typed } from "./lib.ts";
`;

describe("E-19 arguments of TypeScript calls", () => {
  test.each([
    ["plain(1)", "needs 2 arguments, 1 given"],
    ["lib.plain()", "needs 2 arguments, 0 given"],
    ["plain(1, 'a', 2, 3, 4)", "takes 4 arguments, 5 given"],
    ["arrow()", "needs 1 argument, 0 given"],
    ["rest()", "needs 1 argument, 0 given"],
    ["new Box()", "needs 1 argument, 0 given"],
    ["Box.of(1, 2)", "takes 1 argument, 2 given"],
  ])("E-19 %s: %s", async (call, why) => {
    const { reasons } = await propose(
      { "lib.ts": script, "use.ts": scriptImports },
      { "use.ts": `${scriptImports}export const value = ${call};\n` },
    );
    expect(reasons).toMatchObject([
      { code: "ARGUMENTS_MISMATCH", line: 3, message: expect.stringContaining(why) },
    ]);
  });

  test("E-19 calls that the compiler takes pass", async () => {
    const body = `plain(1, "a");
plain(1, "a", 2, 3);
plain(...([1, "a"] as const));
typed(1, 2, 3);
rest(1, 2, 3);
open();
silent();
over("a", 1);
new Box(1);
const fake = (plain: () => void) => plain();
// @ts-expect-error too few
arrow();
`;
    const { reasons, notes } = await propose(
      { "lib.ts": script, "use.ts": scriptImports },
      { "use.ts": scriptImports + body },
    );
    expect(reasons).toEqual([]);
    expect(notes.map(({ code }) => code)).toEqual(["CHECK_SUPPRESSED"]);
  });

  test("E-19 this: that of the method, not of a function inside of it", async () => {
    const after = script.replace(
      "own(a: number): void {}",
      "own(a: number): void {\n    [1].map(() => this.own());\n    [1].map(function (this: any) { this.own(1, 2); });\n  }",
    );
    const { reasons } = await propose({ "lib.ts": script }, { "lib.ts": after });
    expect(reasons).toMatchObject([{ line: 13, message: expect.stringContaining("0 given") }]);
    expect(reasons).toHaveLength(1);
  });

  test("E-19 JavaScript takes any number: a note, never refused", async () => {
    const lib = "export function plain(a, b) {}\n";
    const start = 'import { plain } from "./lib.js";\n';
    const { verdict, notes } = await propose(
      { "lib.js": lib, "use.js": start },
      { "use.js": `${start}plain(1);\n` },
    );
    expect(verdict).toBe("allow");
    expect(notes).toMatchObject([{ code: "ARGUMENTS_MISMATCH", line: 2 }]);
  });
});

describe("E-19 arguments, by the checkers of types", () => {
  let root: string;
  let checker: Checker;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "headgate-arguments-"));
    checker = createChecker({ root, budgetMs: 280_000 });
  });
  afterAll(() => {
    checker.close();
    rmSync(root, { recursive: true, force: true });
  });
  const put = (files: Texts): Texts => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    return files;
  };

  test("E-19 TypeScript: a method of an object is refused, an old error and a library's function are not", async () => {
    const compilerOptions = { strict: true, module: "nodenext", types: [] };
    const before = `import { Box } from "./lib.js";\nconst box = new Box(1);\nbox.own();\n`;
    const files = put({
      "tsconfig.json": JSON.stringify({ compilerOptions }),
      "package.json": "{}",
      "lib.ts": script,
      "use.ts": before,
    });
    const after = `${before}box.own(1, 2);\nMath.round();\nbox.own(1);\n`;
    const { reasons, notes } = await propose(files, { "use.ts": after }, "commit", checker);
    expect(reasons).toMatchObject([{ code: "ARGUMENTS_MISMATCH", line: 4, missing: "box.own()" }]);
    expect(notes).toMatchObject([{ code: "ARGUMENTS_MISMATCH", line: 5 }]);
  });

  test("E-19 Python: a method of an object is a note, because its class may be another", async () => {
    const before = "from base import Base\n\n\ndef use(one: Base):\n    one.own(1)\n";
    const files = put({ "base.py": python, "use.py": before });
    const after = `${before}    one.own()\n`;
    const { verdict, notes } = await propose(files, { "use.py": after }, "commit", checker);
    expect(verdict).toBe("allow");
    expect(notes).toMatchObject([
      { code: "ARGUMENTS_MISMATCH", line: 6, message: expect.stringContaining("pyright") },
    ]);
  });
});
