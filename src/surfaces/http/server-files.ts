import { join } from "node:path";
import { type Files, systemFiles } from "../../base/files.ts";

/** `port` and `token` in `.git/headgate` say how to talk to the server; see server-lock.ts. */
export const tokenPath = (localDir: string): string => join(localDir, "token");
export const portPath = (localDir: string): string => join(localDir, "port");
/** The token as a header line, for `curl -H @file`: a token in argv could be seen by every user. */
export const headerPath = (localDir: string): string => join(localDir, "hook-header");
/** What every answer to the shim ends with: a stranger on the port of a killed server does not have it. */
export const markPath = (localDir: string): string => join(localDir, "hook-mark");
/** How the hooks' shim starts Headgate where no server answers. */
export const runtimePath = (localDir: string): string => join(localDir, "runtime");
export const logPath = (localDir: string): string => join(localDir, "server.log");

/** What the files say; whether anybody answers there is another question. */
export const readServerFiles = (
  localDir: string,
  files: Files = systemFiles,
): { readonly port: number; readonly token: string } | undefined => {
  const port = Number(readShort(portPath(localDir), files));
  const token = readShort(tokenPath(localDir), files);
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return isPort && /^[0-9a-f]{64}$/.test(token) ? { port, token } : undefined;
};

const readShort = (path: string, files: Files): string => {
  const stat = files.stat(path);
  if (stat === undefined || !stat.isFile() || stat.size > 100) return "";
  return files.readFile(path).toString("utf8").trim();
};
