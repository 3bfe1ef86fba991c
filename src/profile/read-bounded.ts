import { errnoOf, type Files, openFlags } from "../base/files.ts";
import { readFirst } from "../base/open-file.ts";
import { tooLarge } from "./evidence.ts";

/**
 * A file's bytes; or "absent"; or why it was not read, as a sentence. Follows no link at its end, waits
 * for no pipe, and never takes more than `bytesMax` into memory.
 */
export const readBounded = (path: string, bytesMax: number, files: Files): Uint8Array | string => {
  let fd: number;
  try {
    fd = files.open(path, openFlags.read | openFlags.noFollow | openFlags.noWait);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return "absent";
    return code === "ELOOP" ? "not a plain file" : `not read (${code ?? "error"})`;
  }
  try {
    const stats = files.statHandle(fd);
    if (!stats.isFile()) return "not a plain file";
    if (stats.size > bytesMax) return tooLarge(stats.size);
    return readFirst(files, fd, stats.size);
  } catch (error) {
    return `not read (${errnoOf(error) ?? "error"})`;
  } finally {
    files.close(fd);
  }
};
