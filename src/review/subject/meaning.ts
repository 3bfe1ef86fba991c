/**
 * What a person means by what they typed, in this order:
 * 1. `--staged`: the index against HEAD;
 * 2. nothing: the working tree against HEAD, new files included;
 * 3. `-`: a patch from standard input;
 * 4. a path (`./x`, `../x` and `/x` can be nothing else);
 * 5. a range `A..B` or `A...B`, a branch, a commit.
 * What is both a path and a revision is refused, with both ways to say it.
 */
import { resolveInRepository } from "../../base/paths.ts";
import { type Git, commitOf, isShallow, shallowRemedy } from "../../git/index.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { pathInside, type Place } from "./place.ts";

export type Meaning =
  | { readonly what: "staged" }
  | { readonly what: "working tree" }
  | { readonly what: "patch" }
  | { readonly what: "file"; readonly path: string }
  | { readonly what: "folder"; readonly path: string }
  | {
      readonly what: "range";
      readonly from: string;
      readonly to: string;
      /** Three dots: since they parted. */
      readonly sinceParted: boolean;
    }
  | { readonly what: "branch"; readonly name: string; readonly commit: string }
  | { readonly what: "commit"; readonly name: string; readonly commit: string };

export interface SubjectRequest {
  /** As typed. */
  readonly target?: string;
  readonly staged?: boolean;
  /** Standard input, for the target `-`. */
  readonly patch?: Uint8Array;
}

/** Throws USAGE, PATH_OUTSIDE, PATH_INVALID, REPOSITORY_NOT_FOUND. */
export const meaningOf = async (
  { target, staged = false }: SubjectRequest,
  place: Place,
): Promise<Meaning> => {
  if (staged) {
    if (target !== undefined) {
      throw usage(`--staged and ${showText(target)} are two subjects: give one of them`);
    }
    needGit(place);
    return { what: "staged" };
  }
  if (target === undefined) {
    needGit(place);
    return { what: "working tree" };
  }
  if (target === "-") return { what: "patch" };
  if (target === "")
    throw usage("the subject is empty: name a path, a commit, a branch or a range");
  if (target.startsWith("-")) {
    throw usage(`unknown option ${showText(target)}; a file of that name is ./${showText(target)}`);
  }
  const isPathOnly = /^(?:\.{1,2}(?:[\\/]|$)|[\\/]|[a-z]:[\\/])/i.test(target);
  const path = pathOf(target, place, isPathOnly);
  if (isPathOnly) {
    if (path) return path;
    throw usage(`no file or folder ${showText(target)}`);
  }
  const revision = place.git ? await revisionOf(target, place.git) : undefined;
  if (path && revision) {
    const other = revision.what === "branch" ? `refs/heads/${target}` : `${target}^0`;
    throw usage(
      `${showText(target)} is a ${path.what} and a ${revision.what}: write ./${showText(target)} or ${showText(other)}`,
    );
  }
  const found = path ?? revision;
  if (found) return found;
  if (!place.git) {
    throw usage(`no file or folder ${showText(target)}; without git nothing else can be named`);
  }
  const why = (await isShallow(place.git)) ? `; ${shallowRemedy}` : "";
  throw usage(
    `${showText(target)} is no file or folder here, and git knows no branch, commit or range of that name${why}`,
  );
};

const usage = (message: string): HeadgateError => new HeadgateError("USAGE", message);

const needGit = ({ git, worktree }: Place): void => {
  if (git) return;
  throw new HeadgateError(
    "REPOSITORY_NOT_FOUND",
    `no git repository at ${showText(worktree)}: name a file or a folder, or give a patch on standard input with -`,
  );
};

const pathOf = (target: string, place: Place, isPathOnly: boolean): Meaning | undefined => {
  const { worktree, cwd, files, caseInsensitive } = place;
  const resolved = resolveInRepository([worktree], target, { cwd, files, caseInsensitive });
  if (!resolved.ok) {
    // `HEAD~1` and the like are no paths; what can be nothing else is told.
    if (isPathOnly) throw new HeadgateError(resolved.code, resolved.message);
    return undefined;
  }
  const stats = files.stat(resolved.absolute);
  if (!stats?.isFile() && !stats?.isDirectory()) return undefined;
  const path = pathInside(place, resolved.absolute);
  return { what: stats.isFile() ? "file" : "folder", path };
};

const revisionOf = async (
  target: string,
  git: Git,
): Promise<Extract<Meaning, { what: "range" | "branch" | "commit" }> | undefined> => {
  const [, left = "", dots, right = ""] = /^(.*?)(\.\.\.?)(.*)$/s.exec(target) ?? [];
  if (dots !== undefined) {
    const [from, to] = [await commitOf(git, left || "HEAD"), await commitOf(git, right || "HEAD")];
    if (from !== undefined && to !== undefined) {
      return { what: "range", from, to, sinceParted: dots === "..." };
    }
    if (left === "" && right === "") return undefined;
    const missing = from === undefined ? left || "HEAD" : right || "HEAD";
    const isRange = from !== undefined || to !== undefined;
    if (isRange) throw usage(`git knows no commit ${showText(missing)} in ${showText(target)}`);
    return undefined;
  }
  const short = target.replace(/^refs\/(?:heads|remotes)\//, "");
  const refs = target.startsWith("refs/")
    ? [target]
    : [`refs/heads/${target}`, `refs/remotes/${target}`];
  const branches: { readonly name: string; readonly commit: string }[] = [];
  for (const ref of refs) {
    const isBranch = /^refs\/(?:heads|remotes)\/./.test(ref);
    const commit = isBranch ? await commitOf(git, ref) : undefined;
    if (commit !== undefined) branches.push({ name: short, commit });
  }
  const tag = target.startsWith("refs/") ? undefined : await commitOf(git, `refs/tags/${target}`);
  const [branch] = branches;
  if (branch && tag !== undefined && tag !== branch.commit) {
    throw usage(
      `${showText(target)} is a branch and a tag: write refs/heads/${showText(target)} or refs/tags/${showText(target)}`,
    );
  }
  if (branch) return { what: "branch", ...branch };
  const commit = await commitOf(git, target);
  return commit === undefined ? undefined : { what: "commit", name: target, commit };
};
