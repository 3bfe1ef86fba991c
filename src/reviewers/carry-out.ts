/** Writing a plan: each file whole or not at all, and with `strict` all of them or none. */
import { join, relative } from "node:path";
import { errnoOf } from "../base/files.ts";
import { HeadgateError } from "../errors.ts";
import { writeFileAtomic } from "../state/index.ts";
import { secondName } from "./left-over.ts";
import { type ManifestEntry, type ReadManifest, writeManifest } from "./manifest.ts";
import { codeOf, type Place } from "./place.ts";
import type { PlannedStep } from "./plan.ts";

export interface Failure {
  readonly name: string;
  readonly domain: string;
  /** In a few words: "disk full". */
  readonly reason: string;
  readonly code: string;
}

export interface CarriedOut {
  readonly done: readonly PlannedStep[];
  readonly failed: readonly Failure[];
  /** The manifest could not be written; the next run registers the files by their markers. */
  readonly manifestFailure?: Pick<Failure, "reason" | "code">;
}

export const carryOut = async (
  place: Place,
  steps: readonly PlannedStep[],
  options: { readonly manifest: ReadManifest; readonly strict: boolean },
): Promise<CarriedOut> => {
  const { manifest, strict } = options;
  const undo = new UndoList(place, strict);
  const done: PlannedStep[] = [];
  const failed: Failure[] = [];
  for (const step of steps) {
    try {
      await writeStep(place, step, undo);
      done.push(step);
    } catch (error) {
      const { name, domain } = step;
      failed.push({ name, domain, ...reasonOf(error) });
      if (strict) break;
    }
  }
  if (strict && failed.length > 0) {
    return { done: [], failed: [...failed, ...notTakenBack(steps, undo.takeBack())] };
  }
  const entries = new Map(manifest.entries);
  for (const { name, entry } of done) entries.set(name, entry);
  try {
    if (done.length > 0) await saveManifest(place, entries, manifest.hash);
  } catch (error) {
    const manifestFailure = reasonOf(error);
    if (strict) {
      const left = notTakenBack(steps, undo.takeBack());
      return { done: [], failed: [...failed, ...left], manifestFailure };
    }
    undo.forget();
    return { done, failed, manifestFailure };
  }
  undo.forget();
  return { done, failed };
};

const notTakenBack = (steps: readonly PlannedStep[], files: readonly string[]): Failure[] =>
  steps
    .filter(({ file }) => files.includes(file))
    .map(({ name, domain }) => {
      return { name, domain, reason: "could not be taken back", code: "OUTCOME_UNKNOWN" };
    });

export const saveManifest = async (
  { worktree, files }: Place,
  entries: ReadonlyMap<string, ManifestEntry>,
  expect: string | null,
): Promise<void> => writeManifest(worktree, entries, { expect, files });

/** Known failures in a few words; what is a defect passes through. */
export const reasonOf = (error: unknown): Pick<Failure, "reason" | "code"> => {
  if (HeadgateError.isInstance(error)) {
    return { reason: reasons[error.code] ?? error.message, code: error.code };
  }
  const errno = errnoOf(error);
  if (errno === undefined || !/^E[A-Z0-9]+$/.test(errno)) throw error;
  const code = codeOf(errno);
  return { reason: reasons[code] ?? errno, code };
};

const reasons: Readonly<Record<string, string>> = {
  STATE_DISK_FULL: "disk full",
  STATE_NOT_WRITABLE: "not writable",
  STATE_CHANGED: "somebody else wrote it meanwhile",
  STATE_TARGET_KIND: "not a plain file",
  STATE_BUSY: "another process holds it",
  STATE_TOO_MANY_FILES: "no file descriptors left",
  STATE_SYNC_FAILED: "the disk reported an error",
  STATE_IO: "the file system reported an error",
  PATH_OUTSIDE: "leads outside the repository",
  OUTCOME_UNKNOWN: "outcome unknown",
};

const writeStep = async (place: Place, step: PlannedStep, undo: UndoList): Promise<void> => {
  if (step.action === "register") return;
  const { files, worktree, agentsDir } = place;
  undo.makeFolders();
  const path = join(agentsDir, step.file);
  undo.keep(path, step.before !== null);
  try {
    await writeFileAtomic(path, step.after, { files, root: worktree, expect: step.expect });
  } catch (error) {
    // The new text may be there although its folder could not be synced.
    if (HeadgateError.isInstance(error) && error.code === "OUTCOME_UNKNOWN") undo.written(path);
    throw error;
  }
  undo.written(path);
};

/**
 * How to get back without needing room on the disk: a second name for each old file, and the names of
 * those that are new. After a kill the second names are removed by the next run; every file is then
 * whole and known by its marker.
 */
class UndoList {
  readonly #place: Place;
  readonly #isKept: boolean;
  readonly #folders: string[] = [];
  readonly #old = new Map<string, string>();
  readonly #written: string[] = [];

  constructor(place: Place, isKept: boolean) {
    this.#place = place;
    this.#isKept = isKept;
  }

  makeFolders(): void {
    const { files, worktree, agentsDir } = this.#place;
    for (const folder of [join(worktree, ".claude"), agentsDir]) {
      if (files.stat(folder)) continue;
      files.makeDirectory(folder, 0o777);
      this.#folders.unshift(folder);
    }
  }

  keep(path: string, isPresent: boolean): void {
    if (!this.#isKept || !isPresent) return;
    const second = secondName(path);
    this.#place.files.link(path, second);
    this.#old.set(path, second);
  }

  written(path: string): void {
    this.#written.push(path);
  }

  /** Those that could not be, as they are named in the agents' folder. */
  takeBack(): string[] {
    const { files, agentsDir } = this.#place;
    const left = this.#written.toReversed().filter((path) => !tried(() => this.#restore(path)));
    this.forget();
    for (const folder of this.#folders) tried(() => files.removeDirectory(folder));
    return left.map((path) => relative(agentsDir, path).replaceAll("\\", "/"));
  }

  forget(): void {
    for (const second of this.#old.values()) tried(() => this.#place.files.unlink(second));
    this.#old.clear();
  }

  #restore(path: string): void {
    const { files } = this.#place;
    const second = this.#old.get(path);
    if (second === undefined) files.unlink(path);
    else {
      files.rename(second, path);
      this.#old.delete(path);
    }
  }
}

/** False when the system refuses; what is a defect passes through. */
const tried = (call: () => void): boolean => {
  try {
    call();
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
};
