import { posix, relative, sep } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { errnoOf, type Files, systemFiles } from "../../base/files.ts";
import { createGit, type Git, type Repository } from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import type { Processes } from "../../base/processes.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { type AttributeRule, readAttributes, ruleFor } from "../../profile/index.ts";

/** What reading a subject needs. */
export interface SubjectParts {
  readonly repository: Pick<Repository, "kind" | "worktree" | "caseInsensitive">;
  /** Paths start here; the worktree when not told. */
  readonly cwd?: string;
  readonly files?: Files;
  readonly processes?: Processes;
  readonly environment?: Environment;
  readonly signal?: AbortSignal;
}

export interface Place {
  readonly worktree: string;
  readonly cwd: string;
  readonly files: Files;
  /** Undefined: no git repository. */
  readonly git?: Git;
  readonly caseInsensitive: boolean;
  checkStopped(): void;
}

export const settlePlace = (parts: SubjectParts): Place => {
  const { repository, files = systemFiles, signal } = parts;
  const { worktree, caseInsensitive } = repository;
  const { environment, processes } = parts;
  const options = { cwd: worktree, files, ...(environment && { environment }) };
  return {
    ...{ worktree, cwd: parts.cwd ?? worktree, files, caseInsensitive },
    ...(repository.kind === "git" && {
      git: createGit({ ...options, ...(processes && { processes }) }),
    }),
    checkStopped: () => signal?.throwIfAborted(),
  };
};

/** Of a file in the worktree, by its path from there. A link is not followed. */
export type ReadContent =
  | { readonly state: "read"; readonly content: Buffer; readonly isExecutable: boolean }
  | { readonly state: "link"; readonly content: Buffer }
  | { readonly state: "too-large" }
  | { readonly state: "absent" };

export const readContent = ({ worktree, files }: Place, path: string): ReadContent => {
  const absolute = `${worktree}${sep}${path.split("/").join(sep)}`;
  try {
    const stats = files.stat(absolute);
    if (stats?.isSymbolicLink()) {
      return { state: "link", content: Buffer.from(files.readLink(absolute)) };
    }
    if (!stats?.isFile()) return { state: "absent" };
    if (stats.size > limits.reviewFileBytesMax) return { state: "too-large" };
    const isExecutable = (stats.mode & 0o100) !== 0;
    return { state: "read", content: files.readFile(absolute), isExecutable };
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === "ENOENT" || errno === "ENOTDIR") return { state: "absent" };
    if (errno === undefined) throw cause;
    const message = `cannot read ${showText(path)}: ${errno}`;
    throw new HeadgateError("STATE_IO", message, { data: { path, errno }, cause });
  }
};

/** From the worktree, with `/` between names; `.` for the worktree itself. */
export const pathInside = ({ worktree }: Place, absolute: string): string =>
  relative(worktree, absolute).split(sep).join("/") || ".";

/** What .gitattributes say about each of these: false, a program wrote it; true, it counts in any case. */
export const attributesFor = (
  place: Place,
  paths: readonly string[],
): ((path: string) => boolean | undefined) => {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      if (folders.has(folder)) break;
      folders.add(folder);
      if (folder === ".") break;
    }
  }
  const rules: AttributeRule[] = [];
  // The deepest file decides, so it comes last.
  const ordered = [...folders].toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  for (const folder of ordered.slice(0, foldersMax)) {
    const name = folder === "." ? "" : folder;
    const found = readContent(place, name === "" ? ".gitattributes" : `${name}/.gitattributes`);
    if (found.state === "read") rules.push(...readAttributes(found.content.toString("utf8"), name));
  }
  return (path) => (rules.length === 0 ? undefined : ruleFor(rules, path).counts);
};

const foldersMax = 2000;
const depth = (folder: string): number => (folder === "." ? 0 : folder.split("/").length);
