/** The lines of one worktree, kept in the store. */
import { hash } from "node:crypto";
import { systemClock } from "../base/clock.ts";
import type { IdSource } from "../base/ids.ts";
import { type Actor, type ClaimLiveness, readLiveness } from "../claims/index.ts";
import type { Reader, Scope, Store, StoreTime, Writer } from "../store/index.ts";
import {
  bringUp,
  type FileRecord,
  hunksFor,
  isSame,
  movedHunks,
  newRecord,
  type Pending,
  pendingsMet,
} from "./file-record.ts";
import {
  endWaits,
  readChangedAt,
  readRecord,
  readRecords,
  readSessions,
  readWaits,
  saveRecord,
  saveSession,
  saveWait,
  type SessionRow,
  type TreePlace,
  type WaitRow,
} from "./lines-store.ts";
import type { LineEdit, LineSplice, WriteKind } from "./types.ts";
import { toBytes, toLines } from "./line-diff.ts";
import {
  committedLines,
  currentLines,
  editsMet,
  partLines,
  rebase,
  settle,
  withGround,
  withoutEdits,
} from "./weave.ts";

/** A file before and after; undefined: it is not there. */
export interface AskedWrite {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Only some of its lines are replaced, wherever they are when it is written. */
  readonly isEdit?: boolean;
}

/** An author whose uncommitted lines are in the way. */
export interface LineBlocker {
  readonly path: string;
  readonly actor: string;
  readonly session: string;
  readonly task: string;
  /** Of the oldest of these lines. */
  readonly since: number;
  /** How many others asked for the same lines before. */
  readonly ahead: number;
}

/** Lines of others that are written over, and why that is right. */
export interface LineGrant {
  readonly path: string;
  readonly actor: string;
  readonly session: string;
  readonly why: "circle" | "idle" | "ended" | "dead";
}

export type LineAnswer =
  | { readonly ok: true; readonly granted: readonly LineGrant[] }
  /** `isStale`: the files are not any more what the write starts from, so nothing can be said. */
  | { readonly ok: false; readonly blockers: readonly LineBlocker[]; readonly isStale?: true };

/** Contents of the last commit by path, as they would lie in the working tree; undefined: not in it. */
export type CommittedFiles = ReadonlyMap<string, Uint8Array | undefined>;

/** Whether a session is still at work here. */
export type Presence = "here" | LineGrant["why"];

export interface OpenLinesOptions {
  open(): Promise<{ readonly store: Store; readonly scope: Scope }>;
  look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
  /** Absolute, links resolved; with the machine's name where others share the store. */
  readonly worktree: string;
  readonly newId: IdSource;
  /** The file as it is now; undefined: there is none. Asked inside of transactions, so it must not wait. */
  read(path: string): Uint8Array | undefined;
  /** After this time without a hook a session is idle. */
  readonly idleMs: number;
}

/** A file that is not as it was before a command. */
export interface ChangedFile {
  readonly path: string;
  /** sha256 of what it was; null: it was not there; undefined: as its commit has it. */
  readonly before?: string | null;
  readonly committed?: Uint8Array | undefined;
}

export interface Writing {
  readonly actor: Actor;
  readonly kind: WriteKind;
  readonly task?: string;
}

