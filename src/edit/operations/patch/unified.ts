/** Unified diffs, plain and git's: parsed by the library, its headings read beside it. */
import { parsePatch, type StructuredPatch } from "diff";
import { HeadgateError } from "../../../errors.ts";
import { type FilePatch, hunkOf } from "./file-patch.ts";
import type { Hunk } from "./hunks.ts";

export const readUnified = (patch: string): FilePatch[] => {
  const plain = patch.replaceAll("\r\n", "\n");
  const parsed = parse(plain);
  const headings = [...plain.matchAll(/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@[ \t]?(.*)$/gm)].map(
    ([, heading]) => heading ?? "",
  );
  let next = 0;
  return parsed.map((one) => {
    const own = headings.slice(next, next + one.hunks.length);
    next += one.hunks.length;
    return filePatch(one, own);
  });
};

const parse = (patch: string): StructuredPatch[] => {
  let parsed: StructuredPatch[];
  try {
    parsed = parsePatch(patch) as StructuredPatch[];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HeadgateError("PATCH_MISMATCH", `The patch cannot be read: ${why}.`, { cause });
  }
  const files = parsed.filter(({ hunks, oldFileName }) => hunks.length > 0 || oldFileName);
  if (files.length > 0) return files;
  throw new HeadgateError("PATCH_MISMATCH", "The patch cannot be read: no hunk was found in it.");
};

const filePatch = (one: StructuredPatch, headings: readonly string[]): FilePatch => {
  const [from, to] = names(one);
  if (one.isBinary) {
    throw new HeadgateError("PATCH_MISMATCH", `The patch for ${to ?? from} is binary.`);
  }
  // Written as a plain file it would be something else than the patch says.
  const odd = [one.newMode, one.oldMode].find(
    (mode) => mode !== undefined && !plainModes.has(mode),
  );
  if (odd !== undefined) {
    const what = odd === "120000" ? "a link" : odd === "160000" ? "a submodule" : `mode ${odd}`;
    throw new HeadgateError("PATCH_MISMATCH", `The patch for ${to ?? from} is about ${what}.`);
  }
  const hunks = one.hunks.map((hunk, index) => readHunk(hunk, headings[index] ?? ""));
  if (from === undefined && to !== undefined) {
    const lines = hunks.flatMap((hunk) => hunk.new);
    const isOpen = hunks.at(-1)?.newEndsOpen === true;
    const mode = one.newMode === "100755" ? { mode: 0o755 } : {};
    const content = lines.length === 0 ? "" : lines.join("\n") + (isOpen ? "" : "\n");
    return { do: "create", path: to, content, ...mode };
  }
  if (from !== undefined && to === undefined) return { do: "delete", path: from, hunks };
  if (from === undefined || to === undefined) {
    throw new HeadgateError("PATCH_MISMATCH", "The patch does not name its file.");
  }
  if (one.isCopy) {
    throw new HeadgateError("PATCH_MISMATCH", `The patch copies ${from}; use create for the copy.`);
  }
  return { do: "update", path: from, hunks, ...(to !== from && { to }) };
};

const plainModes = new Set(["100644", "100755", "100664"]);

const names = (one: StructuredPatch): [string | undefined, string | undefined] => {
  const [old, fresh] = [one.oldFileName, one.newFileName];
  const hasPrefix =
    (old === "/dev/null" || (old?.startsWith("a/") ?? false)) &&
    (fresh === "/dev/null" || (fresh?.startsWith("b/") ?? false));
  const clean = (name: string | undefined): string | undefined =>
    name === undefined || name === "/dev/null" ? undefined : hasPrefix ? name.slice(2) : name;
  const isGone = one.isDelete === true;
  const isNew = one.isCreate === true;
  return [isNew ? undefined : clean(old), isGone ? undefined : clean(fresh)];
};

const readHunk = (hunk: StructuredPatch["hunks"][number], heading: string): Hunk => {
  const marked: string[] = [];
  let newEndsOpen: boolean | undefined;
  let isAtEnd = false;
  for (const line of hunk.lines) {
    if (!line.startsWith("\\")) {
      marked.push(line);
      continue;
    }
    isAtEnd = true;
    const before = marked.at(-1) ?? "";
    // Said of an old line only, it means that the new one has its line ending.
    newEndsOpen = before.startsWith("-") ? (newEndsOpen ?? false) : true;
  }
  const isAddition = hunk.oldLines === 0;
  // A library may have moved the line of an addition by one; the header counts lines before it.
  const oldStart = isAddition ? additionStart(hunk.oldStart) : hunk.oldStart;
  const anchors = isAddition && heading.trim() !== "" ? [heading] : [];
  return hunkOf(marked, { anchors, oldStart, isAtEnd, newEndsOpen });
};

/** The parser adds one to the start of an empty range, to make it the line that follows. */
const additionStart = (start: number): number => start - 1;
