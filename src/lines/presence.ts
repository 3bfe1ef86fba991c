/** Who is at work in a worktree, and who waits for whom. */
import { type ClaimLiveness, readLiveness } from "../claims/index.ts";
import type { Reader, Scope, StoreTime, Writer } from "../store/index.ts";
import type { FileRecord } from "./file-record.ts";
import {
  endedHere,
  readSessions,
  saveSession,
  type SessionRow,
  type TreePlace,
  type WaitRow,
} from "./lines-store.ts";
import type { Presence, SessionPresence, Writing } from "./ports.ts";
import type { LineEdit } from "./types.ts";
import { withGround } from "./weave.ts";

/** Names of files in an event. */
export const eventPathsMax = 50;

export interface TreeMoment {
  readonly place: TreePlace;
  readonly scope: Scope;
  readonly now: StoreTime;
}

/** A session that does not ask again within this time waits no more. */
export const waitingMs = 10 * 60_000;
/** How often a sign of life is written down. */
const heardMs = 30_000;

export const sessionRow = ({ actor, task = "" }: Writing, at: number): SessionRow => ({
  session: actor.session,
  actor: actor.id,
  task,
  at,
  ended: 0,
});

export const hear = async (tx: Writer, at: TreeMoment, by: Writing): Promise<void> => {
  const ms = Math.trunc(at.now.wallMs);
  const known = (await readSessions(tx, at.place)).find(
    ({ session }) => session === by.actor.session,
  );
  const isNew = by.task !== undefined && by.task !== known?.task;
  if (known && known.ended === 0 && ms - known.at < heardMs && !isNew) return;
  await saveSession(tx, at.place, sessionRow(by, ms));
  tx.emit({ kind: "lines.heard", actor: by.actor.id });
};

export const presenceIn = async (
  tx: Reader,
  { scope, now }: TreeMoment,
  { sessions, idleMs }: { readonly sessions: readonly SessionRow[]; readonly idleMs: number },
): Promise<Map<string, SessionPresence>> => {
  const liveness = await readLiveness(
    tx,
    { scope, now },
    sessions.flatMap(({ session, actor, ended }) => (ended === endedHere ? [] : [session, actor])),
  );
  return new Map(
    sessions.map(({ session, actor, task, at, ended }) => {
      const states: ClaimLiveness["state"][] = [liveness(session).state, liveness(actor).state];
      let state: Presence = "here";
      if (ended === endedHere) state = "ended";
      else if (states.includes("dead")) state = "dead";
      else if (now.wallMs - at > idleMs) state = "idle";
      return [session, { actor, task, at, state }];
    }),
  );
};

/** The session's commit, among the paths that are waited for. */
export const commitPath = "";

/** Whether it can be that lines of the session were written onto those of another. */
export const hasEditsOfBoth = (edits: readonly LineEdit[], own: string): boolean =>
  edits.some(({ session }) => session === own) &&
  edits.some(({ session, kind }) => session !== own && kind !== "unknown");

/** Sessions whose uncommitted lines this session's own were written onto. */
export const groundIn = (records: Iterable<FileRecord>, session: string): Set<string> => {
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

/** Whether the holder waits, over however many others, for the one that asks. */
export const circleWhy = (
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
