/**
 * A checkout of what is about to be committed, beside the shared one, for the user's own hooks. They may stash,
 * format and stage there as they like: no file of the working tree is in their reach. It is in the git folder
 * and has a HEAD and an index of its own, so hooks find it as they find any checkout, without variables. It is
 * kept for the next commit, which then writes only what differs.
 */
import { basename, join } from "node:path";
import type { Files } from "../../base/files.ts";
import { removeFile, writeInPlace } from "../../base/open-file.ts";
import { stagedChanges, worktreeChanges } from "../changes.ts";
import type { Git } from "../reading-git.ts";
import type { WritingGit } from "../writing-git.ts";
import { type TreeEntry, writeIndexEntries } from "./index-entries.ts";

export interface ScratchTree {
  /** Everything that belongs to it. */
  readonly folder: string;
  /** The checkout; its `.git` is a folder that refers to the repository's for all that is shared. */
  readonly tree: string;
  readonly gitDir: string;
}

/** As the lines in the hooks name it (surfaces/git/hook-script.ts). */
export const scratchFolder = "headgate-scratch";

export const scratchTree = (commonDir: string, name: string): ScratchTree => {
  const folder = join(commonDir, scratchFolder, name);
  const tree = join(folder, "tree");
  return { folder, tree, gitDir: join(tree, ".git") };
};

export interface FillOptions {
  /** Of the shared worktree. */
  readonly git: WritingGit;
  /** Of the scratch's own folder. */
  readonly scratchGit: WritingGit;
  readonly files: Files;
  readonly commonDir: string;
  /** Of the shared worktree. */
  readonly gitDir: string;
  /** The index that is about to be committed. */
  readonly index: string;
}

/** Answers the name of the tree that is checked out in it now. Throws GIT_… and what the file system throws. */
export const fillScratch = async (place: ScratchTree, options: FillOptions): Promise<string> => {
  const { git, scratchGit, files, index } = options;
  const tree = await git.run({ args: ["write-tree"], index });
  makePlace(place, options);
  // Contents that are kept elsewhere (LFS) are not fetched for a hook.
  const env = { GIT_LFS_SKIP_SMUDGE: "1" };
  await scratchGit.run({ args: ["read-tree", "--reset", "-u", tree], env });
  await scratchGit.run({ args: ["clean", "-ffdxq"] });
  await linkIgnored(git, place, files);
  return tree;
};

/** The state of the shared checkout that hooks ask for: branch, merge in progress, sparse patterns. */
const makePlace = (
  { gitDir }: ScratchTree,
  { files, commonDir, gitDir: from }: FillOptions,
): void => {
  files.makeDirectory(join(gitDir, "info"), 0o700);
  const say = (path: string, text: string) => writeInPlace(files, path, { text, mode: 0o600 });
  say(join(gitDir, "commondir"), `${commonDir}\n`);
  // Some hooks name files of `.git/hooks` as they are in an ordinary checkout.
  link(files, join(commonDir, "hooks"), join(gitDir, "hooks"));
  for (const name of copied) {
    const file = join(from, name);
    if (!files.stat(file)?.isFile()) removeFile(files, join(gitDir, name));
    else say(join(gitDir, name), files.readFile(file).toString("utf8"));
  }
  // Of a commit that was killed.
  removeFile(files, join(gitDir, "index.lock"));
};

const copied = [
  ...["HEAD", "MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD"],
  ...["config.worktree", "info/sparse-checkout"],
];

/**
 * Installed packages, settings and build results that git ignores are used where they are. A folder is made
 * and its entries are linked: `node_modules/` in an ignore file means a folder, not a link.
 */
const linkIgnored = async (git: WritingGit, { tree }: ScratchTree, files: Files): Promise<void> => {
  const listed = await git.run({
    args: ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"],
  });
  for (const name of listed.split("\0")) {
    if (name === "" || own.test(name)) continue;
    const isFolder = name.endsWith("/");
    const [from, to] = [join(git.cwd, name), join(tree, name)];
    if (!isFolder) link(files, from, to);
    else {
      files.makeDirectory(to, 0o755);
      for (const { name: entry } of files.list(from))
        link(files, join(from, entry), join(to, entry));
    }
  }
};

const own = /^\.headgate\//;

const link = (files: Files, from: string, to: string): void => {
  if (files.stat(to)) return;
  files.makeDirectory(join(to, ".."), 0o755);
  // Git does not follow links to its own settings.
  const isCopied = /^\.git(?:ignore|attributes)$/.test(basename(from));
  if (!isCopied) return files.symlink(from, to);
  writeInPlace(files, to, { text: files.readFile(from).toString("utf8"), mode: 0o600 });
};

export interface ScratchResult {
  /** Entries that the hooks staged. */
  readonly staged: readonly TreeEntry[];
  /** Files that are not what was checked out, staged or not. */
  readonly changed: readonly string[];
}

/** The work of the hooks. */
export const readScratch = async (
  { tree: folder }: ScratchTree,
  {
    reading,
    files,
    tree,
    worktree,
  }: {
    /** Of the scratch's own folder. */
    readonly reading: Git;
    readonly files: Files;
    /** The tree that was checked out. */
    readonly tree: string;
    /** The shared one. */
    readonly worktree: string;
  },
): Promise<ScratchResult> => {
  const isOurs = (path: string): boolean => {
    const file = join(folder, path);
    return (
      files.stat(file)?.isSymbolicLink() === true && files.readLink(file) === join(worktree, path)
    );
  };
  const none = "0".repeat(tree.length);
  const staged = (await stagedChanges(reading, tree)).flatMap(
    ({ path, from, after, modes }): TreeEntry[] => [
      ...(from === undefined ? [] : [{ path: from, mode: "0", blob: none }]),
      { path, mode: modes.after ?? "0", blob: after ?? none },
    ],
  );
  const now = await worktreeChanges(reading, tree);
  const paths = now.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  return {
    staged: staged.filter(({ path }) => !isOurs(path)),
    changed: [...new Set(paths)].filter((path) => !isOurs(path)),
  };
};

/** Puts what the hooks staged into the index that is about to be committed. */
export const takeStaged = async (
  git: WritingGit,
  staged: readonly TreeEntry[],
  index: string,
): Promise<void> => {
  if (staged.length > 0) await git.run(writeIndexEntries(staged, index));
};
