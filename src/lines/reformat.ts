/**
 * A formatter changed a session's part of a file. Its change goes into the file at exactly those lines, found by
 * their rows and not by their text, and is the session's own: it is written onto no line of others.
 */
import { type FileRecord, isSame } from "./file-record.ts";
import { diffLines, toLines } from "./line-diff.ts";
import type { LineEdit, LineRow, LineSplice, Weave } from "./types.ts";
import { partLines, tidy, weaveContent } from "./weave.ts";

interface Reformatted {
  readonly weave: Weave;
  /** Changes whose lines are no longer in the file as they were. */
  readonly skipped: number;
}

/** Undefined: the part is not any more what the formatter was given, or nothing of it is in the file. */
export const reformatted = (
  { weave }: FileRecord,
  {
    edits,
    before,
    after,
    edit,
  }: {
    readonly edits: ReadonlySet<string>;
    readonly before: Uint8Array | undefined;
    readonly after: Uint8Array;
    readonly edit: LineEdit;
  },
): Reformatted | undefined => {
  const lines = toLines(after);
  if (before === undefined) {
    if (weave.inTree || weave.inCommit) return undefined;
    return { weave: weaveContent(weave, lines, edit), skipped: 0 };
  }
  const given = toLines(before);
  const part = partLines(weave, edits);
  // Git may have checked it out with other line ends than it has in the working tree.
  if (!weave.inTree || !isSame(part?.map(plainEnd), given.map(plainEnd))) return undefined;
  const hunks = diffLines(given, lines);
  const made = reformat(weave, { edits, hunks, edit });
  return made.skipped === hunks.length ? undefined : made;
};

const plainEnd = (text: string): string => text.replace(/\r\n$/, "\n");

/** `hunks` are in order and in lines of the part that `edits` make. */
const reformat = (
  weave: Weave,
  {
    edits,
    hunks,
    edit,
  }: {
    readonly edits: ReadonlySet<string>;
    readonly hunks: readonly LineSplice[];
    readonly edit: LineEdit;
  },
): Reformatted => {
  const rows = [...weave.rows];
  const isIn = ({ by, gone }: LineRow): boolean =>
    (by === null || edits.has(by)) && (gone === null || !edits.has(gone));
  const part = rows.flatMap((row, place) => (isIn(row) ? [place] : []));
  const onto = new Set<string>();
  let skipped = 0;
  // From the last to the first, so that places in front of it stay what they are.
  for (const { from, to, lines } of hunks.toReversed()) {
    const places = part.slice(from, to);
    const isFree = from === to || isTogether(rows, places, isIn);
    const at = isFree ? insertPlace(rows, part, { from, to }) : undefined;
    const added = lines.map((text): LineRow => ({ text, by: edit.id, gone: null }));
    if (at === undefined || !fits(rows, { at, added, places })) {
      skipped += 1;
      continue;
    }
    for (const place of places) {
      const row = rows[place] as LineRow;
      if (row.by !== null) onto.add(row.by);
      rows[place] = { ...row, gone: edit.id };
    }
    rows.splice(at, 0, ...added);
  }
  if (skipped === hunks.length) return { weave, skipped };
  const made = [...weave.edits, { ...edit, onto: [...onto] }];
  return { weave: tidy({ ...weave, rows, edits: made }), skipped };
};

/** All of them are in the file, and no line of others is between them. */
const isTogether = (
  rows: readonly LineRow[],
  places: readonly number[],
  isIn: (row: LineRow) => boolean,
): boolean => {
  const between = rows.slice(places[0], (places.at(-1) ?? -1) + 1);
  return between.every((row) => (isIn(row) ? row.gone === null : row.gone !== null));
};

/** Where new rows come in: after those they replace, or beside a line of the part that is still there. */
const insertPlace = (
  rows: readonly LineRow[],
  part: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined => {
  if (to > from) return (part[to - 1] as number) + 1;
  const [above, below] = [part[from - 1], part[from]];
  if (above !== undefined && rows[above]?.gone === null) return above + 1;
  return below !== undefined && rows[below]?.gone === null ? below : undefined;
};

/** Only the last line of a file may lack its end. */
const fits = (
  rows: readonly LineRow[],
  {
    at,
    added,
    places,
  }: {
    readonly at: number;
    readonly added: readonly LineRow[];
    readonly places: readonly number[];
  },
): boolean => {
  const goes = new Set(places);
  const isLive = (row: LineRow, place: number): boolean => row.gone === null && !goes.has(place);
  const before = rows.findLast((row, place) => place < at && isLive(row, place));
  const isLast = !rows.some((row, place) => place >= at && isLive(row, place));
  const ends = (row: LineRow | undefined): boolean => row === undefined || row.text.endsWith("\n");
  const all = added.length === 0 ? [] : [before, ...added];
  return all.every((row, place) => ends(row) || (isLast && place === all.length - 1));
};
