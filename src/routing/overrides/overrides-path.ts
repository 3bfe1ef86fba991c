/** Where the overrides lie: relative, inside the worktree, links resolved. */
import { dirname, join, relative, sep } from "node:path";
import type { Files } from "../../base/files.ts";
import { resolveInRepository } from "../../base/paths.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";

export interface OverridesPath {
  /** As git names it: links resolved, `/` between names. */
  readonly path: string;
  readonly absolute: string;
}

/** Throws ROUTING_PATH for anything that is not a plain place in this worktree. */
export const resolveOverridesPath = (
  worktree: string,
  given: string,
  files: Files,
): OverridesPath => {
  const refuse = (why: string): never => {
    throw new HeadgateError("ROUTING_PATH", `routing.path ${why}: ${showText(given)}`, {
      data: { path: given },
    });
  };
  if (/^([\\/]|[a-z]:)/i.test(given)) refuse("must be relative to the repository");
  const found = resolveInRepository([worktree], given, { cwd: worktree, files });
  if (!found.ok) {
    return refuse(found.code === "PATH_OUTSIDE" ? "leads out of the repository" : "is not a path");
  }
  const { absolute, root } = found;
  const path = relative(root, absolute).split(sep).join("/");
  if (path === "" || files.statFollowing(absolute)?.isDirectory()) refuse("must be a file");
  const names = path.toLowerCase().split("/");
  if (names.includes(".git")) refuse("must not lie in git's own folder");
  if (names[0] === ".headgate" && names[1] === "local") {
    refuse("must be a tracked file, and .headgate/local is not tracked");
  }
  for (let folder = dirname(absolute); folder.length > root.length; folder = dirname(folder)) {
    if (files.stat(join(folder, ".git"))) refuse("lies in another repository (a submodule)");
  }
  return { path, absolute };
};
