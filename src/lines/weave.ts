/**
 * The algebra of a weave: an edit is woven in, a part of it is read out, a commit makes some of it the ground.
 * Pure; nothing here knows of files, stores or git.
 */
import { diffLines, matchLines } from "./line-diff.ts";
import { disown, takenLines } from "./moved-lines.ts";
import type { LineSplice, LineEdit, LineRow, Weave } from "./types.ts";

/** Nothing was written since the commit. */
export const cleanWeave = (lines: readonly string[] | undefined): Weave => ({
  rows: (lines ?? []).map((text) => ({ text, by: null, gone: null })),
  edits: [],
  inCommit: lines !== undefined,
  inTree: lines !== undefined,
  born: null,
  died: null,
});

/** The file as it is; undefined: there is none. One look at a file asks for it several times. */
export const currentLines = ({ rows, inTree }: Weave): readonly string[] | undefined => {
  if (!inTree) return undefined;
  const known = currentByRows.get(rows);
  if (known) return known;
  const lines: string[] = [];
  for (const { gone, text } of rows) if (gone === null) lines.push(text);
  currentByRows.set(rows, lines);
  return lines;
};

/** Rows never change; a change makes others. */
const currentByRows = new WeakMap<readonly LineRow[], readonly string[]>();

export const committedLines = ({ rows, inCommit }: Weave): string[] | undefined =>
  inCommit ? rows.filter(({ by }) => by === null).map(({ text }) => text) : undefined;

/** The last commit with these edits and no others; undefined: then there is no such file. */
export const partLines = (weave: Weave, edits: ReadonlySet<string>): string[] | undefined => {
  const { rows, inCommit, born, died } = weave;
  const isThere =
    (inCommit || (born !== null && edits.has(born))) && !(died !== null && edits.has(died));
  if (!isThere) return undefined;
  return rows
    .filter(({ by, gone }) => (by === null || edits.has(by)) && (gone === null || !edits.has(gone)))
    .map(({ text }) => text);
};

/** These edits and all that they were written onto: lines of a new file need the edit that made it. */
export const withGround = ({ edits, born }: Weave, wanted: Iterable<string>): Set<string> => {
  const known = new Map(edits.map((edit) => [edit.id, edit]));
  const found = new Set<string>();
  const open = [...wanted];
  if (born !== null && open.length > 0) open.push(born);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const edit = known.get(id);
    if (!edit || found.has(id)) continue;
    found.add(id);
    open.push(...edit.onto);
  }
  return found;
};

/** Where the rows that are in the file stand among all rows. */
export const livePlaces = (rows: readonly LineRow[]): readonly number[] => {
  const known = placesByRows.get(rows);
  if (known) return known;
  const places: number[] = [];
  rows.forEach(({ gone }, place) => {
    if (gone === null) places.push(place);
  });
  placesByRows.set(rows, places);
  return places;
};

const placesByRows = new WeakMap<readonly LineRow[], readonly number[]>();

/**
 * The edits whose uncommitted lines a change meets: it replaces them, is inside of them, touches them, or
 * is where they took lines away. Two that only add at one place pass each other.
 */
export const editsMet = (weave: Weave, hunks: readonly LineSplice[]): Set<string> => {
  const { rows } = weave;
  const live = livePlaces(rows);
  const met = new Set<string>();
  for (const { from, to } of hunks) {
    const start = from === 0 ? 0 : (live[from - 1] ?? -1) + 1;
    const end = live[to] ?? rows.length;
    for (let place = start; place < end; place += 1) {
      const { by, gone } = rows[place] as LineRow;
      if (by !== null) met.add(by);
      if (gone !== null) met.add(gone);
    }
    const above = rows[start - 1]?.by ?? null;
    const below = rows[end]?.by ?? null;
    const onlyAdds = from === to;
    if (above !== null && (!onlyAdds || above === below || hasReplaced(rows, start - 1, above))) {
      met.add(above);
    }
    if (below !== null && (!onlyAdds || above === below || hasReplaced(rows, end, below))) {
      met.add(below);
    }
  }
  const { died } = weave;
  if (died !== null && hunks.length > 0) met.add(died);
  return met;
};

