/** What a worktree's files are at one moment, cheaply: only those that differ from the last commit. */
import { hash } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "../../../base/clock.ts";
import { type Files, openFlags } from "../../../base/files.ts";
import { type Git, gitDirOf, splitNul } from "../../../git/index.ts";
import { readFirst } from "../../../base/open-file.ts";
import { HeadgateError } from "../../../errors.ts";
import { contentHash } from "../../../state/index.ts";
import { listDirty } from "../shell/index.ts";
import { ringLimits } from "./ring-limits.ts";

/** Null hash: not there. Undefined hash: too large or not asked for, so known by its numbers only. */
export interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  readonly hash?: string | null;
  readonly isTracked: boolean;
}

export interface WorktreeState {
  /** The commit; null before the first one and without git. */
  readonly head: string | null;
  /** Undefined where none is checked out, or it is not known. */
  readonly branch?: string;
  readonly files: Readonly<Record<string, FileState>>;
}

export interface LookOptions {
  readonly root: string;
  readonly kind: "git" | "folder";
  readonly git: () => Git;
  readonly files: Files;
  readonly clock: Clock;
  /** An earlier state: files with the same numbers since then are not read again. */
  readonly known?: { readonly state: WorktreeState; readonly at: number };
}

/** Over a limit: the comparison is not made, and this is why. */
export class NotCompared extends Error {}

/** Throws NotCompared. */
export const lookAtWorktree = async (options: LookOptions): Promise<WorktreeState> => {
  const { root, kind, files, clock } = options;
  const budget = new LookBudget(clock);
  if (kind === "folder") {
    return { head: null, files: Object.fromEntries(walk(root, files, budget)) };
  }
  try {
    const git = options.git();
    const [head, dirty] = await Promise.all([readHead(git), listDirty(git, ringLimits.lookMs)]);
    const watched = dirty.filter(({ path }) => !path.startsWith(".headgate/local/"));
    if (watched.length > ringLimits.filesMax) {
      throw new NotCompared(
        `${watched.length} uncommitted files; ${ringLimits.filesMax} are watched`,
      );
    }
    const found = watched.map(({ path, isTracked }) => {
      budget.check();
      const known = knownState(path, options.known);
      const look = { files, isTracked, budget, ...(known && { known }) };
      return [path, stateOf(join(root, path), look)] as const;
    });
    const branch = readBranch(root, files);
    return { head, ...(branch !== undefined && { branch }), files: Object.fromEntries(found) };
  } catch (error) {
    if (HeadgateError.isInstance(error)) throw new NotCompared(error.message);
    throw error;
  }
};

/** From git's own file: starting git for it would cost every command some milliseconds. */
const readBranch = (root: string, files: Files): string | undefined => {
  const folder = gitDirOf(root, files);
  const text = folder === undefined ? undefined : readHeadFile(join(folder, "HEAD"), files);
  const name = text === undefined ? undefined : /^ref: refs\/heads\/(.*\S)\s*$/.exec(text)?.[1];
  // Where references are kept in another form, the file says nothing.
  return name === ".invalid" ? undefined : name;
};

const readHeadFile = (path: string, files: Files): string | undefined =>
  files.stat(path)?.isFile() ? files.readFile(path).toString("utf8").slice(0, 1024) : undefined;

/** Null before the first commit. */
export const readHead = async (git: Git): Promise<string | null> => {
  const { stdout } = await git.run({
    args: ["rev-parse", "--verify", "--quiet", "HEAD"],
    okCodes: [0, 1, 128],
    timeoutMs: ringLimits.lookMs,
  });
  return stdout.toString("utf8").trim() || null;
};

/** Files that git itself changed by going from one commit to another. */
export const changedByCommits = async (git: Git, from: string, to: string): Promise<string[]> => {
  const { stdout } = await git.run({
    args: ["diff-tree", "-r", "--name-only", "--no-renames", "-z"],
    revisions: [from, to],
    timeoutMs: ringLimits.lookMs,
    okCodes: [0, 128],
  });
  return splitNul(stdout);
};

/** Which of these files hold what the commit has of them; only their modes can differ. */
export const sameAsCommitted = async (
  paths: readonly string[],
  { git, head, root, files }: { git: Git; head: string; root: string; files: Files },
): Promise<ReadonlySet<string>> => {
  const same = new Set<string>();
  for (let from = 0; from < paths.length; from += pathsPerCall) {
    const { stdout } = await git.run({
      args: ["ls-tree", "-r", "-z"],
      revisions: [head],
      paths: paths.slice(from, from + pathsPerCall),
      timeoutMs: ringLimits.lookMs,
    });
    for (const line of splitNul(stdout)) {
      const [, id = "", path = ""] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (path !== "" && blobId(join(root, path), id.length, files) === id) same.add(path);
    }
  }
  return same;
};

