/** The state of the repository that a commit would be made in; whatever forbids one is said clearly. */
import { isAbsolute, join, resolve } from "node:path";
import type { Files } from "../../base/files.ts";
import { showText } from "../../base/text.ts";
import type { WritingGit } from "../../git/index.ts";
import { HeadgateError } from "../../errors.ts";
import { contentHash } from "../../state/index.ts";

export interface GitFacts {
  readonly gitDir: string;
  readonly hooksDir: string;
  /** The branch, by its full name. */
  readonly ref: string;
  /** Undefined on a branch without a commit. */
  readonly parent: string | undefined;
  /** The overrides at `parent`. */
  readonly blob: { readonly id: string; readonly bytes: Buffer } | undefined;
  /** commit.gpgSign. */
  readonly isSigned: boolean;
  /** Hooks that newer versions of git know by their settings. */
  readonly hasConfiguredHooks: boolean;
}

/** Throws ROUTING_GIT. */
export const readGitFacts = async (
  git: WritingGit,
  options: { readonly worktree: string; readonly path: string; readonly files: Files },
): Promise<GitFacts> => {
  const { worktree, path, files } = options;
  const [head, settings] = await Promise.all([
    readHead(git, worktree, files),
    git.ask({ args: ["config", "-z", "--get-regexp", "^(commit\\.gpgsign|hook\\..*)$"] }),
  ]);
  refuseUnfinished(head.gitDir, files);
  const pairs = settings.stdout.split("\0").map((line) => line.split("\n", 2));
  const sign = pairs.findLast(([key]) => key === "commit.gpgsign")?.[1];
  return {
    ...head,
    blob: head.parent === undefined ? undefined : await readBlob(git, `${head.parent}:${path}`),
    isSigned: sign !== undefined && /^(true|yes|on|1)$/i.test(sign),
    hasConfiguredHooks: pairs.some(([key]) => key?.startsWith("hook.")),
  };
};

type Head = Pick<GitFacts, "gitDir" | "hooksDir" | "ref" | "parent">;

const readHead = async (git: WritingGit, worktree: string, files: Files): Promise<Head> => {
  const places = ["--absolute-git-dir", "--git-path", "hooks"] as const;
  const born = await git.ask({
    args: ["rev-parse", ...places, "HEAD", "--symbolic-full-name", "HEAD"],
  });
  const told = born.stdout.split("\n");
  const gitDir = told[0] ?? "";
  const hooks = told[1] ?? "";
  const hooksDir = isAbsolute(hooks) ? hooks : resolve(worktree, hooks);
  const [parent, ref] = [told[2] ?? "", told[3] ?? ""];
  if (born.code === 0 && ref.startsWith("refs/heads/")) return { gitDir, hooksDir, ref, parent };
  if (born.code === 0) {
    // A rebase detaches it too, and then it is the rebase that must be finished.
    refuseUnfinished(gitDir, files);
    throw refused("HEAD is detached: check out a branch, so that the override stays on one");
  }
  return unbornHead(git, worktree);
};

/** A branch without a commit, or no repository at all. */
const unbornHead = async (git: WritingGit, worktree: string): Promise<Head> => {
  const { code, stdout, lines } = await git.ask({
    args: ["rev-parse", "--absolute-git-dir", "--git-path", "hooks", "--is-inside-work-tree"],
  });
  const [gitDir = "", hooks = "", inside = ""] = stdout.split("\n");
  if (code !== 0 || inside !== "true") {
    throw refused(`this is no git worktree: ${lines[0] ?? showText(worktree)}`);
  }
  const head = await git.ask({ args: ["symbolic-ref", "--quiet", "HEAD"] });
  const ref = head.stdout.trim();
  if (head.code !== 0 || !ref.startsWith("refs/heads/")) throw refused("HEAD cannot be read");
  const hooksDir = isAbsolute(hooks) ? hooks : resolve(worktree, hooks);
  return { gitDir, hooksDir, ref, parent: undefined };
};

const underWay: readonly (readonly [file: string, what: string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase or git am"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a git revert"],
  ["sequencer", "a cherry-pick or git revert"],
  ["BISECT_LOG", "a bisection"],
];

/** A commit in the middle of these would become part of them. */
const refuseUnfinished = (gitDir: string, files: Files): void => {
  const found = underWay.find(([name]) => files.stat(join(gitDir, name)) !== undefined);
  if (found) throw refused(`${found[1]} is in progress: finish or abort it first`);
};

export const readBlob = async (
  git: WritingGit,
  name: string,
): Promise<{ readonly id: string; readonly bytes: Buffer } | undefined> => {
  const { code, stdout, lines } = await git.ask({
    args: ["cat-file", "--batch"],
    input: `${name}\n`,
  });
  if (code !== 0) throw refused(lines[0] ?? "git cat-file failed");
  const end = stdout.indexOf("\n");
  const [id = "", kind, size] = stdout.slice(0, end).split(" ");
  if (kind !== "blob" || size === undefined) return undefined;
  const bytes = Buffer.from(stdout.slice(end + 1, -1), "utf8");
  if (bytes.length === Number(size)) return { id, bytes };
  throw new HeadgateError("ROUTING_FILE", `${showText(name)} is not UTF-8`);
};

/** Which content a file has, or null for none. */
export const hashOf = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined ? null : contentHash(bytes);

/** The line in which git says that it may not write; undefined when it says something else. */
export const whyReadOnly = (lines: readonly string[]): string | undefined =>
  lines
    .find((line) => /permission denied|insufficient permission|read-only file system/i.test(line))
    ?.replace(/^(error|fatal): /, "");

export const refused = (message: string): HeadgateError =>
  new HeadgateError("ROUTING_GIT", message);
