/**
 * Reads unified diffs, of git and of others. The text is taken byte by byte (each as one character), because a
 * diff may hold files in several encodings; hunks are read by the counts in their head, so that nothing in them
 * can look like the next file.
 */
import { isUtf8 } from "node:buffer";
import { HeadgateError } from "../../errors.ts";
import { showText } from "../../base/text.ts";
import type { Hunk } from "./types.ts";

/** Its lines are bytes, not yet decoded. */
export type PatchHunk = Hunk;

export interface PatchFile {
  /** Undefined: the file is new. */
  readonly oldPath?: string;
  /** Undefined: the file is deleted. */
  readonly newPath?: string;
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly isBinary: boolean;
  readonly hunks: readonly PatchHunk[];
  /** Of all its lines. */
  readonly bytes: number;
}

/**
 * Throws USAGE with the line that cannot be read. Names that are not UTF-8 are read as Latin-1; with `utf8` as
 * everywhere else where git names files, so that the two can be compared.
 */
export const readPatch = (
  patch: Uint8Array,
  namesAs: "utf8" | "utf8-or-latin1" = "utf8-or-latin1",
): PatchFile[] => {
  const nameOf = namesAs === "utf8" ? fromUtf8 : decoded;
  const lines = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength)
    .toString("latin1")
    .split("\n");
  if (lines.at(-1) === "") lines.pop();
  const found: PatchFile[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    const starts = line.startsWith("diff --git ") || isPlainHead(lines, at);
    if (starts) {
      const { file, next } = readFile(lines, at, nameOf);
      if (file) found.push(file);
      at = next;
    } else {
      if (/^(?:diff --(?:cc|combined) |@@@ )/.test(line)) {
        throw unreadable(at, "a combined diff of a merge; give the diff against one parent");
      }
      if (hunkHead.test(line)) throw unreadable(at, "a hunk without the name of its file");
      at += 1;
    }
  }
  return found;
};

/** Bytes as text: UTF-8 where they are, else Latin-1. */
export const decoded = (bytes: string): string => {
  // oxlint-disable-next-line no-control-regex -- all of ASCII is meant.
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, "latin1");
  return isUtf8(buffer) ? buffer.toString("utf8") : bytes;
};

const fromUtf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");

const hunkHead = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/s;

const isPlainHead = (lines: readonly string[], at: number): boolean =>
  (lines[at] ?? "").startsWith("--- ") &&
  (lines[at + 1] ?? "").startsWith("+++ ") &&
  hunkHead.test((lines[at + 2] ?? "").replace(/\r$/, ""));

interface Names {
  old?: string | undefined;
  new?: string | undefined;
}

const readFile = (
  lines: readonly string[],
  start: number,
  nameOf: (bytes: string) => string,
): { readonly file: PatchFile | undefined; readonly next: number } => {
  const shown: Names = {};
  const moved: Names = {};
  const modes: Names = {};
  let [isBinary, isNew, isDeleted] = [false, false, false];
  let at = start;
  const isGit = (lines[at] ?? "").startsWith("diff --git ");
  const heading = isGit ? withoutReturn(lines[at] ?? "").slice("diff --git ".length) : "";
  if (isGit) at += 1;
  for (; at < lines.length; at += 1) {
    const line = withoutReturn(lines[at] ?? "");
    const rest = (word: string): string | undefined =>
      line.startsWith(word) ? line.slice(word.length) : undefined;
    if (hunkHead.test(line) || line.startsWith("diff --git ")) break;
    if (line.startsWith("--- ") && shown.old !== undefined) break;
    shown.old ??= rest("--- ");
    shown.new ??= rest("+++ ");
    moved.old ??= rest("rename from ") ?? rest("copy from ");
    moved.new ??= rest("rename to ") ?? rest("copy to ");
    modes.old ??= rest("old mode ") ?? rest("deleted file mode ");
    modes.new ??= rest("new mode ") ?? rest("new file mode ");
    isNew ||= line.startsWith("new file mode ");
    isDeleted ||= line.startsWith("deleted file mode ");
    if (/^(?:Binary files .* differ|GIT binary patch)$/.test(line)) isBinary = true;
  }
  const hunks: PatchHunk[] = [];
  while (hunkHead.test(withoutReturn(lines[at] ?? ""))) {
    const { hunk, next } = readHunk(lines, at);
    hunks.push(hunk);
    at = next;
  }
  const names = namesOf({ shown, moved, heading });
  if (names.old === undefined && names.new === undefined) return { file: undefined, next: at };
  const bytes = hunks.reduce(
    (sum, hunk) => sum + hunk.lines.reduce((all, line) => all + line.length + 1, 0),
    0,
  );
  const file = {
    ...(names.old !== undefined && !isNew && { oldPath: nameOf(names.old) }),
    ...(names.new !== undefined && !isDeleted && { newPath: nameOf(names.new) }),
    ...(modes.old !== undefined && { oldMode: modes.old }),
    ...(modes.new !== undefined && { newMode: modes.new }),
    isBinary,
    hunks,
    bytes,
  };
  return { file, next: at };
};

