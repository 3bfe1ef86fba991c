/**
 * Changes without lines: links, submodules, the executable bit. They have no author, so they go with the first
 * commit that is asked for them, as with `git add`.
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import type { DirtyFile, TreeEntry } from "../git/index.ts";
import { type CommitFile, ownFiles } from "./commit-answer.ts";
import type { OwnPart } from "./own-part.ts";

export interface BareChanges {
  /** Links and submodules: taken as they are in the working tree. */
  readonly paths: readonly string[];
  /** Files of which only the executable bit is taken. */
  readonly entries: readonly TreeEntry[];
}

const hasNoLines = (mode: string): boolean => mode.startsWith("12") || mode.startsWith("16");

export const findBare = (
  dirty: readonly DirtyFile[],
  {
    root,
    files,
    part,
    left,
  }: {
    readonly root: string;
    readonly files: Files;
    readonly part: OwnPart;
    readonly left: readonly CommitFile[];
  },
): BareChanges => {
  // Files of the part bring their mode along; of a file with others' lines it goes with these.
  const taken = new Set([
    ...ownFiles(part).map(({ path }) => path),
    ...part.files.flatMap((file) => (file.left.length > 0 ? [file.path] : [])),
    ...left.flatMap((file) =>
      file.left.some(({ actor }) => actor !== "unknown") ? [file.path] : [],
    ),
  ]);
  const paths: string[] = [];
  const entries: TreeEntry[] = [];
  for (const { path, isUntracked, head, mode = "" } of dirty) {
    if (taken.has(path)) continue;
    const isLink = isUntracked && files.stat(join(root, path))?.isSymbolicLink() === true;
    if (isLink || hasNoLines(mode) || (head && hasNoLines(head.mode))) paths.push(path);
    else if (head && mode !== head.mode && [mode, head.mode].every((one) => one.startsWith("100")))
      entries.push({ path, mode, blob: head.blob });
  }
  return { paths, entries };
};

export const bareFiles = ({ paths, entries }: BareChanges): CommitFile[] =>
  [...paths, ...entries.map(({ path }) => path)].map((path) => ({ path, hunks: 0, left: [] }));
