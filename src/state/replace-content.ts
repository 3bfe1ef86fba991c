import { errnoOf, type Files, type FileStats, openFlags } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import { contentHash } from "./content-hash.ts";
import { closeQuietly } from "./directory.ts";
import type { HeldTarget } from "./held-target.ts";
import type { StatePorts } from "./ports.ts";
import { showPath, stateFailure, step } from "./state-failure.ts";
import { temporaryName } from "./temporary-name.ts";

/**
 * What a returned write has survived. All three leave the old or the new content after a kill.
 * required: file and folder synced; after a power cut the new content is there.
 * normal: file synced, folder not; a power cut may bring the old content back, never a torn one.
 * cache: nothing synced; a power cut may leave the old, the new, an empty or no file.
 */
export type Durability = "required" | "normal" | "cache";

export interface Replacement {
  readonly data: Uint8Array;
  readonly hash: string;
  readonly durability: Durability;
  readonly mode: number | undefined;
  /** The content that was there when the caller decided. */
  readonly baseHash: string | undefined;
  /** The caller's decision depends on `baseHash`: look again right before the rename. */
  readonly isConditional: boolean;
}

/**
 * The protocol of guarantees G6 and S-01 on a held target: temporary → write → sync → rename → sync.
 * False: the file was replaced from outside meanwhile; nothing was changed, start again.
 */
export const replaceContent = (
  ports: Required<StatePorts>,
  held: HeldTarget,
  replacement: Replacement,
): boolean => {
  const { files, random, owner } = ports;
  const { directory, path } = held;
  const { hash, baseHash } = replacement;
  const temporary = directory.at(temporaryName({ target: held.name, owner, baseHash, hash }, random));
  const fd = step("create the temporary file", path, () =>
    files.open(temporary, openFlags.create, 0o600),
  );
  let stats: FileStats;
  try {
    stats = fillTemporary(files, fd, held, replacement);
    directory.verify();
    if (!held.isStillThere() || (replacement.isConditional && hasChanged(held, baseHash))) {
      removeTemporary(files, temporary, path);
      return false;
    }
  } catch (error) {
    throw abandon(files, temporary, error);
  }
  return nameTemporary(ports, held, { temporary, stats, durability: replacement.durability });
};

/**
 * Gives a complete, synced temporary the target's name. Also the way recovery promotes one.
 * False: the target appeared meanwhile; the temporary was removed.
 */
export const nameTemporary = (
  ports: Pick<Required<StatePorts>, "files" | "clock">,
  held: HeldTarget,
  options: { temporary: string; stats: FileStats; durability: Durability },
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
    if (isNamed(files, held, stats)) throw unknownOutcome(path, "the new name was not confirmed", error);
    throw abandon(files, temporary, error);
  }
  try {
    if (durability === "required") held.directory.sync();
  } catch (cause) {
    throw unknownOutcome(path, "the new content is in place, but the folder could not be synced", cause);
  }
  if (left !== undefined) {
    throw unknownOutcome(path, "the new content is in place, but its temporary name remains", left);
  }
  return true;
};

/** The content is written, counted, given its mode and synced; the handle is closed in every case. */
const fillTemporary = (
  files: Files,
  fd: number,
  held: HeldTarget,
  { data, mode, durability }: Replacement,
): FileStats => {
  const { path } = held;
  let stats: FileStats;
  try {
    step("write the content", path, () => writeAll(files, fd, data, path));
    stats = step("write the content", path, () => files.statHandle(fd));
    if (stats.size !== data.byteLength) throw shortWrite(path, stats.size, data.byteLength);
    const wanted = mode ?? (held.stats ? held.stats.mode & 0o777 : 0o666 & ~files.umask());
    if ((stats.mode & 0o777) !== wanted) step("set the mode", path, () => setMode(files, fd, wanted));
    if (durability !== "cache") step("sync the content", path, () => files.sync(fd));
  } catch (error) {
    closeQuietly(files, fd);
    throw error;
  }
  step("close the temporary file", path, () => files.close(fd));
  return stats;
};

/** Node returns a short count instead of an error when a disk fills up in the middle of a write. */
const writeAll = (files: Files, fd: number, data: Uint8Array, path: string): void => {
  let written = 0;
  while (written < data.byteLength) {
    const count = files.write(fd, data, written);
    if (count <= 0) throw shortWrite(path, written, data.byteLength);
    written += count;
  }
};

const shortWrite = (path: string, written: number, wanted: number): HeadgateError =>
  new HeadgateError(
    "STATE_DISK_FULL",
    `${showPath(path)}: only ${written} of ${wanted} bytes could be written`,
    { data: { path, written, wanted } },
  );

/** The file is ours, so a refusal means a file system without modes (FAT), not a missing right. */
const setMode = (files: Files, fd: number, mode: number): void => {
  try {
    files.chmod(fd, mode);
  } catch (error) {
    if (errnoOf(error) !== "EPERM" && errnoOf(error) !== "ENOTSUP") throw error;
  }
};

const hasChanged = (held: HeldTarget, baseHash: string | undefined): boolean => {
  const now = held.read();
  return (now === undefined ? undefined : contentHash(now)) !== baseHash;
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
const abandon = (files: Files, temporary: string, error: unknown): unknown => {
  try {
    files.unlink(temporary);
  } catch (second) {
    if (errnoOf(second) === undefined) return second;
  }
  return error;
};

const removeTemporary = (files: Files, temporary: string, path: string): void =>
  step("remove the temporary file", path, () => files.unlink(temporary));

const unknownOutcome = (path: string, what: string, cause: unknown): HeadgateError =>
  new HeadgateError("OUTCOME_UNKNOWN", `${showPath(path)}: ${what}`, { data: { path }, cause });

const busyCodes = new Set(["EPERM", "EACCES", "EBUSY"]);
const noLinkCodes = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
