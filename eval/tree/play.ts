/**
 * One landed commit played as agents write: as one proposal, file by file, and hunk by hunk in random order. Each step
 * goes the way of the hook (`admit` with every rule, contents from the disk); what is written stays for the next one.
 */
import { diffArrays } from "diff";
import type { Headgate } from "../../src/compose.ts";
import type { Reason, Write } from "../../src/gate/index.ts";
import { languageOf } from "../../src/structure/index.ts";
import type { Random } from "../random.ts";
import type { Change, Scratch } from "./history.ts";
import type { Parsers } from "./parses.ts";

export const modes = ["commit", "files", "hunks"] as const;
export type Mode = (typeof modes)[number];

/** What the gate said to one file of one step. */
export interface Step {
  readonly mode: Mode;
  readonly commit: string;
  readonly path: string;
  readonly language: string;
  readonly refused: readonly Refusal[];
  /** Codes of notes. */
  readonly noted: readonly string[];
  /** What the commit would be refused for, were it as it is now. */
  readonly open: readonly string[];
  readonly isAsked: boolean;
  /** The code of what came in place of a verdict. */
  readonly error?: string;
}

export interface Refusal {
  readonly code: string;
  readonly line: number;
  readonly message: string;
  /** An independent parser agrees with it. */
  readonly isRight: boolean;
}

export interface Board {
  readonly scratch: Scratch;
  readonly headgate: Pick<Headgate, "gate" | "lines" | "claims">;
  readonly parsers: Parsers;
  readonly random: Random;
}

export const playCommit = async (
  commit: string,
  changes: readonly Change[],
  board: Board,
): Promise<Step[]> => {
  const steps = await judge("commit", commit, changes, board);
  await settle(changes, board, true);
  for (const change of board.random.shuffle(changes)) {
    steps.push(...(await judge("files", commit, [change], board)));
    await write(change, board);
  }
  await goBack(changes, board);
  steps.push(...(await playHunks(commit, changes, board)));
  await goBack(changes, board);
  await board.headgate.claims.release({ all: true });
  return steps;
};

const write = async (change: Change, board: Board): Promise<void> => {
  board.scratch.write(change.path, change.after);
  await settle([change], board);
};

const goBack = async (changes: readonly Change[], board: Board): Promise<void> => {
  for (const { path, before } of changes) board.scratch.write(path, before);
  await settle(changes, board);
};

/** As the hook after a tool: what is on the disk now is known, and what was only asked for is not waited for. */
const settle = async (
  changes: readonly Change[],
  { headgate: { lines, claims } }: Board,
  hasFailed = false,
): Promise<void> => {
  const paths = changes.map(({ path }) => path);
  await lines.note(paths, { actor: claims.actor, kind: "edit", use, hasFailed });
};

/** One tool call follows the other, so that they may have the same name. */
const use = "replay";

const playHunks = async (
  commit: string,
  changes: readonly Change[],
  board: Board,
): Promise<Step[]> => {
  const { parsers, random } = board;
  const steps: Step[] = [];
  const files = changes.map((change) => ({ change, ...cut(change), done: new Set<number>() }));
  const now = new Map(changes.map(({ path, before }) => [path, before]));
  const order = random.shuffle(
    files.flatMap((file) => file.hunks.map((_, index) => ({ file, index }))),
  );
  for (const { file, index } of order.slice(0, hunksMax)) {
    const { change, done, make } = file;
    const { path, before, after } = change;
    done.add(index);
    const text = make(done);
    const isLast = done.size === file.hunks.length;
    if (!isLast && text && before && after) {
      const language = languageOf(path, text.toString());
      // It waits for the next one of its file, as an agent would make both in one edit.
      if (!(await parsers.isPlayable(language, text, { path, versions: [before, after] })))
        continue;
    }
    const step = { path, before: now.get(path), after: isLast ? after : text };
    steps.push(...(await judge("hunks", commit, [step], board)));
    now.set(path, step.after);
    await write(step, board);
  }
  return steps;
};

/** More of one commit say the same again. */
const hunksMax = 120;

