/** The watches of a server: one for each worktree in which an agent's hook was heard. */
import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import type { Headgate } from "../../compose.ts";
import { writeJson } from "../../state/index.ts";
import { watchProblemPath } from "../watch-report.ts";
import type { WorktreeWatch } from "./file-watch.ts";
import type { Worktrees } from "./worktrees.ts";

export interface Watches {
  /** Begins in the background, where it is wanted and not begun. */
  start(root: string): void;
  /** Nothing is looked at while this is under way. */
  paused<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface WatchesOptions {
  readonly headgate: Headgate;
  readonly worktrees: Pick<Worktrees, "at">;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly onDefect: (error: unknown) => void;
}

export const openWatches = (options: WatchesOptions): Watches => {
  const { headgate, worktrees, environment, clock, onDefect } = options;
  const { localDir, kind } = headgate.repository;
  const isWanted = headgate.config.server.watch && kind === "git";
  const known = new Map<string, Promise<WorktreeWatch | undefined>>();
  const open = new Set<WorktreeWatch>();
  let isClosed = false;
  let pauses = 0;

  const begin = async (root: string): Promise<WorktreeWatch | undefined> => {
    const { openFileWatch } = await import("./file-watch.ts");
    const { RingFiles } = await import("../hooks/index.ts");
    const { lines } = await worktrees.at(root);
    const ring = new RingFiles({ localDir, files: systemFiles, clock, environment });
    const watch = await openFileWatch({
      ...{ root, lines, onDefect },
      isBusy: () => pauses > 0 || ring.othersAtWork(root, "").length > 0,
    });
    if (isClosed) return void watch.close();
    open.add(watch);
    if (watch.problem !== undefined) await keepProblem(root, watch.problem);
    return watch;
  };
  /** For `status`, which asks no server. */
  const keepProblem = async (root: string, why: string): Promise<void> => {
    problems.set(root, why);
    await writeJson(watchProblemPath(localDir), Object.fromEntries(problems));
  };
  const problems = new Map<string, string>();
  return {
    start: (root) => {
      if (!isWanted || isClosed || known.has(root)) return;
      known.set(
        root,
        begin(root).catch((error: unknown) => void onDefect(error)),
      );
    },
    paused: async (work) => {
      pauses += 1;
      try {
        return await work();
      } finally {
        pauses -= 1;
        for (const watch of open) watch.lookAgain();
      }
    },
    close: () => {
      isClosed = true;
      for (const watch of open) watch.close();
      if (problems.size > 0) systemFiles.unlink(watchProblemPath(localDir));
    },
  };
};
