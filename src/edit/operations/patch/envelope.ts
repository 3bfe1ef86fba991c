/** The `*** Begin Patch` form: files by name, hunks by context instead of line numbers. */
import { HeadgateError } from "../../../errors.ts";
import { type FilePatch, hunkOf } from "./file-patch.ts";
import type { Hunk } from "./hunks.ts";

export const isEnvelope = (patch: string): boolean =>
  /^[^\S\n]*\*\*\* Begin Patch[ \t]*\r?$/m.test(patch);

export const readEnvelope = (patch: string): FilePatch[] => {
  const all = patch.replaceAll("\r\n", "\n").split("\n");
  const begin = all.findIndex((line) => line.trim() === "*** Begin Patch");
  const end = all.findIndex((line, index) => index > begin && line.trim() === "*** End Patch");
  if (end < 0) throw unreadable("it has no line *** End Patch");
  const lines = all.slice(begin + 1, end);
  const patches: FilePatch[] = [];
  let at = 0;
  while (at < lines.length) {
    const head = lines[at] ?? "";
    if (head.trim() === "") {
      at += 1;
      continue;
    }
    const found = /^\*\*\* (Add|Delete|Update) File: (.*\S)\s*$/.exec(head);
    if (!found) throw unreadable(`line ${begin + at + 2} is ${JSON.stringify(head.slice(0, 80))}`);
    let next = at + 1;
    while (next < lines.length && !/^\*\*\* (?:Add|Delete|Update) File: /.test(lines[next] ?? ""))
      next += 1;
    patches.push(filePatch(found[1] ?? "", found[2] ?? "", lines.slice(at + 1, next)));
    at = next;
  }
  if (patches.length === 0) throw unreadable("it names no file");
  return patches;
};

const filePatch = (what: string, path: string, lines: readonly string[]): FilePatch => {
  if (what === "Delete") {
    if (lines.some((line) => line.trim() !== ""))
      throw unreadable(`${path} is deleted, with lines behind it`);
    return { do: "delete", path, hunks: [] };
  }
  if (what === "Add") {
    const kept = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
    const strange = kept.find((line) => !line.startsWith("+"));
    if (strange !== undefined)
      throw unreadable(`a line of the new file ${path} does not begin with +`);
    return { do: "create", path, content: kept.map((line) => `${line.slice(1)}\n`).join("") };
  }
  const moved = /^\*\*\* Move to: (.*\S)\s*$/.exec(lines[0] ?? "")?.[1];
  const hunks = readHunks(path, moved === undefined ? lines : lines.slice(1));
  if (hunks.length === 0 && moved === undefined) throw unreadable(`${path} is updated by no hunk`);
  return { do: "update", path, hunks, ...(moved !== undefined && { to: moved }) };
};

const readHunks = (path: string, lines: readonly string[]): Hunk[] => {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let marked: string[] = [];
  const close = (isAtEnd: boolean): void => {
    // Blank lines between hunks are layout of the patch, not of the file.
    while (marked.at(-1) === "") marked.pop();
    if (marked.length > 0) {
      hunks.push(
        hunkOf(
          marked.map((line) => (line === "" ? " " : line)),
          { anchors, isAtEnd },
        ),
      );
      anchors = [];
    }
    marked = [];
  };
  for (const line of lines) {
    if (line.trimEnd() === "*** End of File") close(true);
    else if (line === "@@" || line.startsWith("@@ ")) {
      close(false);
      const anchor = line.slice(2).replace(/^ /, "").replace(/ @@$/, "");
      if (anchor.trim() !== "") anchors = [...anchors, anchor];
    } else if (line === "" || /^[ +-]/.test(line)) marked.push(line);
    else
      throw unreadable(
        `a line for ${path} begins with none of blank, - and +: ${JSON.stringify(line.slice(0, 80))}`,
      );
  }
  close(false);
  return hunks;
};

const unreadable = (why: string): HeadgateError =>
  new HeadgateError("PATCH_MISMATCH", `The patch cannot be read: ${why}.`);
