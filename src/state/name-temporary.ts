import { errnoOf, type Files, type FileStats } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import type { HeldTarget } from "./held-target.ts";
import type { StatePorts } from "./ports.ts";
import type { Durability } from "./durability.ts";
import { showPath, stateFailure, step } from "./state-failure.ts";

/**
 * Gives a complete, synced temporary the target's name. Also the way recovery promotes one.
 * False: the target appeared meanwhile; the temporary was removed.
 */
export const nameTemporary = (
  ports: Pick<Required<StatePorts>, "files" | "clock">,
  held: HeldTarget,
  options: {
    readonly temporary: string;
    readonly stats: FileStats;
    readonly durability: Durability;
    /** Recovery: a temporary whose promotion failed is still the only copy of its content. */
    readonly isKeptOnFailure?: boolean;
  },
): boolean => {
  const { files } = ports;
  const { temporary, stats, durability } = options;
  const { path } = held;
  let left: unknown;
  try {
    if (held.isExclusive) renameOver(ports, temporary, held);
    else if (linkNew(files, temporary, held, stats)) left = unlinkLinked(files, temporary);
    else {
      removeTemporary(files, temporary, path);
      return false;
    }
  } catch (error) {
    if (isNamed(files, held, stats))
      throw unknownOutcome(path, "the new name was not confirmed", error);
    if (options.isKeptOnFailure === true) throw error;
    throw abandon(files, temporary, error);
  }
  try {
    if (durability === "required") held.directory.sync();
  } catch (cause) {
    throw unknownOutcome(
      path,
      "the new content is in place, but the folder could not be synced",
      cause,
    );
  }
  if (left !== undefined) {
    throw unknownOutcome(path, "the new content is in place, but its temporary name remains", left);
  }
  return true;
};

const renameOver = (
  { files, clock }: Pick<Required<StatePorts>, "files" | "clock">,
  temporary: string,
  { at, path }: HeldTarget,
): void => {
  // Windows only: a virus scanner or indexer that has the file open makes this fail for a moment.
  let attempts = files.traits.replaceOpenFiles ? 1 : limits.stateRenameAttemptsMax;
  for (;;) {
    try {
      files.rename(temporary, at);
      return;
    } catch (error) {
      attempts -= 1;
      if (attempts === 0 || !busyCodes.has(errnoOf(error) ?? "")) {
        throw stateFailure(error, "replace the file", path);
      }
      clock.sleepSync(25);
    }
  }
};

/** True when the target now is the temporary; false when somebody else created it first. */
const linkNew = (
  files: Files,
  temporary: string,
  { at, path, isStillThere }: HeldTarget,
  stats: FileStats,
): boolean => {
  try {
    files.link(temporary, at);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") {
      // On network file systems the answer to a link that was made can be lost and asked again.
      const now = files.stat(at);
      return now?.ino === stats.ino && now.dev === stats.dev;
    }
    if (!noLinkCodes.has(errnoOf(error) ?? "")) throw stateFailure(error, "replace the file", path);
    // FAT and some FUSE file systems have no links: two creators at the same instant both succeed there.
    if (!isStillThere()) return false;
    step("replace the file", path, () => files.rename(temporary, at));
    return true;
  }
};

/** The change is made already; a name that could not be removed is reported, not undone. */
const unlinkLinked = (files: Files, temporary: string): unknown => {
  try {
    files.unlink(temporary);
    return undefined;
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? undefined : error;
  }
};

/** A failed call that did its work all the same, as over a network: the target is our file already. */
const isNamed = (files: Files, { at }: HeldTarget, stats: FileStats): boolean => {
  try {
    const now = files.stat(at);
    return now?.ino === stats.ino && now.dev === stats.dev;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return true;
  }
};

/** Removes the temporary. If that fails too, the first failure matters more: `state recover` finds it. */
export const abandon = (files: Files, temporary: string, error: unknown): unknown => {
  try {
    files.unlink(temporary);
  } catch (second) {
    if (errnoOf(second) === undefined) return second;
  }
  return error;
};

export const removeTemporary = (files: Files, temporary: string, path: string): void =>
  step("remove the temporary file", path, () => files.unlink(temporary));

const unknownOutcome = (path: string, what: string, cause: unknown): HeadgateError =>
  new HeadgateError("OUTCOME_UNKNOWN", `${showPath(path)}: ${what}`, { data: { path }, cause });

const busyCodes = new Set(["EPERM", "EACCES", "EBUSY"]);
const noLinkCodes = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
