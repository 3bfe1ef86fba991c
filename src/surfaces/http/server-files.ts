import { join } from "node:path";
import { type Files, systemFiles } from "../../base/files.ts";

/** `port` and `token` in `.git/headgate` are for browsers and scripts on TCP; see server-lock.ts. */
export const tokenPath = (localDir: string): string => join(localDir, "token");
export const portPath = (localDir: string): string => join(localDir, "port");
/** One line: where the server's socket for its owner is (owner-socket.ts). */
export const socketNotePath = (localDir: string): string => join(localDir, "socket-path");
/** What every answer to the shim ends with: one that was cut does not have it. */
export const markPath = (localDir: string): string => join(localDir, "hook-mark");
/** Where the shim says that it has handed an answer on (hooks/receipts.ts). */
export const receiptsPath = (localDir: string): string => join(localDir, "receipts");
/** How the hooks' shim starts Headgate where no server answers. */
export const runtimePath = (localDir: string): string => join(localDir, "runtime");
export const logPath = (localDir: string): string => join(localDir, "server.log");

/** A server that was killed leaves this; one that was stopped does not. */
export const isServerNoted = (localDir: string, files: Files = systemFiles): boolean =>
  files.stat(socketNotePath(localDir)) !== undefined;

/** One line of a file; empty where there is none. */
export const readShort = (path: string, files: Files): string => {
  const stat = files.stat(path);
  if (stat === undefined || !stat.isFile() || stat.size > 200) return "";
  return files.readFile(path).toString("utf8").trim();
};
