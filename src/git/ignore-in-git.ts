/** Names that git leaves out of `git status` and `git add` in this clone, without a file in the tree. */
import { join } from "node:path";
import { errnoOf, type Files, openFlags } from "../base/files.ts";
import { closeQuietly } from "../base/open-file.ts";
import { gitDirOf } from "./layout.ts";

/** Adds a line to `info/exclude`, once. Where that cannot be written, the names show up in `git status`. */
export const ignoreInGit = (worktree: string, pattern: string, files: Files): void => {
  const gitDir = gitDirOf(worktree, files);
  if (gitDir === undefined) return;
  const folder = join(gitDir.replace(/[\\/]worktrees[\\/][^\\/]+$/, ""), "info");
  const path = join(folder, "exclude");
  try {
    const present = files.stat(path) ? files.readFile(path).toString("utf8") : "";
    if (present.split(/\r?\n/).includes(pattern)) return;
    files.makeDirectory(folder, 0o777);
    const fd = files.open(path, openFlags.append, 0o666);
    try {
      const start = present === "" || present.endsWith("\n") ? "" : "\n";
      files.write(fd, Buffer.from(`${start}${pattern}\n`), 0);
    } finally {
      closeQuietly(files, fd);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
};
