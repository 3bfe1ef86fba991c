import { join } from "node:path";
import { type Files, openFlags, systemFiles } from "../../base/files.ts";
import { releaseKernelLock, tryKernelLock, writeFileAtomicSync } from "../../state/index.ts";
import { headerPath, portPath, runtimePath, tokenPath } from "./server-files.ts";

/**
 * One server per repository: `server.lock` is locked by the kernel for the server's life, so a killed
 * server leaves nothing to clear up. The files `port` and `token` mean something only while it is held.
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

/** The token first: whoever sees the port can then already talk to it. */
export const publishServer = (
  localDir: string,
  {
    port,
    token,
    runtime,
  }: { readonly port: number; readonly token: string; readonly runtime: string },
): void => {
  writeFileAtomicSync(runtimePath(localDir), runtime, { mode: 0o600 });
  writeFileAtomicSync(tokenPath(localDir), `${token}\n`, { mode: 0o600 });
  writeFileAtomicSync(headerPath(localDir), `Authorization: Bearer ${token}\n`, { mode: 0o600 });
  writeFileAtomicSync(portPath(localDir), `${port}\n`, { mode: 0o600 });
};

export const withdrawServer = (localDir: string, files: Files = systemFiles): void => {
  for (const pathOf of [portPath, headerPath, tokenPath]) {
    const path = pathOf(localDir);
    if (files.stat(path) !== undefined) files.unlink(path);
  }
};
