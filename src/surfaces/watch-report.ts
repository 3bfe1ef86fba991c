/** Worktrees whose files the running server cannot watch: a part of the status. */
import { join } from "node:path";
import { systemFiles } from "../base/files.ts";

export interface NotWatched {
  readonly worktree: string;
  readonly why: string;
}

/** The server writes it down, because `status` asks no server. */
export const watchProblemPath = (localDir: string): string => join(localDir, "watch.json");

export const watchReport = async (localDir: string): Promise<readonly NotWatched[]> => {
  const path = watchProblemPath(localDir);
  if (systemFiles.stat(path) === undefined) return [];
  const { readJson } = await import("../state/index.ts");
  const found = readJson<Readonly<Record<string, string>>>(path);
  return Object.entries(found).map(([worktree, why]) => ({ worktree, why }));
};
