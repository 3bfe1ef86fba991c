import { basename, dirname, join } from "node:path";
import { errnoOf, type Files, openFlags } from "../base/files.ts";
import { folderWithState } from "../base/state-place.ts";
import { HeadgateError } from "../errors.ts";

/**
 * Makes the local folder, for its owner only: in git's own folder, or among the user's own files where there is
 * no git. Its `.gitignore` is written last, so its presence means that the folder is complete; it also hides the
 * worktrees of runs, which are in the tree.
 */
export const makeLocalDir = (path: string, files: Files, platform: NodeJS.Platform): void => {
  const ignore = join(path, ".gitignore");
  if (files.stat(ignore)) return;
  // A server may outlive its repository for a moment: it must not make a folder where that was.
  const around = dirname(path);
  const isTracked = basename(around) === ".headgate";
  if (!files.stat(folderWithState(path) ?? (isTracked ? dirname(around) : around))) {
    throw new HeadgateError("STORE_UNAVAILABLE", `the repository of ${path} is gone`, {
      data: { location: path },
    });
  }
  try {
    // The project's tracked settings are there, with ordinary permissions.
    if (isTracked) files.makeDirectory(around, 0o777);
    files.makeDirectory(path, 0o700);
    writeNew(ignore, Buffer.from("*\n"), files);
    // The new names must survive a power cut as surely as the data behind them.
    if (platform !== "win32") for (const folder of [path, around]) syncFolder(folder, files);
  } catch (cause) {
    throw new HeadgateError(
      "STORE_UNAVAILABLE",
      `cannot make the folder ${path} (${errnoOf(cause) ?? "unknown error"})`,
      { data: { location: path }, cause },
    );
  }
};

/** Another process may be first; whatever it wrote is as good. */
const writeNew = (path: string, content: Buffer, files: Files): void => {
  let fd: number;
  try {
    fd = files.open(path, openFlags.create, 0o600);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return;
    throw error;
  }
  try {
    files.write(fd, content, 0);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
};

const syncFolder = (path: string, files: Files): void => {
  const fd = files.open(path, openFlags.directory | openFlags.noFollow);
  try {
    files.sync(fd);
  } finally {
    files.close(fd);
  }
};
