import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemFiles } from "../../src/base/files.ts";
import { findRepository } from "../../src/git/repository.ts";
import { makeLocalDir } from "../../src/store/index.ts";
import { openProfile, type ProfileOptions } from "../../src/profile/index.ts";
import { copyRepository, git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

export const service = (dependencies: Record<string, string> = { express: "5" }): string =>
  JSON.stringify({ name: "shop", private: true, dependencies });

/** Opens the profile of a worktree as the program does. */
export const open = async (root: string, options: Partial<ProfileOptions> = {}) => {
  const repository = await findRepository(root);
  const prepare = async () => makeLocalDir(repository.localDir, systemFiles, process.platform);
  return openProfile({ repository, prepare, ...options });
};

export const check = async (root: string, options: Partial<ProfileOptions> = {}) =>
  (await open(root, options)).check();

export const detect = async (root: string, options: Partial<ProfileOptions> = {}) =>
  (await open(root, options)).detect();

export const cacheFolder = (root: string): string => join(stateFolder(root), "cache");
export const cacheFile = (root: string): string => join(cacheFolder(root), "profile.json");
export const cacheFiles = (root: string): string[] => readdirSync(cacheFolder(root)).toSorted();
export const readCache = (root: string) => JSON.parse(readFileSync(cacheFile(root), "utf8")).value;

export const commit = (root: string, files: Record<string, string>, message = "Next"): void => {
  for (const [path, content] of Object.entries(files)) put(join(root, path), content);
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--allow-empty", "--message", message);
};

/** A committed web service with a cached profile. */
export const cachedService = async (more: Record<string, string> = {}): Promise<string> => {
  const sources = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`src/file${at}.js`, "export {};\n"]),
  );
  const files = { "package.json": service(), ...sources, ...more };
  const root = copyRepository(
    join(temporaryFolder(), "shop"),
    `service ${JSON.stringify(more)}`,
    (template) => commit(makeRepository(template), files),
  );
  await detect(root);
  return root;
};
