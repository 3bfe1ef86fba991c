/** The difference between two states that git knows, as files with their hunks and contents. */
import { HeadgateError } from "../../errors.ts";
import {
  type Git,
  type GitCall,
  splitNul,
  type Change,
  isNoObject,
  readBlobs,
  stagedChanges,
  treeChanges,
  worktreeChanges,
} from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import { languageOf } from "../../structure/index.ts";
import { attributesFor, type Place, readContent } from "./place.ts";
import { type PatchFile, readPatch } from "./patch.ts";
import { addedPatch, changedFile, type FileParts, hunksFit } from "./subject-file.ts";
import type { SubjectFile } from "./types.ts";

export type Side =
  | { readonly with: "index" }
  | { readonly with: "worktree" }
  | { readonly with: "commit"; readonly commit: string };

/** From `base` (a commit or tree) to the side. */
export const changeFiles = async (
  place: Place,
  git: Git,
  { base, side }: { readonly base: string; readonly side: Side },
): Promise<SubjectFile[]> => {
  for (let attempt = 1; ; attempt += 1) {
    place.checkStopped();
    const files = await readOnce(place, git, base, side);
    // Somebody writes while we read: the lines of the diff are not those of the file.
    const torn = side.with === "worktree" ? files.filter((file) => !hunksFit(file)) : [];
    if (torn.length === 0) return files;
    if (attempt < attemptsMax) continue;
    return files.map((file) => (torn.includes(file) ? withoutContent(file) : file));
  }
};

const attemptsMax = 3;

const readOnce = async (
  place: Place,
  git: Git,
  base: string,
  side: Side,
): Promise<SubjectFile[]> => {
  const changes = await changesOf(git, base, side);
  const fresh = side.with === "worktree" ? await untracked(git) : [];
  checkCount(changes.length + fresh.length);
  const patches = await patchesOf(git, base, side);
  const isInGit = (name: string | undefined): name is string =>
    name !== undefined && !isNoObject(name);
  // Of a binary file nothing is shown: a commit of many pictures need not be held in memory. Under the name of
  // a source it is looked at, because its bytes say whether it is one.
  const isBinary = (path: string): boolean =>
    languageOf(path) === "text" && (patches.get(path)?.some((patch) => patch.isBinary) ?? false);
  const total = totalCheck();
  const blobs = await readBlobs(
    git,
    changes
      .filter(({ kind, path }) => kind === "file" && !isBinary(path))
      .flatMap(({ after }) => (isInGit(after) ? [after] : [])),
    { bytesMax: limits.reviewFileBytesMax, checkTotal: total.add },
  );
  const counts = attributesFor(place, [...changes.map(({ path }) => path), ...fresh]);
  const found = new Map<string, SubjectFile>();
  const add = (parts: FileParts & { readonly isFromDisk?: boolean }): void => {
    const says = counts(parts.path);
    const file = changedFile({ ...parts, ...(says !== undefined && { counts: says }) });
    if (file) found.set(file.path, file);
    // Those that git keeps were counted before they were read.
    if (parts.isFromDisk) total.add(file?.after?.length ?? 0);
  };
  for (const change of changes) {
    const { path, from, kind, after } = change;
    add({
      ...{ path, kind, status: statusOf(change), patches: patches.get(path) ?? [] },
      ...(from !== undefined && { oldPath: from }),
      ...modeOf(change),
      ...(kind === "file" && isInGit(after) && fromBlob(blobs.get(after))),
      ...(kind === "file" &&
        after !== undefined &&
        isNoObject(after) && { ...fromDisk(place, path), isFromDisk: true }),
    });
  }
  for (const path of fresh) {
    // Taken out of the index only: the file is still there, and it is the removal that was changed.
    if (found.has(path)) continue;
    const read = readContent(place, path);
    if (read.state === "absent") continue;
    if (read.state === "too-large") {
      add({
        path,
        status: "added",
        patches: [{ isBinary: false, hunks: [], bytes: 0 }],
        isTooLarge: true,
      });
      continue;
    }
    const patches = [addedPatch(path, read.content)];
    if (read.state === "link") add({ path, kind: "link", status: "added", patches });
    else {
      const mode = read.isExecutable ? { mode: "100755" } : {};
      add({ path, status: "added", patches, content: read.content, isFromDisk: true, ...mode });
    }
  }
  return [...found.values()];
};

