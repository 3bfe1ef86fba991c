/** Finds the dirty files of all worktrees and puts them into commits that no ref names yet. */
import { limits } from "../../base/limits.ts";
import { type GitPorts, type Repository, storePack } from "../../git/index.ts";
import { HeadgateError } from "../../errors.ts";
import { addBlobs, type Budget, readModeSettings } from "./rescue-blobs.ts";
import type { Skipped } from "./rescue-content.ts";
import { scanEmbedded } from "./rescue-embedded.ts";
import type { RescueFilter } from "./rescue-filter.ts";
import { type ObjectFormat, objectId, ObjectSink } from "./rescue-objects.ts";
import { readObjects, scanWorktree } from "./rescue-scan.ts";
import {
  buildTree,
  type Changes,
  entryAt,
  type Folders,
  readFolders,
  type TreeEntry,
} from "./rescue-tree.ts";

export interface Collected {
  readonly worktree: string;
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly files: number;
}

export interface CollectOptions {
  readonly repository: Repository;
  readonly filter: RescueFilter;
  readonly ports: GitPorts;
  /** Author and committer: name, address, time. */
  readonly stamp: string;
  /** The same whenever this claim is rescued, for commits that others are compared by. */
  readonly lastingStamp: string;
  readonly describe: (saved: {
    readonly worktree: string;
    readonly files: number;
    readonly skipped: readonly Skipped[];
  }) => string;
}

export const collectDirty = async (
  options: CollectOptions,
): Promise<{ collected: Collected[]; skipped: Skipped[]; failure?: HeadgateError }> => {
  const collected: Collected[] = [];
  const skipped: Skipped[] = [];
  let failure: HeadgateError | undefined;
  const budget = { files: limits.rescueFilesMax, bytes: limits.rescueTotalBytesMax };
  const { worktrees } = options.repository;
  for (const worktree of worktrees.slice(limits.rescuePlacesMax)) {
    skipped.push({ path: worktree, why: `more than ${limits.rescuePlacesMax} worktrees` });
  }
  for (const worktree of worktrees.slice(0, limits.rescuePlacesMax)) {
    try {
      const gathered = await gather(worktree, budget, options);
      if (gathered === undefined) continue;
      const saved = await saveWorktree(gathered, options);
      collected.push(...saved.collected);
      skipped.push(...saved.skipped);
    } catch (error) {
      // One broken worktree must not keep the others from being saved.
      if (!HeadgateError.isInstance(error) || !error.code.startsWith("GIT_")) throw error;
      failure ??= error;
      skipped.push({ path: worktree, why: error.message });
    }
  }
  return { collected, skipped, ...(failure && { failure }) };
};

/** What one worktree holds, its contents already on their way into the repository. */
interface Gathered {
  readonly worktree: string;
  readonly format: ObjectFormat;
  readonly head: string | undefined;
  readonly sink: ObjectSink;
  readonly folders: Folders;
  readonly changes: Changes;
  readonly staged: ReadonlyMap<string, TreeEntry>;
  /** Files of repositories inside this one. */
  readonly foreign: Changes;
  readonly skipped: readonly Skipped[];
}

const gather = async (
  worktree: string,
  budget: Budget,
  options: CollectOptions,
): Promise<Gathered | undefined> => {
  const { filter, ports } = options;
  const scan = await scanWorktree(worktree, filter.within, ports);
  const isWanted = (name: string) => filter.includes(name) && !filter.isOurs(worktree, name);
  const dirty = scan.dirty.filter(isWanted);
  const inside = await scanEmbedded(worktree, scan, options);
  const { skipped } = inside;
  if (dirty.length === 0 && inside.dirty.length === 0 && skipped.length === 0) return undefined;

  const { format, git, head } = scan;
  const sink = new ObjectSink(format, (pack) => storePack(worktree, pack, ports));
  const folders = await readFolders(head?.tree, dirty, {
    format,
    readTrees: (ids) => readObjects(git, ids),
  });
  const before = (name: string) => entryAt(folders, name) ?? scan.staged.get(name);
  const modes = await readModeSettings(git);
  const reading = { worktree, files: ports.files, sink, budget, skipped, modes };
  const changes = await addBlobs(dirty, { ...reading, before });
  for (const name of [...changes.keys()].filter((one) => before(one)?.mode === "160000")) {
    // A submodule stands in the tree with the commit it is at. Where that is not known, it stays.
    const commit = inside.heads.get(name);
    if (commit !== undefined) changes.set(name, { mode: "160000", id: commit });
    else if (inside.failed.has(name)) changes.delete(name);
  }
  const foreign = await addBlobs(inside.dirty, { ...reading, before: () => undefined });
  // Another repository's commits are not here to be built upon, so only what is there can be kept.
  for (const [name, entry] of foreign) if (entry === undefined) foreign.delete(name);
  const staged = new Map([...scan.staged].filter(([name]) => isWanted(name)));
  return { worktree, format, head: head?.commit, sink, folders, changes, staged, foreign, skipped };
};

const saveWorktree = async (
  { worktree, format, head, sink, folders, changes, staged, foreign, skipped }: Gathered,
  { stamp, lastingStamp, describe }: CollectOptions,
): Promise<{ collected: Collected[]; skipped: readonly Skipped[] }> => {
  const told = shorten(skipped);
  const addTree = async (base: Folders, entries: Changes) => {
    const built = buildTree(base, entries, (object) => objectId(format, object));
    for (const object of built.objects) await sink.add(object);
    return built;
  };
  const addCommit = async (
    tree: string,
    parents: readonly string[],
    files: number,
  ): Promise<Collected> => {
    const message = describe({ worktree, files, skipped: told });
    const content = commitContent({ tree, parents, stamp, message });
    const commit = await sink.add({ type: "commit", content });
    return { worktree, commit, tree, parents, files };
  };

  const collected: Collected[] = [];
  const parents = head === undefined ? [] : [head];
  const touched = new Set<string>();
  if ([...staged].some(([name, entry]) => !isSame(changes.get(name), entry))) {
    // The index holds something else than the file: kept as a second parent, as git stash does.
    const { id: tree, changed } = await addTree(folders, staged);
    const message = "What was staged\n";
    const content = commitContent({ tree, parents, stamp: lastingStamp, message });
    parents.push(await sink.add({ type: "commit", content }));
    for (const name of changed) touched.add(name);
  }
  const { id, changed } = await addTree(folders, changes);
  for (const name of changed) touched.add(name);
  if (touched.size > 0 || skipped.length > 0) {
    collected.push(await addCommit(id, parents, touched.size));
  }
  if (foreign.size > 0) {
    const tree = await addTree(new Map(), foreign);
    collected.push(await addCommit(tree.id, [], foreign.size));
  }
  if (collected.length > 0) await sink.flush();
  return { collected, skipped: told };
};

const isSame = (a: TreeEntry | undefined, b: TreeEntry): boolean =>
  a?.mode === b.mode && a.id === b.id;

const commitContent = (commit: {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly stamp: string;
  readonly message: string;
}): Buffer =>
  Buffer.from(
    [
      `tree ${commit.tree}`,
      ...commit.parents.map((parent) => `parent ${parent}`),
      `author ${commit.stamp}`,
      `committer ${commit.stamp}`,
      "",
      commit.message,
    ].join("\n"),
  );

const shownMax = 20;

const shorten = (skipped: readonly Skipped[]): Skipped[] => {
  if (skipped.length <= shownMax) return [...skipped];
  const rest = skipped.length - shownMax;
  return [...skipped.slice(0, shownMax), { path: "…", why: `${rest} more` }];
};