/** Whether the run of an edit's lines around a place replaces lines that it took away there. */
const hasReplaced = (rows: readonly LineRow[], place: number, edit: string): boolean => {
  let first = place;
  while (rows[first - 1]?.by === edit) first -= 1;
  let last = place;
  while (rows[last + 1]?.by === edit) last += 1;
  return rows[first - 1]?.gone === edit || rows[last + 1]?.gone === edit;
};

/** One hunk and whose it is. */
export interface Woven {
  readonly hunk: LineSplice;
  readonly edit: LineEdit;
}

/** Weaves hunks in, which are in order and do not meet. `onto` of the edits is worked out here. */
export const weaveIn = (weave: Weave, woven: readonly Woven[]): Weave => {
  const rows = [...weave.rows];
  const live = livePlaces(weave.rows);
  const edits = new Map(weave.edits.map((edit) => [edit.id, edit]));
  for (const { hunk, edit } of woven) {
    const met = editsMet(weave, [hunk]);
    const known = edits.get(edit.id) ?? { ...edit, onto: [] };
    const onto = new Set([...known.onto, ...edit.onto, ...met]);
    onto.delete(edit.id);
    edits.set(edit.id, { ...known, onto: [...onto].filter((id) => edits.has(id)) });
  }
  const unknown = new Set(weave.edits.filter(({ kind }) => kind === "unknown").map(({ id }) => id));
  // A file that is read in the middle of a write seems to lose lines: they come back with their author.
  const mayReturn = ({ by, gone }: LineRow): boolean =>
    by === null || (gone !== null && unknown.has(gone));
  // From the last to the first, so that places in front of it stay what they are.
  for (const { hunk, edit } of woven.toReversed()) {
    const { from, to, lines } = hunk;
    for (const place of live.slice(from, to)) {
      rows[place] = { ...(rows[place] as LineRow), gone: edit.id };
    }
    const start = from === 0 ? 0 : (live[from - 1] ?? -1) + 1;
    const end = live[to] ?? rows.length;
    const gap = rows.slice(start, end);
    rows.splice(start, end - start, ...fillGap(gap, lines, { edit: edit.id, mayReturn }));
  }
  let made: Weave = { ...weave, rows, edits: [...edits.values()] };
  for (const id of new Set(woven.map(({ edit }) => edit.id))) {
    const edit = edits.get(id);
    if (edit) made = disown(made, edit, takenLines(made, edit.session));
  }
  return tidy(made);
};

/** New lines among rows that are all gone. A line that is written again as it was is back, not new. */
const fillGap = (
  gap: readonly LineRow[],
  lines: readonly string[],
  { edit, mayReturn }: { readonly edit: string; mayReturn(row: LineRow): boolean },
): LineRow[] => {
  const ground = gap.flatMap((row, place) => (mayReturn(row) ? [place] : []));
  const pairs = matchLines(
    ground.map((place) => gap[place]?.text ?? ""),
    lines,
  );
  const result: LineRow[] = [];
  let at = 0;
  // New lines come after the ones that they replace.
  let pending: LineRow[] = [];
  lines.forEach((text, number) => {
    const match = pairs.get(number);
    if (match === undefined) {
      pending.push({ text, by: edit, gone: null });
      return;
    }
    const place = ground[match] as number;
    const row = gap[place] as LineRow;
    result.push(...gap.slice(at, place), ...pending, { ...row, gone: null });
    pending = [];
    at = place + 1;
  });
  return [...result, ...gap.slice(at), ...pending];
};

