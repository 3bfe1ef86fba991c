/**
 * What a worktree holds, as git knows it: a tree by its id, and what differs from that tree. Together
 * they name the content, whatever the dates and the history say.
 */
import type { Files } from "../base/files.ts";
import { type Git, splitNul } from "../git/index.ts";
import { limits } from "../base/limits.ts";
import { sha256 } from "../base/sha256.ts";
import { HeadgateError } from "../errors.ts";
import { isVendoredFolder } from "../base/path-kinds.ts";
import { readBounded } from "./read-bounded.ts";
import type { SignalIndex } from "./signal-index.ts";
import { digestOf } from "./survey.ts";
import { isRead, isWatched, watchedFolders } from "./watched.ts";

export interface Change {
  readonly path: string;
  readonly kind: "added" | "deleted" | "changed";
  /** Of a watched file that is there: `sha256:…`, or why it could not be read. */
  readonly digest?: string;
}

export interface WorktreeState {
  /** Null before the first commit. */
  readonly head: string | null;
  readonly tree: string;
  readonly isShallow: boolean;
  /** Against `tree`, untracked files included, by path. */
  readonly changes: readonly Change[];
  readonly untracked: readonly string[];
}

/** The tree is asked for once; everything else is compared with its id (D-01). */
export const worktreeState = async (git: Git): Promise<WorktreeState> => {
  const outputBytesMax = limits.profileListingBytesMax;
  git.warmUp?.();
  const against = async () => {
    const named = await headOf(git);
    const args = ["diff-index", "-r", "-z", "--raw"] as const;
    const { stdout } = await git.run({ args, revisions: [named.tree], outputBytesMax });
    return { ...named, stdout };
  };
  const [{ head, tree, isShallow, stdout }, hidden, others] = await Promise.all([
    against(),
    hiddenFromGit(git),
    git.run({ args: ["ls-files", "-o", "-z", "--exclude-standard"], outputBytesMax }),
  ]);
  const changes = new Map<string, Change>();
  for (const path of hidden) changes.set(path, { path, kind: "changed" });
  for (const change of rawChanges(stdout)) changes.set(change.path, change);
  const untracked = splitNul(others.stdout).filter((path) => path !== "" && !path.endsWith("/"));
  for (const path of untracked) {
    // Taken out of the index but still there: for the tree it is changed.
    const kind = changes.get(path)?.kind === "deleted" ? "changed" : "added";
    changes.set(path, { path, kind });
  }
  return { head, tree, isShallow, changes: [...changes.values()].toSorted(byPath), untracked };
};

/** Files that git takes for unchanged without a look, because of a flag: their contents have to be compared. */
const hiddenFromGit = async (git: Git): Promise<string[]> => {
  const outputBytesMax = limits.profileListingBytesMax;
  const { stdout } = await git.run({ args: ["ls-files", "-v", "-z"], outputBytesMax });
  // Lower case: assume-unchanged. S: skip-worktree, also of a sparse checkout, whose files are not there.
  return splitNul(stdout).flatMap((line) => (/^[a-zS] /.test(line) ? [line.slice(2)] : []));
};

/** What differs between two trees; undefined when one of them is not here. */
export const changesBetween = async (
  git: Git,
  before: string,
  now: string,
): Promise<Change[] | undefined> => {
  if (before === now) return [];
  // Not by letting it fail: a partial clone's answer must not be taken for a difference.
  const known = await git.run({
    args: ["cat-file", "-e", `${before}^{tree}`],
    okCodes: [0, 1, 128],
  });
  if (known.code !== 0) return undefined;
  const { code, stdout } = await git.run({
    args: ["diff-tree", "-r", "-z", "--raw", "--no-renames"],
    revisions: [before, now],
    outputBytesMax: limits.profileListingBytesMax,
    okCodes: [0, 128],
  });
  return code === 0 ? rawChanges(stdout) : undefined;
};

