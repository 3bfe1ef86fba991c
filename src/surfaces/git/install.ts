/**
 * Puts our lines into git's hooks beside whatever is there, and takes them away again so that every
 * byte is as before. A hook written for the shell gets a few lines at its top; any other hook is moved
 * aside and run by ours; what other repositories use as well is not touched.
 */
import { dirname, join } from "node:path";
import { type Environment, systemEnvironment } from "../../base/environment.ts";
import { type Files, systemFiles } from "../../base/files.ts";
import { removeTree } from "../../base/open-file.ts";
import { lockNoteNames, type Repository, scratchFolder } from "../../git/index.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { writeFileAtomic } from "../../state/index.ts";
import { planName } from "./commit-plan.ts";
import { beginHeads, endHeads } from "./late-commits.ts";
import { findHookPlaces, type HookPlaces, textOf } from "./hook-places.ts";
import {
  beforeFolder,
  beforeSuffix,
  blockPattern,
  hookBlock,
  hookFile,
  ownFilePattern,
  runnerName,
  runnerText,
} from "./hook-script.ts";
import {
  type GitHookChange,
  type GitHookName,
  type GitHooksPlan,
  type GitHooksState,
  type GitHookStateName,
  hookNames,
} from "./types.ts";

export interface InstallOptions {
  /** Changes nothing; tells what would be changed. */
  readonly dryRun?: boolean;
  readonly environment?: Environment;
}

const files: Files = systemFiles;

/** Idempotent. Hooks of other worktrees are the same files, unless their folder is tracked. */
export const installGitHooks = async (
  repository: Repository,
  options: InstallOptions = {},
): Promise<GitHooksPlan> => {
  const places = await findHookPlaces(repository, options.environment);
  if (!places) return nothing;
  const plan: GitHooksPlan = {
    ...placeOf(places),
    changes: places.isShared
      ? []
      : [planRunner(places), ...hookNames.map((hook) => planHook(places, hook))].filter(
          (change) => change !== undefined,
        ),
    notes: notesOf(places),
  };
  if (options.dryRun === true) return plan;
  for (const change of plan.changes) await make(change);
  await beginHeads(repository, options.environment ?? systemEnvironment());
  return plan;
};

export const uninstallGitHooks = async (
  repository: Repository,
  options: InstallOptions = {},
): Promise<GitHooksPlan> => {
  const places = await findHookPlaces(repository, options.environment);
  if (!places) return nothing;
  const hooks = hookNames.flatMap((hook) => planRemovals(places, hook));
  const runner = join(places.commonDir, runnerName);
  // A commit that never came to its end leaves its plan.
  const left = [planName, ...lockNoteNames].map((name) => join(places.commonDir, name));
  const own = [runner, ...left].flatMap((file): GitHookChange[] => {
    const text = textOf(file, files);
    return text === undefined ? [] : [{ file, before: text, after: null, mode: 0o755 }];
  });
  const changes: GitHookChange[] = [...hooks, ...own];
  if (options.dryRun !== true) {
    for (const change of changes) await make(change);
    removeTree(files, join(places.commonDir, scratchFolder));
    endHeads(repository);
  }
  return { ...placeOf(places), changes, notes: [] };
};

export const gitHooksState = async (
  repository: Repository,
  options: Pick<InstallOptions, "environment"> = {},
): Promise<GitHooksState> => {
  const places = await findHookPlaces(repository, options.environment);
  if (!places) return { ...nothing, isShared: false, runner: "absent", hooks: [] };
  const runner = textOf(join(places.commonDir, runnerName), files);
  return {
    ...placeOf(places),
    isShared: places.isShared,
    runner: runner === undefined ? "absent" : runner === runnerText ? "installed" : "outdated",
    hooks: hookNames.map((hook) => ({
      hook,
      file: places.fileOf(hook),
      state: stateOf(places, hook),
    })),
    notes: notesOf(places),
  };
};

const nothing: GitHooksPlan = {
  manager: "none",
  folder: undefined,
  changes: [],
  notes: ["This folder is not in a git repository, so it has no git hooks."],
};

const placeOf = ({ manager, folder }: HookPlaces) => ({ manager, folder });

const planRunner = ({ commonDir }: HookPlaces): GitHookChange | undefined => {
  const file = join(commonDir, runnerName);
  const before = textOf(file, files) ?? null;
  return before === runnerText ? undefined : { file, before, after: runnerText, mode: 0o755 };
};

const planHook = (places: HookPlaces, hook: GitHookName): GitHookChange | undefined => {
  const file = places.fileOf(hook);
  const stat = files.stat(file);
  if (stat === undefined) return { file, before: null, after: hookFile(hook), mode: 0o755 };
  const mode = stat.mode & 0o777;
  const before = textOf(file, files) ?? null;
  if (before !== null && ownFilePattern.test(before)) {
    const isSame = before === hookFile(hook) && (mode & 0o100) !== 0;
    return isSame ? undefined : { file, before, after: hookFile(hook), mode: mode | 0o755 };
  }
  if (before !== null && isShellText(before)) {
    // Judging twice would only take longer.
    const after = places.isPassedOn(hook)
      ? before.replace(blockPattern, "")
      : withBlock(before, hook);
    // A hook that is switched off by its mode stays its owner's business: git would not run ours either.
    return before === after ? undefined : { file, before, after, mode };
  }
  const keptAs = stat.isSymbolicLink()
    ? `${file}${beforeSuffix}`
    : join(dirname(file), beforeFolder, hook);
  return { file, before, after: hookFile(hook), mode: 0o755, keptAs };
};