/** A change in pieces; a file that comes or goes, or is no text, is one. */
const cut = ({ before, after }: Change) => {
  const [old, now] = [before?.toString("latin1"), after?.toString("latin1")];
  if (old === undefined || now === undefined || /\0/.test(old + now)) {
    return { hunks: [0], make: () => after };
  }
  const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const parts: { readonly old: string; readonly now: string; readonly hunk?: number }[] = [];
  let count = 0;
  let open: { old: string; now: string } | undefined;
  const end = (): void => {
    if (open) parts.push({ ...open, hunk: count++ });
    open = undefined;
  };
  for (const { added, removed, value } of diffArrays(lines(old), lines(now))) {
    const text = value.join("");
    if (added || removed) {
      open ??= { old: "", now: "" };
      open[added ? "now" : "old"] += text;
    } else {
      end();
      parts.push({ old: text, now: text });
    }
  }
  end();
  const make = (done: ReadonlySet<number>): Buffer => {
    const isNew = ({ hunk }: (typeof parts)[number]) => hunk !== undefined && done.has(hunk);
    return Buffer.from(parts.map((one) => (isNew(one) ? one.now : one.old)).join(""), "latin1");
  };
  return { hunks: parts.flatMap(({ hunk }) => (hunk === undefined ? [] : [hunk])), make };
};

const judge = async (
  mode: Mode,
  commit: string,
  changes: readonly Change[],
  { headgate: { gate }, parsers }: Board,
): Promise<Step[]> => {
  const writes = changes.map(({ path, before, after }): Write => ({
    ...{ path, before: before ?? null, after: after ?? null },
  }));
  const about = changes.map(({ path, before, after }) => ({
    ...{ mode, commit, path, isAsked: false, refused: [], noted: [], open: [] },
    language: nameFor(path, (after ?? before)?.toString() ?? ""),
  }));
  try {
    let { verdict } = await gate.admit({ writes }, { use });
    const asked = new Set(verdict.reasons.filter(({ confirm }) => confirm).map((one) => one.path));
    // An agent that means it makes the same edit once more.
    if (verdict.confirm) ({ verdict } = await gate.admit({ writes }, { use }));
    const steps: Step[] = [];
    for (const [at, step] of about.entries()) {
      const own = ({ path }: Reason): boolean => path === step.path;
      const { after } = changes[at]!;
      const refused: Refusal[] = [];
      for (const { code, line = 0, message } of verdict.reasons.filter(own)) {
        const isSyntax = code === "SYNTAX_ERROR" && after !== undefined;
        const word = isSyntax ? await parsers.isRight(step.language, after, step.path) : undefined;
        refused.push({ code, line, message: message.slice(0, 200), isRight: word === false });
      }
      const notes = verdict.notes.filter(own);
      const noted = notes.map(({ code }) => code);
      const open = notes.flatMap(({ code, missing, line }) =>
        missing === undefined ? [] : [`${code} ${missing} at line ${line ?? 0}`],
      );
      steps.push({ ...step, refused, noted, open, isAsked: asked.has(step.path) });
    }
    const strays = verdict.reasons.filter((one) => !about.some(({ path }) => path === one.path));
    if (strays.length > 0 && steps[0]) {
      const refused = strays.map(({ code, path, message }) => ({
        ...{ code, line: 0, message: `${path}: ${message}`.slice(0, 200), isRight: false },
      }));
      steps[0] = { ...steps[0], refused: [...steps[0].refused, ...refused] };
    }
    return steps;
  } catch (error) {
    const { code = "?", message } = error as Error & { readonly code?: string };
    return about.map((step) => ({ ...step, error: `${code}: ${message.slice(0, 200)}` }));
  }
};

/** What no language is known for is counted by its ending. */
const nameFor = (path: string, text: string): string => {
  const language = languageOf(path, text);
  if (language !== "text") return language;
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return byEnding[ending] ?? "other";
};

const byEnding: Readonly<Record<string, string>> = {
  ...{ md: "markdown", mdx: "markdown", markdown: "markdown", rst: "markdown" },
  ...{ ipynb: "notebook", scss: "scss", less: "scss", sass: "scss", zsh: "zsh" },
};
