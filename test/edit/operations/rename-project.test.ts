import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemEnvironment } from "../../../src/base/environment.ts";
import { openHeadgate } from "../../../src/compose.ts";
import type { EditResult } from "../../../src/edit/index.ts";
import { git } from "../../helpers/git-repository.ts";
import { pathWith } from "../../helpers/shim.ts";
import { sharedParsers } from "../../helpers/shared-parsers.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

interface Renamed {
  readonly result: EditResult;
  /** Files that became different. */
  readonly changed: Files;
}

const rename = async (
  files: Files,
  [file, symbol, to]: readonly [string, string, string],
  { actor = "user:ada", ...more }: { actor?: string; fileOnly?: boolean; force?: boolean } = {},
): Promise<Renamed> => {
  const root = temporaryFolder();
  git(root, "init", "--quiet", "--initial-branch=main");
  for (const [path, text] of Object.entries(files)) put(join(root, path), text);
  const variables = { HOME: root, PATH: pathWith("git") };
  const environment = { ...systemEnvironment(), variables, cwd: root };
  const headgate = await openHeadgate({ repo: root, environment, actor, shared: sharedParsers });
  onTestFinished(() => headgate.close());
  const result = await headgate.edit.edit({
    operations: [{ do: "rename", file, symbol, to, ...more }],
  });
  const now = Object.keys(files).map((path) => [path, readFileSync(join(root, path), "utf8")]);
  return {
    result,
    changed: Object.fromEntries(now.filter(([path = "", text]) => files[path] !== text)) as Files,
  };
};

const places = ({ result }: Renamed): string[] =>
  result.ok ? [] : result.reasons.map(({ path, line }) => `${path}:${line}`);

