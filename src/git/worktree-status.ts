/** Where a worktree is, and which of its files are not committed: with the user's own filters. */
import { HeadgateError } from "../errors.ts";
import { splitNul } from "./reading-git.ts";
import { firstWords, type WritingGit } from "./writing-git.ts";

export interface DirtyFile {
  readonly path: string;
  /** Not known to git at all. */
  readonly isUntracked: boolean;
  /** In the working tree; zeros: it is gone. */
  readonly mode?: string;
  /** Of the last commit, where that has it. */
  readonly head?: { readonly mode: string; readonly blob: string };
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
  const stdout = await git.run({
    args: [
      "status",
      "--porcelain=v2",
      "--branch",
      "-z",
      "--untracked-files=all",
      "--no-renames",
      "--no-ahead-behind",
      "--ignore-submodules=dirty",
    ],
  });
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
    const words = entry.split(" ");
    const [, , , oldMode = "", , mode = "", blob = ""] = words;
    dirty.push({
      ...{ path: words.slice(fields).join(" "), isUntracked },
      ...(fields === 8 && {
        mode,
        ...(!/^0+$/.test(oldMode) && { head: { mode: oldMode, blob } }),
      }),
    });
  }
  return { head: { branch, ...(commit !== undefined && { commit }) }, dirty };
};

export const dirtyFiles = async (git: WritingGit): Promise<readonly DirtyFile[]> =>
  (await readWorktree(git)).dirty;

/** Throws GIT_FAILED where HEAD cannot be read. */
export const readHead = async (git: WritingGit): Promise<Head> => {
  const born = await git.ask({
    args: ["rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD"],
  });
  const [commit = "", branch = ""] = born.stdout.split("\n");
  if (born.code === 0) return { branch, commit };
  const ref = await git.ask({ args: ["symbolic-ref", "--quiet", "HEAD"] });
  if (ref.code === 0) return { branch: ref.stdout.trim() };
  const why = firstWords([...born.lines, ...ref.lines], ref.code);
  throw new HeadgateError("GIT_FAILED", `HEAD cannot be read: ${why}`);
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
  const base = from ?? (await git.run({ args: ["mktree"], input: "" }));
  const stdout = await git.run({
    args: ["diff-tree", "-r", "-z", "--raw", "--no-renames", base, to],
  });
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

/** Undefined for a first commit, and for what is not there. */
export const firstParent = async (git: WritingGit, commit: string): Promise<string | undefined> => {
  const { code, stdout } = await git.ask({
    args: ["rev-parse", "--verify", "--quiet", `${commit}^1`],
  });
  return code === 0 ? stdout.trim() : undefined;
};

export const isAncestor = async (git: WritingGit, commit: string, of: string): Promise<boolean> => {
  const { code } = await git.ask({ args: ["merge-base", "--is-ancestor", commit, of] });
  return code === 0;
};
