/**
 * The record of one file: its weave, and the writes that were allowed but not seen in the file yet. A write
 * is believed when the file shows it, never before: a client may be stopped, or its user may say no.
 */
import { diffLines, matchLines, toBytes, toLines } from "./line-diff.ts";
import type { LineSplice, LineEdit, Weave } from "./types.ts";
import { cleanWeave, currentLines, slide, weaveContent, weaveIn, type Woven } from "./weave.ts";

export interface Pending {
  readonly edit: LineEdit;
  /** In lines of the file as the weave has it now; undefined: other writes came in between. */
  readonly hunks?: readonly LineSplice[];
  /** The file will be there afterwards. */
  readonly leaves: boolean;
  /** The client's name of the tool use. */
  readonly use?: string;
  /** A commit has changed the file since. */
  readonly isOverCommit?: true;
}

export interface FileRecord {
  readonly weave: Weave;
  readonly pendings: readonly Pending[];
}

export const newRecord = (content: Uint8Array | undefined): FileRecord => ({
  weave: cleanWeave(content && toLines(content)),
  pendings: [],
});

/** Lines that went, and lines that came in their place. */
export interface ChangedLines {
  readonly taken: readonly string[];
  readonly added: readonly string[];
}

/** Above this all of them together are tried, and each alone. */
const pendingsTried = 5;
/** Above this they are tried as they were asked for, and the other way round. */
const ordersTried = 3;

/**
 * The record for the content that is there now. Pending writes own what they explain; all else belongs to
 * `rest`. Where writes of several sessions explain the same, `first` is the one meant, or the author is
 * `unknown`.
 */
export const bringUp = (
  record: FileRecord,
  content: Uint8Array | undefined,
  {
    rest,
    unknown = rest,
    first,
    mayBeRest = () => true,
  }: {
    readonly rest: LineEdit;
    readonly unknown?: LineEdit;
    readonly first?: Pending;
    /** Whether a change that no pending write explains can be `rest`'s at all. */
    readonly mayBeRest?: ((change: ChangedLines) => boolean) | undefined;
  },
): FileRecord => {
  const now = content && toLines(content);
  const { weave, pendings } = record;
  const old = currentLines(weave);
  if (isSame(old, now)) return record;
  const found = explain(record, { now, first });
  if (found) {
    const isSure = found.every(({ woven }) => isSameAuthors(woven, found[0]?.woven ?? woven));
    const [{ chosen, woven }] = found;
    const left = isSure ? pendings.filter((one) => !chosen.includes(one)) : pendings;
    return {
      weave: isSure ? woven : weaveContent(weave, now, unknown),
      pendings: left.map((one) => moveAlong(one, old, now)),
    };
  }
  if (isMidWrite(record, content, rest.at)) return record;
  if (old === undefined || now === undefined) {
    const wanted = pendings.filter(({ leaves }) => leaves === (now !== undefined));
    const edit = wanted.length === 1 && now === undefined ? (wanted[0] as Pending).edit : rest;
    const left = pendings.filter((one) => one.edit.id !== edit.id);
    const woven = weaveContent(weave, now, edit);
    return { weave: woven, pendings: left.map((one) => moveAlong(one, old, now)) };
  }
  const woven = slide(weave, diffLines(old, now), rest).map((hunk): Woven => {
    const authors = pendings.filter(({ hunks = [] }) =>
      hunks.some((one) => isSameChange(one, hunk, old)),
    );
    const [author] = authors;
    const isSure = authors.every(({ edit }) => edit.session === author?.edit.session);
    if (author) return { hunk, edit: isSure ? author.edit : unknown };
    const change = { taken: old.slice(hunk.from, hunk.to), added: hunk.lines };
    return { hunk, edit: mayBeRest(change) ? rest : unknown };
  });
  const seen = new Set(woven.map(({ edit }) => edit.id));
  const left = pendings.filter(({ edit }) => !seen.has(edit.id));
  return {
    weave: weaveIn(weave, woven),
    pendings: left.map((one) => moveAlong(one, old, now)),
  };
};

