/**
 * Where a path that a client names lies. Worked out as the system will: the nearest folder that exists is
 * taken by its real name. A link inside the repository that leads out of it counts as inside, so that the
 * gate sees it and refuses it; a link from outside into the repository counts as what it leads to.
 */
import { dirname, join, resolve } from "node:path";
import { errnoOf, type Files, systemFiles } from "../../base/files.ts";
import { resolveInRepository } from "../../base/paths.ts";
import { HeadgateError } from "../../errors.ts";

export interface Placed {
  /** One of the repository's worktrees. */
  readonly root: string;
  /** Relative to it, with slashes. */
  readonly path: string;
}

/** Undefined: outside, and the client's business. Throws PATH_INVALID for what leads to two places. */
export const placeOf = (
  file: string,
  roots: readonly string[],
  files: Files = systemFiles,
): Placed | undefined => {
  const found = placePlain(file, roots, files);
  if (file.split("/").includes("..")) refuseTwoPlaces(file, roots, { found, files });
  return found;
};

const placePlain = (file: string, roots: readonly string[], files: Files): Placed | undefined => {
  const path = resolve(file);
  let folder = path;
  do {
    folder = dirname(folder);
    const real = realOf(folder, files);
    const found =
      real === undefined ? undefined : inside(join(real, path.slice(folder.length)), roots);
    if (found) return found;
  } while (folder !== dirname(folder));
  const target = realOf(path, files);
  return target === undefined ? undefined : inside(target, roots);
};

/** The longest root wins: a worktree may lie inside another one. */
const inside = (path: string, roots: readonly string[]): Placed | undefined => {
  const root = roots
    .filter((one) => path.startsWith(`${one}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  return root === undefined ? undefined : { root, path: path.slice(root.length + 1) };
};

const realOf = (path: string, files: Files): string | undefined => {
  try {
    return files.realPath(path);
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};

/** The system follows a link before it goes up, a program that tidies the path first does not. */
const refuseTwoPlaces = (
  file: string,
  roots: readonly string[],
  { found, files }: { readonly found: Placed | undefined; readonly files: Files },
): void => {
  const real = resolveInRepository(roots, file, { cwd: "/", files });
  if (real.ok || (real.code === "PATH_OUTSIDE" && !found)) return;
  const message =
    real.code === "PATH_OUTSIDE" ? '".." after a link leads out of the repository' : real.message;
  throw new HeadgateError("PATH_INVALID", message);
};
