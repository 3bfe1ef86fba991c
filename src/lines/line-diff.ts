/** Contents as lines, and the differences between them. */
import { diffArrays } from "diff";
import type { LineSplice } from "./types.ts";

/** Above this a file is one row: its lines are not separated. */
const bytesMax = 4 * 1024 * 1024;
const linesMax = 100_000;
/** Beyond so many differing lines the shortest way is not looked for. */
const differencesMax = 4_000;

/** With their endings; joined they are the content again, byte for byte. A binary file is one line. */
export const toLines = (content: Uint8Array): string[] => {
  if (content.length === 0) return [];
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString(
    "latin1",
  );
  if (text.length > bytesMax || text.includes("\0")) return [text];
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.length > linesMax ? [text] : lines;
};

export const toBytes = (lines: readonly string[]): Buffer => Buffer.from(lines.join(""), "latin1");

export const diffLines = (old: readonly string[], now: readonly string[]): LineSplice[] => {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const [before, after] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  if (before.length === 0 && after.length === 0) return [];
  const whole = [{ from: head, to: head + before.length, lines: after }];
  if (before.length === 0 || after.length === 0) return whole;
  const parts = diffArrays(before, after, { maxEditLength: differencesMax });
  if (!parts) return whole;
  const hunks: LineSplice[] = [];
  let at = head;
  let open: { from: number; to: number; lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open) hunks.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { from: at, to: at, lines: [] };
    if (removed) {
      at += value.length;
      open.to = at;
    } else open.lines.push(...value);
  }
  if (open) hunks.push(open);
  return hunks;
};

/** The same pairs of equal lines that a difference leaves: index in `old` by index in `now`. */
export const matchLines = (old: readonly string[], now: readonly string[]): Map<number, number> => {
  const pairs = new Map<number, number>();
  let [i, j] = [0, 0];
  for (const { from, to, lines } of [
    ...diffLines(old, now),
    { from: old.length, to: old.length, lines: [] },
  ]) {
    while (i < from) pairs.set(j++, i++);
    i = to;
    j += lines.length;
  }
  return pairs;
};

/** How many places differ between two contents; a file that comes or goes is one. */
export const countHunks = (old: Uint8Array | undefined, now: Uint8Array | undefined): number =>
  old === undefined || now === undefined ? 1 : diffLines(toLines(old), toLines(now)).length;

/** Lines that were kept with plain ends, with those that the same lines have in another text. */
export const withLineEnds = (kept: readonly string[], like: readonly string[]): string[] => {
  const plain = (text: string): string => text.replace(/\r\n$/, "\n");
  const pairs = matchLines(like.map(plain), kept);
  const dos = like.filter((text) => text.endsWith("\r\n")).length;
  const usual = dos * 2 > like.length ? "\r\n" : "\n";
  return kept.map((text, at) => {
    const match = pairs.get(at);
    return match === undefined ? text.replace(/\n$/, usual) : (like[match] ?? text);
  });
};
