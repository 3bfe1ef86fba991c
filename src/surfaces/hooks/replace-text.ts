/** What a client's own edit tool will make of a text. */
import type { TextEdit } from "./types.ts";

/**
 * The new text; undefined where an old text is not there, or not once as it must be. Line ends are as the
 * file has them: clients read and replace with plain ones, and write back what was usual in the file.
 */
export const replaceTexts = (text: string, edits: readonly TextEdit[]): string | undefined => {
  const ending = usualEnding(text);
  let result = plain(text);
  for (const edit of edits) {
    const next = replaceOne(result, plain(edit.old), plain(edit.new), edit.all);
    if (next === undefined) return undefined;
    result = next;
  }
  return ending === "\n" ? result : result.replaceAll("\n", ending);
};

const replaceOne = (text: string, old: string, fresh: string, all: boolean): string | undefined => {
  if (old === "") return text.trim() === "" ? fresh : undefined;
  const exact = text.split(old);
  if (exact.length === 2 || (all && exact.length > 2)) return exact.join(fresh);
  if (exact.length > 2) return undefined;
  // Models write straight quotes where a file has curly ones; Claude Code finds the place all the same.
  const [straight, wanted] = [straightened(text), straightened(old)];
  const first = straight.indexOf(wanted);
  if (first < 0) return undefined;
  const found = text.slice(first, first + wanted.length);
  const pieces = text.split(found);
  return pieces.length === 2 || all ? pieces.join(fresh) : undefined;
};

/** Character by character, so that places stay the same. */
const straightened = (text: string): string =>
  text.replaceAll(/[\u2018\u2019]/g, "'").replaceAll(/[\u201c\u201d]/g, '"');

const plain = (text: string): string => text.replaceAll("\r\n", "\n");

const usualEnding = (text: string): "\n" | "\r\n" => {
  const lines = text.slice(0, 4096).split("\n").slice(0, -1);
  const windows = lines.filter((line) => line.endsWith("\r")).length;
  return windows > lines.length - windows ? "\r\n" : "\n";
};

/**
 * What was there before these edits, as far as the result tells: undefined where a new text is not to be
 * found exactly once.
 */
export const takeBack = (text: string, edits: readonly TextEdit[]): string | undefined => {
  const back = edits.toReversed().map((edit) => ({ old: edit.new, new: edit.old, all: false }));
  return back.some((edit) => edit.old === "") ? undefined : replaceTexts(text, back);
};
