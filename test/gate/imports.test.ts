import { expect, test } from "vitest";
import {
  imports,
  judge,
  type JudgeStage,
  type ProjectFiles,
  treeOf,
  type Verdict,
  type Write,
} from "../../src/gate/index.ts";
import { SymbolUniverse } from "../../src/structure/index.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

type Files = Readonly<Record<string, string>>;

const filesOf = (files: Files, ignored: readonly string[]): ProjectFiles => {
  const paths = Object.keys(files);
  const below = (folder: string): string[] =>
    paths.flatMap((path) =>
      folder === "" ? [path] : path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
    );
  return {
    read: (path) => treeOf(files).read(path),
    kind: (path) => {
      if (files[path] !== undefined) return "file";
      return path === "." || below(path).length > 0 ? "folder" : undefined;
    },
    entries: (folder) => [...new Set(below(folder).map((path) => path.split("/")[0]!))],
    isIgnored: async (asked) => asked.some((path) => ignored.includes(path)),
  };
};

const propose = async (
  files: Files,
  writes: Readonly<Record<string, string | null>>,
  { stage = "commit", ignored = [] }: { stage?: JudgeStage; ignored?: readonly string[] } = {},
): Promise<Verdict> => {
  const tree = treeOf(files);
  const universe = new SymbolUniverse();
  await universe.update({ list: () => Object.keys(files), read: (path) => tree.read(path) });
  const rule = imports({
    universe: async () => universe,
    files: async () => filesOf(files, ignored),
    analyser,
  });
  const all: Write[] = Object.entries(writes).map(([path, after]) => ({ path, after }));
  const further = [{ name: "imports" as const, rule }];
  return judge({ writes: all }, { analyser, tree, policy: {}, stage, further });
};

const said = ({ reasons }: Verdict): string[] =>
  reasons.map(({ code, path, line, missing }) => `${code} ${path}:${line ?? ""} ${missing}`);

const script: Files = {
  "package.json": '{ "dependencies": { "hono": "4" } }',
  "package-lock.json": '{ "packages": { "node_modules/hono": {} } }',
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
  "src/db.ts":
    "export const query = (x: string) => x;\nexport type Row = { id: number };\nexport default query;\n",
  "src/all.ts": "export * from './db';\nexport { query as ask } from './db';\n",
  "src/common.cjs": "exports.a = 1;\n",
  "src/view.css": ".a {}",
  "src/use.ts":
    "import { query } from './db';\nimport * as all from './all';\nquery('a');\nall.ask('b');\n",
};

const python: Files = {
  "pkg/__init__.py": "from .a import total\n",
  "pkg/a.py":
    "import os\n\ndef total(x):\n    return x\n\nif os.name:\n    EXTRA = 1\n\nclass Thing:\n    pass\n",
  "pkg/lazy.py": "def __getattr__(name):\n    return name\n",
  "pkg/sub/plain.py": "x = 1\n",
  "use.py": "from pkg.a import Thing\nfrom pkg import a\n\na.total(Thing())\n",
};

test("E-18 a name that its module does not export is an open end with the nearest one, refused at the commit", async () => {
  const writes = {
    "src/new.ts": "import { querry, Row } from './db';\nquerry(1 as never as Row);\n",
  };
  expect(said(await propose(script, writes))).toEqual([
    "IMPORT_UNKNOWN src/new.ts:1 querry from ./db",
  ]);
  const edit = await propose(script, writes, { stage: "edit" });
  expect(edit).toMatchObject({ verdict: "deny", confirm: true });
  expect(edit.reasons[0]?.message).toContain("nearest: query");
  const other = { "src/new.ts": "import { insertAll } from '@/db';\ninsertAll();\n" };
  const open = await propose(script, other, { stage: "edit" });
  expect(open).toMatchObject({
    verdict: "allow",
    notes: [{ code: "IMPORT_UNKNOWN", missing: "insertAll from @/db" }],
  });
});

