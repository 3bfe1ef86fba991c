/**
 * T-07: what no agent writes through any door, wherever it is. Paths inside the repository have rules of
 * their own (rules/path-policy.ts, rules/arming.ts); this is about where a path leads on the whole machine.
 */
import { basename, dirname, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { waysTo } from "../base/link-ways.ts";
import { isOrdinaryDevice } from "../base/path-kinds.ts";
import { showText } from "../base/text.ts";
import { type GuardedPlace, guardedPlaces } from "./guarded-places.ts";
import type { Reason } from "./types.ts";

export interface GuardOptions {
  readonly environment: Environment;
  readonly repository: {
    readonly worktrees: readonly string[];
    readonly commonDir?: string | undefined;
    readonly localDir: string;
  };
  readonly files?: Files;
}

/**
 * Why an absolute path is not for agents. `tree`: with everything below it, as `rm -r` and `mv` take it. `name`:
 * the name itself, though it may be a link, as `rm` takes it.
 */
export type WriteGuard = (path: string, extent?: "file" | "tree" | "name") => Reason | undefined;

export const openGuard = ({
  environment,
  repository,
  files = systemFiles,
}: GuardOptions): WriteGuard => {
  const { worktrees, commonDir, localDir } = repository;
  let known: readonly KnownPlace[] | undefined;
  const places = () => {
    const real = realNames(files);
    return (known ??= guardedPlaces(environment)
      // Who works on Headgate or on a Node has it as the repository: its files are the work.
      .filter(({ path }) => !worktrees.some((root) => `${root}/`.startsWith(path)))
      .map((place) => resolved(place, { worktrees, files, real })));
  };
  const isGits = (way: string): boolean => {
    const folders = [...(commonDir === undefined ? [] : [commonDir]), ...armedGit(way, files)];
    // A bare repository may have its worktrees in its own folder.
    return folders.some(
      (folder) =>
        isIn(way, folder) && !worktrees.some((root) => isIn(root, folder) && isIn(way, root)),
    );
  };
  return (path, extent = "file") => {
    const root = worktrees.find((one) => isIn(path, one));
    const own = root === undefined || path === root ? path : path.slice(root.length + 1);
    const refuse = (owner: PlaceOwner): Reason => ({
      ...words[owner](showText(own, 120)),
      path: own,
    });
    const ways = walk(withoutHidden(path), extent, files);
    if (isOrdinaryDevice(ways[0] ?? "")) return undefined;
    if (ways.some(isKernels)) return refuse("system");
    for (const way of ways) {
      if (isIn(way, localDir)) return refuse("headgate");
      if (isGits(way)) return refuse("git");
      const found = places().find((place) => place.covers(way));
      if (found) return refuse(found.owner);
    }
    const end = ways.at(-1) ?? path;
    const stat = lookAt(end, files);
    const twin =
      stat?.isFile() && stat.nlink > 1 ? places().find((place) => place.isSame(stat)) : undefined;
    if (twin) return refuse(twin.owner);
    if (extent !== "tree") return undefined;
    if (commonDir !== undefined && isIn(commonDir, end)) return refuse("git");
    const below = places().find((place) => place.isBelow(end));
    return below && refuse(below.owner);
  };
};

const walk = (path: string, extent: string, files: Files): readonly string[] =>
  extent === "name"
    ? waysTo(dirname(path), files).map((folder) => join(folder, basename(path)))
    : waysTo(path, files);

type PlaceOwner = GuardedPlace["owner"] | "system";

interface Inode {
  readonly ino: number;
  readonly dev: number;
}

interface KnownPlace {
  readonly owner: PlaceOwner;
  covers(path: string): boolean;
  /** Another name of the same file (a hard link). */
  isSame(file: Inode): boolean;
  isBelow(folder: string): boolean;
}

const resolved = (
  { path, owner }: GuardedPlace,
  {
    worktrees,
    files,
    real,
  }: {
    readonly worktrees: readonly string[];
    readonly files: Files;
    readonly real: (path: string) => string;
  },
): KnownPlace => {
  const kind = path.endsWith("/") ? "tree" : path.endsWith("*") ? "start" : "file";
  const bare = kind === "file" ? path : path.slice(0, -1);
  const names = [...new Set([bare, real(bare)])].map((one) => one.toLowerCase());
  const isProgram =
    owner === "node" || (owner === "headgate" && worktrees.some((root) => isIn(bare, root)));
  return {
    owner,
    covers: (way) => {
      const lower = way.toLowerCase();
      if (kind === "tree") return names.some((name) => isIn(lower, name));
      if (kind === "file") return names.includes(lower);
      return names.some(
        (name) => lower.startsWith(name) && !lower.slice(name.length).includes("/"),
      );
    },
    isSame: ({ ino, dev }) => {
      const own = kind === "file" ? lookAt(real(bare), files) : undefined;
      return own?.ino === ino && own.dev === dev;
    },
    isBelow: (folder) => {
      // `rm -rf node_modules`, though Headgate is in it, is everyday work.
      if (isProgram && worktrees.some((root) => isIn(folder, root))) return false;
      const there = kind === "start" ? dirname(bare) : bare;
      return names.some((name) => isIn(name, folder.toLowerCase())) && exists(there, files);
    },
  };
};

/** Where paths end that share most of their folders; a folder that is not there holds nothing. */
const realNames = (files: Files): ((path: string) => string) => {
  const folders = new Map<string, string | undefined>();
  return (path) => {
    const above = dirname(path);
    if (!folders.has(above)) {
      folders.set(above, exists(above, files) ? waysTo(above, files).at(-1) : undefined);
    }
    const folder = folders.get(above);
    if (folder === undefined) return path;
    const own = join(folder, basename(path));
    return lookAt(own, files)?.isSymbolicLink() ? (waysTo(own, files).at(-1) ?? own) : own;
  };
};

/** Compared name by name: `/a/bc` is not in `/a/b`. */
const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Disks that ignore these characters would open the file without them. */
const withoutHidden = (path: string): string =>
  path.replaceAll(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "");

const isKernels = (path: string): boolean =>
  // Under /dev/shm are ordinary files, whole checkouts among them.
  /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/.test(path) && !isOrdinaryDevice(path);

/** Git's folder of any repository that Headgate guards. */
const armedGit = (path: string, files: Files): string[] => {
  const found = /^(.*?\/\.git)(?:\/|$)/i.exec(path)?.[1];
  return found !== undefined && exists(join(found, "headgate"), files) ? [found] : [];
};

const exists = (path: string, files: Files): boolean => lookAt(path, files) !== undefined;

/** A name that cannot be looked at is not known to be there. */
const lookAt = (path: string, files: Files) => {
  try {
    return files.stat(path);
  } catch {
    return undefined;
  }
};

const askPerson = "Leave it as it is. If it must change, ask the person you work for.";

const words: Readonly<Record<PlaceOwner, (shown: string) => Omit<Reason, "path">>> = {
  headgate: (shown) => ({
    code: "PATH_OWN",
    message: `${shown} belongs to Headgate`,
    remedy: askPerson,
  }),
  client: (shown) => ({
    code: "PATH_PROTECTED",
    message: `${shown} holds a person's settings of an agent client, which the hooks are armed by`,
    remedy: askPerson,
  }),
  git: (shown) => ({
    code: "PATH_GIT",
    message: `${shown} belongs to git`,
    remedy: "Use git commands to change what git keeps.",
  }),
  node: (shown) => ({
    code: "PATH_PROTECTED",
    message: `${shown} belongs to the Node that runs Headgate`,
    remedy: askPerson,
  }),
  system: (shown) => ({
    code: "PATH_SPECIAL",
    message: `${shown} belongs to the system, not to the project`,
    remedy: "Name a regular file by its own path.",
  }),
};