/** The whole file comes, goes, or changes to these lines, by one edit. */
export const weaveContent = (
  weave: Weave,
  lines: readonly string[] | undefined,
  edit: LineEdit,
): Weave => {
  const now = currentLines(weave);
  if (lines === undefined) {
    if (now === undefined) return weave;
    const hunk = { from: 0, to: now.length, lines: [] };
    const woven = weaveIn(weave, [{ hunk, edit }]);
    return tidy({ ...named(woven, edit), inTree: false, died: edit.id });
  }
  if (now === undefined) {
    const there: Weave = { ...weave, inTree: true };
    const woven = weaveIn(there, [{ hunk: { from: 0, to: 0, lines }, edit }]);
    const made = named(woven, edit);
    const born = weave.inCommit || weave.born !== null ? weave.born : edit.id;
    return tidy({ ...made, died: null, born });
  }
  return weaveIn(
    weave,
    slide(weave, diffLines(now, lines), edit).map((hunk) => ({ hunk, edit })),
  );
};

/** An empty file has no line to carry its edit. */
const named = (weave: Weave, edit: LineEdit): Weave =>
  weave.edits.some(({ id }) => id === edit.id)
    ? weave
    : { ...weave, edits: [...weave.edits, edit] };

/**
 * Lines that only come or only go may stand at several places with the same result, when they end as what is
 * before them does (`})`, a blank line). The place that meets the fewest edits of others is the one meant.
 */
export const slide = (weave: Weave, hunks: readonly LineSplice[], edit: LineEdit): LineSplice[] => {
  const live = currentLines(weave) ?? [];
  const own = new Set(
    weave.edits.filter(({ session }) => session === edit.session).map(({ id }) => id),
  );
  const strangers = (hunk: LineSplice): number =>
    [...editsMet(weave, [hunk])].filter((id) => !own.has(id)).length;
  return hunks.map((hunk, number) => {
    const isPure = hunk.from === hunk.to || hunk.lines.length === 0;
    if (!isPure || weave.edits.length === 0) return hunk;
    const first = hunks[number - 1]?.to ?? 0;
    const last = hunks[number + 1]?.from ?? live.length;
    let best = hunk;
    let least = strangers(hunk);
    for (const step of [-1, 1] as const) {
      let next = moved(hunk, live, step);
      for (let count = 0; next && count < slidesMax && least > 0; count += 1) {
        if (next.from < first || next.to > last) break;
        const met = strangers(next);
        if (met < least) [best, least] = [next, met];
        next = moved(next, live, step);
      }
    }
    return best;
  });
};

const slidesMax = 200;

const moved = (
  { from, to, lines }: LineSplice,
  live: readonly string[],
  step: -1 | 1,
): LineSplice | undefined => {
  if (lines.length === 0) {
    const [enters, leaves] = step < 0 ? [live[from - 1], live[to - 1]] : [live[to], live[from]];
    if (enters === undefined || enters !== leaves) return undefined;
    return { from: from + step, to: to + step, lines };
  }
  if (step < 0) {
    const before = live[from - 1];
    if (before === undefined || before !== lines.at(-1)) return undefined;
    return { from: from - 1, to: to - 1, lines: [before, ...lines.slice(0, -1)] };
  }
  const after = live[to];
  if (after === undefined || after !== lines[0]) return undefined;
  return { from: from + 1, to: to + 1, lines: [...lines.slice(1), after] };
};

/** A commit took exactly these edits. */
export const settle = (weave: Weave, edits: ReadonlySet<string>): Weave => {
  const { inCommit, born, died } = weave;
  const rows = weave.rows
    .filter(({ gone }) => gone === null || !edits.has(gone))
    .map((row) => (row.by !== null && edits.has(row.by) ? { ...row, by: null } : row));
  const isBorn = born !== null && edits.has(born);
  const isDead = died !== null && edits.has(died);
  return tidy({
    ...weave,
    rows,
    edits: weave.edits.filter(({ id }) => !edits.has(id)),
    inCommit: (inCommit || isBorn) && !isDead,
    born: isBorn ? null : born,
    died: isDead ? null : died,
  });
};

