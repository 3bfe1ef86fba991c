import { join } from "node:path";
import { type Files, openFlags, systemFiles } from "../../base/files.ts";
import { releaseKernelLock, tryKernelLock, writeFileAtomicSync } from "../../state/index.ts";
import { headerPath, markPath, portPath, runtimePath, tokenPath } from "./server-files.ts";

/**
 * One server per repository: `server.lock` is locked by the kernel for the server's life, so a killed
 * server leaves nothing to clear up. The files `port` and `token` mean something only while it is held.
 */
export interface ServerLock {
  /** The folder may be deleted and made anew under a running server: then what lies there is another's. */
  isInPlace(): boolean;
  release(): void;
}

/** Undefined when another process holds it. */
export const takeServerLock = (
  localDir: string,
  files: Files = systemFiles,
): ServerLock | undefined => {
  const path = join(localDir, "server.lock");
  const fd = files.open(path, openFlags.readWriteCreate, 0o600);
  let isTaken = false;
  try {
    isTaken = tryKernelLock(fd);
  } finally {
    if (!isTaken) files.close(fd);
  }
  if (!isTaken) return undefined;
  const { dev, ino } = files.statHandle(fd);
  return {
    isInPlace: () => {
      const there = files.stat(path);
      return there !== undefined && there.dev === dev && there.ino === ino;
    },
    release: () => {
      releaseKernelLock(fd);
      files.close(fd);
    },
  };
};

export interface Published {
  readonly port: number;
  readonly token: string;
  readonly mark: string;
  /** How the shim starts Headgate where no server answers. */
  readonly runtime: string;
}

/** The port last: whoever sees it can then already talk to the server. */
export const publishServer = (localDir: string, server: Published): void => {
  const { port, token, mark, runtime } = server;
  const put = (path: string, text: string) => writeFileAtomicSync(path, text, { mode: 0o600 });
  put(runtimePath(localDir), runtime);
  put(tokenPath(localDir), `${token}\n`);
  put(headerPath(localDir), `Authorization: Bearer ${token}\n`);
  put(markPath(localDir), `${mark}\n`);
  put(portPath(localDir), `${port}\n`);
};

export const withdrawServer = (localDir: string, files: Files = systemFiles): void => {
  for (const pathOf of [portPath, headerPath, markPath, tokenPath]) {
    const path = pathOf(localDir);
    if (files.stat(path) !== undefined) files.unlink(path);
  }
};
