/** What is not committed in a worktree. */
import { splitNul } from "../../base/git.ts";
import type { WritingGit } from "./writing-git.ts";

export interface DirtyFile {
  readonly path: string;
  /** Not known to git at all. */
  readonly isUntracked: boolean;
}

/** Without ignored files. */
export const dirtyFiles = async (git: WritingGit): Promise<readonly DirtyFile[]> => {
  const stdout = await git.run([
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=dirty",
  ]);
  return splitNul(stdout).map((entry) => ({
    path: entry.slice(3),
    isUntracked: entry.startsWith("??"),
  }));
};

export interface Head {
  /** `refs/heads/main`; `HEAD` when no branch is checked out. */
  readonly branch: string;
  /** Absent before the first commit. */
  readonly commit?: string;
}

export const readHead = async (git: WritingGit): Promise<Head> => {
  const ref = await git.ask(["symbolic-ref", "-q", "HEAD"]);
  const commit = await git.ask(["rev-parse", "--verify", "-q", "HEAD^{commit}"]);
  return {
    branch: ref.code === 0 ? ref.stdout.toString("utf8").trim() : "HEAD",
    ...(commit.code === 0 && { commit: commit.stdout.toString("latin1").trim() }),
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
