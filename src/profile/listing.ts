/**
 * The files of a tree: what git tracks and what it would track (untracked, not ignored). Without git,
 * or in a folder that git ignores as a whole, the folder itself is walked, within bounds.
 */
import { errnoOf, type Files } from "../base/files.ts";
import { createGit, type Git } from "../git/index.ts";
import { HeadgateError } from "../errors.ts";
import { limits } from "../base/limits.ts";
import { isVendoredFolder } from "../base/path-kinds.ts";
import type { ProfileNote } from "./types.ts";

/** Many files at once, without an object for each. */
export interface FileList {
  /** A path is `text` from `start` to `end`: most are never needed as texts. `at` is for `blobAt`. */
  each(use: (text: string, start: number, end: number, at: number) => void): void;
  /** git's object id, where git knows the file. */
  blobAt(at: number): string | undefined;
  readonly isEmpty: boolean;
  /** Whether a file of this name may be among them. */
  mayHold(name: string): boolean;
}

export interface Listing {
  readonly source: "git" | "folder";
  readonly files: FileList;
  /** Looking for what git does not know takes longer than listing what it knows. */
  readonly untracked: Promise<FileList>;
  readonly notes: ProfileNote[];
  /** Once `untracked` is there: whether nothing had to be left out. */
  isComplete(): boolean;
}

export interface ListOptions {
  readonly git?: Git;
  /** When git was asked for them just now. */
  readonly untracked?: readonly string[];
}

export const listFiles = async (
  root: string,
  files: Files,
  options: ListOptions = {},
): Promise<Listing> => {
  const { git = createGit({ cwd: root }) } = options;
  const both = options.untracked ? undefined : await listAtOnce(root, files, git);
  if (both) return both;
  const outputBytesMax = limits.profileListingBytesMax;
  const notes: ProfileNote[] = [];
  let isWhole = true;
  const onCut = (): void => {
    if (isWhole) notes.push({ path: ".", message: tooManyFiles });
    isWhole = false;
  };
  const ask = async (): Promise<readonly string[]> => {
    if (options.untracked) return options.untracked;
    const args = ["ls-files", "-o", "-z", "--exclude-standard"] as const;
    const { stdout } = await git.run({ args, outputBytesMax });
    const all = parts(stdout);
    if (all.length >= limits.profileFilesMax) onCut();
    return all.filter((path) => !path.endsWith("/"));
  };
  const untracked = ask().then(pathList, (error: unknown) => {
    isWhole = false;
    notes.push({ path: ".", message: `untracked files are left out: ${messageOf(error)}` });
    return pathList([]);
  });
  try {
    const [{ stdout }, gone] = await Promise.all([
      git.run({ args: ["ls-files", "-s", "-z"], outputBytesMax }),
      goneFiles(git),
    ]);
    const tracked = withoutFiles(trackedList(stdout.toString("utf8"), { onCut }), gone);
    const isEmpty = tracked.isEmpty && (await untracked).isEmpty;
    if (!isEmpty)
      return { source: "git", files: tracked, untracked, notes, isComplete: () => isWhole };
    return walkFolder(root, files, []);
  } catch (error) {
    if (!HeadgateError.isInstance(error) || !error.code.startsWith("GIT_")) throw error;
    const isPlain = /not a git repository/.test(error.message) || error.code === "GIT_MISSING";
    const message = `git could not list the files, the folder was walked: ${error.message}`;
    await untracked;
    return walkFolder(root, files, isPlain ? [] : [{ path: ".", message }]);
  }
};

/**
 * One call of git for both lists: starting a second one takes longer than a small tree does. In a large
 * tree two of them side by side are faster. Undefined: it has to be done the long way.
 */
const listAtOnce = async (root: string, files: Files, git: Git): Promise<Listing | undefined> => {
  const index = files.stat(`${root}/.git/index`);
  if (index === undefined || index.size > smallIndexBytes) return undefined;
  const args = ["ls-files", "-t", "-s", "-c", "-o", "-z", "--exclude-standard"] as const;
  const outputBytesMax = limits.profileListingBytesMax;
  let [text, gone]: [string, ReadonlySet<string>] = ["", new Set()];
  try {
    const both = await Promise.all([git.run({ args, outputBytesMax }), goneFiles(git)]);
    [text, gone] = [both[0].stdout.toString("utf8"), both[1]];
  } catch (error) {
    if (HeadgateError.isInstance(error) && error.code.startsWith("GIT_")) return undefined;
    throw error;
  }
  // Each with a letter before it; those that git does not know come first.
  let at = 0;
  const others: string[] = [];
  while (text.startsWith("? ", at)) {
    const end = text.indexOf("\0", at);
    if (text[end - 1] !== "/") others.push(text.slice(at + 2, end));
    at = end + 1;
  }
  const listed = trackedList(at === 0 ? text : text.slice(at), { tagLength: "H ".length });
  const tracked = withoutFiles(listed, gone);
  if (tracked.isEmpty && others.length === 0) return undefined;
  const untracked = Promise.resolve(pathList(others));
  return { source: "git", files: tracked, untracked, notes: [], isComplete: () => true };
};

