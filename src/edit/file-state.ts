/** One file of an edit as it is on disk now: its content, and the temporaries beside it. */
import { errnoOf, type Files, type FileStats, openFlags } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { closeQuietly, readToEnd } from "../base/open-file.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { contentHash } from "../state/index.ts";
import { type Folder, kindProblem, nameOf } from "./folders.ts";

export interface FileNow {
  readonly hash: string;
  readonly stats: FileStats;
}

/** Undefined when there is none. Refuses what is no plain file or has other names. */
export const lookAt = (files: Files, folder: Folder, path: string): FileNow | undefined => {
  const at = folder.at(nameOf(path));
  const found = files.stat(at);
  if (!found) return undefined;
  if (found.isSymbolicLink()) throw kindProblem(path, "it is a link");
  if (!found.isFile()) throw kindProblem(path, "it is not a plain file");
  const flags = openFlags.read | openFlags.noFollow | openFlags.noWait;
  let fd: number;
  try {
    fd = files.open(at, flags);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    if (errnoOf(error) === "ELOOP") throw kindProblem(path, "it is a link");
    throw error;
  }
  try {
    const stats = files.statHandle(fd);
    if (!stats.isFile()) throw kindProblem(path, "it is not a plain file");
    return { hash: contentHash(readAll(files, fd, path)), stats };
  } finally {
    closeQuietly(files, fd);
  }
};

/** A file with several names would be cut off from them by a new content under one. */
export const refuseOtherNames = (now: FileNow, path: string): void => {
  if (now.stats.nlink > 1) throw kindProblem(path, `it has ${now.stats.nlink} names (hard links)`);
};

/** The very same file with the very same content, as far as the system's stamps tell. */
export const isUntouched = (
  files: Files,
  folder: Folder,
  path: string,
  seen: FileStats,
): boolean => {
  const now = files.stat(folder.at(nameOf(path)));
  return (
    now !== undefined &&
    now.dev === seen.dev &&
    now.ino === seen.ino &&
    now.size === seen.size &&
    now.mtimeMs === seen.mtimeMs &&
    now.ctimeMs === seen.ctimeMs
  );
};

/** Creates a file with content and mode, synced; whatever has its name already is an error. */
export const makeFile = (files: Files, at: string, content: Uint8Array, mode: number): void => {
  const fd = files.open(at, openFlags.create, 0o600);
  try {
    // Node returns a short count instead of an error when a disk fills up in the middle of a write.
    for (let written = 0; written < content.byteLength;) {
      const count = files.write(fd, content, written);
      if (count <= 0) throw shortWrite(written, content.byteLength);
      written += count;
    }
    const stats = files.statHandle(fd);
    if (stats.size !== content.byteLength) throw shortWrite(stats.size, content.byteLength);
    if ((stats.mode & 0o7777) !== mode) setMode(files, fd, mode);
    files.sync(fd);
  } catch (error) {
    closeQuietly(files, fd);
    throw error;
  }
  files.close(fd);
};

/** The file is ours, so a refusal means a file system without modes (FAT), not a missing right. */
const setMode = (files: Files, fd: number, mode: number): void => {
  try {
    files.chmod(fd, mode);
  } catch (error) {
    if (errnoOf(error) !== "EPERM" && errnoOf(error) !== "ENOTSUP") throw error;
  }
};

const readAll = (files: Files, fd: number, path: string): Buffer => {
  const bytes = readToEnd(files, fd, bytesMax);
  if (bytes) return bytes;
  throw new HeadgateError("INPUT_TOO_LARGE", `${showText(path)} is larger than ${bytesMax} bytes`, {
    data: { path, bytesMax },
  });
};

const shortWrite = (written: number, wanted: number): HeadgateError =>
  new HeadgateError("STATE_DISK_FULL", `only ${written} of ${wanted} bytes could be written`);

const bytesMax = limits.stateFileBytesMax;
