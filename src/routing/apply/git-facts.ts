/** The state of the repository that a commit would be made in; whatever forbids one is said clearly. */
import type { Files } from "../../base/files.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { findUnfinished, gitDirOf, type Head, readHead, type WritingGit } from "../../git/index.ts";
import { contentHash } from "../../state/index.ts";

export interface ChangeStart {
  /** A branch, perhaps without a commit. */
  readonly head: Head;
  /** The overrides at `head`. */
  readonly blob: { readonly id: string; readonly bytes: Buffer } | undefined;
}

/** Throws ROUTING_GIT. */
export const readChangeStart = async (
  git: WritingGit,
  { path, files }: { readonly path: string; readonly files: Files },
): Promise<ChangeStart> => {
  const gitDir = gitDirOf(git.cwd, files);
  if (gitDir === undefined) throw refused(`this is no git worktree: ${showText(git.cwd)}`);
  const unfinished = findUnfinished(gitDir, files);
  if (unfinished) throw refused(`${unfinished} is in progress: finish or abort it first`);
  const head = await readHead(git).catch((error: unknown) => {
    if (!HeadgateError.isInstance(error) || error.code !== "GIT_FAILED") throw error;
    throw refused(error.message);
  });
  if (head.branch === "HEAD") {
    throw refused("HEAD is detached: check out a branch, so that the override stays on one");
  }
  if (!head.branch.startsWith("refs/heads/")) throw refused("HEAD is not on a branch");
  const blob = head.commit && (await readBlob(git, `${head.commit}:${path}`));
  return { head, blob: blob || undefined };
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

export const refused = (message: string): HeadgateError =>
  new HeadgateError("ROUTING_GIT", message);
