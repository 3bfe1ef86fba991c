import { basename, dirname, join, resolve } from "node:path";
import { type Files } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import { showPath, step } from "./state-failure.ts";
import { belongsTo, parseTemporaryName, type TemporaryName } from "./temporary-name.ts";
import { kindOf } from "./validation.ts";

/** One file with the temporaries beside it. `target` is undefined when only a hash of its name is known. */
export interface ScannedTarget {
  readonly directory: string;
  readonly target: string | undefined;
  readonly temporaries: readonly ScannedTemporary[];
  /** Names that other programs give their temporaries: `NAME.tmp.1234`. */
  readonly foreign: readonly string[];
  /** The file's own content is judged too, not only its temporaries. */
  readonly isJudged: boolean;
  /** Known as a state file: named by the caller, under `.headgate`, or being written through this room. */
  readonly isState: boolean;
}

export interface ScannedTemporary {
  readonly file: string;
  readonly name: TemporaryName;
}

/**
 * A named file: it and its temporaries. A named folder: the temporaries everywhere below it, and the
 * content of the files directly in it and in `.headgate` folders. Files elsewhere are not judged: a
 * repository may hold broken JSON on purpose, as a test fixture. Nor is everything in a folder a state
 * file: a `tsconfig.json` with comments is reported, but never set aside unless it is named.
 */
export const scanState = (
  files: Files,
  paths: readonly string[],
  below?: string,
): ScannedTarget[] => {
  const budget = { left: limits.stateScanEntriesMax };
  const found = new Map<string, ScannedTarget>();
  const add = (one: ScannedTarget): void => {
    const key = join(one.directory, one.target ?? `\0${one.temporaries[0]?.file}`);
    const earlier = found.get(key);
    found.set(key, {
      ...one,
      isJudged: one.isJudged || earlier?.isJudged === true,
      isState: one.isState || earlier?.isState === true,
    });
  };
  for (const path of paths.map((one) => resolve(one))) {
    const stats = step("look at the file", path, () => files.stat(path));
    const targets = stats?.isDirectory()
      ? scanFolder(files, path, { budget, isJudged: true })
      : [scanFile(files, path, stats !== undefined)];
    for (const one of targets) add(one);
  }
  if (below !== undefined) {
    const scan = { budget: { left: limits.stateScanEntriesMax }, isJudged: false };
    for (const one of scanFolder(files, resolve(below), scan)) add(one);
  }
  return [...found.values()];
};

const scanFile = (files: Files, path: string, exists: boolean): ScannedTarget => {
  const directory = dirname(path);
  const target = basename(path);
  const entries = step("list the folder", directory, () => files.list(directory));
  const temporaries = entries.flatMap((entry) => {
    const name = parseTemporaryName(entry.name);
    return name && belongsTo(name, target) ? [{ file: entry.name, name }] : [];
  });
  const foreign = entries.map(({ name }) => name).filter((name) => foreignTarget(name) === target);
  if (!exists && temporaries.length + foreign.length === 0) {
    throw new HeadgateError("STATE_NOT_FOUND", `${showPath(path)} does not exist`, {
      data: { path },
    });
  }
  return { directory, target, temporaries, foreign, isJudged: true, isState: true };
};

const scanFolder = (
  files: Files,
  directory: string,
  scan: { readonly budget: { left: number }; readonly isJudged: boolean },
): ScannedTarget[] => {
  const entries = step("list the folder", directory, () => files.list(directory));
  scan.budget.left -= entries.length;
  if (scan.budget.left < 0) {
    throw new HeadgateError(
      "INPUT_TOO_LARGE",
      `more than ${limits.stateScanEntriesMax} entries below ${showPath(directory)}; name a folder further down`,
      { data: { path: directory } },
    );
  }
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  const targets = targetsIn(directory, names, scan.isJudged);
  const below = entries.filter((entry) => entry.isDirectory() && !skipped.has(entry.name));
  return [
    ...targets,
    ...below.flatMap((entry) => {
      const folder = join(directory, entry.name);
      return scanFolder(files, folder, { ...scan, isJudged: isStateFolder(folder) });
    }),
  ];
};

const targetsIn = (
  directory: string,
  names: readonly string[],
  isJudged: boolean,
): ScannedTarget[] => {
  const isState = isStateFolder(directory);
  const known = { isJudged, isState };
  const byTarget = new Map<string, ScannedTemporary[]>();
  const foreign = Map.groupBy(names, (name) => foreignTarget(name) ?? "");
  const nameless: ScannedTarget[] = [];
  const plain: string[] = [];
  for (const file of names) {
    const name = parseTemporaryName(file);
    if (!name) {
      plain.push(file);
      continue;
    }
    const target =
      "name" in name.target ? name.target.name : names.find((other) => belongsTo(name, other));
    if (target !== undefined)
      byTarget.set(target, [...(byTarget.get(target) ?? []), { file, name }]);
    else {
      const temporaries = [{ file, name }];
      nameless.push({ directory, target: undefined, temporaries, foreign: [], ...known });
    }
  }
  if (isJudged) {
    for (const file of plain) {
      if (kindOf(file) !== "text" && !byTarget.has(file)) byTarget.set(file, []);
    }
  }
  for (const target of foreign.keys()) {
    if (target !== "" && !byTarget.has(target)) byTarget.set(target, []);
  }
  const targets = [...byTarget].map(([target, temporaries]) => ({
    directory,
    target,
    temporaries,
    foreign: foreign.get(target) ?? [],
    isJudged: isJudged || temporaries.length > 0,
    isState: isState || temporaries.length > 0,
  }));
  return [...targets, ...nameless];
};

/** `STATE.md.tmp.1234` is a temporary of STATE.md: shell scripts make such names. */
const foreignTarget = (name: string): string | undefined => {
  const target = /^(.+)\.tmp\.[\w-]{1,40}$/s.exec(name)?.[1];
  return target !== undefined && kindOf(target) !== "text" ? target : undefined;
};

const isStateFolder = (directory: string): boolean =>
  directory.split(/[/\\]/).includes(".headgate");

const skipped = new Set([".git", "node_modules"]);
