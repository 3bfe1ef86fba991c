/**
 * Changes as a unified diff in git's form, without colours: what is shown before anything is written
 * (E-10), and what `git apply` takes.
 */
import { structuredPatch } from "diff";
import { isText } from "./binary.ts";
import type { FileChange } from "./types.ts";

export interface DiffedChange extends FileChange {
  /** Unix permission bits of the file as it is; absent where they are not known. */
  readonly modeBefore?: number;
}

export const unifiedDiff = (changes: readonly DiffedChange[]): string =>
  changes.map(diffOf).join("");

const diffOf = (change: DiffedChange): string => {
  const { path, before, after } = change;
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const head = [`diff --git ${a} ${b}`, ...modeLines(change)];
  if (before && after && before.equals(after)) return joined(head.length > 1 ? head : []);
  const [from, to] = [before ? a : "/dev/null", after ? b : "/dev/null"];
  if (![before, after].every((bytes) => bytes === null || isText(bytes))) {
    return joined([...head, `Binary files ${from} and ${to} differ`]);
  }
  const [old, now] = [textOf(before), textOf(after)];
  const hunks = hunksOf(old, now);
  // An empty file that comes or goes has no lines to show.
  if (hunks.length === 0) return joined(head);
  return joined([...head, `--- ${from}`, `+++ ${to}`, ...hunks]);
};

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

const modeLines = ({ before, after, mode, modeBefore }: DiffedChange): string[] => {
  if (before === null) return [`new file mode ${gitMode(mode)}`];
  if (after === null) return [`deleted file mode ${gitMode(modeBefore)}`];
  const [old, now] = [gitMode(modeBefore), gitMode(mode)];
  const isChanged = mode !== undefined && modeBefore !== undefined && old !== now;
  return isChanged ? [`old mode ${old}`, `new mode ${now}`] : [];
};

/** Git knows of a mode only whether the file can be run. */
const gitMode = (mode: number | undefined): string => ((mode ?? 0) & 0o100 ? "100755" : "100644");

/** Every byte that is no UTF-8 is shown as the Latin-1 letter it may be. */
const textOf = (bytes: Buffer | null): string => {
  if (!bytes) return "";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le");
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : bytes.toString("latin1");
};

const hunksOf = (old: string, now: string): string[] => {
  const patch = structuredPatch("", "", old, now, "", "", {
    context: contextLines,
    maxEditLength: editsMax,
  });
  const hunks = patch?.hunks ?? [wholeHunk(old, now)];
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
    ...lines,
  ]);
};

/** Where a side has no lines, the line before is named. */
const rangeOf = (start: number, count: number): string => {
  if (count === 0) return `${start - 1},0`;
  return count === 1 ? `${start}` : `${start},${count}`;
};

/** Too much between the first and the last difference to search for the shortest way: all of it goes. */
const wholeHunk = (old: string, now: string) => {
  const [gone, come] = [linesOf(old), linesOf(now)];
  const most = Math.min(gone.length, come.length);
  let head = 0;
  while (head < most && gone[head] === come[head]) head += 1;
  let tail = 0;
  while (tail < most - head && gone.at(-1 - tail) === come.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - contextLines);
  const below = Math.min(tail, contextLines);
  const marked = (sign: string, lines: readonly string[]): string[] =>
    lines.flatMap((line) =>
      line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, noNewline],
    );
  return {
    oldStart: start + 1,
    oldLines: gone.length - tail + below - start,
    newStart: start + 1,
    newLines: come.length - tail + below - start,
    lines: [
      ...marked(" ", gone.slice(start, head)),
      ...marked("-", gone.slice(head, gone.length - tail)),
      ...marked("+", come.slice(head, come.length - tail)),
      ...marked(" ", gone.slice(gone.length - tail, gone.length - tail + below)),
    ],
  };
};

/** With their ends. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Git's spelling of names with control characters, quotes and backslashes. */
const quoted = (name: string): string => {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
  if (!/[\u0000-\u001f"\\\u007f]/.test(name)) return name;
  // oxlint-disable-next-line no-control-regex -- as above.
  const safe = name.replaceAll(/[\u0000-\u001f"\\\u007f]/g, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    return `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `"${safe}"`;
};

const noNewline = "\\ No newline at end of file";
/** The search takes time by the square of this; beyond it the shortest way tells nobody anything. */
const editsMax = 1_500;
const contextLines = 3;
