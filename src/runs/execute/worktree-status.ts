/** What is not committed in a worktree. */
import { splitNul } from "../../git/index.ts";
import type { WritingGit } from "./writing-git.ts";

export interface DirtyFile {
  readonly path: string;
  /** Not known to git at all. */
  readonly isUntracked: boolean;
}

export interface Head {
  /** `refs/heads/main`; `HEAD` when no branch is checked out. */
  readonly branch: string;
  /** Absent before the first commit. */
  readonly commit?: string;
}

export interface WorktreeStatus {
  readonly head: Head;
  /** Without ignored files. */
  readonly dirty: readonly DirtyFile[];
}

/** Both in one call: starting git costs more than what it does. */
export const readWorktree = async (git: WritingGit): Promise<WorktreeStatus> => {
  const stdout = await git.run([
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--no-ahead-behind",
    "--ignore-submodules=dirty",
  ]);
  const dirty: DirtyFile[] = [];
  let commit: string | undefined;
  let branch = "HEAD";
  for (const entry of splitNul(stdout)) {
    const oid = /^# branch\.oid ([0-9a-f]+)$/.exec(entry)?.[1];
    const name = /^# branch\.head (.+)$/.exec(entry)?.[1];
    if (oid !== undefined) commit = oid;
    if (name !== undefined && name !== "(detached)") branch = `refs/heads/${name}`;
    if (entry.startsWith("#")) continue;
    const isUntracked = entry.startsWith("? ");
    // Fields before the path: one for untracked files, eight for changed ones, ten for unmerged ones.
    const fields = isUntracked ? 1 : entry.startsWith("u ") ? 10 : 8;
    dirty.push({ path: entry.split(" ").slice(fields).join(" "), isUntracked });
  }
  return { head: { branch, ...(commit !== undefined && { commit }) }, dirty };
};

export const dirtyFiles = async (git: WritingGit): Promise<readonly DirtyFile[]> =>
  (await readWorktree(git)).dirty;

export const readHead = async (git: WritingGit): Promise<Head> => {
  const both = await git.ask(["rev-parse", "-q", "--verify", "HEAD^{commit}"]);
  const ref = await git.ask(["symbolic-ref", "-q", "HEAD"]);
  return {
    branch: ref.code === 0 ? ref.stdout.toString("utf8").trim() : "HEAD",
    ...(both.code === 0 && { commit: both.stdout.toString("latin1").trim() }),
  };
};

export interface TreeChange {
  readonly path: string;
  /** Of the new side; `000000` when it is gone. */
  readonly mode: string;
  readonly blob: string;
  readonly oldMode: string;
  readonly oldBlob: string;
}

/** `from` absent: everything in `to` is new. */
export const changesBetween = async (
  git: WritingGit,
  from: string | undefined,
  to: string,
): Promise<readonly TreeChange[]> => {
  // Writing the empty tree gives its name, whatever hash the repository uses.
  const base = from ?? (await git.run(["mktree"], { input: "" })).toString("latin1").trim();
  const stdout = await git.run(["diff-tree", "-r", "-z", "--raw", "--no-renames", base, to]);
  const words = splitNul(stdout);
  const found: TreeChange[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [oldMode = "", mode = "", oldBlob = "", blob = ""] = (words[at] ?? "")
      .slice(1)
      .split(" ");
    found.push({ path: words[at + 1] ?? "", mode, blob, oldMode, oldBlob });
  }
  return found;
};

export const isAncestor = async (git: WritingGit, commit: string, of: string): Promise<boolean> => {
  const { code } = await git.ask(["merge-base", "--is-ancestor", commit, of]);
  return code === 0;
};
