/**
 * Lines that a command of a session wrote, when others looked at the file while it ran: the look found lines that nothing
 * proved to be anybody's. They are the command's where the file was known as it was before it.
 */
import type { FileRecord } from "./file-record.ts";
import { isAsBefore } from "./look-again.ts";
import type { ChangedFile } from "./ports.ts";
import type { LineEdit } from "./types.ts";
import { partLines } from "./weave.ts";

/** Undefined: nothing proves it. `since`: when the command began. */
export const adoptLate = (
  record: FileRecord,
  change: ChangedFile,
  { since, edit }: { readonly since: number; readonly edit: LineEdit },
): FileRecord | undefined => {
  const { weave } = record;
  const late = new Set(
    weave.edits.flatMap(({ id, kind, at }) => (kind === "unknown" && at >= since ? [id] : [])),
  );
  const early = weave.edits.filter(({ at }) => at < since).map(({ id }) => id);
  if (late.size === 0 || !isAsBefore(partLines(weave, new Set(early)), change)) return undefined;
  const named = (id: string | null): string | null => (id !== null && late.has(id) ? edit.id : id);
  const renamed = (ids: readonly string[], own: string): string[] => [
    ...new Set(ids.map((id) => (late.has(id) ? edit.id : id)).filter((id) => id !== own)),
  ];
  const [first, ...more] = weave.edits.filter(({ id }) => late.has(id));
  const ground = [first, ...more].flatMap((one) => one?.onto ?? []);
  const edits = weave.edits.flatMap((one) => {
    if (one === first) return [{ ...edit, onto: renamed(ground, edit.id) }];
    return late.has(one.id) ? [] : [{ ...one, onto: renamed(one.onto, one.id) }];
  });
  const rows = weave.rows.map((row) => ({ ...row, by: named(row.by), gone: named(row.gone) }));
  const [born, died] = [named(weave.born), named(weave.died)];
  return { ...record, weave: { ...weave, rows, edits, born, died } };
};