describe("E-22 rename across files", () => {
  const python: Files = {
    "pkg/__init__.py": "",
    "pkg/a.py": "def total(xs):\n    return sum(xs)\n",
  };
  const script: Files = {
    "src/a.ts": "export function total(xs: number[]) {\n  return xs.length;\n}\n",
  };

  it.each<[string, Files, string, string]>([
    [
      "from … import",
      python,
      "from pkg.a import total\n\nprint(total([1]), f'{total([2])}')\n",
      "from pkg.a import grand\n\nprint(grand([1]), f'{grand([2])}')\n",
    ],
    [
      "a relative import under another name",
      python,
      "from .a import total as t\n\nprint(t([1]))\n",
      "from .a import grand as t\n\nprint(t([1]))\n",
    ],
    [
      "a module under another name",
      python,
      "import pkg.a as a\n\na.total([1])\nb.total([1])\n",
      "import pkg.a as a\n\na.grand([1])\nb.total([1])\n",
    ],
    [
      "a module by its whole name",
      python,
      "import pkg.a\n\npkg.a.total([1])\n",
      "import pkg.a\n\npkg.a.grand([1])\n",
    ],
    [
      "a module of a package",
      python,
      "from pkg import a\n\na.total([1])\n",
      "from pkg import a\n\na.grand([1])\n",
    ],
    [
      "locals of the same name",
      python,
      "from pkg.a import total\n\n\ndef f(total):\n    return total\n\n\ndef g():\n    total = 1\n    return total\n\n\ndef h():\n    return total([1])\n",
      "from pkg.a import grand\n\n\ndef f(total):\n    return total\n\n\ndef g():\n    total = 1\n    return total\n\n\ndef h():\n    return grand([1])\n",
    ],
    [
      "an argument of the same name",
      python,
      "from pkg.a import total\n\n\ndef f(g):\n    g(\n        total=total,\n    )\n",
      "from pkg.a import grand\n\n\ndef f(g):\n    g(\n        total=grand,\n    )\n",
    ],
    [
      "another module's",
      python,
      "from shop import total\n\ntotal()\n",
      "from shop import total\n\ntotal()\n",
    ],
    [
      "an import",
      script,
      "import { total } from './a';\n\nconst x = { total, y: total([1]) };\nx.total;\n",
      "import { grand } from './a';\n\nconst x = { total: grand, y: grand([1]) };\nx.total;\n",
    ],
    [
      "an import under another name",
      script,
      "import { total as t } from './a.ts';\n\nt([1]);\n",
      "import { grand as t } from './a.ts';\n\nt([1]);\n",
    ],
    [
      "a re-export under another name",
      script,
      "export { total as sum } from './a';\n",
      "export { grand as sum } from './a';\n",
    ],
    [
      "a whole module",
      script,
      "import * as a from './a';\n\na.total([1]);\nb.total([1]);\n",
      "import * as a from './a';\n\na.grand([1]);\nb.total([1]);\n",
    ],
    [
      "an import of a type and its parameters of the same name",
      script,
      "import { total } from './a';\n\nexport function f(total: number) {\n  return total;\n}\nexport const g = () => total([1]);\n",
      "import { grand } from './a';\n\nexport function f(total: number) {\n  return total;\n}\nexport const g = () => grand([1]);\n",
    ],
  ])("E-22 follows it: %s", async (_, home, before, after) => {
    const isPython = home === python;
    const [file, user] = isPython ? ["pkg/a.py", "pkg/c.py"] : ["src/a.ts", "src/c.ts"];
    const { result, changed } = await rename({ ...home, [user]: before }, [file, "total", "grand"]);
    expect(result).toMatchObject({ ok: true });
    expect(changed).toEqual({
      [file]: home[file]!.replace("total", "grand"),
      ...(before !== after && { [user]: after }),
    });
  });

  it("E-22 follows re-exports, in Python and in TypeScript", async () => {
    const one = await rename(
      {
        "pkg/__init__.py": 'from .a import total\n\n__all__ = ["total"]\n',
        "pkg/a.py": python["pkg/a.py"]!,
        "main.py": "from pkg import total\n\ntotal([1])\n",
      },
      ["pkg/a.py", "total", "grand"],
    );
    expect(one.changed).toMatchObject({
      "pkg/__init__.py": 'from .a import grand\n\n__all__ = ["grand"]\n',
      "main.py": "from pkg import grand\n\ngrand([1])\n",
    });
    const two = await rename(
      {
        ...script,
        "src/index.ts": "export * from './a';\n",
        "src/more.ts": "export { total } from './index';\n",
        "main.ts": "import { total } from './src/more';\n\ntotal([1]);\n",
        "other.ts": "import * as all from './src';\n\nall.total([1]);\n",
      },
      ["src/a.ts", "total", "grand"],
    );
    expect(two.changed).toEqual({
      "src/a.ts": script["src/a.ts"]!.replace("total", "grand"),
      "src/more.ts": "export { grand } from './index';\n",
      "main.ts": "import { grand } from './src/more';\n\ngrand([1]);\n",
      "other.ts": "import * as all from './src';\n\nall.grand([1]);\n",
    });
  });

  it("E-22 lists strings and comments, and leaves them", async () => {
    const text = "from pkg.a import total\n\n# total is slow\nx = 'pkg.a.total'\ntotal([1])\n";
    const { result, changed } = await rename({ ...python, "c.py": text }, [
      "pkg/a.py",
      "total",
      "grand",
    ]);
    expect(changed["c.py"]).toBe(
      "from pkg.a import grand\n\n# total is slow\nx = 'pkg.a.total'\ngrand([1])\n",
    );
    expect(result.ok && result.notes.filter(({ code }) => code === "RENAME_MENTION")).toMatchObject(
      [
        { path: "c.py", line: 3 },
        { path: "c.py", line: 4 },
      ],
    );
  });

  it.each<[string, Files, readonly [string, string, string], string]>([
    [
      "everything taken over",
      { ...python, "c.py": "from pkg.a import *\n\ntotal([1])\n" },
      ["pkg/a.py", "total", "grand"],
      "c.py:3",
    ],
    [
      "required at run time",
      { ...script, "c.js": "const { total } = require('./src/a');\ntotal([1]);\n" },
      ["src/a.ts", "total", "grand"],
      "c.js:1",
    ],
    [
      "an alias of the settings",
      { ...script, "c.ts": "import { total } from '@/a';\ntotal([1]);\n" },
      ["src/a.ts", "total", "grand"],
      "c.ts:1",
    ],
    [
      "a method behind an unknown object",
      {
        "a.py": "class A:\n    def run(self):\n        return 1\n",
        "c.py": "def f(x):\n    x.run()\n",
      },
      ["a.py", "A.run", "go"],
      "c.py:2",
    ],
    [
      "a name that is taken where it goes",
      { ...python, "c.py": "from pkg.a import total\n\ngrand = total([1])\n" },
      ["pkg/a.py", "total", "grand"],
      "c.py:3",
    ],
  ])("E-22 refuses with the places, and changes nothing: %s", async (_, files, wish, place) => {
    const refused = await rename(files, wish);
    expect(refused.result).toMatchObject({ ok: false, code: "RENAME_UNCERTAIN" });
    expect(places(refused)).toContain(place);
    expect(refused.changed).toEqual({});
    const [file] = wish;
    const alone = await rename(files, wish, { fileOnly: true });
    expect(Object.keys(alone.changed)).toEqual([file]);
    const forced = await rename(files, wish, { force: true });
    expect(forced.result).toMatchObject({ ok: true });
  });

  it("E-22 only a person can force", async () => {
    await expect(
      rename(python, ["pkg/a.py", "total", "grand"], { actor: "claude:s1", force: true }),
    ).rejects.toMatchObject({ code: "USAGE" });
  });
});
