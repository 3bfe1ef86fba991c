/** Which files have another content than before. */
import { dirname, join } from "node:path";
import {
  type FileState,
  type LookBudget,
  stateOf,
  timeStepMs,
  type WorktreeState,
} from "./worktree-state.ts";
import type { Files } from "../../../base/files.ts";

export interface Change {
  readonly path: string;
  /** Undefined: as the last commit had it. */
  readonly before?: string | null;
  readonly after: string | null;
  /** It is now as the last commit has it. */
  readonly isClean: boolean;
  /** Git finds another file than it had: perhaps only its mode has changed. */
  readonly maySame?: true;
}

export interface CompareOptions {
  readonly root: string;
  readonly files: Files;
  readonly budget: LookBudget;
  /** When the first state was taken, in wall time. */
  readonly at: number;
  readonly kind: "git" | "folder";
}

export const compareStates = (
  before: WorktreeState,
  after: WorktreeState,
  options: CompareOptions,
): Change[] => {
  const { root, files, budget, kind } = options;
  const paths = new Set([...Object.keys(before.files), ...Object.keys(after.files)]);
  const changes: Change[] = [];
  for (const path of paths) {
    budget.check();
    const was = Object.hasOwn(before.files, path) ? before.files[path] : undefined;
    const isDirty = Object.hasOwn(after.files, path);
    const look = () => stateOf(join(root, path), { files, isTracked: true, budget });
    const is = (isDirty ? after.files[path] : undefined) ?? look();
    const wasElsewhere = (): boolean => is.hash !== null && isInMoved(path, options);
    if (was ? isSame(was, is) : isOlder(is, options.at) && !wasElsewhere()) continue;
    // Known by its numbers only: what it holds now decides whether the gate has let it pass.
    const hash = is.hash === undefined ? look().hash : is.hash;
    if (was?.hash !== undefined && was.hash === hash) continue;
    const isNew = !was && (kind === "folder" || !is.isTracked);
    changes.push({
      path,
      ...(was?.hash !== undefined ? { before: was.hash } : isNew ? { before: null } : {}),
      after: hash === undefined ? unknownHash : hash,
      isClean: kind === "git" && !isDirty,
      ...(!was && hash !== null && is.isTracked && { maySame: true }),
    });
  }
  return changes;
};

/** Of a file that is too large to be read. */
const unknownHash = "";

const isSame = (a: FileState, b: FileState): boolean =>
  (a.hash !== undefined && a.hash === b.hash) ||
  (a.hash === undefined && a.size === b.size && a.mtimeMs === b.mtimeMs && a.inode === b.inode);

/** Not changed since: it is new to the list because git or an ignore file sees it in another way now. */
const isOlder = (state: FileState, at: number): boolean =>
  state.hash !== null && state.ctimeMs < at - timeStepMs;

/**
 * A folder above it was renamed since, which leaves the times of all that is in it. An entry that comes or goes
 * changes both times of a folder, a rename only the second one.
 */
const isInMoved = (path: string, { root, files, at }: CompareOptions): boolean => {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const stat = files.stat(join(root, folder));
    if (stat && stat.ctimeMs >= at - timeStepMs && stat.mtimeMs < stat.ctimeMs) return true;
  }
  return false;
};
