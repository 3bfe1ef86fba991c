/** The lines of one worktree, kept in the store. */
import { systemClock } from "../base/clock.ts";
import { type NewNotice, sendIn } from "../notices/index.ts";
import type { Reader, Writer } from "../store/index.ts";
import {
  bringUp,
  type FileRecord,
  hunksFor,
  isMidWrite,
  movedHunks,
  newRecord,
  type Pending,
} from "./file-record.ts";
import {
  endedHere,
  endWaits,
  goesOnHere,
  readChangedAt,
  readNoted,
  readRecord,
  readRecords,
  readSessions,
  readWaits,
  saveRecord,
  saveSession,
  saveWait,
} from "./lines-store.ts";
import {
  findLate,
  findOverdue,
  lateNotices,
  type LooksAt,
  type OverdueWrite,
} from "./late-writes.ts";
import { grantNotices } from "./line-notices.ts";
import { adoptLate } from "./adopt.ts";
import { readAuthors } from "./authors.ts";
import { disown, takenLines } from "./moved-lines.ts";
import { afterUse, isAsBefore, isEqual, onto, withoutOld } from "./look-again.ts";
import type {
  FileAuthor,
  LineBlocker,
  LineGrant,
  Lines,
  NearLines,
  OpenLinesOptions,
  SessionPresence,
  Writing,
} from "./ports.ts";
import {
  circleWhy,
  commitPath,
  eventPathsMax,
  groundIn,
  hasEditsOfBoth,
  hear,
  presenceIn,
  sessionRow,
  type TreeMoment,
  waitingMs,
} from "./presence.ts";
import { settling, tellSettled } from "./settling.ts";
import { hasOpenLines, strangersMet, strangersNear } from "./strangers.ts";
import { countAhead, giveTurnsAfter, standInLine, takeTurn, turnsAt } from "./turns.ts";
import type { LineEdit, LineRow, LineSplice } from "./types.ts";
import { currentLines } from "./weave.ts";