export interface Lines {
  /** Before a write. Allowed: it is noted, and believed when the file shows it. */
  ask(writes: readonly AskedWrite[], by: Writing & { readonly use?: string }): Promise<LineAnswer>;
  /**
   * After a write, or whenever files are looked at: what the files show is written down. Changes that no allowed
   * write explains are `rest`'s; without it they have no author.
   */
  note(paths: readonly string[], rest?: Writing & { readonly use?: string }): Promise<void>;
  /**
   * After a command of a session: what changed in these files while it ran is the session's, where it is
   * known what they were before.
   */
  noteCommand(changes: readonly ChangedFile[], by: Writing): Promise<void>;
  /** The session was heard of; its end frees those who wait for it. */
  heard(by: Writing, options?: { readonly isEnd?: boolean }): Promise<void>;
  /**
   * Sessions at work whose uncommitted lines the session's own were written onto, so that its commit should
   * come after theirs. None where they wait for it in turn. With `isWaiting` it is noted that it waits.
   */
  ground(by: Writing, isWaiting: boolean): Promise<readonly string[]>;
  /** Every file that is known to differ from its commit. */
  records(): Promise<ReadonlyMap<string, FileRecord>>;
  record(path: string): Promise<FileRecord | undefined>;
  /** When something new was last known of a file; undefined: it is as its commit has it. */
  changedAt(path: string): Promise<number | undefined>;
  /**
   * Brings files up to what they and their commit are now, and answers all of them: also those of which
   * nothing was known, whose differences then have no author.
   */
  refresh(committed: CommittedFiles): Promise<ReadonlyMap<string, FileRecord>>;
  /** As `refresh`, for looking: nothing is written down, and nothing need be stored. */
  view(committed: CommittedFiles): Promise<ReadonlyMap<string, FileRecord>>;
  /** Edits were taken back out of their files; believed where the file shows it. */
  takenBack(edits: ReadonlyMap<string, ReadonlySet<string>>): Promise<void>;
  /** A commit was made: what it took is settled. `sets` are the edits it may have taken, likeliest first. */
  committed(
    files: CommittedFiles,
    sets: (record: FileRecord, path: string) => readonly ReadonlySet<string>[],
  ): Promise<void>;
  /** Sessions that have written here, and whether they are still at work. */
  presence(): Promise<ReadonlyMap<string, SessionPresence>>;
}

export interface SessionPresence {
  readonly actor: string;
  readonly task: string;
  readonly at: number;
  readonly state: Presence;
}

/** An allowed write that is not seen by then did not happen. */
const pendingMs = 2 * 60_000;
/** A session that does not ask again within this time waits no more. */
const waitingMs = 10 * 60_000;
/** How often a sign of life is written down. */
const heardMs = 30_000;

