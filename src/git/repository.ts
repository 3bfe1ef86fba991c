/**
 * Which repository a folder belongs to. All worktrees of one repository get the same identity and the
 * same local folder, because both follow from git's common directory alone. Git is asked for the
 * directories where its files leave a question (plain-git.ts); which folders count as worktrees is
 * checked here, since a repository's own files must not be able to widen what it covers.
 */
import { basename, dirname, join, resolve } from "node:path";
import { HeadgateError } from "../errors.ts";
import { isCaseInsensitive } from "../base/case-sensitivity.ts";
import { type Environment, systemEnvironment } from "../base/environment.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { gitDirOf, isBareGitDir, linkedWorktrees, realFolder } from "./layout.ts";
import { type GitFacts, readPlainGit } from "./plain-git.ts";
import { type Processes, systemProcesses } from "../base/processes.ts";
import { normalRemote } from "./remote-address.ts";
import { folderState } from "../base/state-place.ts";
import { showText } from "../base/text.ts";

export interface Repository {
  readonly kind: "git" | "folder";
  /** The main worktree, or the folder. Without a main worktree (bare): the worktree asked from. */
  readonly root: string;
  /** The worktree asked from. */
  readonly worktree: string;
  /** All worktrees, `root` first: what `resolveInRepository` takes as roots. */
  readonly worktrees: readonly string[];
  readonly commonDir?: string;
  /**
   * Where store, token and cache are: one folder for all worktrees, in git's own, where no branch can bring
   * anything (T-01); without git among the user's own files. Not created here.
   */
  readonly localDir: string;
  /** Where worktrees of runs are made, in a folder `worktrees`: agents work there, and may not in git's. */
  readonly worktreesDir: string;
  readonly configFile: string;
  readonly caseInsensitive: boolean;
  readonly identity: {
    /** For a store on this machine. */
    readonly local: ScopeIdentity;
    /** For a store shared by machines: clones of one remote are one scope. */
    readonly shared: ScopeIdentity;
  };
}

/** As they are now: agents make and remove worktrees while a process runs. */
export const listWorktrees = (
  { worktrees, commonDir }: Pick<Repository, "worktrees" | "commonDir">,
  files: Files,
): readonly string[] =>
  commonDir === undefined
    ? worktrees
    : [...new Set([...worktrees, ...linkedWorktrees(commonDir, files)])];

/** False in a bare repository, and in the folder of one that keeps its files in linked worktrees. */
export const hasFiles = ({ worktree, worktrees }: Repository): boolean =>
  worktrees.includes(worktree);

/** For what works on files, of which there are none. */
export const noFiles = ({ root }: Repository): HeadgateError =>
  new HeadgateError("WORKTREE_MISSING", `${showText(root)} is a bare repository, without files`);

export interface ScopeIdentity {
  readonly key: string;
  readonly name: string;
}

export interface RepositoryOptions {
  readonly files?: Files;
  readonly processes?: Processes;
  readonly environment?: Environment;
}

/** Throws REPOSITORY_NOT_FOUND, GIT_MISSING, GIT_FAILED, GIT_LIMIT. */
export const findRepository = async (
  start: string,
  options: RepositoryOptions = {},
): Promise<Repository> => {
  const { files = systemFiles, processes = systemProcesses } = options;
  const { environment = systemEnvironment() } = options;
  const folder = realFolder(start, files);
  if (folder === undefined) {
    throw new HeadgateError("REPOSITORY_NOT_FOUND", `not a folder: ${showText(start)}`);
  }
  const holder = gitFolderAbove(folder, files);
  if (holder === undefined) return plainFolder(folder, environment, files);
  const facts =
    readPlainGit(holder, environment, files) ??
    (await (await import("./ask-git.ts")).askGit(holder, { environment, files, processes }));
  if (!facts) return plainFolder(folder, environment, files);
  const settings = chooseSettings(facts.settings);
  return gitRepository({ ...facts, folder, settings, environment, files });
};

const headgateDir = (root: string): string => join(root, ".headgate");

