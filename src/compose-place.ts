/** Where the state of a repository is kept, and where it must not be. */
import { dirname, join } from "node:path";
import type { Environment } from "./base/environment.ts";
import { errnoOf, systemFiles } from "./base/files.ts";
import { showText } from "./base/text.ts";
import { HeadgateError } from "./errors.ts";
import { isStateLeft, refuseTrackedState, type Repository } from "./git/index.ts";

/** Throws PATH_OUTSIDE, STATE_TRACKED, STATE_IN_TREE. */
export const checkPlace = async (
  repository: Repository,
  environment: Environment,
  options: { readonly movesState?: boolean },
): Promise<void> => {
  const { root, worktree, localDir } = repository;
  const settings = [root, worktree].map((place) => join(place, ".headgate"));
  // Without git they are the user's own, and may be a link that the user made.
  const around = repository.kind === "git" ? [dirname(localDir)] : [];
  refuseLinks([...settings, ...around, localDir]);
  refuseLinksIn(localDir);
  await settleState(repository, environment, options);
};

/** Nothing in the tree is believed (T-01); `headgate init` moves what an earlier release left there. */
const settleState = async (
  repository: Repository,
  environment: Environment,
  { movesState = false }: { readonly movesState?: boolean },
): Promise<void> => {
  await refuseTrackedState(repository, environment);
  if (movesState || !isStateLeft(repository)) return;
  throw new HeadgateError(
    "STATE_IN_TREE",
    `the state of ${showText(repository.root)} is still in its tree, in .headgate/local`,
  );
};

/** As a link it would make us write the token and the store wherever its author likes. */
const refuseLinks = (paths: readonly string[]): void => {
  for (const path of paths) {
    const stat = systemFiles.stat(path);
    if (stat === undefined || stat.isDirectory()) continue;
    throw notOurs(path, stat.isSymbolicLink() ? "a link" : "not a folder");
  }
};

const notOurs = (path: string, what: string): HeadgateError =>
  new HeadgateError("PATH_OUTSIDE", `${showText(path)} is ${what}; Headgate keeps its data there`);

/** Headgate makes no links in its folder. An archive or a copied `.git` can bring some (T-01). */
const refuseLinksIn = (localDir: string): void => {
  for (const entry of entriesIn(localDir)) {
    const inner = entry.isDirectory() ? entriesIn(join(localDir, entry.name)) : [];
    for (const one of [entry, ...inner]) {
      if (one.isSymbolicLink()) throw notOurs(join(one.parentPath, one.name), "a link");
    }
  }
};

const entriesIn = (path: string): ReturnType<typeof systemFiles.list> => {
  try {
    return systemFiles.list(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return [];
    throw error;
  }
};
