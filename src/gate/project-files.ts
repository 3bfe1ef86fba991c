/** The project's files as modules are looked up in them: on disk, or as a tree of git has them. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import type { Git } from "../git/index.ts";

export interface ProjectFiles {
  /** Undefined when there is none, or it is too large. */
  read(path: string): Buffer | undefined;
  kind(path: string): "file" | "folder" | undefined;
  /** Names in a folder; none when there is no such folder. */
  entries(folder: string): readonly string[];
  /** One of them at least. */
  isIgnored(paths: readonly string[]): Promise<boolean>;
}

/** `corrected` are contents that differ from the disk's; undefined: not there. */
export const projectFiles = (
  root: string,
  files: Files,
  git: Git | undefined,
  corrected: ReadonlyMap<string, Buffer | undefined> = new Map(),
): ProjectFiles => ({
  read: (path) => {
    if (corrected.has(path)) return corrected.get(path);
    const stat = files.statFollowing(join(root, path));
    if (!stat?.isFile() || stat.size > limits.structureBytesMax) return undefined;
    return files.readFile(join(root, path));
  },
  kind: (path) => {
    if (corrected.has(path)) return corrected.get(path) && "file";
    const stat = files.statFollowing(join(root, path));
    if (stat?.isDirectory()) return "folder";
    return stat?.isFile() ? "file" : undefined;
  },
  entries: (folder) => {
    if (!files.statFollowing(join(root, folder))?.isDirectory()) return [];
    const prefix = folder === "" ? "" : `${folder}/`;
    const names = files.list(join(root, folder)).map(({ name }) => name);
    return names.filter((name) => !corrected.has(prefix + name) || corrected.get(prefix + name));
  },
  isIgnored: async (paths) => {
    if (!git) return false;
    const { code } = await git.run({
      args: ["check-ignore"],
      // A colon at the beginning would be a word to git.
      paths: paths.map((path) => `./${path}`),
      okCodes: [0, 1, 128],
    });
    // Without an answer nothing is proven.
    return code !== 1;
  },
});