const headOf = async (git: Git): Promise<Omit<WorktreeState, "changes" | "untracked">> => {
  const { code, stdout } = await git.run({
    args: ["rev-parse", "--is-shallow-repository", "HEAD", "HEAD^{tree}"],
    okCodes: [0, 128],
  });
  const [shallow = "", head = "", tree = ""] = stdout.toString("utf8").split("\n");
  const isShallow = shallow === "true";
  if (code === 0) return { head, tree, isShallow };
  const branch = await git.run({ args: ["symbolic-ref", "-q", "HEAD"], okCodes: [0, 1, 128] });
  const name = branch.stdout.toString("utf8").trim();
  const known = name === "" ? undefined : await git.run({ args: ["for-each-ref", name] });
  if (known === undefined || known.stdout.length > 0) {
    throw new HeadgateError("GIT_FAILED", "git cannot say which commit is checked out");
  }
  const format = await git.run({ args: ["rev-parse", "--show-object-format"] });
  return { head: null, tree: emptyTrees[format.stdout.toString("utf8").trim()] ?? "", isShallow };
};

/** Git knows them without having them. */
const emptyTrees: Readonly<Record<string, string>> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** `:oldmode newmode oldid newid status`, then the path. Links and submodules are no files of ours. */
const rawChanges = (output: Buffer): Change[] => {
  const parts = splitNul(output);
  const found = new Map<string, Change>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [before = "", now = "", , , status = ""] = (parts[at] ?? "").slice(1).split(" ");
    const path = parts[at + 1] ?? "";
    const wasFile = before.startsWith("100");
    const isFile = now.startsWith("100");
    if (status.startsWith("U")) found.set(path, { path, kind: "changed" });
    else if (found.has(path) || (!wasFile && !isFile)) continue;
    else found.set(path, { path, kind: wasFile ? (isFile ? "changed" : "deleted") : "added" });
  }
  return [...found.values()];
};

/** What has to be known of a profile to tell which changes can matter to it. */
export interface Watching {
  readonly index: SignalIndex;
  readonly sampled: readonly string[] | null;
  /** Attributes may bring vendored files back. */
  readonly hasRules: boolean;
}

/** Whether this change can alter evidence; all others can only move the shares of languages. */
export const isStructural = ({ path, kind }: Change, watching: Watching): boolean => {
  if (!watching.hasRules && isVendored(path)) return false;
  const matters = kind === "changed" ? isRead : isWatched;
  if (matters(path, watching.index)) return true;
  if (watching.sampled !== null && path.endsWith(".py")) {
    return kind !== "changed" || watching.sampled.includes(path);
  }
  return kind !== "changed" && watchedFolders(path, watching.index).length > 0;
};

/** Coming and going of any file moves the shares; a change inside it does not. */
export const isCounted = ({ path, kind }: Change, { hasRules }: Watching): boolean =>
  kind !== "changed" && (hasRules || !isVendored(path));

const isVendored = (path: string): boolean => {
  const folders = path.split("/").slice(0, -1);
  return folders.some((name, at) => isVendoredFolder(name, at === 0));
};

/** The changes that can matter, with the digests of the watched files among them. */
export const relevantChanges = (
  { changes }: WorktreeState,
  watching: Watching,
  place: { readonly root: string; readonly files: Files },
): Change[] => {
  const relevant: Change[] = [];
  for (const { path, kind } of changes) {
    const change = { path, kind };
    if (isStructural(change, watching)) {
      relevant.push({ ...change, ...(kind !== "deleted" && { digest: digestAt(path, place) }) });
    } else if (isCounted(change, watching)) relevant.push(change);
  }
  return relevant;
};

const digestAt = (path: string, { root, files }: { root: string; files: Files }): string => {
  const content = readBounded(`${root}/${path}`, limits.profileManifestBytesMax, files);
  return typeof content === "string" ? content : digestOf(content);
};

export const changesDigest = (changes: readonly Change[]): string =>
  `sha256:${sha256(changes.map(lineOf).join("\n"))}`;

/** What is in only one of them. */
export const differing = (a: readonly Change[], b: readonly Change[]): Change[] => {
  const [inA, inB] = [new Set(a.map(lineOf)), new Set(b.map(lineOf))];
  return [...a.filter((one) => !inB.has(lineOf(one))), ...b.filter((one) => !inA.has(lineOf(one)))];
};

const lineOf = ({ path, kind, digest = "" }: Change): string => `${kind} ${digest} ${path}`;

const byPath = (a: Change, b: Change): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