test("E-18 what is there in any way is not complained about", async () => {
  const legal = [
    "import ask, { query as q, type Row } from './db.js';",
    "import { query, ask as again } from './all';",
    "import { anything } from './common.cjs';",
    "import './view.css';",
    "import raw from './missing.txt?raw';",
    "import { Hono } from 'hono/tiny';",
    "import { readFile } from 'node:fs/promises';",
    "import x from 'virtual:thing';",
    "// @ts-expect-error not there yet",
    "import later from './later';",
    "export const load = () => import('./dist/out.js');",
  ].join("\n");
  expect(said(await propose(script, { "src/new.ts": legal }))).toEqual([]);
  const names = [
    "from .a import total, EXTRA, Thing, os",
    "from . import a, lazy, sub",
    "from .lazy import whatever",
    "from .sub.plain import x",
    "from pkg import total as t",
    "try:\n    from .fast import total\nexcept ImportError:\n    pass",
    "import json, yaml",
  ].join("\n");
  expect(said(await propose(python, { "pkg/new.py": names }))).toEqual([]);
});

test("E-18 a module that does not exist is refused at the commit, unless a build makes it or the proposal brings it", async () => {
  const writes = { "src/new.ts": "import { a } from './database';\na();\n" };
  expect(said(await propose(script, writes))).toEqual(["IMPORT_UNKNOWN src/new.ts:1 ./database"]);
  const ignored = ["src/database.ts"];
  expect(said(await propose(script, writes, { ignored }))).toEqual([]);
  const both = { ...writes, "src/database.ts": "export const a = () => 1;\n" };
  expect(said(await propose(script, both))).toEqual([]);
  const slips = "from .b import x\nfrom pkg.c import y\nfrom pkg.a import Total\nimport pkg.d\n";
  expect(said(await propose(python, { "pkg/new.py": slips }))).toEqual([
    "IMPORT_UNKNOWN pkg/new.py:1 .b",
    "IMPORT_UNKNOWN pkg/new.py:2 pkg.c",
    "IMPORT_UNKNOWN pkg/new.py:3 Total from pkg.a",
    "IMPORT_UNKNOWN pkg/new.py:4 pkg.d",
  ]);
});

test("E-18 a package that is neither declared nor installed is refused, one that the same proposal declares is not", async () => {
  const writes = { "src/new.ts": "import pad from 'left-padd';\npad();\n" };
  expect(said(await propose(script, writes))).toEqual(["IMPORT_UNKNOWN src/new.ts:1 left-padd"]);
  const declared = { ...writes, "package.json": '{ "dependencies": { "left-padd": "1" } }' };
  expect(said(await propose(script, declared))).toEqual([]);
  const { "package-lock.json": _, ...unlocked } = script;
  const unsure = await propose(unlocked, writes);
  expect(said(unsure)).toEqual([]);
  expect(unsure.notes.map(({ message }) => message)).toEqual([
    "the package 'left-padd' at line 1 is declared nowhere",
  ]);
  const locked = { ...python, "uv.lock": '[[package]]\nname = "click"\n' };
  const use = { "new.py": "import click\nimport quests\nimport sqlite3\n" };
  expect(said(await propose(locked, use))).toEqual(["IMPORT_UNKNOWN new.py:2 quests"]);
  expect((await propose(python, use)).notes).toEqual([]);
  const listed = { ...python, "requirements.txt": "click==8\n" };
  const { reasons, notes } = await propose(listed, use);
  expect(reasons).toEqual([]);
  expect(notes.map(({ message }) => message)).toEqual([
    "the package 'quests' at line 2 is declared nowhere",
  ]);
});

