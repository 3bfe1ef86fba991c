/** Other sessions whose uncommitted lines a change meets, stays off, or comes close to. */
import { type FileRecord, pendingsMet } from "./file-record.ts";
import type { AskedWrite } from "./ports.ts";
import type { LineEdit, LineSplice } from "./types.ts";
import { editsMet, livePlaces } from "./weave.ts";

export interface Stranger {
  readonly actor: string;
  /** Of the oldest of these lines. */
  readonly since: number;
}

/** In lines of the file as it is: from (inclusive) and to (exclusive), from 0. */
type LinePlace = Pick<LineSplice, "from" | "to">;

/** Their lines are in the way. */
export const strangersMet = (
  record: FileRecord,
  hunks: readonly LineSplice[],
  {
    session,
    keepsOff = [],
  }: { readonly session: string; readonly keepsOff?: AskedWrite["keepsOff"] },
): Map<string, Stranger> => {
  if (keepsOff === "file") return stillOpen(record, byOthers(allEdits(record), session));
  const met = editsMet(record.weave, hunks);
  const places = keepsOff.map(({ from, to }) => ({ from: from - 1, to }));
  const edits = [
    ...record.weave.edits.filter(({ id }) => met.has(id)),
    ...pendingsMet(record, hunks).map((one) => one.edit),
    ...editsInside(record, places),
  ];
  return stillOpen(record, byOthers(edits, session));
};

/** N-09: nothing is held any more by a session whose lines were all taken back, by whatever program. */
const stillOpen = (
  record: FileRecord,
  strangers: ReadonlyMap<string, Stranger>,
): Map<string, Stranger> =>
  new Map([...strangers].filter(([session]) => hasOpenLines(record, session)));

/** Their lines are so close that both should know. */
export const strangersNear = (
  record: FileRecord,
  hunks: readonly LineSplice[],
  session: string,
): Map<string, Stranger> => {
  const places = hunks.map(({ from, to }) => ({
    from: Math.max(0, from - nearLines),
    to: to + nearLines,
  }));
  return byOthers(editsInside(record, places), session);
};

const nearLines = 3;

const allEdits = ({ weave, pendings }: FileRecord): LineEdit[] => [
  ...weave.edits,
  ...pendings.map(({ edit }) => edit),
];

/** Whether the file, or an allowed write of it, still shows something of the session's that is not committed. */
export const hasOpenLines = ({ weave, pendings }: FileRecord, session: string): boolean => {
  const own = new Set(weave.edits.filter((one) => one.session === session).map(({ id }) => id));
  const isOwn = (id: string | null): boolean => id !== null && own.has(id);
  const { rows, born, died, inTree } = weave;
  return (
    pendings.some(({ edit }) => edit.session === session) ||
    (inTree ? isOwn(born) : isOwn(died)) ||
    rows.some(({ by, gone }) => (gone === null ? isOwn(by) : isOwn(gone) && !isOwn(by)))
  );
};

/** Edits that wrote or took away lines at these places. */
const editsInside = ({ weave, pendings }: FileRecord, places: readonly LinePlace[]): LineEdit[] => {
  if (places.length === 0) return [];
  const { rows, edits } = weave;
  const live = livePlaces(rows);
  const ids = new Set<string>();
  for (const { from, to } of places) {
    const [first, last] = [live[from], live[Math.min(to, live.length) - 1]];
    if (first === undefined || last === undefined) continue;
    for (const { by, gone } of rows.slice(first, last + 1)) {
      if (by !== null) ids.add(by);
      if (gone !== null) ids.add(gone);
    }
  }
  const waiting = pendings.filter(
    ({ hunks }) =>
      hunks === undefined ||
      hunks.some((hunk) => places.some(({ from, to }) => hunk.from < to && hunk.to > from)),
  );
  return [...edits.filter(({ id }) => ids.has(id)), ...waiting.map(({ edit }) => edit)];
};

const byOthers = (edits: readonly LineEdit[], session: string): Map<string, Stranger> => {
  const found = new Map<string, Stranger>();
  for (const { session: other, actor, at, kind } of edits) {
    if (other === session || kind === "unknown") continue;
    const known = found.get(other);
    if (!known || at < known.since) found.set(other, { actor, since: at });
  }
  return found;
};
