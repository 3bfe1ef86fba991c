/**
 * Commits under way, each noted while it is made. A killed process cannot tidy up; the next command does. Where
 * the branch has the commit, the user's index learns of it; where it has not, its index, message and locks go.
 * Lines need no note: they are compared with the last commit whenever they are looked at.
 */
import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { systemFiles } from "../base/files.ts";
import {
  changesBetween,
  clearDeadIndexLock,
  clearStaleLocks,
  createWritingGit,
  firstParent,
  followIndex,
  gitDirOf,
  isAncestor,
  removeScratch,
  type WritingGit,
} from "../git/index.ts";
import { endWork, findLeftWork, type WorkNote } from "../state/index.ts";

export interface FinishingPlace {
  /** The repository's state folder. */
  readonly stateFolder: string;
  readonly environment: Environment;
  readonly clock: Clock;
  /** In whose name git runs. */
  readonly actor: string;
}

export interface FinishedCommit {
  readonly note: WorkNote;
  /** Undefined: another git has the index all the time, and the note stays. */
  readonly outcome: "index-followed" | "given-up" | undefined;
}

/** One look into the state folder where there is nothing to do. Throws GIT_…. */
export const finishCommits = async (place: FinishingPlace): Promise<readonly FinishedCommit[]> => {
  const { stateFolder, environment, actor } = place;
  const finished: FinishedCommit[] = [];
  for (const note of findLeftWork(stateFolder)) {
    if (note.kind !== "commit") continue;
    const gitDir = gitDirOf(note.worktree, systemFiles);
    if (gitDir !== undefined) {
      removeScratch({ files: systemFiles, scratch: gitDir, operation: note.id });
      clearDeadIndexLock(gitDir);
    }
    const git = createWritingGit({ cwd: note.worktree, environment, actor });
    const outcome = gitDir === undefined ? "given-up" : await finish(git, note, place);
    if (outcome) endWork(stateFolder, note);
    finished.push({ note, outcome });
  }
  return finished;
};

const finish = async (
  git: WritingGit,
  { commit, branch }: WorkNote,
  { clock }: FinishingPlace,
): Promise<FinishedCommit["outcome"]> => {
  if (commit === undefined || branch === undefined) return "given-up";
  await clearStaleLocks({ git, files: systemFiles, clock, branch, commits: [commit] });
  if (!(await isAncestor(git, commit, "HEAD"))) return "given-up";
  const parent = await firstParent(git, commit);
  const own = new Set((await changesBetween(git, parent, commit)).map(({ path }) => path));
  // Others may have committed the same files since.
  const changes = (await changesBetween(git, parent, "HEAD")).filter(({ path }) => own.has(path));
  const left = await followIndex(git, changes, (ms) => clock.sleep(ms), true);
  return left.every(({ why }) => why !== "locked") ? "index-followed" : undefined;
};