test("E-18 a name that the language's own library does not have is refused at the edit", async () => {
  const bad = {
    "new.py": "from os import makedir\nfrom json import stringify\nmakedir(stringify(1))\n",
    "src/new.ts": "import { readFileSink } from 'node:fs';\nreadFileSink();\n",
  };
  const refused = await propose({ ...python, ...script }, bad, { stage: "edit" });
  expect(refused.reasons.map(({ path, message }) => `${path} ${message}`)).toEqual([
    "new.py 'makedir' at line 1 does not exist: the module os has no such member; nearest: makedirs",
    "new.py 'stringify' at line 2 does not exist: the module json has no such member",
    "src/new.ts 'readFileSink' at line 1 does not exist: the module node:fs has no such member; nearest: readFileSync",
  ]);
  const right = {
    "new.py": `from os import makedirs, path, process_cpu_count
from logging import handlers
from collections import Mapping
from itertools import izip, batched

try:
    from os import makedir
except ImportError:
    makedir = makedirs
`,
    "src/new.ts": "import { readFileSync, type PathLike, StatsBase, glob } from 'fs';\n",
    "tests/json.py": "",
    "src/more.ts": "import { brandNewFunction } from 'node:fs';\n",
  };
  const passed = await propose({ ...python, ...script }, right, { stage: "edit" });
  expect(passed.reasons).toEqual([]);
  // A module of the project of that name, and a name that somebody adds.
  const own = { ...python, "os.py": "def makedir():\n    pass\n" };
  expect((await propose(own, { "new.py": "from os import makedir\n" })).reasons).toEqual([]);
  const added = { ...python, "patch.py": "import os\n\nos.makedir = os.makedirs\n" };
  expect((await propose(added, { "new.py": "from os import makedir\n" })).reasons).toEqual([]);
});

test("E-18 what other files still import cannot go: noted at the edit with its importers, refused at the commit", async () => {
  const without = { "src/db.ts": "export type Row = { id: number };\n" };
  const edit = await propose(script, without, { stage: "edit" });
  expect(edit.verdict).toBe("allow");
  expect(edit.notes[0]).toMatchObject({ code: "SYMBOL_REMOVED", symbol: "query" });
  expect(edit.notes[0]?.message).toContain("src/all.ts:2, src/use.ts:1");
  expect(said(await propose(script, without))).toEqual(["SYMBOL_REMOVED src/db.ts: query"]);
  // Through `import * as`, and through a module that passes it on.
  const passed = { "src/all.ts": "export * from './db';\n" };
  expect(said(await propose(script, passed))).toEqual(["SYMBOL_REMOVED src/all.ts: ask"]);
  const moved = { "src/db.ts": null, "src/store.ts": script["src/db.ts"]! };
  expect(said(await propose(script, moved))).toEqual(["SYMBOL_REMOVED src/db.ts: src/db.ts"]);
  const renamed = { "pkg/a.py": python["pkg/a.py"]!.replace("def total", "def grand_total") };
  const removal = await propose(python, renamed);
  expect(said(removal)).toEqual(["SYMBOL_REMOVED pkg/a.py: total"]);
  expect(removal.reasons[0]?.message).toContain("pkg/__init__.py:1, use.py:4");
  const followed = {
    ...renamed,
    "pkg/__init__.py": "from .a import grand_total\n",
    "use.py": "from pkg.a import Thing, grand_total\n\ngrand_total(Thing())\n",
  };
  expect(said(await propose(python, followed))).toEqual([]);
});

test("E-18 Go packages, Rust modules and slips of Java classes that do not exist are refused at the commit", async () => {
  const files = {
    "go.mod": "module example.com/m\n",
    "util/a.go": "package util\n",
    "src/lib.rs": "mod x;\n",
    "src/x.rs": "",
    "java/a/b/UserService.java": "package a.b;\npublic class UserService {}\n",
    "java/a/b/Tools.kt": "package a.b\nfun tool() {}\n",
  };
  const bad = {
    "b.go": 'package m\n\nimport (\n\t"fmt"\n\t"example.com/m/util"\n\t"example.com/m/utils"\n)\n',
    "src/lib.rs": "mod x;\nmod y;\n#[cfg(windows)]\nmod z;\nmod here {}\n",
    "java/a/c/C.java":
      "package a.c;\nimport a.b.UserService;\nimport a.b.UserServce;\nimport a.b.AutoValue_User;\nimport a.b.QUserService;\nimport a.b.UserService_;\nimport a.b.ToolsKt;\nimport java.util.*;\nclass C {}\n",
  };
  expect(said(await propose(files, bad))).toEqual([
    "IMPORT_UNKNOWN b.go:6 example.com/m/utils",
    "IMPORT_UNKNOWN src/lib.rs:2 y",
    "IMPORT_UNKNOWN java/a/c/C.java:3 a.b.UserServce",
  ]);
  const whole = { ...bad, "utils/u.go": "package utils\n", "src/y/mod.rs": "" };
  expect(said(await propose(files, whole))).toEqual([
    "IMPORT_UNKNOWN java/a/c/C.java:3 a.b.UserServce",
  ]);
});

