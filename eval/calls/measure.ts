/**
 * Calls to what exists and to what does not, each as an edit of a small project, judged as at the edit and as
 * at the commit. Half of each list, by the hash of the call, was not looked at while the rule was made.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { systemFiles } from "../../src/base/files.ts";
import { readPythonLibraries } from "../../src/gate/library-sources.ts";
import { judge, references, treeOf } from "../../src/gate/index.ts";
import {
  type Analyser,
  checkCalls,
  type OutlineOf,
  SymbolUniverse,
} from "../../src/structure/index.ts";
import { pythonCalls } from "./python.ts";
import { scriptCalls } from "./script.ts";
import type { CallList } from "./types.ts";

export type Half = "seen while tuning" | "unseen";

export interface JudgedCall {
  readonly call: string;
  readonly text: string;
  readonly half: Half;
  /** asked or refused at the edit, refused at the commit, noted, nothing. */
  readonly outcome: "edit" | "commit" | "note" | "nothing";
}

export interface Measured {
  readonly missing: readonly JudgedCall[];
  readonly legal: readonly JudgedCall[];
}

export const lists: Readonly<Record<"python" | "script", CallList>> = {
  python: pythonCalls,
  script: scriptCalls,
};

/** Forms of a list: each call in `times` placements, beginning at another one. */
const written = (
  { placements, head, inClass }: CallList,
  calls: readonly string[],
  classCalls: readonly string[],
  times: number,
): { readonly call: string; readonly text: string }[] => [
  ...calls.flatMap((call, at) =>
    Array.from({ length: times }, (_, more) => {
      const place = placements[(at * 3 + more) % placements.length]!;
      return { call, text: head + place(call, at) };
    }),
  ),
  ...classCalls.map((call, at) => ({ call, text: head + inClass(call, at) })),
];

export const missingTexts = (list: CallList) => {
  const once = written(list, list.missing, list.missingInClass, 1);
  const twice = written(list, list.missing, [], 2).filter((_, at) => at % 2 === 1);
  return [...once, ...twice].slice(0, 200);
};

export const legalTexts = (list: CallList) => [
  ...written(list, list.legal, list.legalInClass, list.placements.length).slice(0, 1000),
  ...written(list, [], list.legalInClass, 1),
];

const openProject = async (
  list: CallList,
  analyser: Analyser,
  addLibraries: (universe: SymbolUniverse) => Promise<void>,
) => {
  const tree = treeOf(list.files);
  const universe = new SymbolUniverse();
  await universe.update({ list: () => Object.keys(list.files), read: (path) => tree.read(path) });
  await addLibraries(universe);
  const outlineOf: OutlineOf = async (path) => {
    const bytes = tree.read(path);
    return bytes && analyser.outline(bytes, path);
  };
  const rule = references({ universe: async () => universe, outlineOf });
  const further = [{ name: "references", rule }] as const;
  return { tree, universe, outlineOf, further };
};

/** All calls of a list in one file: which of them are noted, and which are refused at the commit. */
export const measureTogether = async (
  list: CallList,
  analyser: Analyser,
  addLibraries: (universe: SymbolUniverse) => Promise<void>,
) => {
  const { universe, outlineOf } = await openProject(list, analyser, addLibraries);
  const judgeCalls = async (calls: readonly string[], classCalls: readonly string[]) => {
    const [place] = list.placements;
    const parts = [
      ...calls.map((call, at) => ({ call, text: place!(call, at) })),
      ...classCalls.map((call, at) => ({ call, text: list.inClass(call, at) })),
    ];
    const texts = [list.head, ...parts.map(({ text }) => text)];
    const path = list.path(0);
    const after = await analyser.outline(texts.join("\n"), path);
    const found = await checkCalls([{ path, before: undefined, after }], universe, outlineOf);
    const starts = texts.map((_, at) => texts.slice(0, at).join("\n").split("\n").length);
    const hit = (lines: readonly number[]): string[] =>
      parts.flatMap(({ call }, at) => {
        const [from, to] = [starts[at + 1] ?? 0, starts[at + 2] ?? Infinity];
        return lines.some((line) => line >= from && line < to) ? [call] : [];
      });
    const missing = found.filter(({ state }) => state === "missing");
    return {
      refused: hit(missing.map(({ reference }) => reference.line)),
      told: hit(found.map(({ reference }) => reference.line)),
    };
  };
  return {
    missing: await judgeCalls(list.missing, list.missingInClass),
    legal: await judgeCalls(list.legal, list.legalInClass),
  };
};

export const measure = async (
  list: CallList,
  analyser: Analyser,
  addLibraries: (universe: SymbolUniverse) => Promise<void>,
): Promise<Measured> => {
  const { tree, further } = await openProject(list, analyser, addLibraries);
  const path = list.path(0);
  const ask = async (text: string, stage: "edit" | "commit") => {
    const verdict = await judge(
      { writes: [{ path, after: text }] },
      { analyser, tree, policy: {}, further, stage },
    );
    const about = ({ code }: { code: string }): boolean => code === "CALL_UNKNOWN";
    return { refused: verdict.reasons.some(about), noted: verdict.notes.some(about) };
  };
  const judgeAll = async (texts: readonly { call: string; text: string }[]) => {
    const found: JudgedCall[] = [];
    for (const { call, text } of texts) {
      const [edit, commit] = [await ask(text, "edit"), await ask(text, "commit")];
      const noted = commit.noted || edit.noted ? "note" : "nothing";
      const outcome = edit.refused ? "edit" : commit.refused ? "commit" : noted;
      found.push({ call, text, half: halfFor(call), outcome });
    }
    return found;
  };
  return {
    missing: await judgeAll(missingTexts(list)),
    legal: await judgeAll(legalTexts(list)),
  };
};

const halfFor = (call: string): Half =>
  createHash("sha256").update(call).digest()[0]! % 2 === 0 ? "seen while tuning" : "unseen";

const nothing = { list: () => [], read: () => undefined };

const pythonFolders = async (): Promise<string[]> => {
  const script = "import sysconfig; p = sysconfig.get_paths(); print(p['stdlib'], p['purelib'])";
  return execFileSync("python3", ["-I", "-c", script]).toString().trim().split(" ");
};

/** The libraries of the languages as they are on this machine; no packages. */
export const addLibraries = async (universe: SymbolUniverse): Promise<void> => {
  const options = { root: "/nowhere", files: systemFiles, pythonLibraries: pythonFolders };
  await readPythonLibraries(universe, options);
  await universe.addLibrary("script", "the language itself", nothing);
};
