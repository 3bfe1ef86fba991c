/** Which files of a worktree are not as its last commit has them. Nothing the repository configures is run. */
import { type Git, splitNul } from "../../../git/index.ts";

export interface DirtyFile {
  /** Relative to the worktree, with slashes. */
  readonly path: string;
  readonly isTracked: boolean;
}

/** Throws GIT_…; GIT_LIMIT when it takes too long. Repositories inside this one are left out. */
export const listDirty = async (git: Git, timeoutMs: number): Promise<readonly DirtyFile[]> => {
  const [listed, staged] = await Promise.all([
    git.run({
      args: ["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard"],
      timeoutMs,
    }),
    // Before the first commit there is nothing to compare the index with.
    git.run({
      args: ["diff-index", "--cached", "--name-only", "--no-renames", "-z"],
      revisions: ["HEAD"],
      okCodes: [0, 128],
      timeoutMs,
    }),
  ]);
  const found = new Map<string, boolean>();
  for (const line of splitNul(listed.stdout)) {
    const path = line.slice(2);
    if (!path.endsWith("/")) found.set(path, !line.startsWith("?"));
  }
  for (const path of splitNul(staged.stdout)) found.set(path, true);
  return [...found].map(([path, isTracked]) => ({ path, isTracked }));
};
