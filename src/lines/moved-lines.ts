/** Lines of others that a session only moved. */
import type { LineEdit, LineRow, Weave } from "./types.ts";

/** By its text, an uncommitted line of others: the edits that wrote it, and those that took it away. */
export type TakenLines = ReadonlyMap<string, readonly LineRow[]>;

/** Uncommitted lines of others that a session took away. Brackets and the like say nothing. */
export const takenLines = ({ rows, edits }: Weave, session: string): TakenLines => {
  const sessions = new Map(edits.map((edit) => [edit.id, edit.session]));
  const taken = rows.filter(
    ({ text, by, gone }) =>
      by !== null &&
      gone !== null &&
      sessions.get(gone) === session &&
      sessions.get(by) !== session &&
      /[\p{L}\p{N}]/u.test(text),
  );
  return Map.groupBy(taken, ({ text }) => text);
};

/**
 * A line that an edit wrote as another had written it, and that its session took away, was moved: the mover
 * is not its author, and who is cannot be known any more. It goes along with the edits that moved it.
 */
export const disown = (weave: Weave, edit: LineEdit, taken: TakenLines): Weave => {
  const isMoved = ({ text, by, gone }: LineRow): boolean =>
    by === edit.id && gone === null && taken.has(text);
  if (edit.kind === "unknown" || taken.size === 0 || !weave.rows.some(isMoved)) return weave;
  const id = `${edit.id}-moved`;
  const rows = weave.rows.map((row) => (isMoved(row) ? { ...row, by: id } : row));
  const from = rows.flatMap(({ text, by }) => (by === id ? (taken.get(text) ?? []) : []));
  const known = new Set(weave.edits.map((one) => one.id));
  const writers = new Set(from.flatMap(({ by }) => (by !== null && known.has(by) ? [by] : [])));
  const movers = new Set([edit.id, ...from.map(({ gone }) => gone)]);
  const edits = weave.edits
    .filter((one) => one.id !== id)
    .map((one) => (movers.has(one.id) ? { ...one, onto: [...new Set([...one.onto, id])] } : one));
  const moved: LineEdit = {
    ...{ id, actor: "", session: "", kind: "unknown", at: edit.at },
    onto: [...writers].filter((one) => one !== id),
  };
  return { ...weave, rows, edits: [...edits, moved] };
};
