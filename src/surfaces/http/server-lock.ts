import { join } from "node:path";
import { errnoOf, type Files, openFlags, systemFiles } from "../../base/files.ts";
import { removeTree } from "../../base/open-file.ts";
import { releaseKernelLock, tryKernelLock, writeFileAtomicSync } from "../../state/index.ts";
import { removeOwnerSocket } from "./owner-socket.ts";
import {
  markPath,
  portPath,
  runtimePath,
  socketNotePath,
  tokenPath,
  receiptsPath,
} from "./server-files.ts";

/**
 * One server per repository: `server.lock` is locked by the kernel for the server's life, so a killed
 * server leaves nothing to clear up. The files beside it mean something only while it is held.
 */
export interface ServerLock {
  /** The folder may be deleted and made anew under a running server: then what lies there is another's. */
  isInPlace(): boolean;
  release(): void;
}

/** True: no server runs here, whatever answers. Creates nothing; what cannot be asked is taken for held. */
export const isServerLockFree = (localDir: string, files: Files = systemFiles): boolean => {
  if (files.stat(join(localDir, "server.lock")) === undefined) return true;
  try {
    const lock = takeServerLock(localDir, files);
    lock?.release();
    return lock !== undefined;
  } catch (error) {
    // In a sandbox that may not write here.
    if (["EROFS", "EACCES", "EPERM"].includes(errnoOf(error) ?? "")) return false;
    throw error;
  }
};

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
  readonly socket: string;
  readonly token: string;
  readonly mark: string;
  /** How the shim starts Headgate where no server answers. */
  readonly runtime: string;
}

/** The socket last: a hook that sees it can then already talk to the server. */
export const publishServer = (localDir: string, server: Published): void => {
  const { port, socket, token, mark, runtime } = server;
  const put = (path: string, text: string) => writeFileAtomicSync(path, text, { mode: 0o600 });
  // Receipts of an earlier server say nothing any more.
  removeTree(systemFiles, receiptsPath(localDir));
  systemFiles.makeDirectory(receiptsPath(localDir), 0o700);
  put(runtimePath(localDir), runtime);
  put(tokenPath(localDir), `${token}\n`);
  put(markPath(localDir), `${mark}\n`);
  put(portPath(localDir), `${port}\n`);
  put(socketNotePath(localDir), `${socket}\n`);
};

export const withdrawServer = (
  localDir: string,
  { socket }: { readonly socket: string },
  files: Files = systemFiles,
): void => {
  for (const pathOf of [socketNotePath, portPath, markPath, tokenPath]) {
    const path = pathOf(localDir);
    if (files.stat(path) !== undefined) files.unlink(path);
  }
  removeOwnerSocket(socket, localDir, files);
};
