/** The files of the repository that an effect reaches, in the disk's own spelling. */
import { dirname, basename, join, relative, sep } from "node:path";
import { type Files, systemFiles } from "../../../base/files.ts";
import { resolveInRepository } from "../../../base/paths.ts";
import type { FileEffect, MoveEffect, ShellContext } from "./types.ts";

export interface FileTarget {
  /** Relative to its worktree; "." is the worktree itself. */
  readonly path: string;
  readonly absolute: string;
  readonly extent: "file" | "tree";
  readonly changesContent: boolean;
  readonly by: string;
  /** A whole linked worktree is deleted, and neither the client nor this command works in it. */
  readonly isSpareTree?: true;
}

/** Empty for what lies outside of the repository, or fails by itself. */
export const fileTargets = (
  effect: FileEffect | MoveEffect,
  context: ShellContext,
): FileTarget[] => {
  const { files = systemFiles } = context;
  if (effect.kind === "move") {
    const { path, to, by } = effect;
    const target = endOf(to, effect.into, files);
    // Git moves over nothing unless it is told to.
    if (by === "git mv" && lookAt(target, files)) return [];
    return [
      ...itself(path, { by, isTree: true, changesContent: true }, context),
      ...itself(target, { by, isTree: false, changesContent: true }, context),
    ];
  }
  const { by, isTree = false, keepsContent = false } = effect;
  if (effect.kind === "delete") {
    const stat = lookAt(effect.path, files);
    if (stat === undefined || (stat.isDirectory() && !isTree)) return [];
    return itself(effect.path, { by, isTree, changesContent: true, isDeletion: true }, context);
  }
  const path = endOf(effect.path, effect.into, files);
  const isThere = lookAt(path, files) !== undefined;
  const changesContent = !keepsContent || (!isThere && !/^ch(?:mod|own|grp)$/.test(by));
  if (by === "ln") return itself(path, { by, isTree, changesContent }, context);
  return locate(path, { by, isTree, changesContent }, context);
};

interface Rest {
  readonly by: string;
  readonly isTree: boolean;
  readonly changesContent: boolean;
  readonly isDeletion?: true;
}

export const endOf = (path: string, into: string | undefined, files: Files): string =>
  into !== undefined && isFolder(path, files) ? join(path, into) : path;

/** What cannot be looked at is not known to be there. */
export const lookAt = (path: string, files: Files) => {
  try {
    return files.stat(path);
  } catch {
    return undefined;
  }
};

const isFolder = (path: string, files: Files): boolean => {
  try {
    return files.statFollowing(path)?.isDirectory() === true;
  } catch {
    return false;
  }
};

/** The name itself, even if it is a link: that is what is moved or deleted. */
const itself = (path: string, rest: Rest, context: ShellContext): FileTarget[] => {
  const { files = systemFiles } = context;
  const whole = rest.isTree ? worktreesBelow(path, rest, context) : [];
  if (whole.length > 0) return whole;
  if (lookAt(path, files)?.isSymbolicLink() !== true) return locate(path, rest, context);
  return locate(dirname(path), rest, context).map((folder) => ({
    ...folder,
    extent: "file",
    // Claims are on what a link leads to, and that stays.
    changesContent: false,
    path: folder.path === "." ? basename(path) : `${folder.path}/${basename(path)}`,
    absolute: join(folder.absolute, basename(path)),
  }));
};

/** `rm -rf ..`, `git worktree remove ../x`: worktrees with everything in them. */
const worktreesBelow = (
  path: string,
  { by, changesContent, isDeletion }: Rest,
  { worktrees, root, cwd, files = systemFiles }: ShellContext,
): FileTarget[] => {
  const above = path.endsWith("/") ? path : `${path}/`;
  const inside = (worktrees ?? [root]).filter((one) => `${one}/`.startsWith(above));
  const isSpare = (one: string): boolean =>
    isDeletion === true &&
    one !== root &&
    !`${cwd}/`.startsWith(`${one}/`) &&
    lookAt(join(one, ".git"), files)?.isFile() === true;
  return inside.map((one) => ({
    ...{ path: ".", absolute: one, extent: "tree", changesContent, by },
    ...(isSpare(one) && { isSpareTree: true }),
  }));
};

const locate = (path: string, { by, isTree, changesContent }: Rest, context: ShellContext) => {
  const { root, worktrees = [root], cwd, caseInsensitive, files = systemFiles } = context;
  const found = resolveInRepository(worktrees, path, {
    cwd,
    files,
    ...(caseInsensitive !== undefined && { caseInsensitive }),
  });
  if (!found.ok) return [];
  const own = relative(found.root, found.absolute).split(sep).join("/");
  const extent = isTree && isFolder(found.absolute, files) ? "tree" : "file";
  const target: FileTarget = {
    path: own === "" ? "." : own,
    absolute: found.absolute,
    extent,
    changesContent,
    by,
  };
  return [target];
};
