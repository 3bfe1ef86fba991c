/** T-07: `git checkout OLD -- .claude/settings.json` must not bring back settings in which Headgate is called less. */
import { join, relative, sep } from "node:path";
import { type Files, systemFiles } from "../../../base/files.ts";
import { limits } from "../../../base/limits.ts";
import { arming, armingFiles, type Reason } from "../../../gate/index.ts";
import { createGit } from "../../../git/index.ts";
import { worktreeOf } from "./judge-git.ts";
import type { GitEffect, ShellContext } from "./types.ts";

/** A branch that is checked out as a whole is a person's or the work's; the hooks and `status` name its settings. */
export const olderSettings = async (
  effect: GitEffect,
  context: ShellContext,
): Promise<Reason | undefined> => {
  const { by, dirty, paths, source } = effect;
  if (source === undefined) return undefined;
  const root = worktreeOf(effect.at, context);
  if (root === undefined) return undefined;
  const { files = systemFiles, environment } = context;
  const named = paths.map((path) => relative(root, path).split(sep).join("/"));
  const isNamed = (path: string): boolean =>
    dirty === "all" ||
    named.some((one) => one === "" || one === path || path.startsWith(`${one}/`));
  for (const path of armingFiles.filter(isNamed)) {
    const now = contentNow(join(root, path), files);
    if (now === undefined) continue;
    const git = context.git ?? createGit({ cwd: root, ...(environment && { environment }) });
    const { code, stdout } = await git.run({
      args: ["cat-file", "blob"],
      revisions: [`${source}:${path}`],
      okCodes: [0, 128],
    });
    // Git leaves alone what that commit does not have; only `restore` takes it away.
    if (code !== 0 && !by.endsWith("restore")) continue;
    const then = code === 0 ? stdout : Buffer.alloc(0);
    if (then.equals(now)) continue;
    const [found] = await arming({ path, beforeBytes: now, afterBytes: then });
    if (!found) continue;
    const { code: refused, message, remedy } = found;
    return { code: refused, path, message: `${by}: ${message}`, remedy };
  }
  return undefined;
};

const contentNow = (absolute: string, files: Files): Buffer | undefined => {
  const stat = files.stat(absolute);
  const isRead = stat?.isFile() === true && stat.size <= limits.gitSettingsBytesMax;
  return isRead ? files.readFile(absolute) : undefined;
};
