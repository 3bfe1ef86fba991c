import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Analyser } from "../../../src/structure/index.ts";
import { systemEnvironment } from "../../../src/base/environment.ts";
import { openHeadgate } from "../../../src/compose.ts";
import { judgeRange } from "../../../src/surfaces/git/index.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { pathWith } from "../../helpers/shim.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { write } from "./hooked-repository.ts";

const analyser = new Analyser();
afterAll(() => analyser.close());

/** Undefined: there is no such file. */
interface Sides {
  readonly path: string;
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

const commit = (folder: string, all: readonly Sides[], side: "base" | "ours" | "theirs"): void => {
  for (const one of all) {
    const text = one[side];
    if (text === undefined) rmSync(join(folder, one.path), { force: true });
    else write(folder, one.path, text);
  }
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", side);
};

/** `main` and `topic` changed the same files; `topic` has merged `main`, without a conflict. */
const merged = (...all: readonly Sides[]): string => {
  const folder = makeRepository(join(temporaryFolder(), "repo"));
  commit(folder, all, "base");
  git(folder, "switch", "--quiet", "--create", "topic");
  commit(folder, all, "ours");
  git(folder, "switch", "--quiet", "main");
  commit(folder, all, "theirs");
  git(folder, "switch", "--quiet", "topic");
  git(folder, "merge", "--quiet", "--no-edit", "main");
  return folder;
};

const judged = async (folder: string, range: string, isEach: boolean) => {
  const variables = { HOME: folder, PATH: pathWith("git") };
  const environment = { ...systemEnvironment(), variables, cwd: folder };
  await using headgate = await openHeadgate({ repo: folder, environment, readOnly: true });
  const { signal } = new AbortController();
  return judgeRange({ headgate, environment, range, isEach, signal, analyser });
};

const long = (first: string, last: string, middle: string): string =>
  `${first}\n${middle}\n${middle.replaceAll("a", "b")}\n${middle.replaceAll("a", "c")}\n${last}`;

const pythonMiddle = "def a1():\n    return 1\n\n\ndef a2():\n    return 2\n\n";
const scriptMiddle = "function a1() {\n  return 1;\n}\n\nfunction a2() {\n  return 2;\n}\n";
const goMiddle = "func a1() int {\n\treturn 1\n}\n\nfunc a2() int {\n\treturn 2\n}\n";
const javaMiddle =
  "    int a1() {\n        return 1;\n    }\n\n    int a2() {\n        return 2;\n    }\n";

/** One side writes it at the beginning, the other at the end. */
const twice = (
  path: string,
  [start, end]: [string, string],
  middle: string,
  one: string,
  two = one,
) => ({
  path,
  base: start + long("", "", middle) + end,
  ours: start + long(one, "", middle) + end,
  theirs: start + long("", two, middle) + end,
});

const both = ["", ""] as [string, string];

describe("E-04 merges in headgate ci", () => {
  it("E-04 finds what both sides define, in many languages", async () => {
    const cases = [
      twice("function.py", both, pythonMiddle, "def new():\n    return 9\n\n"),
      twice("class.py", both, pythonMiddle, "class New:\n    pass\n\n"),
      twice("async.py", both, pythonMiddle, "async def new():\n    return 9\n\n"),
      twice(
        "other.py",
        both,
        pythonMiddle,
        "def new():\n    return 8\n\n",
        "def new(x):\n    return x\n\n",
      ),
      twice("function.ts", both, scriptMiddle, "export function fresh() {\n  return 9;\n}\n"),
      twice("class.ts", both, scriptMiddle, "export class Fresh {}\n"),
      twice("constant.ts", both, scriptMiddle, "export const fresh = 1;\n"),
      twice(
        "import.ts",
        both,
        scriptMiddle,
        "import { x } from './x';\n",
        "import { x } from './y';\n",
      ),
      twice("function.js", both, scriptMiddle, "function fresh() {\n  return 9;\n}\n"),
      twice("a.go", ["package p\n", ""], goMiddle, "func fresh() int {\n\treturn 9\n}\n"),
      twice(
        "A.java",
        ["class A {\n", "}\n"],
        javaMiddle,
        "    int fresh() {\n        return 9;\n    }\n",
      ),
      twice("a.json", ["{\n", '"end": 0\n}\n'], '"a1": 1,\n"a2": 2,', '"fresh": 1,'),
    ];
    const there = ["x.ts", "y.ts"].map((path) => {
      const text = "export const x = 1;\n";
      return { path, base: text, ours: text, theirs: text };
    });
    const folder = merged(...cases, ...there);
    const merge = git(folder, "rev-parse", "HEAD");
    const paths = cases.map(({ path }) => path).toSorted();
    const each = await judged(folder, "main..HEAD", true);
    expect(each).toMatchObject({ commits: 1, merges: 1 });
    expect(new Set(each.reasons.map((one) => one.commit))).toEqual(new Set([merge]));
    expect(each.reasons.map(({ path }) => path).toSorted()).toEqual(paths);
    const sum = await judged(folder, "main~1..HEAD", false);
    expect(sum.reasons.map(({ path }) => path).toSorted()).toEqual(paths);
  });

  it("E-04 finds what one side took away and the other calls", async () => {
    const [python, script] = ["def gone():\n    return 1\n", "function gone() {\n  return 1;\n}\n"];
    const cases: Sides[] = [
      {
        path: "a.py",
        base: long(python, "", pythonMiddle),
        ours: long("", "", pythonMiddle),
        theirs: long(python, "def use():\n    return gone()\n", pythonMiddle),
      },
      {
        path: "a.ts",
        base: long(script.replace("gone", "lost"), "", scriptMiddle),
        ours: long("", "", scriptMiddle),
        theirs: long(
          script.replace("gone", "lost"),
          "export const use = () => lost();\n",
          scriptMiddle,
        ),
      },
    ];
    const folder = merged(...cases);
    for (const [range, isEach] of [
      ["main..HEAD", true],
      ["main~1..HEAD", false],
    ] as const) {
      const { reasons } = await judged(folder, range, isEach);
      const told = new Set(reasons.map(({ code, path }) => `${code} ${path}`));
      expect([...told].toSorted()).toEqual([
        "CALL_UNKNOWN a.py",
        "CALL_UNKNOWN a.ts",
        // Against the other parent: there the call was right.
        "NAME_DANGLING a.py",
        "NAME_DANGLING a.ts",
      ]);
    }
  });

  /** A module that one side changes, and another file in which the other side begins to use it. */
  const apart = (module: Omit<Sides, "theirs">, use: Omit<Sides, "ours">): Sides[] => [
    { ...module, theirs: module.base },
    { ...use, ours: use.base },
  ];
  const five = [1, 2, 3, 4, 5];

  it("E-04 E-18 E-19 finds names that one side took away and calls that its signatures no longer take", async () => {
    const python = (name: string, head: string) =>
      `${head}:\n    return 1\n\n\n${name}_other = 1\n`;
    const cases: Sides[] = five.flatMap((at) => [
      ...apart(
        {
          path: `lost${at}.py`,
          base: python(`lost${at}`, `def lost${at}()`),
          ours: `lost${at}_other = 1\n`,
        },
        {
          path: `use_lost${at}.py`,
          base: "x = 1\n",
          theirs: `from lost${at} import lost${at}\n\nlost${at}()\n`,
        },
      ),
      ...apart(
        {
          path: `gone${at}.ts`,
          base: `export function gone${at}() {}\nexport const other = 1;\n`,
          ours: "export const other = 1;\n",
        },
        {
          path: `use_gone${at}.ts`,
          base: "export {};\n",
          theirs: `import { gone${at} } from "./gone${at}.ts";\ngone${at}();\n`,
        },
      ),
      ...apart(
        {
          path: `wide${at}.py`,
          base: python(`wide${at}`, `def wide${at}(a)`),
          ours: python(`wide${at}`, `def wide${at}(a, b)`),
        },
        {
          path: `use_wide${at}.py`,
          base: "x = 1\n",
          theirs: `from wide${at} import wide${at}\n\nwide${at}(1)\n`,
        },
      ),
      ...apart(
        {
          path: `long${at}.ts`,
          base: `export function long${at}(a: number) {}\n`,
          ours: `export function long${at}(a: number, b: number) {}\n`,
        },
        {
          path: `use_long${at}.ts`,
          base: "export {};\n",
          theirs: `import { long${at} } from "./long${at}.ts";\nlong${at}(1);\n`,
        },
      ),
    ]);
    const folder = merged(...cases);
    const wanted = five
      .flatMap((at) => [`lost${at}.py`, `gone${at}.ts`, `wide${at}.py`, `long${at}.ts`])
      .toSorted();
    for (const [range, isEach] of [
      ["main..HEAD", true],
      ["main~1..HEAD", false],
    ] as const) {
      const { reasons } = await judged(folder, range, isEach);
      const about = reasons.map(({ path }) => path.replace(/^use_/, ""));
      expect([...new Set(about)].toSorted(), range).toEqual(wanted);
      const found = new Set(reasons.map(({ code }) => code));
      expect(found.has("ARGUMENTS_MISMATCH"), range).toBe(true);
      expect(found.has("IMPORT_UNKNOWN") || found.has("SYMBOL_REMOVED"), range).toBe(true);
    }
  });

  it("E-04 E-18 finds what dangles in a merged file: imports, types, fields, constants", async () => {
    const firstLine = (path: string): string => (path.endsWith(".ts") ? "export {};\n" : "");
    const inside = (path: string, lost: string, use: string, middle: string): Sides => ({
      path,
      base: long(firstLine(path) + lost, "", middle),
      ours: long(firstLine(path), "", middle),
      theirs: long(firstLine(path) + lost, use, middle),
    });
    const { base, ours, theirs } = {
      base: "export class A {\n  private size = 1;\n  private other = 2;\n\n  one() {\n    return this.other;\n  }\n\n  two() {\n    return 2;\n  }\n}\n",
      ours: "export class A {\n  private other = 2;\n\n  one() {\n    return this.other;\n  }\n\n  two() {\n    return 2;\n  }\n}\n",
      theirs:
        "export class A {\n  private size = 1;\n  private other = 2;\n\n  one() {\n    return this.other;\n  }\n\n  two() {\n    return this.size;\n  }\n}\n",
    };
    const script = scriptMiddle;
    const cases: Sides[] = [
      inside("import.ts", 'import { x } from "./x.ts";', "export const used = x;\n", script),
      inside(
        "type.ts",
        "type Row = { id: number };",
        "export const used = (a: Row) => a;\n",
        script,
      ),
      inside(
        "face.ts",
        "interface Face {\n  id: number;\n}",
        "export const used = (a: Face) => a;\n",
        script,
      ),
      inside("constant.ts", "const limit = 1;", "export const used = limit;\n", script),
      inside("function.ts", "function help() {}", "export const used = [help];\n", script),
      inside("class.ts", "class Thing {}", "export const used = (a: Thing) => a;\n", script),
      { path: "field.ts", base, ours, theirs },
      inside("import.py", "import os", "def used():\n    return os.name\n", pythonMiddle),
      inside(
        "from.py",
        "from json import dumps",
        "def used():\n    return [dumps]\n",
        pythonMiddle,
      ),
      inside("constant.py", "LIMIT = 1", "def used():\n    return LIMIT\n", pythonMiddle),
      inside(
        "class.py",
        "class Row:\n    pass\n",
        "def used(row: Row):\n    return row\n",
        pythonMiddle,
      ),
    ];
    const same = { path: "x.ts", base: "export const x = 1;\n" };
    const folder = merged(...cases, { ...same, ours: same.base, theirs: same.base });
    for (const [range, isEach] of [
      ["main..HEAD", true],
      ["main~1..HEAD", false],
    ] as const) {
      const { reasons } = await judged(folder, range, isEach);
      const about = [...new Set(reasons.map(({ path }) => path))].toSorted();
      expect(about, range).toEqual(cases.map(({ path }) => path).toSorted());
    }
  });

  it("E-04 E-18 finds relative imports of files that the other side moved away", async () => {
    const uses = [
      ["named.ts", 'import { x } from "./lib/m0.ts";\nexport const y = x;\n'],
      ["default.ts", 'import x from "./lib/m1.ts";\nexport const y = x;\n'],
      ["whole.ts", 'import * as x from "./lib/m2.ts";\nexport const y = x;\n'],
      ["effect.ts", 'import "./lib/m3.ts";\nexport {};\n'],
      ["passed.ts", 'export { x } from "./lib/m4.ts";\n'],
      ["star.ts", 'export * from "./lib/m5.ts";\n'],
      ["type.ts", 'import type { T } from "./lib/m6.ts";\nexport type U = T;\n'],
      ["view.tsx", 'import { x } from "./lib/m7";\nexport const y = x;\n'],
      ["plain.js", 'import { x } from "./lib/m8.js";\nexport const y = x;\n'],
      ["loaded.js", 'const { x } = require("./lib/m9.js");\nmodule.exports = { y: x };\n'],
      ["app/inside.py", "from .m10 import x\n\ny = x\n"],
      ["app/whole.py", "from app import m11\n\ny = m11\n"],
    ] as const;
    const modules = uses.map(([path], at): [string, string, string] => {
      if (path.endsWith(".py")) return [`app/m${at}.py`, `app/deep/m${at}.py`, "x = 1\n"];
      const ending = path.endsWith(".js") ? "js" : "ts";
      const text = path.startsWith("loaded")
        ? "exports.x = 1;\n"
        : `export const x = ${at};\nexport default x;\n${ending === "ts" ? "export type T = string;\n" : ""}`;
      return [`lib/m${at}.${ending}`, `lib/deep/m${at}.${ending}`, text];
    });
    const always = (path: string): Sides => ({ path, base: "", ours: "", theirs: "" });
    const folder = merged(
      ...[always("app/__init__.py"), always("app/deep/__init__.py")],
      ...modules.flatMap(([from, to, text]): Sides[] => [
        { path: from, base: text, ours: undefined, theirs: text },
        { path: to, base: undefined, ours: text, theirs: undefined },
      ]),
      ...uses.map(([path, text]): Sides => {
        return { path, base: undefined, ours: undefined, theirs: text };
      }),
    );
    for (const [range, isEach] of [
      ["main..HEAD", true],
      ["main~1..HEAD", false],
    ] as const) {
      const { reasons } = await judged(folder, range, isEach);
      const about = new Set(reasons.map(({ path }) => path));
      expect(
        uses.map(([path]) => path).filter((path) => !about.has(path)),
        range,
      ).toEqual([]);
    }
  });

  it("E-04 judges all that a fast-forward brings to the default branch", async () => {
    const folder = makeRepository(join(temporaryFolder(), "repo"));
    const before = git(folder, "rev-parse", "HEAD");
    git(folder, "switch", "--quiet", "--create", "topic");
    const step = (path: string, text: string): string => {
      write(folder, path, text);
      git(folder, "add", "--all");
      git(folder, "commit", "--quiet", "--message", path);
      return git(folder, "rev-parse", "HEAD");
    };
    const closed = step("closed.test.ts", 'import { later } from "./later.ts";\nlater();\n');
    step("later.ts", "export function later() {}\n");
    const open = step("open.ts", 'import { never } from "./later.ts";\nnever();\n');
    git(folder, "switch", "--quiet", "main");
    git(folder, "merge", "--quiet", "--ff-only", "topic");
    const sum = await judged(folder, `${before}..HEAD`, false);
    // What a later commit of the same fast-forward added is no open end of the branch.
    expect(new Set(sum.reasons.map(({ path }) => path))).toEqual(new Set(["open.ts"]));
    const each = await judged(folder, `${before}..HEAD`, true);
    expect(new Set(each.reasons.map(({ commit: name }) => name))).toEqual(new Set([closed, open]));
  });

  it("E-04 a clean merge is clean, what one side broke is not the merge's, and a repair counts", async () => {
    const one = "def new():\n    return 9\n\n";
    const clean = twice("a.py", both, pythonMiddle, one, one.replace("new", "other"));
    expect(await judged(merged(clean), "main..HEAD", true)).toMatchObject({ reasons: [] });
    const broken = {
      ...clean,
      theirs: long("", `${one}${one}`, pythonMiddle),
      ours: clean.base.replace("return 1", "return 10"),
    };
    const folder = merged(broken);
    expect(await judged(folder, "main..HEAD", true)).toMatchObject({ merges: 1, reasons: [] });
    const repaired = merged(twice("a.py", both, pythonMiddle, one));
    commit(repaired, [clean], "base");
    expect((await judged(repaired, "main~1..HEAD", false)).reasons).toEqual([]);
    expect((await judged(repaired, "main..HEAD", true)).reasons).toHaveLength(1);
  });
});
