import { join } from "node:path";
import { type Files, openFlags, systemFiles } from "../../base/files.ts";
import { releaseKernelLock, tryKernelLock, writeFileAtomicSync } from "../../state/index.ts";

/**
 * How one server per repository is found: `server.lock` is locked by the kernel for the server's life
 * (so a killed server leaves nothing to clear up), `port` and `token` say how to talk to it. The two are
 * only meaningful while the lock is held.
 */
export interface ServerLock {
  release(): void;
}

/** Undefined when another process holds it. */
export const takeServerLock = (
  localDir: string,
  files: Files = systemFiles,
): ServerLock | undefined => {
  const fd = files.open(join(localDir, "server.lock"), openFlags.readWriteCreate, 0o600);
  let isTaken = false;
  try {
    isTaken = tryKernelLock(fd);
  } finally {
    if (!isTaken) files.close(fd);
  }
  if (!isTaken) return undefined;
  return {
    release: () => {
      releaseKernelLock(fd);
      files.close(fd);
    },
  };
};

export const tokenPath = (localDir: string): string => join(localDir, "token");
const portPath = (localDir: string): string => join(localDir, "port");

/** The token first: whoever sees the port can then already talk to it. */
export const publishServer = (
  localDir: string,
  { port, token }: { readonly port: number; readonly token: string },
): void => {
  writeFileAtomicSync(tokenPath(localDir), `${token}\n`, { mode: 0o600 });
  writeFileAtomicSync(portPath(localDir), `${port}\n`, { mode: 0o600 });
};

export const withdrawServer = (localDir: string, files: Files = systemFiles): void => {
  for (const path of [portPath(localDir), tokenPath(localDir)]) {
    if (files.stat(path) !== undefined) files.unlink(path);
  }
};

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