/** A command line holds only so much. */
const pathsPerCall = 500;

const blobId = (absolute: string, length: number, files: Files): string | undefined => {
  try {
    const content = readPlain(absolute, files);
    if (!content) return undefined;
    const bytes = Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]);
    return hash(length === 64 ? "sha256" : "sha1", bytes, "hex");
  } catch {
    return undefined;
  }
};

/** A file as it was in a commit; undefined where it was not in it. */
export const contentInCommit = async (
  git: Git,
  commit: string,
  path: string,
): Promise<Buffer | undefined> => {
  const { code, stdout } = await git.run({
    args: ["cat-file", "blob"],
    revisions: [`${commit}:${path}`],
    okCodes: [0, 128],
    timeoutMs: ringLimits.lookMs,
  });
  return code === 0 ? stdout : undefined;
};

export class LookBudget {
  readonly #clock: Clock;
  readonly #until: number;
  bytes: number = ringLimits.hashedBytesMax;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#until = clock.monoMs() + ringLimits.lookMs;
  }

  check(): void {
    if (this.#clock.monoMs() > this.#until) {
      throw new NotCompared(`looking took longer than ${ringLimits.lookMs} ms`);
    }
  }
}

/** File systems keep time in steps of a few milliseconds. */
export const timeStepMs = 50;

const knownState = (path: string, known: LookOptions["known"]): FileState | undefined => {
  if (!known || !Object.hasOwn(known.state.files, path)) return undefined;
  const state = known.state.files[path];
  // What was changed right before that look may have been changed right after it, too.
  return state && state.ctimeMs < known.at - timeStepMs ? state : undefined;
};

const hasSameNumbers = (a: FileState, b: Omit<FileState, "hash">): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;

const absent = { size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0, hash: null } as const;

/** Links are known by where they lead, anything else but files by nothing. */
export const stateOf = (
  absolute: string,
  options: {
    readonly files: Files;
    readonly isTracked: boolean;
    readonly budget: LookBudget;
    readonly hashes?: boolean;
    readonly known?: FileState;
  },
): FileState => {
  const { files, isTracked, budget, hashes = true, known } = options;
  const stat = statOf(absolute, files);
  if (stat === undefined || stat.isDirectory()) return { ...absent, isTracked };
  const { size, mtimeMs, ctimeMs, ino: inode } = stat;
  const state = { size, mtimeMs, ctimeMs, inode, isTracked };
  if (known && hasSameNumbers(known, state)) return { ...known, isTracked };
  if (!hashes || size > ringLimits.hashedFileBytesMax || size > budget.bytes) return state;
  try {
    if (stat.isSymbolicLink()) return { ...state, hash: contentHash(files.readLink(absolute)) };
    if (!stat.isFile()) return state;
    budget.bytes -= size;
    const content = readPlain(absolute, files);
    return content ? { ...state, hash: contentHash(content) } : state;
  } catch {
    // Not readable for us: its numbers must do.
    return state;
  }
};

/** Follows no link and never waits for a pipe. */
export const readPlain = (absolute: string, files: Files): Buffer | undefined => {
  const fd = files.open(absolute, openFlags.read | openFlags.noFollow | openFlags.noWait);
  try {
    const stat = files.statHandle(fd);
    if (!stat.isFile() || stat.size > ringLimits.hashedFileBytesMax) return undefined;
    return readFirst(files, fd, stat.size);
  } finally {
    files.close(fd);
  }
};

const statOf = (absolute: string, files: Files) => {
  try {
    return files.stat(absolute);
  } catch {
    return undefined;
  }
};

const skipped = new Set([".git", ".headgate", "node_modules"]);

/** Without git every file counts, by its numbers alone. */
const walk = (root: string, files: Files, budget: LookBudget): Map<string, FileState> => {
  const found = new Map<string, FileState>();
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    budget.check();
    for (const entry of listOf(join(root, folder), files)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !skipped.has(entry.name)) open.push(path);
      if (!entry.isFile()) continue;
      const options = { files, isTracked: false, budget, hashes: false };
      found.set(path, stateOf(join(root, path), options));
      if (found.size > ringLimits.filesMax) {
        throw new NotCompared(`no git, and more than ${ringLimits.filesMax} files: not watched`);
      }
    }
  }
  return found;
};

const listOf = (folder: string, files: Files) => {
  try {
    return files.list(folder);
  } catch {
    return [];
  }
};