export const openLines = (options: OpenLinesOptions): Lines => {
  const { open, look, worktree, newId, idleMs, read: readFile } = options;
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
  const edit = ({ actor, kind, task }: Writing, at: number): LineEdit => ({
    id: newId("edit"),
    actor: actor.id,
    session: actor.session,
    kind,
    at,
    ...(task !== undefined && { task }),
    onto: [],
  });
  const unknown = (at: number): LineEdit => ({
    ...{ id: newId("edit"), actor: "", session: "", kind: "unknown", at, onto: [] },
  });

  const fresh = (
    base: FileRecord,
    { path, content, ms }: { path: string; content: Uint8Array | undefined; ms: number },
  ): FileRecord => onto(bringUp(base, readFile(path), unknown(ms)), content, unknown(ms));

  return {
    ask: (writes, by) =>
      write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
        const sessions = await readSessions(tx, at.place);
        const waits = (await readWaits(tx, at.place)).filter((one) => ms - one.at < waitingMs);
        const presence = await presenceIn(tx, at, { sessions, idleMs });
        const asked = [];
        for (const { path, before, after, isEdit = false } of writes) {
          const now = readFile(path);
          const isMoved = !isEqual(now, before);
          const known = (await readRecord(tx, at.place, path)) ?? newRecord(now);
          // Looked at first: a write that took long is believed when the file shows it.
          const record = withoutOld(bringUp(known, now, unknown(ms)), { ms, by });
          const own = edit(by, ms);
          const hunks: readonly LineSplice[] | false | undefined = isMoved
            ? isEdit && movedHunks(before, after, now)
            : hunksFor(record, after, own);
          if (!hunks) return { ok: false, blockers: [], isStale: true };
          const met = strangersMet(record, hunks, by.actor.session);
          asked.push({ path, record, own, hunks, leaves: after !== undefined, met });
        }
        const blockers: LineBlocker[] = [];
        const granted: LineGrant[] = [];
        for (const { path, met } of asked) {
          for (const [session, { actor, since }] of met) {
            const { state, task } = presence.get(session) ?? { state: "ended" as const, task: "" };
            const why = state !== "here" ? state : circleWhy(waits, session, by.actor.session);
            if (why === undefined) {
              const line = waits.filter(
                (one) => one.path === path && one.session !== by.actor.session,
              );
              blockers.push({ path, actor, session, task, since, ahead: line.length });
            } else granted.push({ path, actor, session, why });
          }
        }
        if (blockers.length > 0) {
          await standInLine(tx, at.place, { blockers, waits, by, ms });
          return { ok: false, blockers };
        }
        for (const { path, record, own, hunks, leaves } of asked) {
          const pending: Pending = {
            ...{ edit: own, hunks, leaves },
            ...(by.use !== undefined && { use: by.use }),
          };
          const pendings = [...record.pendings, pending];
          await saveRecord(tx, at.place, { path, record: { ...record, pendings }, at: ms });
          await endWaits(tx, at.place, { session: by.actor.session, path });
        }
        await saveSession(tx, at.place, sessionRow(by, ms));
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
        return { ok: true, granted };
      }),

    note: async (paths, rest) => {
      if (paths.length === 0) return;
      await write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
        const changed: string[] = [];
        for (const path of paths) {
          const known = await readRecord(tx, at.place, path);
          if (!known) continue;
          const record = afterUse(known, readFile(path), {
            use: rest?.use,
            own: rest ? edit(rest, ms) : undefined,
            unknown: unknown(ms),
          });
          if (record === known) continue;
          await saveRecord(tx, at.place, { path, record, at: ms });
          changed.push(path);
        }
        if (rest) await hear(tx, at, rest);
        if (changed.length === 0) return;
        tx.emit({
          kind: "lines.written",
          ...(rest && { actor: rest.actor.id }),
          data: { paths: changed.slice(0, eventPathsMax), count: changed.length },
        });
      });
    },

    noteCommand: async (changes, by) => {
      if (changes.length === 0) return;
      await write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
        const changed: string[] = [];
        for (const change of changes) {
          const { path, before, committed } = change;
          const known = await readRecord(tx, at.place, path);
          // Dirty before, and unseen: its authors are not known any more.
          if (!known && typeof before === "string") continue;
          const base = known ?? newRecord(before === null ? undefined : committed);
          const isKnown = !known || isAsBefore(known, change);
          const record = bringUp(base, readFile(path), isKnown ? edit(by, ms) : unknown(ms));
          if (record === known) continue;
          await saveRecord(tx, at.place, { path, record, at: ms });
          changed.push(path);
        }
        await saveSession(tx, at.place, sessionRow(by, ms));
        const data = { paths: changed.slice(0, eventPathsMax), count: changed.length };
        tx.emit({ kind: "lines.written", actor: by.actor.id, data });
      });
    },

    heard: (by, { isEnd = false } = {}) =>
      write(async (tx, at) => {
        if (!isEnd) return hear(tx, at, by);
        const known = (await readSessions(tx, at.place)).find(
          ({ session }) => session === by.actor.session,
        );
        if (!known || known.ended === 1) return undefined;
        await endWaits(tx, at.place, { session: by.actor.session });
        const ms = Math.trunc(at.now.wallMs);
        await saveSession(tx, at.place, { ...sessionRow(by, ms), ended: 1 });
        tx.emit({ kind: "lines.left", actor: by.actor.id });
        return undefined;
      }),

    ground: (by, isWaiting) =>
      write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
        const { session } = by.actor;
        const waits = (await readWaits(tx, at.place)).filter((one) => ms - one.at < waitingMs);
        const own = waits.find((one) => one.session === session && one.path === commitPath);
        const found = groundIn((await readRecords(tx, at.place)).values(), session);
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
          });
          tx.emit({ kind: "lines.waiting", actor: by.actor.id, data: { commit: holders } });
        } else if (own) {
          await endWaits(tx, at.place, { session, path: commitPath });
          tx.emit({ kind: "lines.waited", actor: by.actor.id });
        }
        return holders;
      }),

    records: () => read(new Map(), (tx, { place }) => readRecords(tx, place)),
    changedAt: (path) => read(undefined, (tx, { place }) => readChangedAt(tx, place, path)),
    record: (path) => read(undefined, (tx, { place }) => readRecord(tx, place, path)),

    refresh: async (committed) => {
      const found = new Map<string, FileRecord>();
      if (committed.size === 0) return found;
      await write(async (tx, at) => {
        found.clear();
        const ms = Math.trunc(at.now.wallMs);
        const changed: string[] = [];
        for (const [path, content] of committed) {
          const base = (await readRecord(tx, at.place, path)) ?? newRecord(content);
          const record = fresh(base, { path, content, ms });
          found.set(path, record);
          if (record === base) continue;
          await saveRecord(tx, at.place, { path, record, at: ms });
          changed.push(path);
        }
        tellSettled(tx, changed);
      });
      return found;
    },

    view: async (committed) => {
      const kept = await read(new Map<string, FileRecord>(), async (tx, { place }) => {
        const found = new Map<string, FileRecord>();
        for (const path of committed.keys()) {
          const record = await readRecord(tx, place, path);
          if (record) found.set(path, record);
        }
        return found;
      });
      const ms = Math.trunc(systemClock.wallMs());
      return new Map(
        [...committed].map(([path, content]) => {
          const base = kept.get(path) ?? newRecord(content);
          return [path, fresh(base, { path, content, ms })];
        }),
      );
    },

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

    committed: async (files, sets) => {
      if (files.size === 0) return;
      await write(async (tx, at) => {
        const ms = Math.trunc(at.now.wallMs);
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
            ? { ...known, weave: settle(weave, taken) }
            : onto(known, content, unknown(ms));
          if (record === known) continue;
          await saveRecord(tx, at.place, { path, record, at: ms });
          changed.push(path);
        }
        tellSettled(tx, changed);
      });
    },

    presence: () =>
      read<ReadonlyMap<string, SessionPresence>>(new Map(), async (tx, at) =>
        presenceIn(tx, at, { sessions: await readSessions(tx, at.place), idleMs }),
      ),
  };
};

