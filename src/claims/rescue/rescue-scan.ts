/**
 * Which files of a worktree are not as its last commit has them: changed, deleted, added, untracked but
 * not ignored. Git is only asked; what a file holds is read elsewhere. A repository inside the worktree
 * (a submodule, a clone) is named, to be searched on its own.
 */
import type { Files } from "../../base/files.ts";
import { createGit, type Git, type GitPorts } from "../../git/index.ts";
import { HeadgateError } from "../../errors.ts";
import { nameOfText } from "./rescue-content.ts";
import { objectId, type ObjectFormat } from "./rescue-objects.ts";
import type { TreeEntry } from "./rescue-tree.ts";

export interface Scan {
  readonly git: Git;
  readonly format: ObjectFormat;
  /** Absent before the first commit, or when it cannot be read. */
  readonly head?: { readonly commit: string; readonly tree: string };
  /** Names as bytes, one character each. */
  readonly dirty: readonly string[];
  /** What was put into the index and is not committed. */
  readonly staged: ReadonlyMap<string, TreeEntry>;
  /** Folders with a repository of their own. */
  readonly embedded: readonly string[];
}

/**
 * `within` is a plain path that everything wanted lies at or below; empty for all.
 * Throws GIT_MISSING, GIT_FAILED, GIT_LIMIT.
 */
export const scanWorktree = async (
  root: string,
  within: string,
  ports: GitPorts,
): Promise<Scan> => {
  const git = createGit({ cwd: root, ...ports });
  const { stdout } = await git.run({
    args: ["rev-parse", "--show-object-format", "--show-toplevel"],
  });
  const [format = "", ...place] = stdout.toString("utf8").replace(/\n$/, "").split("\n");
  // A repository can be configured to have its files elsewhere; those are not what was claimed.
  if (ports.files.realPath(place.join("\n")) !== root) {
    throw new HeadgateError("GIT_FAILED", "its repository has its files in another folder");
  }
  if (format !== "sha1" && format !== "sha256") {
    throw new HeadgateError("GIT_FAILED", "its repository uses an unknown object format");
  }
  const head = await readHead(git);
  const paths = within === "" ? {} : { paths: [within] };
  const listed = await git.run({
    args: ["ls-files", "-z", "-m", "-d", "-o", "--exclude-standard"],
    ...paths,
  });
  const against = head?.tree ?? objectId(format, { type: "tree", content: Buffer.alloc(0) });
  const cached = await git.run({
    args: ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev"],
    revisions: [against],
    ...paths,
  });
  const names = namesIn(listed.stdout);
  const staged = stagedIn(cached.stdout);
  const dirty = new Set([...names.filter((name) => !name.endsWith("/")), ...staged.names]);
  const embedded = names.filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1));
  if (ports.files.stat(`${root}/.gitmodules`)) embedded.push(...(await submodules(git, paths)));
  return {
    git,
    format,
    ...(head && { head }),
    dirty: [...dirty],
    staged: staged.entries,
    embedded: [...new Set(embedded)],
  };
};

/** Parts of a `-z` answer, as bytes. */
const namesIn = (output: Buffer): string[] => output.toString("latin1").split("\0").slice(0, -1);

/** Objects by their ids, in the same order. Throws GIT_FAILED for one that is not there. */
export const readObjects = async (git: Git, ids: readonly string[]): Promise<Buffer[]> => {
  const { stdout } = await git.run({ args: ["cat-file", "--batch"], input: `${ids.join("\n")}\n` });
  let place = 0;
  return ids.map((id) => {
    const object = objectAt(stdout, place);
    if (!object) throw new HeadgateError("GIT_FAILED", `the repository lacks the object ${id}`);
    place = object.end;
    return object.content;
  });
};

const readHead = async (git: Git): Promise<Scan["head"]> => {
  const { stdout } = await git.run({ args: ["cat-file", "--batch"], input: "HEAD\n" });
  const object = objectAt(stdout, 0);
  if (object?.type !== "commit") return undefined;
  const [, tree] = /^tree ([0-9a-f]+)\n/.exec(object.content.toString("latin1")) ?? [];
  return tree === undefined ? undefined : { commit: object.id, tree };
};

/** One answer of `cat-file --batch`: a line with id, type and size, the content, a line break. */
const objectAt = (output: Buffer, place: number) => {
  const lineEnd = output.indexOf("\n", place);
  const line = output.toString("latin1", place, lineEnd);
  const [, id, type, size] = /^([0-9a-f]{40,64}) ([a-z]+) ([0-9]+)$/.exec(line) ?? [];
  if (id === undefined) return undefined;
  const end = lineEnd + 1 + Number(size);
  return { id, type, content: output.subarray(lineEnd + 1, end), end: end + 1 };
};

const stagedIn = (output: Buffer) => {
  const names: string[] = [];
  const entries = new Map<string, TreeEntry>();
  const parts = namesIn(output);
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, mode, , id, status] = (parts[index] ?? "").split(" ");
    const name = parts[index + 1] ?? "";
    names.push(name);
    // Deleted and unmerged ones have no content of their own in the index.
    if (mode && id && (status === "A" || status === "M" || status === "T")) {
      entries.set(name, { mode, id });
    }
  }
  return { names, entries };
};

const submodules = async (git: Git, paths: { readonly paths?: string[] }): Promise<string[]> => {
  const { stdout } = await git.run({ args: ["ls-files", "-z", "-s"], ...paths });
  return namesIn(stdout)
    .filter((line) => line.startsWith("160000 "))
    .map((line) => line.slice(line.indexOf("\t") + 1));
};

/** Folders on the way to `within` that have a repository of their own: git does not look into them. */
export const embeddedAbove = (root: string, within: string, files: Files): string[] => {
  const names = within.split("/");
  return names
    .map((_, index) => names.slice(0, index + 1).join("/"))
    .filter((folder) => folder !== "" && files.stat(`${root}/${folder}/.git`) !== undefined)
    .map(nameOfText);
};
