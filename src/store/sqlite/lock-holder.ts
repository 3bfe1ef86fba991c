/** Which process has SQLite's write lock, where the system tells (Linux). */
import { basename } from "node:path";
import { errnoOf, type Files, systemFiles } from "../../base/files.ts";

/** A sentence such as `process 812 (node) holds it, and is stopped: kill -CONT 812`; undefined: not known. */
export const describeLockHolder = (
  path: string,
  files: Files = systemFiles,
): string | undefined => {
  try {
    const pid = findHolder(files.stat(`${path}-shm`)?.ino, files);
    if (pid === undefined) return undefined;
    const [program = ""] = readText(files, `/proc/${pid}/cmdline`).split("\0");
    const [, state = ""] = /^\d+ \(.*\) (\S)/s.exec(readText(files, `/proc/${pid}/stat`)) ?? [];
    const isStopped = state === "T" || state === "t";
    return `process ${pid} (${basename(program)}) holds it${isStopped ? `, and is stopped: kill -CONT ${pid}` : ""}`;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    // No such files here, or the process has just ended: it was only a help.
    return undefined;
  }
};

const findHolder = (inode: number | undefined, files: Files): string | undefined => {
  for (const line of readText(files, "/proc/locks").split("\n")) {
    const [, pid, number, first] = pattern.exec(line) ?? [];
    if (inode !== undefined && Number(number) === inode && first === writeLockByte) return pid;
  }
  return undefined;
};

const readText = (files: Files, path: string): string => files.readFile(path).toString("utf8");

/** `1: POSIX  ADVISORY  WRITE 812 08:01:4711 120 120` */
const pattern = /POSIX\s+ADVISORY\s+WRITE\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:(\d+)\s+(\d+)/;
/** WAL_WRITE_LOCK in the file that all processes share (sqlite.org/walformat.html). */
const writeLockByte = "120";