/** For the shell, or without a first line that says otherwise: then git hands it to the shell. */
const isShellText = (text: string): boolean => {
  // Without an end of its first line there is no place for ours that leaves every byte alone.
  if (text.includes("\r") || /^#![^\n]*$/.test(text)) return false;
  const [, program] = /^#!\s*(\S+(?:[ \t]+\S+)*)/.exec(text) ?? [];
  if (program === undefined) return true;
  return /(?:^|\/)(?:env\s+(?:-S\s+)?)?(?:ba|da|z|k|a)?sh(?:\s+-\w+)*$/.test(program);
};

/** Behind the first line if that names the shell; in the place of an older version of it. */
const withBlock = (text: string, hook: GitHookName): string => {
  const block = hookBlock(hook);
  if (blockPattern.test(text)) return text.replace(blockPattern, () => block);
  const [first = ""] = /^#![^\n]*\n/.exec(text) ?? [];
  return first + block + text.slice(first.length);
};

const planRemovals = (places: HookPlaces, hook: GitHookName): GitHookChange[] => {
  const used = places.isShared ? [] : [places.fileOf(hook)];
  const changes: GitHookChange[] = [];
  for (const file of [...used, ...places.asideOf(hook), ...places.unusedOf(hook)]) {
    const change = planRemoval(file, hook);
    // What lay here before us comes back under the name that ours was given.
    const isTaken = changes.some(
      ({ broughtFrom: kept }) => kept !== undefined && kept === change?.broughtFrom,
    );
    if (change) changes.push(isTaken ? withoutKept(change) : change);
  }
  return changes;
};

const withoutKept = ({ file, before, after, mode }: GitHookChange): GitHookChange => ({
  file,
  before,
  after,
  mode,
});

const planRemoval = (file: string, hook: GitHookName): GitHookChange | undefined => {
  const before = textOf(file, files);
  if (before === undefined || !blockPattern.test(before)) return undefined;
  const mode = (files.stat(file)?.mode ?? 0o755) & 0o777;
  if (!ownFilePattern.test(before)) {
    return { file, before, after: before.replace(blockPattern, ""), mode };
  }
  const kept = [
    join(dirname(file), beforeFolder, hook),
    join(dirname(file), `${hook}${beforeSuffix}`),
  ].find((path) => files.stat(path) !== undefined);
  return { file, before, after: null, mode, ...(kept !== undefined && { broughtFrom: kept }) };
};

const make = async (change: GitHookChange): Promise<void> => {
  const { file, after, mode, keptAs, broughtFrom } = change;
  if (keptAs !== undefined) {
    files.makeDirectory(dirname(keptAs), 0o755);
    // Exclusive: what is kept already is somebody's and must not be lost.
    if (files.stat(keptAs) !== undefined) throw keptAlready(file, keptAs);
    files.rename(file, keptAs);
  }
  if (after !== null) {
    files.makeDirectory(dirname(file), 0o755);
    await writeFileAtomic(file, after, { mode, allowEmpty: true });
  } else if (broughtFrom !== undefined) files.rename(broughtFrom, file);
  else files.unlink(file);
  if (broughtFrom !== undefined) removeIfEmpty(join(dirname(file), beforeFolder));
};

const keptAlready = (file: string, keptAs: string) =>
  new HeadgateError(
    "STATE_CHANGED",
    `${showText(file)} cannot be kept as ${showText(keptAs)}, which exists; move one of them away`,
  );

const removeIfEmpty = (folder: string): void => {
  const isEmpty = files.stat(folder)?.isDirectory() === true && files.list(folder).length === 0;
  if (isEmpty) files.removeDirectory(folder);
};

const stateOf = (places: HookPlaces, hook: GitHookName): GitHookStateName => {
  const file = places.fileOf(hook);
  const text = textOf(file, files);
  if (text !== undefined && blockPattern.test(text)) {
    // Husky runs its scripts whatever their mode is.
    const isRun = ((files.stat(file)?.mode ?? 0) & 0o111) !== 0 || dirname(file) !== places.folder;
    if (!isRun) return "disabled";
    const isCurrent = text === hookFile(hook) || text.includes(hookBlock(hook));
    return isCurrent ? "installed" : "outdated";
  }
  if (places.isPassedOn(hook)) return "installed";
  const isAside = places.asideOf(hook).some((path) => blockPattern.test(textOf(path, files) ?? ""));
  return isAside ? "displaced" : "absent";
};

const notesOf = ({ manager, folder, isShared, isPassedOn }: HookPlaces): string[] => {
  if (isShared) {
    return [
      `Git takes its hooks from ${showText(folder)}, which leads out of this repository and may belong to others: nothing was changed there. ` +
        `To let Headgate judge commits, put these lines at the top of its pre-commit hook (and the like for ${hookNames.slice(1).join(", ")}):\n${hookBlock("pre-commit")}`,
    ];
  }
  if (manager === "lefthook" && !isPassedOn("pre-commit")) {
    return [
      "Lefthook writes its hooks anew when its configuration changes, without our lines. " +
        `To make them last, add to lefthook-local.yml:\npre-commit:\n  commands:\n    headgate:\n      run: sh "$(git rev-parse --git-common-dir)/${runnerName}" pre-commit`,
    ];
  }
  if (manager === "pre-commit") {
    return [
      "`pre-commit install` writes its hook anew, without our lines: run `headgate init` after it.",
    ];
  }
  return [];
};
