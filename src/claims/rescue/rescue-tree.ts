/**
 * A commit's tree with some paths changed. Only the folders on the way to these paths are read and
 * written anew. Names are bytes, one character each, because not every name is valid UTF-8.
 */
import { HeadgateError } from "../../errors.ts";
import type { GitObject, ObjectFormat } from "./rescue-objects.ts";

export interface TreeEntry {
  /** As trees have it: `100644`, `100755`, `120000`, `160000`, and `40000` for a folder. */
  readonly mode: string;
  readonly id: string;
}

/** What a path is now; undefined where it is gone. */
export type Changes = ReadonlyMap<string, TreeEntry | undefined>;

type Folder = ReadonlyMap<string, TreeEntry>;
/** By path; the root is the empty one. */
export type Folders = ReadonlyMap<string, Folder>;

/** The folders of a tree that lie above these paths, level by level. */
export const readFolders = async (
  root: string | undefined,
  paths: Iterable<string>,
  options: {
    readonly format: ObjectFormat;
    readonly readTrees: (ids: readonly string[]) => Promise<readonly Buffer[]>;
  },
): Promise<Folders> => {
  const wanted = new Set<string>();
  for (const path of paths) for (const folder of foldersAbove(path)) wanted.add(folder);
  const found = new Map<string, Folder>();
  let level = new Map(root === undefined ? [] : [["", root]]);
  while (level.size > 0) {
    const trees = await options.readTrees([...level.values()]);
    const next = new Map<string, string>();
    [...level.keys()].forEach((folder, index) => {
      const entries = parseTree(trees[index] ?? Buffer.alloc(0), idBytes[options.format]);
      found.set(folder, entries);
      for (const [name, { mode, id }] of entries) {
        const path = join(folder, name);
        if (mode === treeMode && wanted.has(path)) next.set(path, id);
      }
    });
    level = next;
  }
  return found;
};

export const entryAt = (folders: Folders, path: string): TreeEntry | undefined =>
  folders.get(parentOf(path))?.get(nameOf(path));

/** All objects of the new tree, its root last; `changed` are the paths that really differ. */
export const buildTree = (
  folders: Folders,
  changes: Changes,
  makeId: (object: GitObject) => string,
): { readonly id: string; readonly objects: GitObject[]; readonly changed: string[] } => {
  const objects: GitObject[] = [];
  const changed = [...changes.keys()].filter((path) => {
    const [before, now] = [entryAt(folders, path), changes.get(path)];
    return before?.mode !== now?.mode || before?.id !== now?.id;
  });
  const touched = groupByFolder(changed);

  const write = (folder: string): { id: string; isEmpty: boolean } => {
    const entries = new Map(folders.get(folder));
    const { names = [], below = [] } = touched.get(folder) ?? {};
    // A file may have become a folder or the other way round: what is gone first, what is new last.
    for (const name of names) entries.delete(name);
    for (const name of below) {
      const child = write(join(folder, name));
      if (!child.isEmpty) entries.set(name, { mode: treeMode, id: child.id });
      else if (entries.get(name)?.mode === treeMode) entries.delete(name);
    }
    for (const name of names) {
      const entry = changes.get(join(folder, name));
      if (entry) entries.set(name, entry);
    }
    const object = { type: "tree", content: treeContent(entries) } as const;
    if (entries.size > 0 || folder === "") objects.push(object);
    return { id: makeId(object), isEmpty: entries.size === 0 };
  };
  return { id: write("").id, objects, changed };
};

const treeMode = "40000";
const idBytes = { sha1: 20, sha256: 32 } as const;

const join = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const foldersAbove = function* (path: string): Generator<string> {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) yield folder;
};

interface Touched {
  readonly names: Set<string>;
  readonly below: Set<string>;
}

const groupByFolder = (paths: readonly string[]): Map<string, Touched> => {
  const touched = new Map<string, Touched>();
  const at = (folder: string): Touched => {
    const known = touched.get(folder);
    if (known) return known;
    const made: Touched = { names: new Set(), below: new Set() };
    touched.set(folder, made);
    return made;
  };
  for (const path of paths) {
    at(parentOf(path)).names.add(nameOf(path));
    for (const folder of foldersAbove(path)) at(parentOf(folder)).below.add(nameOf(folder));
  }
  return touched;
};

const parseTree = (content: Buffer, idLength: number): Folder => {
  const entries = new Map<string, TreeEntry>();
  for (let place = 0; place < content.length;) {
    const space = content.indexOf(" ", place);
    const nul = content.indexOf(0, space);
    const end = nul + 1 + idLength;
    if (space < 0 || nul < 0 || end > content.length) {
      throw new HeadgateError("GIT_FAILED", "git cat-file gave a tree that is cut off");
    }
    entries.set(content.toString("latin1", space + 1, nul), {
      // Some old programs wrote `040000`.
      mode: content.toString("latin1", place, space).replace(/^0+/, ""),
      id: content.toString("hex", nul + 1, end),
    });
    place = end;
  }
  return entries;
};

/** Git sorts by bytes, folders as if their names ended with a slash. */
const treeContent = (entries: Folder): Buffer => {
  const key = ([name, { mode }]: [string, TreeEntry]) => (mode === treeMode ? `${name}/` : name);
  const sorted = [...entries].toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(([name, { mode, id }]) => [
      Buffer.from(`${mode} ${name}\0`, "latin1"),
      Buffer.from(id, "hex"),
    ]),
  );
};
