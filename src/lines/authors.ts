/** Whose lines a file holds, in this worktree and the others. */
import type { Reader } from "../store/index.ts";
import { readRecord, readWorktrees } from "./lines-store.ts";
import type { FileAuthor } from "./ports.ts";
import { hasOpenLines } from "./strangers.ts";

export const readAuthors = async (
  tx: Reader,
  place: Parameters<typeof readRecord>[1],
  path: string,
  sessions: readonly string[],
): Promise<FileAuthor[]> => {
  const found: FileAuthor[] = [];
  for (const session of new Set(sessions)) {
    for (const { worktree: at, task } of await readWorktrees(tx, place.scope, session)) {
      const record = await readRecord(tx, { ...place, worktree: at }, path);
      if (!record || !hasOpenLines(record, session)) continue;
      found.push({ session, task, ...(at !== place.worktree && { elsewhere: at }) });
    }
  }
  return found;
};
