import { join } from "node:path";
import { systemFiles } from "../base/files.ts";
import { readContent } from "../state/index.ts";

/** A file of the working tree; undefined where there is none, nor a folder for it, or where a link took its place. */
export const readInTree = (root: string, path: string): Buffer | undefined => {
  const file = join(root, path);
  return systemFiles.stat(file)?.isFile() ? readContent(file, systemFiles) : undefined;
};