const readHunk = (
  lines: readonly string[],
  start: number,
): { readonly hunk: PatchHunk; readonly next: number } => {
  const head = hunkHead.exec(withoutReturn(lines[start] ?? ""));
  const [, oldStart = "0", oldLines = "1", newStart = "0", newLines = "1", section = ""] =
    head ?? [];
  const left = { old: Number(oldLines), new: Number(newLines) };
  const found: string[] = [];
  const open: ("old" | "new")[] = [];
  let at = start + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const sign = line === "" || line === "\r" ? " " : line[0];
    if (sign === "\\") {
      const before = found.at(-1)?.[0];
      if (before !== "+") open.push("old");
      if (before !== "-") open.push("new");
      continue;
    }
    if (left.old === 0 && left.new === 0) break;
    if (sign !== " " && sign !== "+" && sign !== "-") {
      throw unreadable(at, "a hunk ends before the lines that its head counts");
    }
    if (sign !== "+") left.old -= 1;
    if (sign !== "-") left.new -= 1;
    if (left.old < 0 || left.new < 0)
      throw unreadable(at, "more lines than the hunk's head counts");
    // Some writers leave the blank in front of an empty line out.
    found.push(line === "" || line === "\r" ? ` ${line}` : line);
  }
  if (left.old > 0 || left.new > 0) throw unreadable(at, "the patch ends inside a hunk");
  const endsOpen = open.includes("old") ? (open.includes("new") ? "both" : "old") : open[0];
  return {
    hunk: {
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      section: decoded(section),
      lines: found,
      ...(endsOpen && { endsOpen }),
    },
    next: at,
  };
};

const namesOf = (told: {
  readonly shown: Names;
  readonly moved: Names;
  readonly heading: string;
}): Names => {
  const { shown, moved, heading } = told;
  if (moved.old !== undefined && moved.new !== undefined) {
    return { old: unquoted(moved.old), new: unquoted(moved.new) };
  }
  if (shown.old !== undefined && shown.new !== undefined) {
    return withoutPrefixes({ old: pathOf(shown.old), new: pathOf(shown.new) });
  }
  const pair = headingNames(heading);
  return pair ? withoutPrefixes(pair) : {};
};

/** Without hunks both names are the same, so that the middle is where they part. */
const headingNames = (heading: string): Names | undefined => {
  const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/s.exec(heading);
  if (quoted) return { old: unquoted(quoted[1] ?? ""), new: unquoted(quoted[2] ?? "") };
  const middle = (heading.length - 1) / 2;
  if (!Number.isInteger(middle) || heading[middle] !== " ") return undefined;
  return { old: heading.slice(0, middle), new: heading.slice(middle + 1) };
};

const pathOf = (text: string): string | undefined => {
  // Others write the time behind a tab.
  const path = text.startsWith('"') ? unquoted(text) : text.replace(/\t.*$/s, "");
  return path === "/dev/null" ? undefined : path;
};

/** `a/` and `b/`, or the letters that git uses for the index and the working tree. */
const withoutPrefixes = (names: Names): Names => {
  const prefix = /^[a-z]\//;
  const pairs = ["ab", "iw", "ci", "cw", "ow", "ba", "wi"];
  const letters = `${names.old?.[0] ?? "?"}${names.new?.[0] ?? "?"}`;
  const fits = pairs.some((pair) =>
    [...pair].every((letter, at) => letters[at] === "?" || letters[at] === letter),
  );
  const both = [names.old, names.new].every((name) => name === undefined || prefix.test(name));
  if (!fits || !both) return names;
  return { old: names.old?.slice(2), new: names.new?.slice(2) };
};

/** As C writes texts: `"a\ttab \303\244"`. */
const unquoted = (text: string): string => {
  if (!text.startsWith('"')) return text;
  return text
    .replace(/"[^"]*$/s, "")
    .slice(1)
    .replaceAll(/\\([0-7]{3}|[^])/g, (_, code: string) =>
      code.length === 3
        ? String.fromCharCode(Number.parseInt(code, 8) & 0xff)
        : (escapes.get(code) ?? code),
    );
};

const escapes = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
]);

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

const unreadable = (at: number, why: string): HeadgateError =>
  new HeadgateError("USAGE", `the patch cannot be read at line ${at + 1}: ${showText(why)}`);