const plainFolder = (root: string, environment: Environment, files: Files): Repository => ({
  kind: "folder",
  root,
  worktree: root,
  worktrees: [root],
  localDir: folderState(root, environment),
  worktreesDir: headgateDir(root),
  configFile: join(headgateDir(root), "config.jsonc"),
  caseInsensitive: isCaseInsensitive(root, files),
  identity: {
    local: { key: `path:${root}`, name: basename(root) || root },
    shared: { key: `host:${environment.host}:${root}`, name: basename(root) || root },
  },
});

/**
 * The nearest folder with a `.git` entry; only without one, a bare repository. Git itself would take a
 * bare repository that lies inside a worktree, and so let a planted one change the identity.
 */
const gitFolderAbove = (folder: string, files: Files): string | undefined => {
  let bare: string | undefined;
  for (let place = folder; ; place = dirname(place)) {
    if (files.stat(join(place, ".git"))) return place;
    if (isBareGitDir(place, files)) bare ??= place;
    if (dirname(place) === place) return bare;
  }
};

interface Settings {
  readonly bare: boolean;
  readonly worktree?: string;
  /** Where it comes from; not worked out unless somebody asks. */
  remote(): string | undefined;
}

const chooseSettings = (given: GitFacts["settings"]): Settings => {
  const values = new Map<string, string>();
  for (const [key, value] of given) {
    // A remote's first address is the one it fetches from; of the others the last counts.
    if (key.startsWith("remote.") && values.has(key)) continue;
    values.set(key, value);
  }
  const worktree = values.get("core.worktree");
  return {
    bare: /^(true|yes|on|1)$/i.test(values.get("core.bare") ?? ""),
    ...(worktree !== undefined && { worktree }),
    remote: () => chooseRemote(values),
  };
};

/** `origin`, else the first by name that is a remote at all. */
const chooseRemote = (values: ReadonlyMap<string, string>): string | undefined => {
  const keys = [...values.keys()].filter((key) => key.startsWith("remote.")).toSorted();
  for (const key of ["remote.origin.url", ...keys]) {
    const remote = normalRemote(values.get(key) ?? "");
    if (remote !== undefined) return remote;
  }
  return undefined;
};

interface Found extends Omit<GitFacts, "settings"> {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly files: Files;
}

const gitRepository = (found: Found): Repository => {
  const { commonDir, settings, environment, files } = found;
  const { home, main } = mainWorktree(found);
  const current = currentWorktree(found);
  const root = main ?? home ?? current ?? commonDir;
  const worktree = current ?? root;
  const linked = linkedWorktrees(commonDir, files);
  const worktrees = [main, current, ...linked].filter((place) => place !== undefined);
  const name = basename(home ?? commonDir).replace(/\.git$/, "") || root;
  return {
    kind: "git",
    root,
    worktree,
    worktrees: [...new Set(worktrees)],
    commonDir,
    localDir: join(commonDir, "headgate"),
    worktreesDir: home === undefined ? join(commonDir, "headgate") : headgateDir(home),
    // A tracked file: without a main worktree the one that is checked out here.
    configFile: join(headgateDir(main ?? worktree), "config.jsonc"),
    caseInsensitive: isCaseInsensitive(worktree, files),
    identity: {
      local: { key: `path:${commonDir}`, name },
      get shared() {
        const remote = settings.remote();
        return remote === undefined
          ? { key: `host:${environment.host}:${commonDir}`, name }
          : { key: `git:${remote}`, name: remote.replace(/^[^/]+\//, "") };
      },
    },
  };
};

/**
 * `home` is where `.headgate` belongs, `main` the same folder if files are checked out there. A path in
 * core.worktree counts only if its `.git` leads back here: otherwise any folder could be named.
 */
const mainWorktree = ({ commonDir, settings, files }: Found): { home?: string; main?: string } => {
  if (basename(commonDir) === ".git") {
    const home = dirname(commonDir);
    return settings.bare ? { home } : { home, main: home };
  }
  if (settings.worktree === undefined) return {};
  const main = realFolder(resolve(commonDir, settings.worktree), files);
  if (main === undefined || gitDirOf(main, files) !== commonDir) return {};
  return { home: main, main };
};

const currentWorktree = (found: Found): string | undefined => {
  const { folder, gitDir, commonDir, settings, files } = found;
  if (gitDir === commonDir && settings.bare) return undefined;
  for (let place = folder; ; place = dirname(place)) {
    if (gitDirOf(place, files) === gitDir) return place;
    if (dirname(place) === place) return undefined;
  }
};
