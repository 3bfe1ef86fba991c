/** Where a run writes and commits: the branch it finds, or a branch and a worktree made for it. */
import { join } from "node:path";
import { plural, showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { RunPorts } from "./execute/ports.ts";
import { firstParent, isAncestor, readHead, type WritingGit } from "../git/index.ts";
import { makeLocalDir } from "../store/index.ts";
import type { PlanSet } from "./plan/read-plans.ts";
import type { RunRecord } from "./types.ts";

/** Throws PLAN_INVALID. */
export const refuseProblems = ({ problems }: PlanSet): void => {
  const errors = problems.filter(({ level }) => level === "error");
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` (and ${plural(errors.length - 1, "more problem")})` : "";
  const message = `${showText(first.file)}:${first.line ?? 1}: ${first.message}${more}`;
  throw new HeadgateError("PLAN_INVALID", message, {
    data: { problems: JSON.parse(JSON.stringify(problems)) as never },
  });
};

/** Where a new run writes and commits. */
export const placeFor = async (about: {
  readonly id: string;
  readonly own: RunRecord["own"];
  readonly ports: RunPorts;
  readonly git: WritingGit;
}): Promise<Pick<RunRecord, "worktree" | "branch" | "base" | "own">> => {
  const { id, own, ports, git } = about;
  const { worktree, worktreesDir } = ports.repository;
  const head = await readHead(git);
  const base = head.commit === undefined ? {} : { base: head.commit };
  if (own === undefined) return { worktree, branch: head.branch, ...base };
  if (head.commit === undefined) {
    throw new HeadgateError(
      "RUN_NEEDS_GIT",
      "a branch of its own needs a first commit to stand on",
    );
  }
  const name = `headgate/${id}`;
  const branch = `refs/heads/${name}`;
  if (own === "branch") {
    // The same commit under another name: no file changes.
    await git.run({ args: ["update-ref", branch, head.commit, "0".repeat(head.commit.length)] });
    await git.run({ args: ["symbolic-ref", "-m", `headgate run ${id}`, "HEAD", branch] });
    return { worktree, branch, own, ...base };
  }
  const around = join(worktreesDir, "worktrees");
  makeLocalDir(around, ports.files, ports.environment.platform);
  const folder = join(around, id);
  await git.run({ args: ["worktree", "add", "-q", "-b", name, folder, head.commit] });
  return { worktree: ports.files.realPath(folder), branch, own, ...base };
};

export const removeWorktree = async (git: WritingGit, run: RunRecord): Promise<void> => {
  const { code } = await git.ask({ args: ["worktree", "remove", run.worktree] });
  if (code !== 0) {
    const hint = "it holds changes that are not committed, or is gone";
    throw new HeadgateError(
      "RUN_STATE",
      `the worktree ${showText(run.worktree)} was not removed: ${hint}`,
    );
  }
};

/** What the first of these commits stands on. */
export const baseOf = async (
  git: WritingGit,
  commits: readonly string[],
): Promise<string | undefined> => {
  let first: string | undefined;
  for (const commit of commits) {
    if (first === undefined || (await isAncestor(git, commit, first))) first = commit;
  }
  if (first === undefined) return undefined;
  return firstParent(git, first);
};
