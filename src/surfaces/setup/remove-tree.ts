import { join } from "node:path";
import { errnoOf, type Files } from "../../base/files.ts";
import type { SetupPlace } from "./types.ts";

/**
 * Deletes a folder of ours and everything in it; links in it are deleted, never followed. A program that ends at the
 * same moment may take its own files away first.
 */
export const removeTree = (path: string, files: Files): void => {
  for (const entry of files.list(path)) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) removeTree(inner, files);
    else unlessGone(() => files.unlink(inner));
  }
  unlessGone(() => files.removeDirectory(path));
};

const unlessGone = (remove: () => void): void => {
  try {
    remove();
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
};

/** `.headgate` itself goes when nothing is left in it. */
export const removeHeadgateFolder = ({ root, files }: SetupPlace): void => {
  try {
    files.removeDirectory(join(root, ".headgate"));
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(error) ?? "")) throw error;
  }
};
