/**
 * Cuts a subject into parts that fit into one prompt: by files, then by hunks; a hunk is only cut when it is
 * larger than a part, and then its pieces overlap. A source and its test, and files of one folder, stay together
 * where they fit. The same subject gives the same slices.
 */
import type { Hunk, Slice, Subject, SubjectFile } from "./types.ts";

export interface SliceOptions {
  /** Of one slice; under a few thousand, a long line may be more. */
  readonly charactersMax: number;
}

export const sliceSubject = (
  { files }: Pick<Subject, "files">,
  { charactersMax }: SliceOptions,
): Slice[] => {
  const groups = groupsOf(files);
  const parts: { files: SubjectFile[]; characters: number }[] = [];
  const put = (pieces: readonly SubjectFile[], characters: number): void => {
    const last = parts.at(-1);
    if (last && last.characters + characters <= charactersMax) {
      last.files.push(...pieces);
      last.characters += characters;
    } else parts.push({ files: [...pieces], characters });
  };
  for (const group of groups) {
    const size = sum(group.map(sizeOf));
    if (size <= charactersMax) put(group, size);
    else {
      for (const file of group) {
        for (const piece of piecesOf(file, charactersMax)) put([piece], sizeOf(piece));
      }
    }
  }
  const merged = parts.map((part) => ({ ...part, files: joined(part.files) }));
  const holders = new Map<string, number[]>();
  for (const [at, part] of merged.entries()) {
    for (const { path } of part.files) {
      const numbers = holders.get(path);
      if (numbers) numbers.push(at + 1);
      else holders.set(path, [at + 1]);
    }
  }
  // Thousands of files in thousands of slices: sorted once, and shared where a slice holds none of a file.
  const held = [...holders]
    .map(([path, slices]) => ({ path, slices }))
    .toSorted((a, b) => compare(a.path, b.path));
  return merged.map((part, at) => {
    const number = at + 1;
    const own = new Set(part.files.map(({ path }) => path));
    const elsewhere = held.flatMap((one) => {
      if (!own.has(one.path)) return [one];
      const slices = one.slices.filter((other) => other !== number);
      return slices.length > 0 ? [{ path: one.path, slices }] : [];
    });
    return { ...{ number, of: merged.length, ...part }, elsewhere };
  });
};

/** About what a file takes in a prompt: each line with its number, and a heading. */
const sizeOf = (file: SubjectFile): number => {
  const shown = file.hunks.length > 0 ? file.hunks.flatMap(({ lines }) => lines) : linesOf(file);
  return headingSize + file.path.length + sum(shown.map((line) => lengthOf(line) + lineOverhead));
};

/** The heading of a file, and of each line its number and sign. */
const headingSize = 80;
const lineOverhead = 10;
/** Prompts cut what is longer. */
const lineLengthMax = 2100;
const lengthOf = (line: string): number => Math.min(line.length, lineLengthMax);
/** Lines that two pieces of one hunk share: about a screen's quarter, so that a statement is whole in one of them. */
const overlapLines = 10;

const groupsOf = (files: readonly SubjectFile[]): SubjectFile[][] => {
  const keyed = files
    .map((file) => ({ file, key: relationOf(file.path) }))
    .toSorted((a, b) => compare(a.key, b.key) || compare(a.file.path, b.file.path));
  const groups: { key: string; files: SubjectFile[] }[] = [];
  for (const { file, key } of keyed) {
    const last = groups.at(-1);
    if (last?.key === key) last.files.push(file);
    else groups.push({ key, files: [file] });
  }
  return groups.map((group) => group.files);
};

/** The same for `src/queue/retry.ts`, `test/queue/retry.test.ts` and `src/queue/__tests__/retry.spec.ts`. */
const relationOf = (path: string): string => {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const folder = parts.filter(
    (part) => !/^(?:src|lib|main|java|tests?|__tests?__|specs?|unit)$/i.test(part),
  );
  const stem = name
    .replace(/(?:\.[^.]+)?$/, "")
    .replace(/^test[_-]|[._-](?:test|spec|tests)$|(?<=[a-z])Tests?$/g, "");
  // A blank sorts before every letter: a folder's files come before those of its folders.
  return `${folder.join("/")} ${stem}`;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const linesOf = ({ after }: SubjectFile): string[] => {
  if (after === undefined || after === "") return [];
  return (after.endsWith("\n") ? after.slice(0, -1) : after).split("\n");
};

const piecesOf = (file: SubjectFile, charactersMax: number): SubjectFile[] => {
  if (sizeOf(file) <= charactersMax) return [file];
  const room = Math.max(1, charactersMax - headingSize - file.path.length);
  const hunks = file.hunks.length > 0 ? file.hunks : wholeHunk(file);
  return hunks.flatMap((hunk) => cutHunk(hunk, room)).map((hunk) => ({ ...file, hunks: [hunk] }));
};

/** A piece of a whole file is shown as a hunk in which nothing changes. */
const wholeHunk = (file: SubjectFile): Hunk[] => {
  const lines = linesOf(file);
  if (lines.length === 0) return [];
  const count = { oldLines: lines.length, newLines: lines.length };
  return [
    { oldStart: 1, newStart: 1, section: "", ...count, lines: lines.map((one) => ` ${one}`) },
  ];
};

const cutHunk = (hunk: Hunk, room: number): Hunk[] => {
  const sizes = hunk.lines.map((line) => lengthOf(line) + lineOverhead);
  if (sum(sizes) <= room) return [hunk];
  const pieces: Hunk[] = [];
  for (let from = 0; from < hunk.lines.length;) {
    let to = from;
    for (let used = 0; to < hunk.lines.length; to += 1) {
      used += sizes[to] ?? 0;
      if (used > room && to > from) break;
    }
    pieces.push(pieceOf(hunk, from, to));
    if (to >= hunk.lines.length) break;
    // Steps back a little, but always goes on.
    from = Math.max(to - overlapLines, from + 1, from + Math.ceil((to - from) / 2));
  }
  return pieces;
};

const pieceOf = (hunk: Hunk, from: number, to: number): Hunk => {
  const before = hunk.lines.slice(0, from);
  const lines = hunk.lines.slice(from, to);
  const { endsOpen: _, ...rest } = hunk;
  const isLast = to === hunk.lines.length;
  return {
    ...(isLast ? hunk : rest),
    oldStart: hunk.oldStart + before.filter((line) => !line.startsWith("+")).length,
    newStart: hunk.newStart + before.filter((line) => !line.startsWith("-")).length,
    oldLines: lines.filter((line) => !line.startsWith("+")).length,
    newLines: lines.filter((line) => !line.startsWith("-")).length,
    lines,
  };
};

/** Pieces of one file that came into one slice, as one file again. */
const joined = (files: readonly SubjectFile[]): SubjectFile[] => {
  const byPath = new Map<string, SubjectFile>();
  for (const file of files) {
    const present = byPath.get(file.path);
    byPath.set(
      file.path,
      present ? { ...present, hunks: [...present.hunks, ...file.hunks] } : file,
    );
  }
  return [...byPath.values()].toSorted((a, b) => compare(a.path, b.path));
};