/** Tracked files that were removed, also where git does not know it. */
const goneFiles = async (git: Git): Promise<ReadonlySet<string>> => {
  const outputBytesMax = limits.profileListingBytesMax;
  const { stdout } = await git.run({ args: ["ls-files", "-d", "-z"], outputBytesMax });
  return new Set(parts(stdout));
};

const withoutFiles = (list: FileList, gone: ReadonlySet<string>): FileList => {
  if (gone.size === 0 || (gone.size === 1 && gone.has(""))) return list;
  return {
    ...list,
    each: (use) =>
      list.each((text, start, end, at) => {
        if (!gone.has(text.slice(start, end))) use(text, start, end, at);
      }),
    blobAt: (at) => list.blobAt(at),
    mayHold: (name) => list.mayHold(name),
  };
};

/** Of about ten thousand files. */
const smallIndexBytes = 1024 * 1024;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : "git failed";

const parts = (output: Buffer): string[] =>
  output.toString("utf8").split("\0", limits.profileFilesMax);

/** Of `git ls-files -s -z`: mode, object id and stage, then a tab and the path; with -t a tag before it. */
const trackedList = (
  text: string,
  { tagLength = 0, onCut }: { readonly tagLength?: number; readonly onCut?: () => void },
): FileList => ({
  each: (use) => {
    let lastStart = 0;
    let lastEnd = 0;
    let at = 0;
    for (let count = 0; count < limits.profileFilesMax; count += 1) {
      const end = text.indexOf("\0", at);
      if (end < 0) return;
      // Links and submodules are no files of ours.
      if (text.startsWith("100", at + tagLength)) {
        const start = text.indexOf("\t", at + tagLength + 48) + 1;
        // Of the stages of a conflict, which come one after the other, one is enough.
        const isStaged = text.charCodeAt(start - 2) !== zero;
        const isSame = isStaged && text.slice(start, end) === text.slice(lastStart, lastEnd);
        if (!isSame) use(text, start, end, at);
        lastStart = start;
        lastEnd = end;
      }
      at = end + 1;
    }
    if (at < text.length) onCut?.();
  },
  blobAt: (at) => {
    const start = at + tagLength + "100644 ".length;
    return text.slice(start, text.indexOf(" ", start));
  },
  isEmpty: text === "",
  mayHold: (name) => text.includes(`${name}\0`),
});

const tooManyFiles = `only the first ${limits.profileFilesMax} files were looked at`;
const zero = "0".charCodeAt(0);

const pathList = (paths: readonly string[]): FileList => ({
  each: (use) => {
    for (const path of paths) if (path !== "") use(path, 0, path.length, 0);
  },
  blobAt: () => undefined,
  isEmpty: !paths.some((path) => path !== ""),
  mayHold: (name) => paths.some((path) => path.endsWith(name)),
});

/** Links are not followed, so the walk ends even where folders link to each other. */
const walkFolder = (root: string, files: Files, before: readonly ProfileNote[]): Listing => {
  const found: string[] = [];
  const notes = [...before];
  const waiting: { readonly path: string; readonly depth: number }[] = [{ path: "", depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, depth } = next;
    let entries;
    try {
      entries = files.list(path === "" ? root : `${root}/${path}`);
    } catch (error) {
      const code = errnoOf(error) ?? "error";
      notes.push({ path: path || ".", message: `the folder cannot be listed (${code})` });
      continue;
    }
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (isVendoredFolder(entry.name, path === "")) continue;
        if (depth >= limits.profileWalkedDepthMax) {
          const message = `not looked at: folders are walked ${limits.profileWalkedDepthMax} deep`;
          notes.push({ path: inside, message });
          continue;
        }
        waiting.push({ path: inside, depth: depth + 1 });
      } else if (entry.isFile()) found.push(inside);
    }
    if (found.length >= limits.profileWalkedFilesMax) {
      notes.push({ path: ".", message: `only the first ${found.length} files were looked at` });
      break;
    }
  }
  const none = Promise.resolve(pathList([]));
  const isComplete = notes.length === 0;
  return {
    source: "folder",
    files: pathList(found),
    untracked: none,
    notes,
    isComplete: () => isComplete,
  };
};
