/**
 * Commits that `headgate commit` is making, each noted in the worktree's git folder while it is made. A killed
 * process cannot tidy up. The next command that commits here does it: where the branch has the commit, the
 * user's index learns of it; where it has not, its index, message and locks go. Lines need no note: they are
 * compared with the last commit whenever they are looked at.
 */
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { systemFiles } from "../base/files.ts";
import { removeFile } from "../base/open-file.ts";
import { ownIdentity, probe, type ProcessIdentity } from "../base/process-identity.ts";
import {
  changesBetween,
  clearStaleLocks,
  createWritingGit,
  firstParent,
  followIndex,
  gitDirOf,
  isAncestor,
  removeScratch,
  type WritingGit,
} from "../git/index.ts";
import { readContent, writeFileAtomicSync } from "../state/index.ts";

interface CommitNote {
  /** It makes the commit; null: it left the rest to the next one. */
  readonly process: ProcessIdentity | null;
  /** Undefined: not made yet. */
  readonly commit?: string;
  /** The ref that it moves. */
  readonly branch?: string;
}

const noteName = /^headgate-making-(op_\w+)$/;
const notePath = (gitDir: string, operation: string): string =>
  join(gitDir, `headgate-making-${operation}`);

/** Before anything of the commit is written, and once more when it is made and about to be shown. */
export const noteCommit = (
  gitDir: string,
  operation: string,
  made: Pick<CommitNote, "commit" | "branch"> = {},
): void => saveNote(gitDir, operation, { process: ownIdentity(), ...made });

/** The branch has it; another git kept the index all the time. */
export const leaveToNext = (
  gitDir: string,
  operation: string,
  made: Required<Pick<CommitNote, "commit" | "branch">>,
): void => saveNote(gitDir, operation, { process: null, ...made });

export const endNote = (gitDir: string, operation: string): void =>
  removeFile(systemFiles, notePath(gitDir, operation));

const saveNote = (gitDir: string, operation: string, note: CommitNote): void => {
  const text = JSON.stringify(note);
  writeFileAtomicSync(notePath(gitDir, operation), text, { durability: "cache" });
};

export interface FinishingPlace {
  readonly worktree: string;
  readonly environment: Environment;
  readonly clock: Clock;
  /** In whose name git runs. */
  readonly actor: string;
}

/** One look into the git folder where there is nothing to do. Throws GIT_…. */
export const finishCommits = async (place: FinishingPlace): Promise<void> => {
  const { worktree: cwd, environment, actor } = place;
  const gitDir = gitDirOf(cwd, systemFiles);
  if (gitDir === undefined) return;
  for (const { name } of systemFiles.list(gitDir)) {
    const operation = noteName.exec(name)?.[1];
    if (operation === undefined) continue;
    const text = readContent(join(gitDir, name), systemFiles)?.toString("utf8");
    // Another one has just finished it.
    if (text === undefined) continue;
    const note = JSON.parse(text) as CommitNote;
    if (note.process !== null && probe(note.process).state !== "dead") continue;
    removeScratch({ files: systemFiles, scratch: gitDir, operation });
    const git = createWritingGit({ cwd, environment, actor });
    if (await finish(git, note, place)) endNote(gitDir, operation);
  }
};

const finish = async (
  git: WritingGit,
  note: CommitNote,
  place: FinishingPlace,
): Promise<boolean> => {
  const { commit, branch } = note;
  if (commit === undefined || branch === undefined) return true;
  const { clock } = place;
  await clearStaleLocks({ git, files: systemFiles, clock, branch, commits: [commit] });
  if (!(await isAncestor(git, commit, "HEAD"))) return true;
  const parent = await firstParent(git, commit);
  const own = new Set((await changesBetween(git, parent, commit)).map(({ path }) => path));
  // Others may have committed the same files since.
  const changes = (await changesBetween(git, parent, "HEAD")).filter(({ path }) => own.has(path));
  const left = await followIndex(git, changes, (ms) => clock.sleep(ms));
  await git.ask({ args: ["update-index", "-q", "--refresh"] });
  return left.every(({ why }) => why !== "locked");
};
