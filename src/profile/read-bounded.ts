import { errnoOf, type Files, openFlags } from "../base/files.ts";
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
    const bytes = new Uint8Array(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const got = files.read(fd, bytes, length, length);
      if (got === 0) break;
      length += got;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    return `not read (${errnoOf(error) ?? "error"})`;
  } finally {
    files.close(fd);
  }
};
