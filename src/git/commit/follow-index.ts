/**
 * The user's own index learns of a commit that was made beside it, for the files that are not staged otherwise.
 * Left out, `git status` shows a change that is not there, and the user's next commit would take it back.
 */
import type { TreeChange } from "../worktree-status.ts";
import type { WritingGit } from "../writing-git.ts";
import { changeIndex } from "./index-lock.ts";
import { readIndexEntries, type TreeEntry, writeIndexEntries } from "./index-entries.ts";

/** An entry that stays as it is: staged by the user, or because another git has the index all the time. */
export interface LeftEntry {
  readonly path: string;
  readonly why: "staged" | "locked";
}

/** With `refreshes`, git also looks at the files, which it would else take for changed until it does. */
export const followIndex = async (
  git: WritingGit,
  changes: readonly TreeChange[],
  pause: (ms: number) => Promise<void>,
  refreshes = false,
): Promise<readonly LeftEntry[]> => {
  const paths = changes.map(({ path }) => path);
  let staged: readonly LeftEntry[] = [];
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    let isWritten = true;
    const outcome = await changeIndex(git.cwd, async (index) => {
      const present = await readIndexEntries(git, paths, index);
      const older = changes.filter((change) => isEntry(present.get(change.path), oldEntry(change)));
      staged = changes
        .filter((change) => !older.includes(change) && !isEntry(present.get(change.path), change))
        .map(({ path }) => ({ path, why: "staged" as const }));
      if (older.length > 0) isWritten = (await git.ask(writeIndexEntries(older, index))).code === 0;
      if (refreshes) await git.ask({ args: ["update-index", "-q", "--refresh"], index });
      return isWritten && (older.length > 0 || refreshes);
    });
    if (outcome === "done" && isWritten) return staged;
    if (attempt < attemptsMax) await pause(20 * attempt);
  }
  const present = await readIndexEntries(git, paths);
  return changes
    .filter((change) => !isEntry(present.get(change.path), change))
    .map(({ path }) => ({ path, why: "locked" as const }));
};

/** About a second in all: `git add` of one file is done by then. */
const attemptsMax = 10;

const oldEntry = ({ path, oldMode, oldBlob }: TreeChange): TreeEntry => ({
  ...{ path, mode: oldMode, blob: oldBlob },
});

const isEntry = (present: TreeEntry | "unmerged" | undefined, wanted: TreeEntry): boolean => {
  if (present === "unmerged") return false;
  // `git add -N` leaves an empty file, and an empty file that is staged has nothing to lose.
  const isNone = present === undefined || emptyBlobs.has(present.blob);
  if (/^0+$/.test(wanted.mode)) return isNone;
  return present?.blob === wanted.blob && present.mode === wanted.mode;
};

const emptyBlobs = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);
