import { join, relative, resolve, sep } from "node:path";
import { errnoOf, type Files, openFlags } from "../base/files.ts";
import { closeQuietly, syncDirectory } from "../base/open-file.ts";
import { HeadgateError } from "../errors.ts";
import { showPath, stateFailure, step } from "./state-failure.ts";

/**
 * The folder a file lives in, opened once. All names below it are reached through the handle where the
 * platform allows it (`/proc/self/fd/N/name`), so that swapping the folder for a link after the check
 * cannot lead a write elsewhere. Elsewhere `verify` compares device and inode again before the file gets
 * its final name, which leaves a window of one system call.
 */
export interface Directory {
  /** As the user names it, for messages. */
  readonly path: string;
  at(name: string): string;
  /** PATH_OUTSIDE when the path no longer leads to the folder that was opened. */
  verify(): void;
  sync(): void;
  close(): void;
}

export const openDirectory = (
  files: Files,
  path: string,
  options: { readonly root?: string | undefined } = {},
): Directory => {
  const absolute = resolve(path);
  if (!files.traits.directoryHandles) return directoryByPath(files, absolute, options.root);
  const fd = step("open the folder", absolute, () => files.open(absolute, openFlags.directory));
  try {
    const opened = handleTarget(files, fd);
    const real = opened ?? files.realPath(absolute);
    refuseOutside(files, real, absolute, options.root);
    const identity = opened === undefined ? files.statHandle(fd) : undefined;
    return {
      path: absolute,
      at: (name) => (identity ? join(real, name) : `/proc/self/fd/${fd}/${name}`),
      verify: () => {
        if (identity) refuseSwapped(files, absolute, identity);
      },
      sync: () => syncDirectory(files, fd),
      close: () => closeQuietly(files, fd),
    };
  } catch (error) {
    closeQuietly(files, fd);
    throw stateFailure(error, "open the folder", absolute);
  }
};

/**
 * The kernel's own word on what was opened; a string check before the open would be racy. Undefined where
 * handles have no paths, which includes a process that gave up root: it may not look into its own /proc.
 */
const handleTarget = (files: Files, fd: number): string | undefined => {
  if (!files.traits.handlePaths) return undefined;
  try {
    return files.readLink(`/proc/self/fd/${fd}`);
  } catch (error) {
    if (errnoOf(error) === "EACCES" || errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Windows: no handle, no sync. NTFS journals names, but may lose the last ones on a power cut. */
const directoryByPath = (files: Files, path: string, root: string | undefined): Directory => {
  const real = step("open the folder", path, () => files.realPath(path));
  const identity = files.statFollowing(real);
  if (!identity?.isDirectory()) {
    throw new HeadgateError("STATE_PARENT_MISSING", `${showPath(path)} is not a folder`, {
      data: { path },
    });
  }
  refuseOutside(files, real, path, root);
  return {
    path,
    at: (name) => join(real, name),
    verify: () => refuseSwapped(files, path, identity),
    sync: () => {},
    close: () => {},
  };
};

const refuseOutside = (
  files: Files,
  real: string,
  path: string,
  root: string | undefined,
): void => {
  if (root === undefined) return;
  const way = relative(
    step("open the folder", root, () => files.realPath(root)),
    real,
  );
  // By component: `/root-evil` is not inside `/root`, and another Windows drive stays absolute.
  if (way !== ".." && !way.startsWith(`..${sep}`) && resolve(way) !== way) return;
  throw new HeadgateError(
    "PATH_OUTSIDE",
    `${showPath(path)} leads to ${showPath(real)}, outside ${showPath(root)}`,
    { data: { path, real, root } },
  );
};

const refuseSwapped = (
  files: Files,
  path: string,
  identity: { readonly dev: number; readonly ino: number },
): void => {
  const now = files.statFollowing(path);
  if (now?.dev === identity.dev && now.ino === identity.ino) return;
  throw new HeadgateError("PATH_OUTSIDE", `${showPath(path)} was replaced during the write`, {
    data: { path },
  });
};
