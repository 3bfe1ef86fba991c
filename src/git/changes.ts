/** Which files differ between two trees, or a tree and the index, and what they hold. */
import { type Git, type GitCall, splitNul } from "./reading-git.ts";
import { readBlobBatch } from "./blobs.ts";
import { limits } from "../base/limits.ts";
import { sha256 } from "../base/sha256.ts";
import { HeadgateError } from "../errors.ts";

export interface Change {
  readonly path: string;
  /** The name it had before, when it was moved. */
  readonly from?: string;
  /** link: a symbolic link; module: a commit of a submodule. Their content is not looked at. */
  readonly kind: "file" | "link" | "module";
  /** Names of the contents; undefined: not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** As git writes them: `100644`; absent where there is no file. */
  readonly modes: { readonly before?: string; readonly after?: string };
}

/** What the index has that the tree has not. */
export const stagedChanges = (git: Git, tree: string): Promise<Change[]> =>
  changesOf(git, { args: ["diff-index", "--cached", ...rawOptions], revisions: [tree] });

/** What the working tree has that the tree has not; contents that are not staged have no name (`isNoObject`). */
export const worktreeChanges = (git: Git, tree: string): Promise<Change[]> =>
  changesOf(git, { args: ["diff-index", ...rawOptions], revisions: [tree] });

export const treeChanges = (git: Git, before: string, after: string): Promise<Change[]> =>
  changesOf(git, { args: ["diff-tree", "-r", ...rawOptions], revisions: [before, after] });

const rawOptions = ["-z", "--raw", "--no-abbrev", "--no-relative"] as const;

const changesOf = async (git: Git, call: GitCall): Promise<Change[]> => {
  const ask = async (renames: readonly string[]): Promise<Change[]> => {
    const { stdout } = await git.run({
      ...call,
      args: [...call.args, ...renames],
      outputBytesMax: limits.mineOutputBytesMax,
    });
    return parseRaw(splitNul(stdout));
  };
  try {
    return await ask(["-M", "-l1000"]);
  } catch (error) {
    // A partial clone lacks the contents that moved files are recognised by.
    if (HeadgateError.isInstance(error) && error.code === "GIT_FAILED") {
      return ask(["--no-renames"]);
    }
    throw error;
  }
};

const parseRaw = (words: readonly string[]): Change[] => {
  const changes: Change[] = [];
  for (let at = 0; at < words.length; at += 2) {
    const line = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(words[at] ?? "");
    if (!line) throw new HeadgateError("GIT_FAILED", "git told changes in a form that is unknown");
    const [, modeBefore = "", modeAfter = "", before = "", after = "", status = ""] = line;
    const isMoved = status === "R" || status === "C";
    const from = words[at + 1] ?? "";
    if (isMoved) at += 1;
    const path = words[at + 1] ?? "";
    // Git itself refuses to commit what is not merged.
    if (status === "U") continue;
    changes.push({
      path,
      ...(status === "R" && { from }),
      kind: kindOf(modeAfter === absentMode ? modeBefore : modeAfter),
      before: modeBefore === absentMode || kindOf(modeBefore) !== "file" ? undefined : before,
      after: modeAfter === absentMode ? undefined : after,
      modes: {
        ...(modeBefore !== absentMode && { before: modeBefore }),
        ...(modeAfter !== absentMode && { after: modeAfter }),
      },
    });
  }
  return changes;
};

const absentMode = "000000";
const kindOf = (mode: string): Change["kind"] =>
  mode === "160000" ? "module" : mode === "120000" ? "link" : "file";

/** The same changes have the same digest, in whatever way git was asked for them. */
export const digestOf = (changes: readonly Change[]): string => {
  const lines = changes.map(({ path, from = "", kind, after = "" }) =>
    [path, from, kind, after].join("\0"),
  );
  return sha256(lines.toSorted().join("\n")).slice(0, 32);
};

/** Contents by name. Missing are those that are no file, are not here or are larger than `bytesMax`. */
export const readBlobs = async (
  git: Git,
  names: Iterable<string>,
  options: {
    readonly bytesMax?: number;
    /** Before they are read: may refuse what all of them together would take. */
    checkTotal?(bytes: number): void;
  } = {},
): Promise<ReadonlyMap<string, Buffer>> => {
  const { bytesMax = limits.structureBytesMax, checkTotal } = options;
  const all = await sizesOf(git, [...new Set(names)]);
  const sizes = [...all].filter(([, size]) => size <= bytesMax);
  checkTotal?.(sizes.reduce((total, [, size]) => total + size, 0));
  const known = new Map<string, Buffer>();
  let part: string[] = [];
  let bytes = 0;
  for (const [name, size] of sizes) {
    part.push(name);
    bytes += size;
    if (bytes < bytesAtOnce) continue;
    await readBlobBatch(git, part, known);
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) await readBlobBatch(git, part, known);
  return known;
};

const bytesAtOnce = 64 * 1024 * 1024;

const sizesOf = async (git: Git, names: readonly string[]): Promise<Map<string, number>> => {
  const sizes = new Map<string, number>();
  if (names.length === 0) return sizes;
  const { stdout } = await git.run({
    args: ["cat-file", "--batch-check"],
    input: `${names.join("\n")}\n`,
  });
  for (const line of stdout.toString("latin1").split("\n")) {
    const [name = "", kind, size] = line.split(" ");
    if (kind === "blob") sizes.set(name, Number(size));
  }
  return sizes;
};

/** The commit a name stands for; undefined when there is none. */
export const commitOf = async (git: Git, name: string): Promise<string | undefined> => {
  const { code, stdout } = await git.run({
    args: ["rev-parse", "--verify", "--quiet"],
    revisions: [`${name}^{commit}`],
    okCodes: [0, 1, 128],
  });
  const text = stdout.toString("latin1").trim();
  return code === 0 && isObjectName(text) ? text : undefined;
};

/** The tree without files, in the repository's own kind of names; it need not exist. */
export const emptyTree = async (git: Git): Promise<string> => {
  const { stdout } = await git.run({ args: ["hash-object", "-t", "tree", "--stdin"], input: "" });
  return stdout.toString("latin1").trim();
};

export const isObjectName = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
export const isNoObject = (text: string): boolean => /^0+$/.test(text);