/** The record above the commit as it is now. */
const onto = (
  record: FileRecord,
  content: Uint8Array | undefined,
  unknown: LineEdit,
): FileRecord => {
  const lines = content && toLines(content);
  if (isSame(committedLines(record.weave), lines)) return record;
  return { ...record, weave: rebase(record.weave, lines, unknown) };
};

const tellSettled = (tx: Writer, changed: readonly string[]): void => {
  if (changed.length === 0) return;
  const data = { paths: changed.slice(0, eventPathsMax), count: changed.length };
  tx.emit({ kind: "lines.settled", data });
};

/** Whether the record knew the file as it was before the command. */
const isAsBefore = ({ weave }: FileRecord, { before, committed }: ChangedFile): boolean => {
  const lines = currentLines(weave);
  if (before === null) return lines === undefined;
  const known = lines && hash("sha256", toBytes(lines));
  if (before !== undefined) return known === before;
  return committed !== undefined && known === hash("sha256", committed);
};

/** The session's commit, among the paths that are waited for. */
const commitPath = "";

/** Sessions whose uncommitted lines this session's own were written onto. */
const groundIn = (records: Iterable<FileRecord>, session: string): Set<string> => {
  const found = new Set<string>();
  for (const { weave } of records) {
    const own = weave.edits.filter((edit) => edit.session === session).map(({ id }) => id);
    const ground = own.length === 0 ? new Set<string>() : withGround(weave, own);
    for (const edit of weave.edits) {
      const isForeign = edit.session !== session && edit.kind !== "unknown";
      if (isForeign && ground.has(edit.id)) found.add(edit.session);
    }
  }
  return found;
};

const isEqual = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;

/** Names of files in an event. */
const eventPathsMax = 50;

interface TreeMoment {
  readonly place: TreePlace;
  readonly scope: Scope;
  readonly now: StoreTime;
}

const sessionRow = ({ actor, task = "" }: Writing, at: number): SessionRow => ({
  session: actor.session,
  actor: actor.id,
  task,
  at,
  ended: 0,
});

const hear = async (tx: Writer, at: TreeMoment, by: Writing): Promise<void> => {
  const ms = Math.trunc(at.now.wallMs);
  const known = (await readSessions(tx, at.place)).find(
    ({ session }) => session === by.actor.session,
  );
  if (known && known.ended === 0 && ms - known.at < heardMs) return;
  await saveSession(tx, at.place, sessionRow(by, ms));
  tx.emit({ kind: "lines.heard", actor: by.actor.id });
};

const presenceIn = async (
  tx: Reader,
  { scope, now }: TreeMoment,
  { sessions, idleMs }: { readonly sessions: readonly SessionRow[]; readonly idleMs: number },
): Promise<Map<string, SessionPresence>> => {
  const liveness = await readLiveness(
    tx,
    { scope, now },
    sessions.flatMap(({ session, actor, ended }) => (ended === 0 ? [session, actor] : [])),
  );
  return new Map(
    sessions.map(({ session, actor, task, at, ended }) => {
      const states: ClaimLiveness["state"][] = [liveness(session).state, liveness(actor).state];
      let state: Presence = "here";
      if (ended === 1) state = "ended";
      else if (states.includes("dead")) state = "dead";
      else if (now.wallMs - at > idleMs) state = "idle";
      return [session, { actor, task, at, state }];
    }),
  );
};

