/**
 * Calls to what exists and to what does not, each as an edit of a small project, judged as at the edit and as
 * at the commit. Half of each list, by the hash of the call, was not looked at while the rule was made.
 */
import { createHash } from "node:crypto";
import { judge, references, treeOf } from "../../src/gate/index.ts";
import { type Analyser, SymbolUniverse } from "../../src/structure/index.ts";
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

export const measure = async (
  list: CallList,
  analyser: Analyser,
  addLibraries: (universe: SymbolUniverse) => Promise<void>,
  /** 1: the whole lists; 7: every seventh call. */
  step = 1,
): Promise<Measured> => {
  const tree = treeOf(list.files);
  const universe = new SymbolUniverse();
  await universe.update({ list: () => Object.keys(list.files), read: (path) => tree.read(path) });
  await addLibraries(universe);
  const rule = references({
    universe: async () => universe,
    outlineOf: async (path) => {
      const bytes = tree.read(path);
      return bytes && analyser.outline(bytes, path);
    },
  });
  const further = [{ name: "references", rule }] as const;
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
    for (const { call, text } of texts.filter((_, at) => at % step === 0)) {
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