/**
 * The commit below changed in an unknown way: equal lines are matched, and the rest keeps its author or has
 * none.
 */
export const rebase = (
  weave: Weave,
  commit: readonly string[] | undefined,
  unknown: LineEdit,
): Weave => {
  const { rows, inTree } = weave;
  const pairs = matchLines(
    rows.map(({ text }) => text),
    commit ?? [],
  );
  const result: LineRow[] = [];
  let at = 0;
  let isUsed = false;
  const leave = (end: number) => {
    for (; at < end; at += 1) {
      const { text, by, gone } = rows[at] as LineRow;
      if (by === null && gone !== null) continue;
      isUsed ||= by === null;
      result.push({ text, by: by ?? unknown.id, gone });
    }
  };
  (commit ?? []).forEach((text, number) => {
    const match = pairs.get(number);
    if (match === undefined) {
      isUsed = true;
      result.push({ text, by: null, gone: unknown.id });
      return;
    }
    leave(match);
    result.push({ text, by: null, gone: rows[match]?.gone ?? null });
    at = match + 1;
  });
  leave(rows.length);
  const inCommit = commit !== undefined;
  const isNew = inTree && !inCommit && weave.born === null;
  const isLost = inCommit && !inTree && weave.died === null;
  isUsed ||= isNew || isLost;
  const born = inCommit ? null : isNew ? unknown.id : weave.born;
  // In no commit and made by no edit, it was never there.
  const isGone = !inTree && (inCommit || born !== null);
  const made: Weave = {
    ...weave,
    rows: result,
    inCommit,
    edits: isUsed ? [...weave.edits, unknown] : weave.edits,
    born,
    died: isGone ? (isLost ? unknown.id : weave.died) : null,
  };
  return tidy(made);
};

/** As if these edits had never been made; nothing that stays may have been written onto them. */
export const withoutEdits = (weave: Weave, edits: ReadonlySet<string>): Weave => {
  const left = (id: string | null): string | null => (id === null || edits.has(id) ? null : id);
  const [born, died] = [left(weave.born), left(weave.died)];
  return tidy({
    ...weave,
    rows: weave.rows
      .filter(({ by }) => by === null || !edits.has(by))
      .map((row) => ({ ...row, gone: left(row.gone) })),
    edits: weave.edits.filter(({ id }) => !edits.has(id)),
    inTree: (weave.inCommit || born !== null) && died === null,
    born,
    died,
  });
};

/** Without edits that no line speaks of any more, and clean where every session has undone its own. */
export const tidy = (weave: Weave): Weave => {
  const { rows, born, died, inCommit, inTree } = weave;
  if (inCommit === inTree && isUndone(weave)) return cleanWeave(currentLines(weave));
  const used = new Set([born, died]);
  for (const { by, gone } of rows) {
    if (by !== null) used.add(by);
    if (gone !== null) used.add(gone);
  }
  const edits = weave.edits
    .filter(({ id }) => used.has(id))
    .map((edit) =>
      edit.onto.every((id) => used.has(id))
        ? edit
        : { ...edit, onto: edit.onto.filter((id) => used.has(id)) },
    );
  return { ...weave, edits };
};

/** Whatever was written, the file is as the last commit has it. */
export const isBackAtCommit = (weave: Weave): boolean => {
  const { rows, inTree, inCommit } = weave;
  if (inTree !== inCommit || !inTree) return inTree === inCommit;
  return rows.every(({ by, gone }) => (by === null) === (gone === null));
};

/** Only lines that their own session took away again. */
const isUndone = ({ rows, edits }: Weave): boolean => {
  const sessions = new Map(edits.map(({ id, session }) => [id, session]));
  return rows.every(({ by, gone }) =>
    by === null || gone === null ? by === gone : sessions.get(by) === sessions.get(gone),
  );
};

/** As the last commit has it, or gone without a trace. */
export const isClean = ({ edits, inTree, inCommit }: Weave): boolean =>
  edits.length === 0 && inTree === inCommit;
