/**
 * After the branch has moved: worktree file and index entry follow, but only where they were as the parent
 * commit has them. What the user changed or staged is theirs and stays.
 */
import { dirname, join } from "node:path";
import { errnoOf } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import { followIndex, type TreeChange, type WritingGit } from "../../git/index.ts";
import { writeFileAtomic } from "../../state/index.ts";
import { readIfAny } from "../overrides/read-if-any.ts";
import type { RoutingContext } from "../ports.ts";
import { hashOf } from "./git-facts.ts";
import type { Operation } from "./operations.ts";

/** What was left as the user had it. */
export type Left = "worktree" | "index";

type RefreshContext = Pick<RoutingContext, "clock" | "files" | "onStep">;

export const refreshFiles = async (
  context: RefreshContext,
  git: WritingGit,
  {
    operation,
    changes,
  }: { readonly operation: Operation; readonly changes: readonly TreeChange[] },
): Promise<Left[]> => {
  const left: Left[] = [];
  if (!(await writeWorktree(context, operation))) left.push("worktree");
  const staged = await followIndex(git, changes, (ms) => context.clock.sleep(ms));
  if (staged.length > 0) left.push("index");
  else context.onStep("index-refreshed");
  return left;
};

const writeWorktree = async (
  { files, onStep }: RefreshContext,
  { payload }: Operation,
): Promise<boolean> => {
  const { worktree, path, before, after } = payload;
  const file = join(worktree, path);
  const bytes = readIfAny(file, files);
  const present = hashOf(bytes);
  if (present === hashOf(Buffer.from(after))) return true;
  // Checked out with CRLF (core.autocrlf, .gitattributes) it is what the branch has, all the same.
  const hasCrLf = present !== before && bytes !== undefined && hashOf(withLf(bytes)) === before;
  if (present !== before && !hasCrLf) return false;
  const text = hasCrLf ? after.replaceAll("\n", "\r\n") : after;
  try {
    files.makeDirectory(dirname(file), 0o777);
    onStep("folder");
    await writeFileAtomic(file, text, { root: worktree, expect: present, files });
  } catch (error) {
    // Somebody wrote it in this moment, put a link in its way or made it read-only: it is theirs then.
    if (HeadgateError.isInstance(error) && leftCodes.has(error.code)) return false;
    if (["EROFS", "EACCES", "EPERM"].includes(errnoOf(error) ?? "")) return false;
    throw error;
  }
  onStep("worktree-written");
  return true;
};

const withLf = (bytes: Uint8Array): Buffer =>
  Buffer.from(Buffer.from(bytes).toString("utf8").replaceAll("\r\n", "\n"));

const leftCodes = new Set([
  "STATE_CHANGED",
  "STATE_TARGET_KIND",
  "PATH_OUTSIDE",
  "STATE_BUSY",
  "STATE_NOT_WRITABLE",
]);
