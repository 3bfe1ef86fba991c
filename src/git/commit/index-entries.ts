/** Entries of an index: the user's, or one of our own. */
import type { WritingCall, WritingGit } from "../writing-git.ts";

export interface TreeEntry {
  readonly path: string;
  /** As git writes it: `100644`; all zeros where the file is to go. */
  readonly mode: string;
  readonly blob: string;
}

/** Of these paths, those that are there. */
export const readIndexEntries = async (
  git: WritingGit,
  paths: readonly string[],
  index?: string,
): Promise<ReadonlyMap<string, TreeEntry | "unmerged">> => {
  const found = new Map<string, TreeEntry | "unmerged">();
  for (let at = 0; at < paths.length; at += pathsAtOnce) {
    const listed = await git.run({
      args: ["ls-files", "--stage", "-z", "--", ...paths.slice(at, at + pathsAtOnce)],
      ...(index !== undefined && { index }),
    });
    for (const line of listed.split("\0")) {
      const [, mode, blob, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t([^]*)$/.exec(line) ?? [];
      if (mode === undefined || blob === undefined || path === undefined) continue;
      found.set(path, stage === "0" ? { path, mode, blob } : "unmerged");
    }
  }
  return found;
};

/** An argument list has its limit, which Windows sets lowest. */
const pathsAtOnce = 100;

export const writeIndexEntries = (entries: readonly TreeEntry[], index?: string): WritingCall => ({
  args: ["update-index", "-z", "--index-info"],
  input: entries.map(({ path, mode, blob }) => `${mode} ${blob}\t${path}\0`).join(""),
  ...(index !== undefined && { index }),
});
