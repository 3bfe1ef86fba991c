/**
 * What a commit takes from the worktree, made durable before the branch shows the commit: after a power cut the
 * worktree would otherwise hold less than the branch, and look changed by somebody.
 */
import { dirname, join } from "node:path";
import { errnoOf, type Files, openFlags } from "../../base/files.ts";

export const syncFiles = (root: string, paths: readonly string[], files: Files): void => {
  const folders = new Set<string>();
  for (const path of paths) {
    const absolute = join(root, path);
    folders.add(dirname(absolute));
    if (files.stat(absolute)?.isFile()) syncOne(absolute, files);
  }
  if (!files.traits.directoryHandles) return;
  for (const folder of folders) syncOne(folder, files);
};

/** A file that is gone or unreadable by now is the commit's matter, not this one's. */
const syncOne = (path: string, files: Files): void => {
  let fd: number;
  try {
    // Windows syncs only what may be written.
    const canSyncFolders = files.traits.directoryHandles;
    fd = files.open(path, canSyncFolders ? openFlags.read : openFlags.readWrite);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return;
  }
  try {
    files.sync(fd);
  } finally {
    files.close(fd);
  }
};