/**
 * Many programs empty a file and then write it. Read in between, it is the beginning of what allowed writes
 * lead to: nothing is known by it, and the next look tells.
 */
export const isMidWrite = (
  { weave, pendings }: FileRecord,
  content: Uint8Array | undefined,
  at: number,
): boolean => {
  // As it was known: nothing is under way, also where an allowed write will only add to its end.
  if (content === undefined || isSame(currentLines(weave), toLines(content))) return false;
  const recent = pendings.filter(({ edit, leaves }) => leaves && at - edit.at < midWriteMs);
  return choices(recent)
    .flatMap(orders)
    .some((chosen) => {
      const woven = weaveAll(weave, chosen);
      const lines = woven && currentLines(woven);
      if (!lines) return false;
      const whole = toBytes(lines);
      return (
        content.length < whole.length &&
        whole.subarray(0, content.length).equals(Buffer.from(content))
      );
    });
};

/** From its hook's answer on, no write takes longer, on the busiest machine; a file that stays so is what it is. */
const midWriteMs = 30_000;

interface Explained {
  readonly chosen: readonly Pending[];
  readonly woven: Weave;
}

/** The fewest pending writes that lead to the file as it is now, in every way in which they do. */
const explain = (
  { weave, pendings }: FileRecord,
  {
    now,
    first,
  }: { readonly now: readonly string[] | undefined; readonly first: Pending | undefined },
): readonly [Explained, ...Explained[]] | undefined => {
  let found: Explained[] = [];
  for (const chosen of choices(pendings).flatMap(orders)) {
    if (found[0] && found[0].chosen.length < chosen.length) break;
    const woven = weaveAll(weave, chosen);
    if (woven && isSame(currentLines(woven), now)) found.push({ chosen, woven });
  }
  const meant = found.filter(({ chosen }) => first && chosen.includes(first));
  if (meant.length > 0) found = meant;
  const [one, ...others] = found;
  return one && [one, ...others];
};

const isSameAuthors = (one: Weave, other: Weave): boolean => {
  if (one === other) return true;
  const [mine, theirs] = [authorNames(one), authorNames(other)];
  return mine.length === theirs.length && mine.every((name, at) => name === theirs[at]);
};

/** The sessions that wrote each line and took it away. */
const authorNames = ({ rows, edits, born, died }: Weave): string[] => {
  const sessions = new Map(edits.map(({ id, session }) => [id, session]));
  const name = (id: string | null): string => (id === null ? "" : (sessions.get(id) ?? id));
  return [
    JSON.stringify([name(born), name(died)]),
    ...rows.map(({ text, by, gone }) => JSON.stringify([name(by), name(gone), text])),
  ];
};

export const isSame = (
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): boolean => {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((line, at) => line === b[at]);
};

/** Fewest first: what one write explains needs no second one. */
const choices = (pendings: readonly Pending[]): Pending[][] => {
  if (pendings.length === 0) return [];
  if (pendings.length > pendingsTried) return [...pendings.map((one) => [one]), [...pendings]];
  const all: Pending[][] = [];
  for (let bits = 1; bits < 2 ** pendings.length; bits += 1) {
    all.push(pendings.filter((_, at) => (bits >> at) & 1));
  }
  return all.toSorted((a, b) => a.length - b.length);
};