const changesOf = (git: Git, base: string, side: Side): Promise<Change[]> => {
  if (side.with === "commit") return treeChanges(git, base, side.commit);
  return side.with === "index" ? stagedChanges(git, base) : worktreeChanges(git, base);
};

/** Git writes names with quotes here where they are unusual: no name can be taken for another line. */
const patchOptions = [
  ...["-p", "--full-index", "--no-color", "--no-relative", "-U3", "--inter-hunk-context=0"],
  ...["--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--diff-algorithm=histogram"],
] as const;

/** By the path after the change; a file that becomes a link has two. */
const patchesOf = async (git: Git, base: string, side: Side): Promise<Map<string, PatchFile[]>> => {
  const ask = async (renames: readonly string[]): Promise<Buffer> => {
    const options = [...patchOptions, ...renames];
    const call: GitCall =
      side.with === "commit"
        ? { args: ["diff-tree", "-r", ...options], revisions: [base, side.commit] }
        : {
            args: ["diff-index", ...(side.with === "index" ? ["--cached"] : []), ...options],
            revisions: [base],
          };
    const { stdout } = await git.run({ ...call, outputBytesMax: limits.reviewPatchBytesMax });
    return stdout;
  };
  let patch: Buffer;
  try {
    patch = await ask(["-M", "-l1000"]);
  } catch (error) {
    if (!HeadgateError.isInstance(error)) throw error;
    if (error.code === "GIT_LIMIT" && /printed more/.test(error.message)) throw tooLarge(error);
    if (error.code !== "GIT_FAILED") throw error;
    // A partial clone lacks the contents that moved files are recognised by.
    patch = await ask(["--no-renames"]);
  }
  return Map.groupBy(readPatch(patch, "utf8"), (one) => one.newPath ?? one.oldPath ?? "");
};

/** Not ignored; repositories inside are not looked into. */
const untracked = async (git: Git): Promise<string[]> => {
  const { stdout } = await git.run({
    args: ["ls-files", "-z", "--others", "--exclude-standard", "--full-name"],
  });
  return splitNul(stdout).filter((path) => !path.endsWith("/"));
};

export const checkCount = (count: number): void => {
  if (count <= limits.reviewFilesMax) return;
  throw new HeadgateError(
    "INPUT_TOO_LARGE",
    `the subject has ${count} files, a review takes ${limits.reviewFilesMax}: review it in parts`,
  );
};

/** Counts contents, and refuses what would not fit into memory. */
export const totalCheck = (): { add(bytes: number): void } => {
  let total = 0;
  return {
    add: (bytes) => {
      total += bytes;
      if (total <= limits.reviewBytesMax) return;
      throw new HeadgateError(
        "INPUT_TOO_LARGE",
        `the files have more than ${limits.reviewBytesMax} bytes together: review them in parts`,
      );
    },
  };
};

const tooLarge = (cause: unknown): HeadgateError =>
  new HeadgateError(
    "INPUT_TOO_LARGE",
    `the change is larger than ${limits.reviewPatchBytesMax} bytes: review it in parts`,
    { cause },
  );

const statusOf = ({ from, modes }: Change): SubjectFile["status"] => {
  if (modes.before === undefined) return "added";
  if (modes.after === undefined) return "deleted";
  return from === undefined ? "modified" : "renamed";
};

const modeOf = ({ modes: { before, after } }: Change): { mode?: string } => {
  if (before === after || after === undefined) return {};
  if (before !== undefined) return { mode: `${before} → ${after}` };
  return after === "100644" ? {} : { mode: after };
};

const fromBlob = (content: Buffer | undefined): Partial<FileParts> =>
  content === undefined ? { isTooLarge: true } : { content };

const fromDisk = (place: Place, path: string): Partial<FileParts> => {
  const read = readContent(place, path);
  if (read.state === "read") return { content: read.content };
  return read.state === "too-large" ? { isTooLarge: true } : {};
};

const withoutContent = (file: SubjectFile): SubjectFile => {
  const { after: _, ...rest } = file;
  return rest;
};
