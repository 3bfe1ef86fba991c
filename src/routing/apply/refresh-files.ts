/**
 * After the branch has moved: worktree file and index entry follow, but only where they were as the parent
 * commit has them. What the user changed or staged is theirs and stays.
 */
import { dirname, join } from "node:path";
import { errnoOf } from "../../base/files.ts";
import type { WritingGit } from "../../git/index.ts";
import { HeadgateError } from "../../errors.ts";
import { writeFileAtomic } from "../../state/index.ts";
import { readIfAny } from "../overrides/read-if-any.ts";
import type { RoutingContext } from "../ports.ts";
import { hashOf } from "./git-facts.ts";
import type { Operation } from "./operations.ts";

/** What was left as the user had it. */
export type Left = "worktree" | "index";

type RefreshContext = Pick<RoutingContext, "clock" | "files" | "onStep" | "random">;

export const refreshFiles = async (
  context: RefreshContext,
  git: WritingGit,
  operation: Operation,
): Promise<Left[]> => {
  const left: Left[] = [];
  if (!(await writeWorktree(context, operation))) left.push("worktree");
  if (!(await refreshIndex(context, git, operation))) left.push("index");
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

const refreshIndex = async (
  { clock, onStep, random }: RefreshContext,
  git: WritingGit,
  { payload }: Operation,
): Promise<boolean> => {
  const { path, blob, blobBefore } = payload;
  for (let tries = 0; ; tries += 1) {
    const listed = await git.run({ args: ["ls-files", "--stage", "-z", "--", path] });
    const entries = listed.split("\0").filter((line) => line !== "");
    const [, present = null] = /^\d+ ([0-9a-f]+) 0\t/.exec(entries[0] ?? "") ?? [];
    if (entries.length > 1 || (entries.length === 1 && present === null)) return false;
    if (present === blob) return true;
    if (present !== blobBefore) return false;
    const entry = `100644,${blob},${path}`;
    const { code } = await git.ask({ args: ["update-index", "--add", "--cacheinfo", entry] });
    if (code === 0) {
      onStep("index-refreshed");
      return true;
    }
    // The user's own git is writing it; if that lasts, the index stays as it is, and we say so.
    if (tries >= triesMax) return false;
    await clock.sleep(20 * (1 + tries) * (0.5 + random.fraction()));
  }
};

const triesMax = 8;
