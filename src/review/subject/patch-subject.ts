/** A patch that somebody hands over: its files, with content where the worktree has it. */
import { limits } from "../../base/limits.ts";
import { resolveInRepository } from "../../base/paths.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { checkCount } from "./git-change.ts";
import { type PatchFile, readPatch } from "./patch.ts";
import { attributesFor, pathInside, type Place, readContent } from "./place.ts";
import { changedFile, countsOf, hunksFit } from "./subject-file.ts";
import type { SubjectFile } from "./types.ts";

export const patchFiles = (patch: Uint8Array, place: Place): SubjectFile[] => {
  if (patch.length > limits.reviewPatchBytesMax) {
    const message = `the patch has ${patch.length} bytes, a review takes ${limits.reviewPatchBytesMax}`;
    throw new HeadgateError("INPUT_TOO_LARGE", message);
  }
  const byPath = Map.groupBy(readPatch(patch), (one) => one.newPath ?? one.oldPath ?? "");
  for (const path of byPath.keys()) checkName(path);
  if (byPath.size === 0) {
    throw new HeadgateError(
      "USAGE",
      "standard input holds no unified diff (--- a/file, +++ b/file)",
    );
  }
  checkCount(byPath.size);
  const counts = attributesFor(place, [...byPath.keys()]);
  return [...byPath].flatMap(([path, patches]) => {
    const says = counts(path);
    const parts = {
      ...{ path, patches, status: statusOf(patches) },
      ...oldPathOf(patches),
      ...modeOf(patches),
      ...(says !== undefined && { counts: says }),
    };
    const plain = changedFile(parts);
    if (!plain || plain.status === "deleted") return plain ? [plain] : [];
    const content = contentAfter(plain, place);
    const known = content === undefined ? undefined : changedFile({ ...parts, content });
    return [known && hunksFit(known) ? known : plain];
  });
};

/** A new file is all in the patch; for others, the worktree's file before or after the patch. */
const contentAfter = (file: SubjectFile, place: Place): Buffer | undefined => {
  const [first] = file.hunks;
  if (file.status === "added") {
    if (file.hunks.length !== 1 || !first) return undefined;
    const text = first.lines.map((line) => line.slice(1)).join("\n");
    return Buffer.from(first.endsOpen ? text : `${text}\n`);
  }
  for (const path of new Set([file.path, file.oldPath ?? file.path])) {
    const content = worktreeContent(path, place);
    if (!content) continue;
    const text = content.toString("utf8");
    const isThere = hunksFit({ ...file, after: text }, true);
    const patched = applied(file, text);
    // Where the file could be either, the side of which more lines were found is right.
    const { added, removed } = countsOf(file.hunks);
    if (isThere && (patched === undefined || added >= removed)) return content;
    if (patched !== undefined) return Buffer.from(patched);
  }
  return undefined;
};

const worktreeContent = (path: string, place: Place): Buffer | undefined => {
  const { worktree, files, caseInsensitive } = place;
  const resolved = resolveInRepository([worktree], path, { cwd: worktree, files, caseInsensitive });
  if (!resolved.ok) return undefined;
  const read = readContent(place, pathInside(place, resolved.absolute));
  return read.state === "read" ? read.content : undefined;
};

/** Only where each line stands exactly where the patch says. */
const applied = ({ hunks }: SubjectFile, text: string): string | undefined => {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    // A hunk without old lines names the line before it.
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < at || start > lines.length) return undefined;
    for (; at < start; at += 1) result.push(lines[at] ?? "");
    for (const line of hunk.lines) {
      if (!line.startsWith("+")) {
        if (lines[at] !== line.slice(1)) return undefined;
        at += 1;
      }
      if (!line.startsWith("-")) result.push(line.slice(1));
    }
  }
  const { endsOpen } = hunks.at(-1) ?? {};
  const isShown = at === lines.length;
  const isOpen = isShown ? endsOpen === "new" || endsOpen === "both" : !text.endsWith("\n");
  const all = [...result, ...lines.slice(at)];
  return all.length === 0 ? "" : all.join("\n") + (isOpen ? "" : "\n");
};

const statusOf = (patches: readonly PatchFile[]): SubjectFile["status"] => {
  const last = patches.at(-1);
  if (last?.newPath === undefined) return "deleted";
  if (patches[0]?.oldPath === undefined) return "added";
  return patches[0].oldPath === last.newPath ? "modified" : "renamed";
};

const oldPathOf = (patches: readonly PatchFile[]): { oldPath?: string } => {
  const oldPath = patches[0]?.oldPath;
  return oldPath === undefined ? {} : { oldPath };
};

const modeOf = (patches: readonly PatchFile[]): { mode?: string } => {
  const [oldMode, newMode] = [patches[0]?.oldMode, patches.at(-1)?.newMode];
  if (newMode === undefined || newMode === oldMode) return {};
  if (oldMode !== undefined) return { mode: `${oldMode} → ${newMode}` };
  return newMode === "100644" ? {} : { mode: newMode };
};

/** Names are shown and compared, and a finding's place is made of them. */
const checkName = (path: string): void => {
  const isPlain = path !== "" && !path.startsWith("/") && !path.split("/").includes("..");
  if (isPlain && !/[\0\n]/.test(path)) return;
  throw new HeadgateError("PATH_INVALID", `the patch names ${showText(path)}: not inside here`);
};
