/** Records brought up to what the files and their commit are now. */
import { hash } from "node:crypto";
import {
  bringUp,
  type FileRecord,
  isMidWrite,
  isSame,
  type ChangedLines,
  type Pending,
} from "./file-record.ts";
import { toBytes, toLines } from "./line-diff.ts";
import type { ChangedFile, Writing } from "./ports.ts";
import type { LineEdit } from "./types.ts";
import { committedLines, currentLines, rebase } from "./weave.ts";

/** An allowed write that is not seen by then did not happen. */
const pendingMs = 2 * 60_000;

/** The record above the commit as it is now. */
export const onto = (
  record: FileRecord,
  content: Uint8Array | undefined,
  unknown: LineEdit,
): FileRecord => {
  const lines = content && toLines(content);
  if (isSame(committedLines(record.weave), lines)) return record;
  return passCommit({ ...record, weave: rebase(record.weave, lines, unknown) });
};

/** Writes that were allowed before the commit, and not seen yet, may come too late for it. */
export const passCommit = (record: FileRecord): FileRecord => ({
  ...record,
  pendings: record.pendings.map((one) => ({ ...one, isOverCommit: true })),
});

/** Whether these lines are the file as it was before the command. */
export const isAsBefore = (
  lines: readonly string[] | undefined,
  { before, committed }: ChangedFile,
): boolean => {
  if (before === null) return lines === undefined;
  const known = lines && hash("sha256", toBytes(lines));
  if (before !== undefined) return known === before;
  return committed !== undefined && known === hash("sha256", committed);
};

export const isEqual = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;

/** Without writes that did not happen, and without those that the same actor gave up for another. */
export const withoutOld = (
  record: FileRecord,
  { ms, by }: { readonly ms: number; readonly by: Writing & { readonly use?: string } },
): FileRecord => {
  const pendings = record.pendings.filter(
    ({ edit, use }) =>
      ms - edit.at < pendingMs &&
      !(use !== undefined && use === by.use && edit.actor === by.actor.id),
  );
  return pendings.length === record.pendings.length ? record : { ...record, pendings };
};

/**
 * After a tool. Where the file shows what was allowed, everything else in it has no author. Where it shows it in
 * another form (a formatter ran), that is the tool's own; where it shows nothing of it, the tool wrote nothing.
 */
export const afterUse = (
  record: FileRecord,
  content: Uint8Array | undefined,
  {
    use,
    own,
    hasFailed,
    mayWrite,
    unknown,
  }: {
    readonly use: string | undefined;
    readonly own: LineEdit | undefined;
    readonly hasFailed: boolean;
    readonly mayWrite?: ((change: ChangedLines) => boolean) | undefined;
    readonly unknown: LineEdit;
  },
): FileRecord => {
  const isThisUse = (pending: Pending): boolean =>
    own !== undefined && pending.edit.actor === own.actor && pending.use === use;
  const foreseen = record.pendings.find(isThisUse);
  if (hasFailed) {
    const rest = record.pendings.filter((one) => one !== foreseen);
    const without = foreseen ? { ...record, pendings: rest } : record;
    return bringUp(without, content, { rest: unknown });
  }
  // Where another allowed write would explain the same, it is the one that has just run.
  const seen = bringUp(record, content, { rest: unknown, ...(foreseen && { first: foreseen }) });
  // Another write is under way: the next look tells which of both the file shows.
  if (seen === record && isMidWrite(record, content, unknown.at)) return record;
  // Another's look may have believed it already.
  const wasSeen = record.weave.edits.some(
    (edit) => use !== undefined && edit.use === use && edit.actor === own?.actor,
  );
  const isSeen = wasSeen || (foreseen !== undefined && !seen.pendings.some(isThisUse));
  const isElsewise = !isSeen && !(foreseen && isNotThere(foreseen, record, content));
  // Allowed without a note of it (its hook was late), as others may have been: only its own words are its.
  const mayBeRest = foreseen ? undefined : mayWrite;
  const known =
    own && isElsewise ? bringUp(record, content, { rest: own, unknown, mayBeRest }) : seen;
  const pendings = known.pendings.filter((one) => use === undefined || !isThisUse(one));
  // A tool that has run is over, whether the file shows it or not.
  return pendings.length === known.pendings.length ? known : { ...known, pendings };
};

/** Nothing of what the write would have added is in the file, in whatever form. */
const isNotThere = (
  { hunks = [] }: Pending,
  { weave }: FileRecord,
  content: Uint8Array | undefined,
): boolean => {
  const words = (lines: readonly string[]): string[] =>
    lines.map((text) => text.replaceAll(/[^\p{L}\p{N}]+/gu, "")).filter((text) => text !== "");
  const old = new Set(words(currentLines(weave) ?? []));
  const added = words(hunks.flatMap(({ lines }) => lines)).filter((text) => !old.has(text));
  const now = new Set(words(content ? toLines(content) : []));
  return added.length > 0 && !added.some((text) => now.has(text));
};
