import { errnoOf, type Files, type FileStats, openFlags } from "../base/files.ts";
import { HeadgateError } from "../errors.ts";
import { contentHash } from "./content-hash.ts";
import { closeQuietly } from "../base/open-file.ts";
import type { Durability } from "./durability.ts";
import type { HeldTarget } from "./held-target.ts";
import { abandon, nameTemporary, removeTemporary } from "./name-temporary.ts";
import type { StatePorts } from "./ports.ts";
import { showPath, step } from "./state-failure.ts";
import { temporaryName } from "./temporary-name.ts";

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
  const temporary = directory.at(
    temporaryName({ target: held.name, owner, baseHash, hash }, random),
  );
  const fd = step("create the temporary file", path, () =>
    files.open(temporary, openFlags.create, 0o600),
  );
  let stats: FileStats;
  try {
    stats = fillTemporary(files, fd, held, replacement);
    directory.verify();
    // Only programs outside this room can have touched it. A plain write wins over them by being later;
    // one that depends on what was there must not.
    if (replacement.isConditional && (!held.isStillThere() || hasChanged(held, baseHash))) {
      removeTemporary(files, temporary, path);
      return false;
    }
  } catch (error) {
    throw abandon(files, temporary, error);
  }
  return nameTemporary(ports, held, { temporary, stats, durability: replacement.durability });
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
    const wanted = mode ?? step("set the mode", path, () => defaultMode(files, held));
    if ((stats.mode & 0o777) !== wanted)
      step("set the mode", path, () => setMode(files, fd, wanted));
    if (durability !== "cache") step("sync the content", path, () => files.sync(fd));
  } catch (error) {
    closeQuietly(files, fd);
    throw error;
  }
  step("close the temporary file", path, () => files.close(fd));
  return stats;
};

const defaultMode = (files: Files, { stats }: HeldTarget): number =>
  stats ? stats.mode & 0o777 : 0o666 & ~files.umask();

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