/** Two that add at one place may have been written in any order. */
const orders = (chosen: readonly Pending[]): Pending[][] => {
  if (chosen.length > ordersTried) return [[...chosen], chosen.toReversed()];
  if (chosen.length < 2) return [[...chosen]];
  return chosen.flatMap((first) =>
    orders(chosen.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  );
};

const weaveAll = (weave: Weave, chosen: readonly Pending[]): Weave | undefined => {
  let woven = weave;
  let rest = [...chosen];
  for (let next = rest.shift(); next; next = rest.shift()) {
    const before = currentLines(woven);
    const { hunks, edit, leaves } = next;
    if (!leaves) woven = weaveContent(woven, undefined, edit);
    else if (hunks === undefined) return undefined;
    else if (before === undefined) woven = weaveContent(woven, hunks[0]?.lines ?? [], edit);
    else
      woven = weaveIn(
        woven,
        hunks.map((hunk) => ({ hunk, edit })),
      );
    rest = rest.map((one) => moveAlong(one, before, currentLines(woven)));
  }
  return woven;
};

/** The same lines come for the same lines, wherever that is. */
const isSameChange = (one: LineSplice, other: LineSplice, old: readonly string[]): boolean =>
  isSame(one.lines, other.lines) &&
  isSame(old.slice(one.from, one.to), old.slice(other.from, other.to));

/** A pending write, in lines of what the file has become. */
const moveAlong = (
  pending: Pending,
  old: readonly string[] | undefined,
  now: readonly string[] | undefined,
): Pending => {
  const { hunks, ...rest } = pending;
  if (hunks === undefined || !rest.leaves) return pending;
  const moved = old && now && moveHunks(hunks, old, now);
  return moved ? { ...rest, hunks: moved } : rest;
};

/** The same change, in lines of what a text has become; undefined where it changed at the same place. */
const moveHunks = (
  hunks: readonly LineSplice[],
  old: readonly string[],
  now: readonly string[],
): LineSplice[] | undefined => {
  const places = new Map([...matchLines(old, now)].map(([to, from]) => [from, to]));
  const moved: LineSplice[] = [];
  for (const { from, to, lines } of hunks) {
    const length = to - from;
    const above = from === 0 ? -1 : places.get(from - 1);
    const below = to === old.length ? now.length : places.get(to);
    const place = above === undefined ? below !== undefined && below - length : above + 1;
    if (place === false) return undefined;
    const isAsItWas = Array.from({ length }, (_, at) => places.get(from + at) === place + at);
    if (isAsItWas.every(Boolean)) {
      moved.push({ from: place, to: place + length, lines });
      continue;
    }
    // Written over since: a late write shows by its own words between the same neighbours.
    const hasWords = lines.some((line) => /\w/.test(line));
    if (above === undefined || below === undefined || below <= above || !hasWords) return undefined;
    moved.push({ from: above + 1, to: below, lines });
  }
  return moved;
};

/** The change that a write makes to the file as the weave has it. */
export const hunksFor = (
  { weave }: FileRecord,
  after: Uint8Array | undefined,
  edit: LineEdit,
): LineSplice[] => {
  const old = currentLines(weave) ?? [];
  if (after === undefined) return [{ from: 0, to: old.length, lines: [] }];
  return slide(weave, diffLines(old, toLines(after)), edit);
};

/** An edit of an older version of the file, in lines of the present one; undefined where they met. */
export const movedHunks = (
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  now: Uint8Array | undefined,
): readonly LineSplice[] | undefined => {
  if (!before || !after || !now) return undefined;
  const old = toLines(before);
  return moveHunks(diffLines(old, toLines(after)), old, toLines(now));
};

/** Pending writes that a change would meet; two that only add at one place pass each other. */
export const pendingsMet = (
  { weave, pendings }: FileRecord,
  hunks: readonly LineSplice[],
): readonly Pending[] =>
  pendings.filter(
    (one) =>
      // Two that make one new file do not add to it, they replace each other.
      !weave.inTree ||
      one.hunks === undefined ||
      !one.leaves ||
      one.hunks.some((theirs) => hunks.some((own) => touches(own, theirs))),
  );

const touches = (a: LineSplice, b: LineSplice): boolean => {
  const [aAdds, bAdds] = [a.from === a.to, b.from === b.to];
  if (aAdds && bAdds) return false;
  return a.from <= b.to && b.from <= a.to;
};
