/**
 * Those who wait for lines, in order. Once the lines are free each has a turn of its own, one after the other where
 * they want the same part: for that moment the lines are kept for it, so that the edit which it repeats succeeds.
 */
import { escapePath, targetsOverlap } from "../claims/index.ts";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { type NewNotice, withdrawIn } from "../notices/index.ts";
import type { Writer } from "../store/index.ts";
import { freeNotice, freeWithout } from "./line-notices.ts";
import { endWaits, saveSession, saveWait, type WaitRow } from "./lines-store.ts";
import type { AskedWrite, LineBlocker, Writing } from "./ports.ts";
import { eventPathsMax, sessionRow, type TreeMoment } from "./presence.ts";

type WantedPart = Pick<AskedWrite, "path" | "parts">;

/** Its lines are free; otherwise it waits for sessions. */
const isTurn = ({ holders }: WaitRow): boolean => holders === noHolders;
const noHolders = "[]";

const endOfTurn = ({ at }: WaitRow): number => at + limits.linesTurnMs;

const wantedBy = ({ path, parts = [] }: WantedPart): readonly string[] =>
  parts.length === 0 ? [escapePath(path)] : parts;

const wants = (wait: WaitRow, { path, parts }: WantedPart): boolean => {
  if (wait.path !== path) return false;
  const theirs = wantedBy({ path, parts: JSON.parse(wait.parts) as string[] });
  const own = wantedBy({ path, ...(parts && { parts }) });
  return own.some((one) => theirs.some((other) => targetsOverlap(one, other)));
};

/** Whose turn it is now at what this write changes, of sessions other than its own. */
export const turnsAt = (
  waits: readonly WaitRow[],
  write: WantedPart,
  { session, ms }: { readonly session: string; readonly ms: number },
): { readonly session: string; readonly until: number }[] =>
  waits
    .filter((one) => isTurn(one) && one.at <= ms && ms < endOfTurn(one))
    .filter((one) => one.session !== session && wants(one, write))
    .map((one) => ({ session: one.session, until: endOfTurn(one) }));

/** How many stand before the session for the same part. */
export const countAhead = (
  waits: readonly WaitRow[],
  write: WantedPart,
  session: string,
): number => {
  const own = waits.find((one) => one.session === session && one.path === write.path);
  const since = own?.since ?? Number.POSITIVE_INFINITY;
  return waits.filter((one) => one.session !== session && one.since < since && wants(one, write))
    .length;
};

interface RefusedWrites {
  readonly blockers: readonly LineBlocker[];
  readonly writes: readonly WantedPart[];
  readonly waits: readonly WaitRow[];
  readonly by: Writing;
}

/** Answers the notices for those who only wait for the turn of another: theirs comes after it. */
export const standInLine = async (
  tx: Writer,
  { place, now }: TreeMoment,
  { blockers, writes, waits, by }: RefusedWrites,
): Promise<NewNotice[]> => {
  const { session } = by.actor;
  const ms = Math.trunc(now.wallMs);
  const notices: NewNotice[] = [];
  await saveSession(tx, place, sessionRow(by, ms));
  for (const [path, group] of Map.groupBy(blockers, (one) => one.path)) {
    const { parts = [] } = writes.find((one) => one.path === path) ?? {};
    const known = waits.find((one) => one.session === session && one.path === path);
    const holders = group.filter(({ until }) => until === undefined).map((one) => one.session);
    const row = {
      ...{ session, path, since: known?.since ?? ms, at: ms, parts: JSON.stringify(parts) },
      holders: JSON.stringify([...new Set(holders)]),
    };
    const others = waits.filter((one) => one.session !== session);
    const at = isTurn(row) ? afterTurns(others, row, ms) : ms;
    await saveWait(tx, place, { ...row, at });
    if (isTurn(row)) notices.push(freeNotice(row, { after: at }));
  }
  tx.emit({
    kind: "lines.waiting",
    actor: by.actor.id,
    data: {
      for: blockers.slice(0, eventPathsMax).map(({ path, actor }) => ({ path, actor })),
    },
  });
  return notices;
};

/** When the turns of all that want the same are over. */
const afterTurns = (turns: readonly WaitRow[], { path, parts }: WaitRow, ms: number): number => {
  const own = { path, parts: JSON.parse(parts) as string[] };
  const before = turns.filter((one) => isTurn(one) && wants(one, own)).map(endOfTurn);
  return Math.max(ms, ...before);
};

/** The lines are free: each of these has its turn, after the one before it that waits for the same part. */
export const giveTurns = async (
  tx: Writer,
  { place, now }: TreeMoment,
  {
    free,
    waits,
    why,
  }: {
    readonly free: readonly WaitRow[];
    readonly waits: readonly WaitRow[];
    readonly why?: string;
  },
): Promise<NewNotice[]> => {
  const ms = Math.trunc(now.wallMs);
  const given = waits.filter((one) => isTurn(one));
  const notices: NewNotice[] = [];
  for (const wait of free.toSorted((a, b) => a.since - b.since)) {
    const turn = { ...wait, holders: noHolders, at: afterTurns(given, wait, ms) };
    await saveWait(tx, place, turn);
    given.push(turn);
    notices.push(freeNotice(turn, { why, after: turn.at }));
  }
  return notices;
};

/** A session has ended: its lines stop no edit any more. */
export const giveTurnsAfter = (
  tx: Writer,
  at: TreeMoment,
  { session, waits }: { readonly session: string; readonly waits: readonly WaitRow[] },
): Promise<NewNotice[]> => {
  const why = `${showText(session, 80)}, whose lines you waited for, has ended its session`;
  return giveTurns(tx, at, { free: freeWithout(waits, session), waits, why });
};

/** An edit was allowed: its session waits for it no more, and those whose turn would have come wait for its lines. */
export const takeTurn = async (
  tx: Writer,
  { place, scope, now }: TreeMoment,
  {
    write,
    waits,
    session,
  }: {
    readonly write: WantedPart;
    readonly waits: readonly WaitRow[];
    readonly session: string;
  },
): Promise<void> => {
  const { path } = write;
  if (waits.some((one) => one.session === session && wants(one, write))) {
    await endWaits(tx, place, { session, path });
    await withdrawIn(tx, scope, freeNotice({ session, path }).about ?? "");
  }
  for (const one of waits) {
    if (one.session === session || !isTurn(one) || !wants(one, write)) continue;
    const at = Math.trunc(now.wallMs);
    await saveWait(tx, place, { ...one, holders: JSON.stringify([session]), at });
    await withdrawIn(tx, scope, freeNotice(one).about ?? "");
  }
};
