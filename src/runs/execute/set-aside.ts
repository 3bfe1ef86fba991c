/**
 * What an attempt left behind that did not come to its end: kept as a commit on refs/headgate/rescue/…, then
 * taken out of the worktree, so that the next attempt begins where the first one began.
 */
import { join } from "node:path";
import type { Files } from "../../base/files.ts";
import { removeFile } from "../../base/open-file.ts";
import { plural, showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { changeIndex, dirtyFiles, readHead, type WritingGit } from "../../git/index.ts";
import { isWithin } from "../plan/write-set.ts";

export interface SetAside {
  readonly ref: string;
  readonly files: readonly string[];
}

export const setAside = async (options: {
  readonly git: WritingGit;
  readonly files: Files;
  readonly scratch: string;
  readonly writes: readonly string[];
  /** `RUN/PLAN-TASK`; a number is added where it is taken. */
  readonly name: string;
  readonly about: string;
  pause(ms: number): Promise<void>;
}): Promise<SetAside | undefined> => {
  const { git, files, writes } = options;
  const dirty = (await dirtyFiles(git)).filter(({ path }) => isWithin(path, writes));
  if (dirty.length === 0) return undefined;
  const paths = dirty.map(({ path }) => path);
  const ref = await keep(options, paths);
  const untracked = dirty.filter(({ isUntracked }) => isUntracked).map(({ path }) => path);
  const tracked = dirty.filter(({ isUntracked }) => !isUntracked).map(({ path }) => path);
  if (tracked.length > 0) {
    const head = await readHead(git);
    const source = head.commit ?? (await git.run({ args: ["mktree"], input: "" }));
    await restore(options, source, tracked);
  }
  for (const path of untracked) removeFile(files, join(git.cwd, path));
  return { ref, files: paths };
};

/** With an index of our own: a killed git would leave its lock on the user's. */
const restore = async (
  { git, pause }: { readonly git: WritingGit; pause(ms: number): Promise<void> },
  source: string,
  paths: readonly string[],
): Promise<void> => {
  const args = ["--staged", "--worktree", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const input = paths.map((path) => `${path}\0`).join("");
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const outcome = await changeIndex(git.cwd, async (index) => {
      await git.run({ args: ["restore", `--source=${source}`, ...args], input, index });
      return true;
    });
    if (outcome === "done") return;
    await pause(20 * attempt);
  }
  const where = showText(git.cwd);
  throw new HeadgateError("GIT_LOCKED", `another git holds the index (index.lock) of ${where}`);
};

/** About two seconds in all. */
const attemptsMax = 14;

const keep = async (
  {
    git,
    files,
    scratch,
    name,
    about,
  }: {
    readonly git: WritingGit;
    readonly files: Files;
    readonly scratch: string;
    readonly name: string;
    readonly about: string;
  },
  paths: readonly string[],
): Promise<string> => {
  const index = join(scratch, `index-rescue-${name.replaceAll(/[^\w.-]/g, "_")}`);
  const { commit: head } = await readHead(git);
  try {
    if (head !== undefined) await git.run({ args: ["read-tree", head], index });
    const input = paths.map((path) => `${path}\0`).join("");
    await git.run({ args: ["update-index", "--add", "--remove", "-z", "--stdin"], index, input });
    const tree = await git.run({ args: ["write-tree"], index });
    const message = `Save ${plural(paths.length, "file")} of ${showText(about)}\n\nThe attempt did not come to its end. The files were taken out of the worktree.\n`;
    const env = {
      GIT_AUTHOR_NAME: "Headgate",
      GIT_AUTHOR_EMAIL: "headgate@localhost",
      GIT_COMMITTER_NAME: "Headgate",
      GIT_COMMITTER_EMAIL: "headgate@localhost",
    };
    const parents = head === undefined ? [] : ["-p", head];
    const made = await git.run({
      args: ["commit-tree", tree, ...parents, "-F", "-"],
      input: message,
      env,
    });
    return await nameIt(git, `refs/headgate/rescue/${name}`, made, tree);
  } finally {
    removeFile(files, index);
    removeFile(files, `${index}.lock`);
  }
};

const nameIt = async (
  git: WritingGit,
  base: string,
  commit: string,
  tree: string,
): Promise<string> => {
  for (let number = 1; ; number += 1) {
    const ref = number === 1 ? base : `${base}.${number}`;
    const present = await git.ask({ args: ["rev-parse", "--verify", "-q", `${ref}^{tree}`] });
    // The same content was saved by an attempt that was interrupted in its turn.
    if (present.code === 0 && present.stdout.trim() === tree) return ref;
    if (present.code === 0) continue;
    await git.run({ args: ["update-ref", ref, commit, "0".repeat(commit.length)] });
    return ref;
  }
};
