import { type Files, openFlags, systemFiles } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { closeQuietly, readToEnd } from "../base/open-file.ts";
import { HeadgateError } from "../errors.ts";
import { openDirectory } from "./directory.ts";
import { showPath, step } from "./state-failure.ts";
import { parseStatePath } from "./state-path.ts";

/**
 * The whole content of a plain file, or undefined when there is none. A link, folder, pipe or device
 * is refused rather than followed or waited for.
 */
export const readContent = (given: string, files: Files = systemFiles): Buffer | undefined => {
  const { directory: folder, name, path } = parseStatePath(given);
  const directory = openDirectory(files, folder);
  try {
    return readContentAt(files, directory.at(name), path);
  } finally {
    directory.close();
  }
};

/** `at` is the name to open, `path` the one to show. */
export const readContentAt = (files: Files, at: string, path: string): Buffer | undefined => {
  const stats = step("look at the file", path, () => files.stat(at));
  if (stats === undefined) return undefined;
  requirePlainFile(stats, path);
  const flags = openFlags.read | openFlags.noFollow | openFlags.noWait;
  const fd = step("read the file", path, () => files.open(at, flags));
  try {
    requirePlainFile(
      step("read the file", path, () => files.statHandle(fd)),
      path,
    );
    return readWhole(files, fd, path);
  } finally {
    closeQuietly(files, fd);
  }
};

export const requirePlainFile = (
  stats: {
    isFile(): boolean;
    isSymbolicLink(): boolean;
    isDirectory(): boolean;
    isFIFO(): boolean;
  },
  path: string,
): void => {
  if (stats.isFile()) return;
  let kind = "a device or socket";
  if (stats.isSymbolicLink()) kind = "a link";
  else if (stats.isDirectory()) kind = "a folder";
  else if (stats.isFIFO()) kind = "a pipe";
  throw new HeadgateError("STATE_TARGET_KIND", `${showPath(path)} is ${kind}, not a plain file`, {
    data: { path, kind },
  });
};

export const readWhole = (files: Files, fd: number, path: string): Buffer =>
  step("read the file", path, () => {
    const bytes = readToEnd(files, fd, bytesMax);
    if (bytes) return bytes;
    throw new HeadgateError(
      "INPUT_TOO_LARGE",
      `${showPath(path)} is larger than ${bytesMax} bytes, the limit for state files`,
      { data: { path, bytesMax } },
    );
  });

const bytesMax = limits.stateFileBytesMax;
