/**
 * Locks of git that a power cut or a killed process of ours left: without the rename that ends them. Without
 * care everybody's next commit fails until somebody removes the file by hand.
 */
import { dirname } from "node:path";
import { bootedAtMs } from "../../base/boot-time.ts";
import type { Clock } from "../../base/clock.ts";
import type { Files } from "../../base/files.ts";
import { removeFile } from "../../base/open-file.ts";
import type { WritingGit } from "../writing-git.ts";
import { clearDeadIndexLock } from "./index-lock.ts";

export const clearStaleLocks = async (options: {
  readonly git: WritingGit;
  readonly files: Files;
  readonly clock: Clock;
  readonly branch: string;
  /** Commits that the run was about to show. */
  readonly commits: readonly string[];
}): Promise<readonly string[]> => {
  const { git, files, clock, branch, commits } = options;
  const cleared: string[] = [];
  for (const name of new Set(["index", "HEAD", branch])) {
    const place = await git.run({
      args: ["rev-parse", "--path-format=absolute", "--git-path", name],
    });
    const path = `${place}.lock`;
    const stat = files.stat(path);
    if (!stat?.isFile()) continue;
    if (name === "index" && clearDeadIndexLock(dirname(path), files)) {
      cleared.push("index.lock");
      continue;
    }
    // A minute for clocks that were set after the start.
    const isOlder = stat.mtimeMs < bootedAtMs(clock) - 60_000;
    const isOurs =
      name === branch && commits.includes(files.readFile(path).toString("latin1").trim());
    if (!isOlder && !isOurs) continue;
    removeFile(files, path);
    cleared.push(`${name}.lock`);
  }
  return cleared;
};