test("E-18 names that Rust modules do not have are refused at the commit", async () => {
  const files = {
    "Cargo.toml": "[package]\n",
    "src/lib.rs": "mod x;\nmod flags;\n",
    "src/x.rs": "#[derive(Debug)]\npub struct Thing;\npub fn twice() {}\n",
    "src/flags.rs": "bitflags! {\n    struct Made: u32 {}\n}\n",
  };
  const bad = {
    "src/y.rs":
      "use crate::x::{twice, Thing as T};\nuse crate::x::thrice;\nuse crate::flags::Other;\nuse crate::none::A;\n",
  };
  expect(said(await propose(files, bad))).toEqual([
    "IMPORT_UNKNOWN src/y.rs:2 thrice from crate::x",
  ]);
  const open = await propose(files, bad, { stage: "edit" });
  expect(open).toMatchObject({ verdict: "allow", notes: [{ code: "IMPORT_UNKNOWN" }] });
  const made = { ...bad, "src/x.rs": "pub fn thrice() {}\npub fn twice() {}\nstruct Thing;\n" };
  expect(said(await propose(files, made))).toEqual([]);
});

test("E-18 where import hooks work, nothing about Python's modules is proven", async () => {
  const hooked = { ...python, "pkg/hooks.py": "import sys\nsys.meta_path.append(1)\n" };
  const use = { "pkg/new.py": "from .nothing import x\nfrom .a import nothing\n" };
  expect(said(await propose(hooked, use))).toEqual([]);
  expect(said(await propose(python, use))).toHaveLength(2);
});

test("E-18 what was wrong before the change is not held against it", async () => {
  const broken = {
    ...script,
    "src/old.ts": "import { gone } from './db';\nimport './never';\ngone();\n",
  };
  const touched = { "src/old.ts": `${broken["src/old.ts"]}export const x = 1;\n` };
  expect(said(await propose(broken, touched))).toEqual([]);
  const other = { "src/db.ts": `${script["src/db.ts"]}export const y = 2;\n` };
  expect(said(await propose(broken, other))).toEqual([]);
});

test("E-18 an import, type or field that the file still uses dangles; no project is needed to see it", async () => {
  const file = [
    "import { query } from './db';",
    "type Id = string;",
    "export class Store {",
    "  private rows: Id[] = [];",
    "  all = (): Id[] => this.rows;",
    "}",
    "export const ask = (id: Id) => query(id);",
  ];
  const without = async (line: number, more: Readonly<Record<number, string>> = {}) => {
    const lines = file.flatMap((text, at) => (at === line ? [] : [more[at] ?? text]));
    const [before, after] = [file.join("\n"), lines.join("\n")];
    const proposal = { writes: [{ path: "a.ts", after }] };
    return said(
      await judge(proposal, {
        analyser,
        tree: treeOf({ "a.ts": before }),
        policy: {},
        stage: "commit",
      }),
    );
  };
  expect(await without(0)).toEqual(["NAME_DANGLING a.ts:6 query"]);
  expect(await without(1)).toEqual(["NAME_DANGLING a.ts:3 Id"]);
  expect(await without(3)).toEqual(["NAME_DANGLING a.ts:4 this.rows"]);
  expect(
    await without(0, { 6: "export const ask = (query: (id: Id) => Id) => query('a');" }),
  ).toEqual([]);
  const [before, after] = ["import os\n\nprint(os.name)\n", "print(os.name)\n"];
  const context = {
    analyser,
    tree: treeOf({ "a.py": before }),
    policy: {},
    stage: "commit",
  } as const;
  expect(said(await judge({ writes: [{ path: "a.py", after }] }, context))).toEqual([
    "NAME_DANGLING a.py:1 os",
  ]);
  const edit = await judge({ writes: [{ path: "a.py", after }] }, { ...context, stage: "edit" });
  expect(edit).toMatchObject({
    verdict: "allow",
    notes: [{ code: "NAME_DANGLING", missing: "os" }],
  });
});
