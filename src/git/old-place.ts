/**
 * State in the tree (T-01). Releases before this one kept it in `.headgate/local`, which a branch, a pull or an
 * archive can write as well. Nothing there is believed; `headgate init` moves the state of a clone that git's
 * own folder proves to have been set up.
 */
import { join } from "node:path";
import { type Files, systemFiles } from "../base/files.ts";
import { HeadgateError } from "../errors.ts";
import { hasHookRunner } from "./layout.ts";
import { createGit } from "./reading-git.ts";
import type { Environment } from "../base/environment.ts";
import type { Repository } from "./repository.ts";

/** Undefined where there is nothing in the tree that looks like state. */
export const stateInTree = (
  { kind, root, localDir }: Pick<Repository, "kind" | "root" | "localDir">,
  files: Files = systemFiles,
): string | undefined => {
  const place = join(root, ".headgate/local");
  return kind === "git" && place !== localDir && files.stat(place) ? place : undefined;
};

/** Throws STATE_TRACKED; a stop for every door, because its author means it to be believed. */
export const refuseTrackedState = async (
  repository: Repository,
  environment: Environment,
): Promise<void> => {
  const git = createGit({ cwd: repository.root, environment });
  const { stdout } = await git.run({ args: ["ls-files", "-z"], paths: [".headgate/local"] });
  if (stdout.length === 0) return;
  throw new HeadgateError(
    "STATE_TRACKED",
    `git tracks .headgate/local in ${repository.root}: a commit brought files that look like Headgate's state`,
  );
};

/** Its state is still in the tree, and an earlier release put it there. */
export const isStateLeft = (repository: Repository, files: Files = systemFiles): boolean =>
  stateInTree(repository, files) !== undefined &&
  files.stat(repository.localDir) === undefined &&
  hasHookRunner(repository.root, files);

/** Of a server, and of how a program is started: made again, never taken from the tree. */
const notTaken = new Set([
  ...["runtime", "port", "token", "hook-header", "hook-mark", "socket-path"],
  ...["server.lock", "server.log"],
]);

/** Into git's own folder, in one step. Throws STATE_IN_TREE, with the reason, where it has to stay. */
export const moveState = (repository: Repository, files: Files = systemFiles): void => {
  const from = stateInTree(repository, files);
  if (from === undefined) return;
  const stay = (why: string): HeadgateError =>
    new HeadgateError("STATE_IN_TREE", `${from} cannot be moved to ${repository.localDir}: ${why}`);
  if (files.stat(repository.localDir)) throw stay("there is state already");
  const entries = entriesIn(from, files);
  const odd = entries.find((one) => !one.isFile() && !one.isDirectory());
  if (odd) throw stay(`${join(odd.parentPath, odd.name)} is neither a file nor a folder`);
  const place = join(from, "worktrees");
  if (files.stat(place) && files.list(place).some((one) => one.isDirectory())) {
    throw stay("runs have worktrees in it; finish or discard them first");
  }
  for (const { name } of files.list(from).filter((one) => notTaken.has(one.name))) {
    files.unlink(join(from, name));
  }
  files.rename(from, repository.localDir);
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
