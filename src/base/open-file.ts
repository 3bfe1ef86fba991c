/** What several rooms do with a file or folder: read within a bound, write, remove, close, sync. */
import { join } from "node:path";
import { errnoOf, type Files, openFlags } from "./files.ts";

/** Replaces the content in place: a crash in between leaves a part of it. For what lasts: `state`. */
export const writeInPlace = (
  files: Files,
  path: string,
  { text, mode }: { readonly text: string | Buffer; readonly mode: number },
): void => {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const fd = files.open(path, openFlags.replace, mode);
  try {
    for (let done = 0; done < bytes.length;) done += files.write(fd, bytes, done);
  } finally {
    files.close(fd);
  }
};

/** Already gone is as good. */
export const removeFile = (files: Files, path: string): void => {
  try {
    files.unlink(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
};

/** Gives a file a second name that must be free; false when it is not. */
export const linkNew = (files: Files, from: string, to: string): boolean => {
  try {
    files.link(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    // FAT and some FUSE file systems have no links, a full disk has no room for one: then two creators at
    // the same instant both succeed.
    if (!noLinks.has(errnoOf(error) ?? "")) throw error;
    if (files.stat(to)) return false;
    files.rename(from, to);
    return true;
  }
};

const noLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "ENOSPC", "EDQUOT"]);

/** With everything in it, or a single file; links are removed, not followed. Already gone is as good. */
export const removeTree = (files: Files, path: string): void => {
  const stat = files.stat(path);
  if (stat === undefined) return;
  if (!stat.isDirectory()) return removeFile(files, path);
  for (const { name } of files.list(path)) removeTree(files, join(path, name));
  files.removeDirectory(path);
};

/** From the start to the end, however the size changes meanwhile; undefined when it is over `bytesMax`. */
export const readToEnd = (files: Files, fd: number, bytesMax: number): Buffer | undefined => {
  // One byte more than expected: the read that fills it is the sign that the file has grown.
  let bytes = Buffer.allocUnsafe(Math.min(files.statHandle(fd).size, bytesMax) + 1);
  let length = 0;
  for (;;) {
    const count = files.read(fd, bytes, length, length);
    if (count === 0) return bytes.subarray(0, length);
    length += count;
    if (length > bytesMax) return undefined;
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(length)]);
  }
};

/** The first `size` bytes; fewer when the file has become shorter. */
export const readFirst = (files: Files, fd: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const count = files.read(fd, bytes, length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
};

/** For handles through which nothing was written: an error on closing them says nothing about the file. */
export const closeQuietly = (files: Files, fd: number): void => {
  try {
    files.close(fd);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
};

/** Some network and FUSE file systems cannot sync a folder at all and say so with EINVAL. */
export const syncDirectory = (files: Files, fd: number): void => {
  try {
    files.sync(fd);
  } catch (error) {
    if (errnoOf(error) !== "EINVAL" && errnoOf(error) !== "ENOTSUP") throw error;
  }
};
