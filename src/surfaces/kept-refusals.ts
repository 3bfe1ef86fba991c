/**
 * What was refused, kept for a person to look at: the lines around the change as they were and as they
 * would have become, in `.git/headgate/refusals`. Bounded in size and number; losing one loses nothing
 * else, so nothing here ever fails a refusal.
 */
import { join } from "node:path";
import { type Files, systemFiles } from "../base/files.ts";
import { isId, newId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { hideSecrets } from "../base/secrets.ts";
import { writeFileAtomicSync } from "../state/index.ts";

export interface KeptRefusal {
  readonly path: string;
  /** The number of the first line. */
  readonly firstLine: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Of a change that was known as a diff: its hunks, and nothing before and after. */
  readonly hunks?: readonly string[];
  /** More was refused than is kept. */
  readonly isCut: boolean;
}

type Content = string | Uint8Array | null | undefined;

/** The file as it was and would have become, or the unified diff of that; it may be of several files. */
export type RefusedChange =
  | { readonly path: string; readonly before: Content; readonly after: Content }
  | { readonly path: string; readonly diff: string };

/** The id to ask for it with; undefined where there is nothing to show. */
export const keepRefusal = (
  localDir: string,
  refused: RefusedChange,
  files: Files = systemFiles,
): string | undefined => {
  const found = "diff" in refused ? hunksOf(refused) : blocksOf(refused);
  if (!found) return undefined;
  const kept = withoutSecrets(found);
  const folder = join(localDir, folderName);
  files.makeDirectory(folder, 0o700);
  const id = newId("refusal");
  const options = { mode: 0o600, durability: "cache" } as const;
  writeFileAtomicSync(join(folder, `${id}.json`), JSON.stringify(kept), options);
  forgetOldest(folder, files);
  return id;
};

/** Undefined when it was never there or was forgotten since. */
export const readRefusal = (
  localDir: string,
  id: string,
  files: Files = systemFiles,
): KeptRefusal | undefined => {
  if (!isId("refusal", id)) return undefined;
  const path = join(localDir, folderName, `${id}.json`);
  if (files.stat(path)?.isFile() !== true) return undefined;
  try {
    const value = JSON.parse(files.readFile(path).toString("utf8")) as KeptRefusal;
    return Array.isArray(value.before) && Array.isArray(value.after) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** E-26: the change may have been refused for one. */
const withoutSecrets = ({ before, after, hunks, ...kept }: KeptRefusal): KeptRefusal => ({
  ...kept,
  before: hiddenIn(before),
  after: hiddenIn(after),
  ...(hunks && { hunks: hiddenIn(hunks) }),
});

const hiddenIn = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? lines : hideSecrets(lines.join("\n")).split("\n");

const folderName = "refusals";
const contextLines = 3;

const blocksOf = (refused: Exclude<RefusedChange, { diff: string }>): KeptRefusal | undefined => {
  const [before, after] = [linesOf(refused.before), linesOf(refused.after)];
  if (!before || !after) return undefined;
  const kept = around(before, after, refused.path);
  return kept.before.length + kept.after.length === 0 ? undefined : kept;
};

/** Of the file that was refused, or of the first one. */
const hunksOf = ({
  path,
  diff,
}: Extract<RefusedChange, { diff: string }>): KeptRefusal | undefined => {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => /^@@ /m.test(part));
  const isOf = (part: string, name: string): boolean =>
    part.includes(`\n+++ b/${name}\n`) || part.includes(`\n--- a/${name}\n`);
  const part = parts.find((one) => isOf(one, path)) ?? parts[0];
  if (part === undefined) return undefined;
  const shown = /^(?:\+\+\+ b|--- a)\/(.*)$/m.exec(part)?.[1] ?? path;
  const lines = part.slice(part.search(/^@@ /m)).replace(/\n$/, "").split("\n");
  const { lines: hunks, isCut } = bounded(lines, limits.refusalDiffBytesMax / 2);
  return { path: path || shown, firstLine: 1, before: [], after: [], hunks, isCut };
};

/** Undefined for what is no text. */
const linesOf = (content: Content): string[] | undefined => {
  if (content === null || content === undefined) return [];
  const text = typeof content === "string" ? content : Buffer.from(content).toString("utf8");
  if (text.includes("\0")) return undefined;
  // The end of the last line is no line.
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
};

/** Without the lines that both have at the start and at the end, but for a few. */
const around = (before: string[], after: string[], path: string): KeptRefusal => {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (start === before.length && start === after.length) {
    return { path, firstLine: 1, before: [], after: [], isCut: false };
  }
  const from = Math.max(0, start - contextLines);
  const tail = Math.max(0, end - contextLines);
  const half = limits.refusalDiffBytesMax / 2;
  const old = bounded(before.slice(from, before.length - tail), half);
  const now = bounded(after.slice(from, after.length - tail), half);
  const isCut = old.isCut || now.isCut;
  return { path, firstLine: from + 1, before: old.lines, after: now.lines, isCut };
};

const bounded = (lines: readonly string[], bytesMax: number) => {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    // As JSON, where a control character takes six bytes.
    bytes += Buffer.byteLength(JSON.stringify(line)) + 1;
    if (bytes > bytesMax) return { lines: kept, isCut: true };
    kept.push(line);
  }
  return { lines: kept, isCut: false };
};

/** Their names sort by when they were made. */
const forgetOldest = (folder: string, files: Files): void => {
  const names = files
    .list(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".json"))
    .toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - limits.refusalsKeptMax))) {
    files.unlink(join(folder, name));
  }
};