/** Without writes that did not happen, and without those that the same actor gave up for another. */
const withoutOld = (
  record: FileRecord,
  { ms, by }: { readonly ms: number; readonly by: Writing & { readonly use?: string } },
): FileRecord => {
  const pendings = record.pendings.filter(
    ({ edit, use }) => ms - edit.at < pendingMs && !(use !== undefined && use === by.use),
  );
  return pendings.length === record.pendings.length ? record : { ...record, pendings };
};

/**
 * After a tool. Where the file shows what was allowed, everything else in it has no author; where it does not,
 * the tool did something else than was foreseen, and that is its own.
 */
const afterUse = (
  record: FileRecord,
  content: Uint8Array | undefined,
  {
    use,
    own,
    unknown,
  }: {
    readonly use: string | undefined;
    readonly own: LineEdit | undefined;
    readonly unknown: LineEdit;
  },
): FileRecord => {
  const isThisUse = (pending: Pending): boolean =>
    own !== undefined && pending.edit.actor === own.actor && pending.use === use;
  const foreseen = record.pendings.find(isThisUse);
  // Where another allowed write would explain the same, it is the one that has just run.
  const rest = record.pendings.filter((one) => one !== foreseen);
  const ordered = foreseen ? { ...record, pendings: [foreseen, ...rest] } : record;
  const seen = bringUp(ordered, content, unknown);
  const isSeen = foreseen !== undefined && !seen.pendings.some(isThisUse);
  const known = isSeen || !own ? seen : bringUp(record, content, own);
  return use === undefined ? known : withoutUse(known, use);
};

/** A tool that has run is over, whether the file shows it or not. */
const withoutUse = (record: FileRecord, use: string): FileRecord => {
  const pendings = record.pendings.filter((one) => one.use !== use);
  return pendings.length === record.pendings.length ? record : { ...record, pendings };
};

/** Other sessions whose lines a change meets, with the oldest of these lines. */
const strangersMet = (
  record: FileRecord,
  hunks: readonly LineSplice[],
  session: string,
): Map<string, { readonly actor: string; readonly since: number }> => {
  const met = editsMet(record.weave, hunks);
  const edits = [
    ...record.weave.edits.filter(({ id }) => met.has(id)),
    ...pendingsMet(record, hunks).map((one) => one.edit),
  ];
  const found = new Map<string, { actor: string; since: number }>();
  for (const { session: other, actor, at, kind } of edits) {
    if (other === session || kind === "unknown") continue;
    const known = found.get(other);
    if (!known || at < known.since) found.set(other, { actor, since: at });
  }
  return found;
};

/** Whether the holder waits, over however many others, for the one that asks. */
const circleWhy = (
  waits: readonly WaitRow[],
  holder: string,
  asker: string,
): "circle" | undefined => {
  const seen = new Set<string>();
  const open = [holder];
  for (let session = open.pop(); session !== undefined; session = open.pop()) {
    if (session === asker) return "circle";
    if (seen.has(session)) continue;
    seen.add(session);
    for (const wait of waits) {
      if (wait.session === session) open.push(...(JSON.parse(wait.holders) as string[]));
    }
  }
  return undefined;
};

const standInLine = async (
  tx: Writer,
  place: TreePlace,
  {
    blockers,
    waits,
    by,
    ms,
  }: {
    readonly blockers: readonly LineBlocker[];
    readonly waits: readonly WaitRow[];
    readonly by: Writing;
    readonly ms: number;
  },
): Promise<void> => {
  const { session } = by.actor;
  await saveSession(tx, place, sessionRow(by, ms));
  for (const [path, group] of Map.groupBy(blockers, (one) => one.path)) {
    const holders = JSON.stringify([...new Set(group.map((one) => one.session))]);
    const known = waits.find((one) => one.session === session && one.path === path);
    await saveWait(tx, place, { session, path, holders, since: known?.since ?? ms, at: ms });
  }
  tx.emit({
    kind: "lines.waiting",
    actor: by.actor.id,
    data: {
      for: blockers.slice(0, eventPathsMax).map(({ path, actor }) => ({ path, actor })),
    },
  });
};
