/** The working tree as the gate sees it. Links are never followed: what is behind one is not ours. */
import { errnoOf, type Files, type FileStats, openFlags, systemFiles } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { readFirst } from "../base/open-file.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { PathFacts, Tree } from "./tree.ts";

export const workingTree = (root: string, files: Files = systemFiles): Tree => ({
  read: (path) => readFile(`${root}/${path}`, files),
  near: (path) => filesNear(root, path, files),
  facts: (path) => factsOf(root, path, files),
  mode: (path) => {
    const stat = files.stat(`${root}/${path}`);
    return stat?.isFile() ? stat.mode & 0o7777 : undefined;
  },
});

const nearMax = 500;

const filesNear = (root: string, path: string, files: Files): string[] => {
  const folder = path.split("/").slice(0, -1);
  const list = (names: readonly string[]) => {
    const place = [root, ...names].join("/");
    return files.stat(place)?.isDirectory() ? files.list(place).slice(0, nearMax) : [];
  };
  const inside = (names: readonly string[]): string[] =>
    list(names)
      .filter((entry) => entry.isFile())
      .map(({ name }) => [...names, name].join("/"));
  const above = folder.slice(0, -1);
  const beside = folder.length === 0 ? [] : list(above).filter((one) => one.isDirectory());
  const others = beside.filter(({ name }) => name !== folder.at(-1) && !name.startsWith("."));
  const further = others.slice(0, 20).flatMap(({ name }) => inside([...above, name]));
  return [...inside(folder), ...further].slice(0, nearMax);
};

const factsOf = (root: string, path: string, files: Files, tries = 20): PathFacts => {
  const names = path.split("/");
  const absent: PathFacts = { kind: "absent", otherNames: 0 };
  for (let depth = 1; depth < names.length; depth += 1) {
    const above = names.slice(0, depth).join("/");
    const stat = files.stat(`${root}/${above}`);
    if (stat === undefined) return absent;
    if (stat.isSymbolicLink()) return { ...absent, linkAbove: above };
    if (!stat.isDirectory()) return { ...absent, fileAbove: above };
  }
  const stat = files.stat(`${root}/${path}`);
  if (stat === undefined) return absent;
  if (stat.isSymbolicLink()) return { kind: "link", otherNames: 0 };
  if (stat.isDirectory()) return { kind: "folder", otherNames: 0 };
  if (!stat.isFile()) return { kind: "special", otherNames: 0 };
  const otherNames = stat.nlink - 1 - namesOfEdits(root, path, stat, files);
  // Looked at in the middle of somebody's write, the two looks may not fit together.
  const again = otherNames > 0 ? files.stat(`${root}/${path}`) : stat;
  const isSame = again?.ino === stat.ino && again.nlink === stat.nlink;
  if (!isSame && tries > 0) return factsOf(root, path, files, tries - 1);
  return { kind: "file", otherNames };
};

/** An edit that is being written keeps the old file beside its place for a moment: no name of anybody's. */
const namesOfEdits = (
  root: string,
  path: string,
  { ino, nlink }: FileStats,
  files: Files,
): number => {
  if (nlink === 1) return 0;
  const folder = `${root}/${path}`.replace(/\/[^/]*$/, "");
  const names = files.list(folder).filter(({ name }) => editName.test(name));
  return names.filter(({ name }) => files.stat(`${folder}/${name}`)?.ino === ino).length;
};

/** As edit/write-files.ts names them. */
const editName = /^\.headgate-ed_[0-9a-z]+-\d+\.(old|back|new)$/;

const readFile = (absolute: string, files: Files): Buffer | undefined => {
  let fd: number;
  try {
    fd = files.open(absolute, openFlags.read | openFlags.noFollow | openFlags.noWait);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return undefined;
    throw new HeadgateError(
      "FILE_UNREADABLE",
      `cannot read ${showText(absolute)} (${errnoOf(error) ?? "?"})`,
      {
        cause: error,
      },
    );
  }
  try {
    const stat = files.statHandle(fd);
    if (!stat.isFile()) return undefined;
    if (stat.size > limits.editFileBytesMax) {
      throw new HeadgateError(
        "INPUT_TOO_LARGE",
        `${showText(absolute)} has ${stat.size} bytes; ${limits.editFileBytesMax} are the most`,
      );
    }
    return readFirst(files, fd, stat.size);
  } finally {
    files.close(fd);
  }
};
