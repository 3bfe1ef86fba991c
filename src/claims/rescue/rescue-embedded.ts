/**
 * Repositories inside a worktree: submodules, and clones that lie around. Git does not look into them, a
 * claim does. Their files are saved with the worktree's own, because only that repository is ours.
 */
import { isUtf8 } from "node:buffer";
import { limits } from "../../base/limits.ts";
import type { GitPorts, Repository } from "../../git/index.ts";
import { HeadgateError } from "../../errors.ts";
import { bytesOf, createLook, type Skipped, textOf } from "./rescue-content.ts";
import type { RescueFilter } from "./rescue-filter.ts";
import { embeddedAbove, type Scan, scanWorktree } from "./rescue-scan.ts";

export interface Embedded {
  /** Relative to the worktree. */
  readonly dirty: readonly string[];
  /** Which commit each of them is at. */
  readonly heads: ReadonlyMap<string, string>;
  /** Those that could not be searched. */
  readonly failed: ReadonlySet<string>;
  readonly skipped: Skipped[];
}

export const scanEmbedded = async (
  worktree: string,
  scan: Scan,
  {
    repository,
    filter,
    ports,
  }: {
    readonly repository: Repository;
    readonly filter: RescueFilter;
    readonly ports: GitPorts;
  },
): Promise<Embedded> => {
  const { files } = ports;
  const dirty: string[] = [];
  const heads = new Map<string, string>();
  const failed = new Set<string>();
  const skipped: Skipped[] = [];
  const look = createLook(worktree, files);
  const open = [...embeddedAbove(worktree, filter.within, files), ...scan.embedded];
  for (let index = 0; index < open.length; index += 1) {
    const folder = open[index] ?? "";
    if (index >= limits.rescuePlacesMax) {
      skipped.push({ path: textOf(folder), why: "too many repositories inside this one" });
      continue;
    }
    const root = `${worktree}/${textOf(folder)}`;
    // Without `.git` it is a submodule that was never fetched; a worktree of ours has its own turn.
    if (open.indexOf(folder) < index || repository.worktrees.includes(root)) continue;
    if (look(`${folder}/.git`).kind === "absent") continue;
    try {
      if (!isUtf8(bytesOf(folder))) throw new HeadgateError("GIT_FAILED", "its name is not UTF-8");
      const inside = await scanWorktree(root, withinOf(filter.within, textOf(folder)), ports);
      if (inside.head) heads.set(folder, inside.head.commit);
      dirty.push(...inside.dirty.map((name) => `${folder}/${name}`).filter(filter.includes));
      open.push(...inside.embedded.map((name) => `${folder}/${name}`));
    } catch (error) {
      if (!HeadgateError.isInstance(error) || !error.code.startsWith("GIT_")) throw error;
      failed.add(folder);
      skipped.push({ path: textOf(folder), why: `a repository of its own: ${error.message}` });
    }
  }
  return { dirty, heads, failed, skipped };
};

/** What is left of the plain start once the folder is reached. */
const withinOf = (within: string, folder: string): string =>
  within.startsWith(`${folder}/`) ? within.slice(folder.length + 1) : "";