export const openLines = (options: OpenLinesOptions): Lines => {
  const { open, look, worktree, newId, idleMs, read: readFile, keepLate } = options;
  const write = async <T>(work: (tx: Writer, at: TreeMoment) => Promise<T>): Promise<T> => {
    const { store, scope } = await open();
    let result: T | undefined;
    await store.write({ scope }, async (tx) => {
      result = await work(tx, { place: { scope: scope.id, worktree }, scope, now: await tx.now() });
      return null;
    });
    return result as T;
  };
  const read = async <T>(
    nothing: T,
    work: (tx: Reader, at: TreeMoment) => Promise<T>,
  ): Promise<T> => {
    const there = await look();
    if (!there) return nothing;
    const { store, scope } = there;
    return store.read(async (tx) =>
      work(tx, { place: { scope: scope.id, worktree }, scope, now: await tx.now() }),
    );
  };
  const edit = (
    { actor, kind, task, use }: Writing & { readonly use?: string },
    at: number,
  ): LineEdit => ({
    id: newId("edit"),
    actor: actor.id,
    session: actor.session,
    kind,
    at,
    ...(task !== undefined && { task }),
    ...(use !== undefined && { use }),
    onto: [],
  });
  const unknown = (at: number): LineEdit => ({
    ...{ id: newId("edit"), actor: "", session: "", kind: "unknown", at, onto: [] },
  });

  const send = (tx: Writer, { scope, now }: TreeMoment, notices: readonly NewNotice[]) =>
    sendIn(tx, { scope, now, ids: newId }, notices);
  const waiting = async (tx: Reader, { place, now }: TreeMoment) =>
    (await readWaits(tx, place)).filter((one) => now.wallMs - one.at < waitingMs);

  /** Both sides hear of it, and the late version is kept. */
  const tellLate = async (
    tx: Writer,
    at: TreeMoment,
    { path, ...look }: LooksAt,
  ): Promise<void> => {
    for (const late of findLate(path, look)) {
      const { id, actor } = late.edit;
      await send(tx, at, lateNotices(late, await keepLate?.(late)));
      const data = { path, edit: id, over: late.over.actor, lines: late.lines };
      tx.emit({ kind: "write.late", actor, data });
    }
  };

  return {
    ask: (writes, by) =>
      write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
        const sessions = await readSessions(tx, at.place);
        const waits = (await readWaits(tx, at.place)).filter((one) => ms - one.at < waitingMs);
        const presence = await presenceIn(tx, at, { sessions, idleMs });
        const asked = [];
        for (const write of writes) {
          const { path, before, after, isEdit = false, keepsOff } = write;
          const now = readFile(path);
          const isMoved = !isEqual(now, before);
          const known = (await readRecord(tx, at.place, path)) ?? newRecord(now);
          // Half of a write is nothing to start from.
          if (isMidWrite(known, now, ms)) return { ok: false, blockers: [], isStale: true };
          // Looked at first: a write that took long is believed when the file shows it.
          const record = withoutOld(bringUp(known, now, { rest: unknown(ms) }), { ms, by });
          const own = edit(by, ms);
          const hunks: readonly LineSplice[] | false | undefined = isMoved
            ? isEdit && movedHunks(before, after, now)
            : hunksFor(record, after, own);
          // Lines to keep off are those of another version then.
          const isElsewhere = isMoved && Array.isArray(keepsOff);
          if (!hunks || isElsewhere) return { ok: false, blockers: [], isStale: true };
          const { session } = by.actor;
          const met = strangersMet(record, hunks, { session, keepsOff });
          asked.push({ write, path, known, record, own, hunks, leaves: after !== undefined, met });
        }
        const blockers: LineBlocker[] = [];
        const granted: LineGrant[] = [];
        for (const { path, met, write } of asked) {
          for (const [session, { actor, since }] of met) {
            const { state, task } = presence.get(session) ?? { state: "ended" as const, task: "" };
            const why = state !== "here" ? state : circleWhy(waits, session, by.actor.session);
            if (why === undefined) {
              const ahead = countAhead(waits, write, by.actor.session);
              blockers.push({ path, actor, session, task, since, ahead });
            } else granted.push({ path, actor, session, why });
          }
          for (const { session, until } of turnsAt(waits, write, { ...by.actor, ms })) {
            const there = presence.get(session);
            const isOpen = there?.state !== "here" || circleWhy(waits, session, by.actor.session);
            if (met.has(session) || isOpen) continue;
            const { actor, task } = there;
            blockers.push({ path, actor, session, task, since: ms, ahead: 0, until });
          }
        }
        if (blockers.length > 0) {
          await send(tx, at, await standInLine(tx, at, { blockers, writes, waits, by }));
          return { ok: false, blockers };
        }
        const near: NearLines[] = [];
        for (const { path, record, hunks, met } of asked) {
          for (const [session, { actor }] of strangersNear(record, hunks, by.actor.session)) {
            const there = presence.get(session);
            if (met.has(session) || there?.state !== "here") continue;
            near.push({ path, actor, session, task: there.task });
          }
        }
        for (const { write, path, known, record, own, hunks, leaves } of asked) {
          await tellLate(tx, at, { path, known, record });
          const pending: Pending = {
            ...{ edit: own, hunks, leaves },
            ...(by.use !== undefined && { use: by.use }),
          };
          const pendings = [...record.pendings, pending];
          await saveRecord(tx, at.place, { path, record: { ...record, pendings }, at: ms });
          await takeTurn(tx, at, { write, waits, session: by.actor.session });
        }
        await saveSession(tx, at.place, sessionRow(by, ms));
        await send(tx, at, grantNotices(granted, by.actor.id));
        tx.emit({
          kind: granted.length > 0 ? "lines.granted" : "lines.admitted",
          actor: by.actor.id,
          data: {
            paths: writes.slice(0, eventPathsMax).map(({ path }) => path),
            ...(granted.length > 0 && {
              over: granted
                .slice(0, eventPathsMax)
                .map(({ path, actor, why }) => ({ path, actor, why })),
            }),
          },
        });
        const known = sessions.find(({ session }) => session === by.actor.session);
        return { ok: true, granted, near, task: by.task ?? known?.task ?? "" };
      }),

    note: async (paths, rest) => {
      if (paths.length === 0) return { settled: [], overdue: [] };
      return write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
        const changed: string[] = [];
        const overdue: OverdueWrite[] = [];
        const settled = new Set(paths);
        for (const path of paths) {
          const known = await readRecord(tx, at.place, path);
          if (!known) continue;
          const own = rest ? edit(rest, ms) : undefined;
          const record = afterUse(known, readFile(path), {
            ...{ use: rest?.use, own, hasFailed: rest?.hasFailed === true },
            mayWrite: rest?.mayWrite,
            unknown: unknown(ms),
          });
          if (!rest || hasOpenLines(record, rest.actor.session)) settled.delete(path);
          if (record === known) continue;
          await saveRecord(tx, at.place, { path, record, at: ms });
          const allowedAt = known.pendings.find(
            ({ edit: one, use }) => one.actor === own?.actor && use === rest?.use,
          )?.edit.at;
          const look = { known, record, own: own && { ...own, allowedAt } };
          await tellLate(tx, at, { path, ...look });
          overdue.push(...findOverdue(path, { ...look, now: ms }));
          changed.push(path);
        }
        if (rest) await hear(tx, at, rest);
        // The notice of a late write is still to come, and may replace one that waits.
        if (overdue.length === 0) await rest?.along?.(tx, at);
        if (changed.length > 0) {
          tx.emit({
            kind: "lines.written",
            ...(rest && { actor: rest.actor.id }),
            data: { paths: changed.slice(0, eventPathsMax), count: changed.length },
          });
        }
        return { settled: [...settled], overdue };
      });
    },

    noteCommand: async (changes, by, since = Infinity) => {
      if (changes.length === 0) return;
      await write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
        const changed: string[] = [];
        const moved = new Map<string, readonly LineRow[]>();
        // New files come last: one may have the lines of a file that went, under another name.
        const { true: fresh = [], false: old = [] } = Object.groupBy(changes, ({ before: was }) =>
          was === null ? "true" : "false",
        );
        for (const change of [...old, ...fresh]) {
          const { path, before, committed } = change;
          const known = await readRecord(tx, at.place, path);
          // Dirty before, and unseen: its authors are not known any more.
          if (!known && typeof before === "string") continue;
          const own = edit(by, ms);
          const adopted = known && adoptLate(known, change, { since, edit: own });
          const base = adopted ?? known ?? newRecord(before === null ? undefined : committed);
          const isKnown = !known || isAsBefore(currentLines(known.weave), change);
          const none = unknown(ms);
          const rest = adopted || isKnown ? own : none;
          const seen = bringUp(base, readFile(path), { rest, unknown: none });
          for (const [text, rows] of takenLines(seen.weave, rest.session)) moved.set(text, rows);
          const isNew = before === null && (!known || adopted !== undefined);
          const record = isNew ? { ...seen, weave: disown(seen.weave, rest, moved) } : seen;
          if (record === known) continue;
          await tellLate(tx, at, { path, known: base, record });
          await saveRecord(tx, at.place, { path, record, at: ms });
          changed.push(path);
        }
        await saveSession(tx, at.place, sessionRow(by, ms));
        const data = { paths: changed.slice(0, eventPathsMax), count: changed.length };
        tx.emit({ kind: "lines.written", actor: by.actor.id, data });
      });
    },

    heard: (by, { isEnd = false, goesOn = false } = {}) =>
      write(async (tx, at) => {
        if (!isEnd) {
          await hear(tx, at, by);
          return by.along?.(tx, at);
        }
        const known = (await readSessions(tx, at.place)).find(
          ({ session }) => session === by.actor.session,
        );
        if (!known || known.ended === endedHere) return undefined;
        await endWaits(tx, at.place, { session: by.actor.session });
        const ms = Math.trunc(at.now.wallMs);
        const ended = goesOn ? goesOnHere : endedHere;
        if (!goesOn) {
          const waits = await waiting(tx, at);
          await send(tx, at, await giveTurnsAfter(tx, at, { session: by.actor.session, waits }));
        }
        await saveSession(tx, at.place, { ...sessionRow(by, ms), ended });
        tx.emit({ kind: "lines.left", actor: by.actor.id });
        return undefined;
      }),

    ground: (by, isWaiting) =>
      write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
        const { session } = by.actor;
        const waits = (await readWaits(tx, at.place)).filter((one) => ms - one.at < waitingMs);
        const own = waits.find((one) => one.session === session && one.path === commitPath);
        const mine = [...(await readNoted(tx, at.place))].flatMap(([path, { edits }]) =>
          hasEditsOfBoth(edits, session) ? [path] : [],
        );
        const found = groundIn((await readRecords(tx, at.place, mine)).values(), session);
        const sessions = found.size === 0 ? [] : await readSessions(tx, at.place);
        const presence = await presenceIn(tx, at, { sessions, idleMs });
        const holders = [...found].filter(
          (one) =>
            presence.get(one)?.state === "here" && circleWhy(waits, one, session) === undefined,
        );
        if (isWaiting && holders.length > 0) {
          const text = JSON.stringify(holders);
          if (own?.holders === text) return holders;
          await saveWait(tx, at.place, {
            ...{ session, path: commitPath, holders: text, since: own?.since ?? ms, at: ms },
            parts: "[]",
          });
          tx.emit({ kind: "lines.waiting", actor: by.actor.id, data: { commit: holders } });
        } else if (own) {
          await endWaits(tx, at.place, { session, path: commitPath });
          tx.emit({ kind: "lines.waited", actor: by.actor.id });
        }
        return holders;
      }),

    noted: () => read(new Map(), (tx, { place }) => readNoted(tx, place)),
    records: (paths) => read(new Map(), (tx, { place }) => readRecords(tx, place, paths)),
    changedAt: (path) => read(undefined, (tx, { place }) => readChangedAt(tx, place, path)),
    record: (path) => read(undefined, (tx, { place }) => readRecord(tx, place, path)),

    refresh: async (committed) => {
      const found = new Map<string, FileRecord>();
      if (committed.size === 0) return found;
      await write(async (tx, at) => {
        found.clear();
        const ms = Math.trunc(at.now.wallMs);
        const changed: string[] = [];
        const kept = await readRecords(tx, at.place, committed.keys());
        for (const [path, content] of committed) {
          const base = kept.get(path) ?? newRecord(content);
          const seen = bringUp(base, readFile(path), { rest: unknown(ms) });
          const record = onto(seen, content, unknown(ms));
          found.set(path, record);
          if (record === base) continue;
          await tellLate(tx, at, { path, known: base, record: seen });
          await saveRecord(tx, at.place, { path, record, at: ms });
          changed.push(path);
        }
        tellSettled(tx, changed);
      });
      return found;
    },

    view: async (committed) => {
      const kept = await read(new Map<string, FileRecord>(), (tx, { place }) =>
        readRecords(tx, place, committed.keys()),
      );
      const ms = Math.trunc(systemClock.wallMs());
      return new Map(
        [...committed].map(([path, content]) => {
          const base = kept.get(path) ?? newRecord(content);
          const seen = bringUp(base, readFile(path), { rest: unknown(ms) });
          return [path, onto(seen, content, unknown(ms))];
        }),
      );
    },

    ...settling({ write, readFile, edit, unknown, waiting, send, tellLate }),

    authors: (path, sessions) =>
      read<readonly FileAuthor[]>([], (tx, { place }) => readAuthors(tx, place, path, sessions)),

    presence: () =>
      read<ReadonlyMap<string, SessionPresence>>(new Map(), async (tx, at) =>
        presenceIn(tx, at, { sessions: await readSessions(tx, at.place), idleMs }),
      ),
  };
};
