/** Lines that are settled: taken back, reformatted for a commit, committed. */
import type { Reader, Writer } from "../store/index.ts";
import type { NewNotice } from "../notices/index.ts";
import { bringUp, isSame, newRecord } from "./file-record.ts";
import { toBytes, toLines } from "./line-diff.ts";
import type { LooksAt } from "./late-writes.ts";
import { freeAfter } from "./line-notices.ts";
import { readRecord, saveRecord, type WaitRow } from "./lines-store.ts";
import { onto, passCommit } from "./look-again.ts";
import type { Lines, ReformatAnswer, Writing } from "./ports.ts";
import { eventPathsMax, type TreeMoment } from "./presence.ts";
import { reformatted } from "./reformat.ts";
import { giveTurns } from "./turns.ts";
import type { LineEdit } from "./types.ts";
import { currentLines, partLines, settle, withoutEdits } from "./weave.ts";

export interface SettlingParts {
  write<T>(work: (tx: Writer, at: TreeMoment) => Promise<T>): Promise<T>;
  readFile(path: string): Uint8Array | undefined;
  edit(by: Writing, at: number): LineEdit;
  unknown(at: number): LineEdit;
  waiting(tx: Reader, at: TreeMoment): Promise<readonly WaitRow[]>;
  send(tx: Writer, at: TreeMoment, notices: readonly NewNotice[]): Promise<void>;
  tellLate(tx: Writer, at: TreeMoment, looks: LooksAt): Promise<void>;
}

export const settling = ({
  write,
  readFile,
  edit,
  unknown,
  waiting,
  send,
  tellLate,
}: SettlingParts): Pick<Lines, "takenBack" | "reformat" | "committed"> => ({
  takenBack: async (edits) => {
    if (edits.size === 0) return;
    await write(async (tx, at) => {
      const changed: string[] = [];
      for (const [path, own] of edits) {
        const known = await readRecord(tx, at.place, path);
        if (!known) continue;
        const weave = withoutEdits(known.weave, own);
        const now = readFile(path);
        if (!isSame(currentLines(weave), now && toLines(now))) continue;
        await saveRecord(tx, at.place, {
          ...{ path, record: { ...known, weave }, at: Math.trunc(at.now.wallMs) },
        });
        changed.push(path);
      }
      tellSettled(tx, changed);
    });
  },

  reformat: async ({ path, edits, before, after, replace }, by) =>
    write(async (tx, at): Promise<ReformatAnswer> => {
      const ms = Math.trunc(at.now.wallMs);
      const now = readFile(path);
      const known = (await readRecord(tx, at.place, path)) ?? newRecord(before);
      const record = bringUp(known, now, { rest: unknown(ms) });
      if (record.pendings.length > 0) return "busy";
      const made = reformatted(record, { edits, before, after, edit: edit(by, ms) });
      const lines = made && currentLines(made.weave);
      if (!made || !lines) return "none";
      if (!replace(toBytes(lines), now)) return "busy";
      await tellLate(tx, at, { path, known, record });
      const next = { ...record, weave: made.weave };
      await saveRecord(tx, at.place, { path, record: next, at: ms });
      tx.emit({ kind: "lines.written", actor: by.actor.id, data: { paths: [path], count: 1 } });
      return made.skipped > 0 ? "part" : "done";
    }),

  committed: async (files, sets) => {
    if (files.size === 0) return;
    await write(async (tx, at) => {
      const ms = Math.trunc(at.now.wallMs);
      let waits: Awaited<ReturnType<typeof waiting>> | undefined;
      const changed: string[] = [];
      for (const [path, content] of files) {
        const known = await readRecord(tx, at.place, path);
        if (!known) continue;
        const lines = content && toLines(content);
        const taken = sets(known, path).find((edits) =>
          isSame(partLines(known.weave, edits), lines),
        );
        const { weave } = known;
        if (taken?.size === 0) continue;
        const record = taken
          ? passCommit({ ...known, weave: settle(weave, taken) })
          : onto(known, content, unknown(ms));
        if (record === known) continue;
        await saveRecord(tx, at.place, { path, record, at: ms });
        waits ??= await waiting(tx, at);
        const free = freeAfter(path, { before: known, after: record, waits });
        await send(tx, at, await giveTurns(tx, at, { free, waits }));
        changed.push(path);
      }
      tellSettled(tx, changed);
    });
  },
});

export const tellSettled = (tx: Writer, changed: readonly string[]): void => {
  if (changed.length === 0) return;
  const data = { paths: changed.slice(0, eventPathsMax), count: changed.length };
  tx.emit({ kind: "lines.settled", data });
};
