import { join } from "node:path";
import { errnoOf, type Files } from "../../base/files.ts";
import type { SetupPlace } from "./types.ts";

/** Deletes a folder of ours and everything in it; links in it are deleted, never followed. */
export const removeTree = (path: string, files: Files): void => {
  for (const entry of files.list(path)) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) removeTree(inner, files);
    else files.unlink(inner);
  }
  files.removeDirectory(path);
};

/** `.headgate` itself goes when nothing is left in it. */
export const removeHeadgateFolder = ({ root, files }: SetupPlace): void => {
  try {
    files.removeDirectory(join(root, ".headgate"));
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(error) ?? "")) throw error;
  }
};
