/**
 * State in the tree (T-01). Releases before this one kept it in `.headgate/local`, which a branch, a pull or an
 * archive can write as well. Nothing there is believed; `headgate init` moves the state of a clone that git's
 * own folder proves to have been set up. Without git nothing proves it: `init` shows what it takes, and takes
 * only what decides nothing (docs/decisions/state-moves-by-init.md).
 */
import { dirname, join } from "node:path";
import { type Files, systemFiles } from "../base/files.ts";
import { removeTree, writeInPlace } from "../base/open-file.ts";
import { HeadgateError } from "../errors.ts";
import { hasHookRunner } from "./layout.ts";
import { createGit } from "./reading-git.ts";
import type { Environment } from "../base/environment.ts";
import type { Repository } from "./repository.ts";

/** Undefined where there is nothing in the tree that looks like state. */
export const stateInTree = (
  { root }: Pick<Repository, "root">,
  files: Files = systemFiles,
): string | undefined => {
  const place = join(root, ".headgate/local");
  return files.stat(place) ? place : undefined;
};

/**
 * Throws STATE_TRACKED; a stop for every door, because its author means it to be believed. In this worktree or in
 * the main one; asked of git only where there is something of that name.
 */
export const refuseTrackedState = async (
  { kind, root, worktree }: Pick<Repository, "kind" | "root" | "worktree">,
  environment: Environment,
): Promise<void> => {
  for (const place of kind === "git" ? new Set([root, worktree]) : []) {
    if (!stateInTree({ root: place })) continue;
    const git = createGit({ cwd: place, environment });
    const { stdout } = await git.run({ args: ["ls-files", "-z"], paths: [".headgate/local"] });
    if (stdout.length === 0) continue;
    throw new HeadgateError(
      "STATE_TRACKED",
      `git tracks .headgate/local in ${place}: a commit brought files that look like Headgate's state`,
    );
  }
};

/** Its state is still in the tree, and an earlier release put it there. */
export const isStateLeft = (repository: Repository, files: Files = systemFiles): boolean =>
  stateInTree(repository, files) !== undefined &&
  files.stat(repository.localDir) === undefined &&
  (repository.kind === "git"
    ? hasHookRunner(repository.root, files)
    : takenAlong(join(repository.root, ".headgate/local"), files).length > 0);

/** Of a server, and of how a program is started: made again, never taken from the tree. */
const notTaken = new Set([
  ...["runtime", "port", "token", "hook-header", "hook-mark", "socket-path"],
  ...["server.lock", "server.log", "hook", "headgate", "store.db-shm"],
]);

/** Without git: claims, what was refused, and what `init` changed. Nothing of it is run or says whom to believe. */
const takenWithoutGit = [
  ...["fence-mark", "fences.json", "installed.json", "refusals", "store.db", "store.db-wal"],
];

/** Names that an earlier release wrote there, as far as it can be seen: a private folder, and files of this user. */
const takenAlong = (from: string, files: Files): string[] => {
  const folder = files.stat(from);
  if (!folder?.isDirectory() || (folder.mode & 0o077) !== 0) return [];
  return takenWithoutGit.filter((name) => {
    const stat = files.stat(join(from, name));
    if (!stat) return false;
    const inner = stat.isDirectory() ? files.list(join(from, name)) : [];
    return stat.uid === folder.uid && (stat.isFile() || inner.every((one) => one.isFile()));
  });
};

/** Out of the tree, once; the answer is what stays there. Throws STATE_IN_TREE, with the reason, where it has to stay. */
export const moveState = (
  repository: Repository,
  files: Files = systemFiles,
): readonly string[] => {
  const from = stateInTree(repository, files);
  if (from === undefined) return [];
  const stay = (why: string): HeadgateError =>
    new HeadgateError("STATE_IN_TREE", `${from} cannot be moved to ${repository.localDir}: ${why}`);
  if (files.stat(repository.localDir)) throw stay("there is state already");
  const entries = entriesIn(from, files);
  const odd = entries.find((one) => !one.isFile() && !one.isDirectory());
  if (odd) throw stay(`${join(odd.parentPath, odd.name)} is neither a file nor a folder`);
  if (repository.kind === "folder") {
    copyState(from, repository.localDir, files);
    const left = files.list(from).filter(({ name }) => name !== ".gitignore");
    if (left.length === 0) removeTree(files, from);
    return left.map(({ name }) => name).toSorted();
  }
  const place = join(from, "worktrees");
  if (files.stat(place) && files.list(place).some((one) => one.isDirectory())) {
    throw stay("runs have worktrees in it; finish or discard them first");
  }
  for (const { name } of files.list(from).filter((one) => notTaken.has(one.name))) {
    files.unlink(join(from, name));
  }
  files.rename(from, repository.localDir);
  return [];
};

/** The user's files may be on another disk. Whole under another name first: a crash leaves the old place as it was. */
const copyState = (from: string, to: string, files: Files): void => {
  const names = takenAlong(from, files);
  const fresh = `${to}.moving`;
  const copy = (name: string): void => {
    if (files.stat(join(from, name))?.isDirectory()) {
      files.makeDirectory(join(fresh, name), 0o700);
      for (const one of files.list(join(from, name))) copy(join(name, one.name));
      return;
    }
    writeInPlace(files, join(fresh, name), { text: files.readFile(join(from, name)), mode: 0o600 });
  };
  files.makeDirectory(dirname(to), 0o700);
  files.makeDirectory(fresh, 0o700);
  for (const name of names) copy(name);
  files.rename(fresh, to);
  for (const name of [...names, ...notTaken]) removeTree(files, join(from, name));
};

const entriesIn = (folder: string, files: Files): ReturnType<Files["list"]> => {
  if (!files.stat(folder)?.isDirectory()) {
    throw new HeadgateError("STATE_IN_TREE", `${folder} is not a folder`);
  }
  return files
    .list(folder)
    .flatMap((one) => [
      one,
      ...(one.isDirectory() && one.name !== "worktrees"
        ? entriesIn(join(folder, one.name), files)
        : []),
    ]);
};
