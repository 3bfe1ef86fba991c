/**
 * One spelling per file (C-12). Whatever way a path is written (`./a`, `a//b`, absolute, through a link,
 * in another worktree), the same file gets the same key, and nothing outside the repository gets one.
 * This says where a path leads now. A link swapped afterwards is caught where the file is opened.
 */
import { posix, sep, win32 } from "node:path";
import { HeadgateError } from "../errors.ts";
import { foldCase, isCaseInsensitive } from "./case-sensitivity.ts";
import { type Files, errnoOf, systemFiles } from "./files.ts";
import { limits } from "./limits.ts";
import { characterProblem, spellingProblem, splitPath } from "./path-spelling.ts";
import { composed, showText } from "./text.ts";

export interface PathOptions {
  /** Relative spellings start here. */
  readonly cwd: string;
  readonly files?: Files;
  /** Take it from the repository; without it the disk is probed on every call. */
  readonly caseInsensitive?: boolean;
  readonly platform?: NodeJS.Platform;
}

export type PathResult =
  | {
      readonly ok: true;
      /**
       * The key: relative to its worktree, `/` between names, NFC, case-folded where the disk is
       * case-insensitive, `.` for the root. For comparing and storing, not for opening.
       */
      readonly path: string;
      /** The real spelling, without links: for opening. */
      readonly absolute: string;
      /** The worktree it lies in, one of `roots` with its links resolved. */
      readonly root: string;
    }
  | {
      readonly ok: false;
      readonly code: "PATH_INVALID" | "PATH_OUTSIDE";
      readonly message: string;
    };

/**
 * `roots` are all worktrees of the repository; the longest that contains the path wins, so a worktree
 * inside another one is its own root. The path need not exist: its existing part is resolved, the rest
 * is taken as written.
 */
export const resolveInRepository = (
  roots: readonly string[],
  input: string,
  options: PathOptions,
): PathResult => {
  const { files = systemFiles, platform = ownPlatform } = options;
  const problem = spellingProblem(input, platform);
  if (problem !== undefined) return invalid(problem);
  const walk: Walk = { files, platform, names: platform === "win32" ? win32 : posix, hops: 0 };

  const real = follow(walk, input, options.cwd);
  if (!real.ok) return real;
  const place = locate(walk, roots, real.absolute);
  if (!place) return outside(input);
  const problemInTarget = characterProblem(place.relative);
  if (problemInTarget !== undefined) return invalid(problemInTarget);

  if (splitPath(input, platform).includes("..")) {
    // The system follows a link before it goes up, many programs cut the text first. Where the two
    // disagree, the path we judge and the path somebody opens would not be the same file.
    const cut = follow(walk, walk.names.resolve(options.cwd, input), options.cwd);
    if (!cut.ok) return cut;
    if (!locate(walk, roots, cut.absolute)) return outside(input);
    if (cut.absolute !== real.absolute) {
      return invalid(`".." after a link leads to two places, write it without: ${showText(input)}`);
    }
  }

  const insensitive = options.caseInsensitive ?? isCaseInsensitive(place.root, files);
  const path = splitPath(place.relative, platform).join("/");
  return {
    ok: true,
    path: insensitive ? foldCase(path) : composed(path),
    absolute: real.absolute,
    root: place.root,
  };
};

// Path rules differ only between Windows and the rest, and the separator tells which this is.
const ownPlatform: NodeJS.Platform = sep === win32.sep ? "win32" : "linux";

interface Walk {
  readonly files: Files;
  readonly platform: NodeJS.Platform;
  readonly names: typeof posix;
  /** Links followed by hand so far. */
  hops: number;
}

type Followed = { ok: true; absolute: string } | (PathResult & { ok: false });

const invalid = (message: string) => ({ ok: false, code: "PATH_INVALID", message }) as const;
const outside = (input: string) =>
  ({
    ok: false,
    code: "PATH_OUTSIDE",
    message: `the path leads outside the repository: ${showText(input)}`,
  }) as const;

/** Where the system would arrive, including names that do not exist yet. */
const follow = (walk: Walk, input: string, cwd: string): Followed => {
  const { files, names } = walk;
  const absolute = names.isAbsolute(input) ? input : `${cwd}${names.sep}${input}`;
  try {
    const existing = realPathIfExists(files, withoutEndSlash(walk, absolute));
    if (existing !== undefined) return { ok: true, absolute: existing };
    const written = walkByHand(walk, absolute);
    if (written === undefined) return invalid(`a loop of links: ${showText(input)}`);
    return { ok: true, absolute: realPrefix(walk, written) };
  } catch (error) {
    const reason = refusals[errnoOf(error) ?? ""];
    if (reason !== undefined) return invalid(`${reason}: ${showText(input)}`);
    throw new HeadgateError("STATE_IO", `cannot resolve the path ${showText(input)}`, {
      cause: error,
    });
  }
};

const refusals: Readonly<Record<string, string>> = {
  ELOOP: "a loop of links",
  ENAMETOOLONG: "the path is too long for this disk",
  EACCES: "no permission to look into a folder of the path",
  EPERM: "no permission to look into a folder of the path",
};

const realPathIfExists = (files: Files, path: string): string | undefined => {
  try {
    return files.realPath(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
};

/** `file.txt/` is the file; the system would only say that it is no folder. */
const withoutEndSlash = ({ names, platform }: Walk, path: string): string => {
  const cut = path.replace(platform === "win32" ? /(?<![\\/])[\\/]+$/ : /(?<!\/)\/+$/, "");
  return cut.length < names.parse(path).root.length ? names.parse(path).root : cut;
};

/** One name after the other, as the system does, but going on behind what does not exist. */
const walkByHand = (walk: Walk, absolute: string): string | undefined => {
  const { files, names, platform } = walk;
  let { root: place } = names.parse(absolute);
  const open = splitPath(absolute.slice(place.length), platform).toReversed();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      place = names.dirname(place);
      continue;
    }
    const next = names.join(place, name);
    if (!files.stat(next)?.isSymbolicLink()) {
      place = next;
      continue;
    }
    walk.hops += 1;
    if (walk.hops > limits.symlinkHopsMax) return undefined;
    const target = files.readLink(next);
    const { root } = names.parse(target);
    if (root !== "") place = names.resolve(place, root);
    open.push(...splitPath(target.slice(root.length), platform).toReversed());
  }
  return place;
};

/** The disk's own spelling (case, short names, drive letters) for as much of the path as exists. */
const realPrefix = ({ files, names }: Walk, path: string): string => {
  const tail: string[] = [];
  for (let place = path; ; place = names.dirname(place)) {
    const real = realPathIfExists(files, place);
    if (real !== undefined) return names.join(real, ...tail);
    if (names.dirname(place) === place) return path;
    tail.unshift(names.basename(place));
  }
};

/** Compared name by name after links are gone: `/root-evil` is not inside `/root`. */
const locate = (
  { files, names }: Walk,
  roots: readonly string[],
  absolute: string,
): { root: string; relative: string } | undefined => {
  let best: { root: string; relative: string } | undefined;
  for (const given of roots) {
    const root = realPathIfExists(files, given);
    if (root === undefined || (best && root.length <= best.root.length)) continue;
    if (absolute === root) best = { root, relative: "." };
    const prefix = root.endsWith(names.sep) ? root : root + names.sep;
    if (absolute.startsWith(prefix)) best = { root, relative: absolute.slice(prefix.length) };
  }
  return best;
};
