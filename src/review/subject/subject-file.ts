/** One file of a subject, from a patch and the content after it. */
import { isForeignName } from "../../base/path-kinds.ts";
import { limits } from "../../base/limits.ts";
import { binaryKind, languageOf, SourceText } from "../../structure/index.ts";
import { isForeignText } from "./names.ts";
import { decoded, type PatchFile, type PatchHunk } from "./patch.ts";
import type { Hunk, SubjectFile } from "./types.ts";

export interface FileParts {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: SubjectFile["status"];
  readonly patches: readonly PatchFile[];
  /** Undefined: there is none, or it is not known. */
  readonly content?: Uint8Array;
  /** There is content, larger than what is read. */
  readonly isTooLarge?: boolean;
  readonly kind?: "file" | "link" | "module";
  readonly mode?: string;
  /** What .gitattributes say: true, it counts whatever its name is. */
  readonly counts?: boolean;
}

/** Undefined: nothing differs (git lists files whose times changed). */
export const changedFile = (parts: FileParts): SubjectFile | undefined => {
  const { path, oldPath, status, patches, kind = "file", mode } = parts;
  const source = parts.content && isText(parts.content) ? SourceText.of(parts.content) : undefined;
  const hunks = patches.flatMap((one) =>
    one.hunks.map((hunk) => decodedHunk(hunk, source?.encoding)),
  );
  const isBinary = patches.some((one) => one.isBinary) || (parts.content && !source);
  if (status === "modified" && hunks.length === 0 && !isBinary && mode === undefined) {
    return undefined;
  }
  const text = source?.text;
  const language = languageOf(path, text ?? "");
  const counts = countsOf(hunks);
  const isForeign = parts.counts === false || (parts.counts !== true && isForeignFile(path, text));
  const patchBytes = patches.reduce((sum, one) => sum + one.bytes, 0);
  const leftOut = whyLeftOut();
  const hasHunks = leftOut !== "generated" && patchBytes <= limits.reviewFilePatchBytesMax;
  return {
    path,
    ...(oldPath !== undefined && oldPath !== path && { oldPath }),
    status,
    ...(language !== "text" && { language }),
    hunks: hasHunks ? hunks : [],
    ...(text !== undefined && leftOut === undefined && { after: text }),
    ...(leftOut && { leftOut }),
    counts,
    ...(mode !== undefined && { mode }),
  };

  function whyLeftOut(): SubjectFile["leftOut"] {
    if (kind === "module") return "submodule";
    if (kind === "link") return "link";
    if (isForeign) return "generated";
    if (isBinary && status !== "deleted" && isHidden(language, parts.content)) return "unread";
    if (isBinary) return "binary";
    if (status === "deleted") return "deleted";
    if (parts.isTooLarge || patchBytes > limits.reviewFilePatchBytesMax) return "too-large";
    return undefined;
  }
};

/** A file that is new as a whole: all of its lines are added. */
export const addedPatch = (path: string, content: Uint8Array): PatchFile => {
  const text = Buffer.from(content).toString("latin1");
  const isOpen = text !== "" && !text.endsWith("\n");
  const lines = text === "" ? [] : (isOpen ? text : text.slice(0, -1)).split("\n");
  const hunk: PatchHunk = {
    ...{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, section: "" },
    lines: lines.map((line) => `+${line}`),
    ...(isOpen && { endsOpen: "new" }),
  };
  const isBinary = !isText(content);
  const hunks = lines.length > 0 && !isBinary ? [hunk] : [];
  return { newPath: path, isBinary, hunks, bytes: text.length };
};

/** A whole file, as it is. One that was asked for by name is looked at whoever wrote it. */
export const wholeFile = (
  path: string,
  content: Uint8Array | undefined,
  { isNamed = false, counts }: { readonly isNamed?: boolean; readonly counts?: boolean } = {},
): SubjectFile => {
  const source = content && isText(content) ? SourceText.of(content) : undefined;
  const text = source?.text;
  const language = languageOf(path, text ?? "");
  const isForeign =
    !isNamed && (counts === false || (counts !== true && isForeignFile(path, text)));
  const leftOut = isForeign
    ? "generated"
    : content === undefined
      ? "too-large"
      : text === undefined
        ? isHidden(language, content)
          ? "unread"
          : "binary"
        : undefined;
  return {
    path,
    status: "whole",
    ...(language !== "text" && { language }),
    hunks: [],
    ...(text !== undefined && leftOut === undefined && { after: text }),
    ...(leftOut && { leftOut }),
  };
};

/**
 * Whether the hunks' new lines stand where they say in the content: both were taken from one state. Git may have
 * taken carriage returns away (`core.autocrlf`); with `isExact` they count.
 */
export const hunksFit = ({ hunks, after }: SubjectFile, isExact = false): boolean => {
  if (after === undefined) return true;
  const plain = isExact ? (line: string): string => line : withoutReturn;
  const lines = after.split("\n").map(plain);
  // What follows the last line end is no line, or an added blank one would always be found there.
  const isClosed = lines.at(-1) === "";
  if (isClosed) lines.pop();
  return hunks.every(({ newStart, endsOpen, lines: shown }) => {
    const kept = shown.filter((line) => !line.startsWith("-"));
    if ((endsOpen !== undefined || isExact) && kept.length > 0) {
      const isOpen = !isClosed && newStart - 1 + kept.length === lines.length;
      if (isOpen !== (endsOpen === "new" || endsOpen === "both")) return false;
    }
    return kept.every((line, at) => plain(line.slice(1)) === lines[newStart - 1 + at]);
  });
};

export const countsOf = (hunks: readonly Hunk[]): { added: number; removed: number } => {
  let [added, removed] = [0, 0];
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line.startsWith("+")) added += 1;
      else if (line.startsWith("-")) removed += 1;
    }
  }
  return { added, removed };
};

const isForeignFile = (path: string, text: string | undefined): boolean =>
  isForeignName(path) || (text !== undefined && isForeignText(text));

/** As git judges: a NUL among the first bytes; UTF-16 is binary for it as well. */
const isText = (content: Uint8Array): boolean => !content.subarray(0, 8000).includes(0);

/** Source that shows nothing to a reviewer, and is not content of a known binary format. */
const isHidden = (language: string, content: Uint8Array | undefined): boolean =>
  language !== "text" && !(content && binaryKind(Buffer.from(content), language));

/** New lines in the encoding of the file, so that they compare; old ones each as they are. */
const decodedHunk = (hunk: PatchHunk, encoding: string | undefined): Hunk => {
  const decode = (line: string, isNew: boolean): string =>
    isNew && encoding === "latin1" ? line : decoded(line);
  const lines = hunk.lines.map((line) => decode(line, !line.startsWith("-")));
  // The mark at a file's beginning is no part of its first line.
  const first = hunk.oldStart <= 1 || hunk.newStart <= 1;
  return { ...hunk, lines: first ? lines.map((line) => line.replace(/^(.)\ufeff/, "$1")) : lines };
};

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
