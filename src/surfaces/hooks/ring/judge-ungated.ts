/** What the gate would have said: the file as the last commit had it, against what it is now. */
import { join } from "node:path";
import type { Clock } from "../../../base/clock.ts";
import type { Files } from "../../../base/files.ts";
import type { Git } from "../../../base/git.ts";
import type { Proposal, Verdict, Write } from "../../../gate/index.ts";
import { ringLimits } from "./ring-limits.ts";
import type { UngatedWrite } from "./types.ts";
import { contentInCommit, readPlain } from "./worktree-state.ts";

export interface JudgeOptions {
  readonly judge: (proposal: Proposal) => Promise<Verdict>;
  readonly root: string;
  readonly head: string | null;
  readonly git: () => Git;
  readonly files: Files;
  readonly clock: Clock;
}

type Problems = Map<string, UngatedWrite["problems"]>;

/** Best effort: what cannot be judged, or not in time, has no problems here. */
export const judgeUngated = async (
  paths: readonly string[],
  options: JudgeOptions,
): Promise<Problems> => {
  const none: Problems = new Map();
  const timeUp = new AbortController();
  try {
    return await Promise.race([
      judgeAll(paths.slice(0, ringLimits.judgedFilesMax), options),
      options.clock.sleep(ringLimits.judgeMs, timeUp.signal).then(() => none),
    ]);
  } catch {
    return none;
  } finally {
    timeUp.abort();
  }
};

const judgeAll = async (paths: readonly string[], options: JudgeOptions): Promise<Problems> => {
  const { judge, head } = options;
  const writes: Write[] = [];
  const tree: Record<string, string> = { __proto__: null as never };
  for (const path of paths) {
    const after = contentNow(path, options);
    if (after === undefined) continue;
    const committed = head === null ? undefined : await contentInCommit(options.git(), head, path);
    const before = committed?.toString("utf8");
    if (before !== undefined) tree[path] = before;
    writes.push({ path, before: before ?? null, after });
  }
  const problems: Problems = new Map();
  if (writes.length === 0) return problems;
  // A tree that is handed in: claims and what the actor has seen are not asked, only what the files hold.
  const { reasons } = await judge({ writes, files: { ...tree } });
  for (const { path, code, message } of reasons) {
    problems.set(path, [...(problems.get(path) ?? []), { code, message }]);
  }
  return problems;
};

const contentNow = (path: string, { root, files }: JudgeOptions): string | undefined => {
  try {
    const content = readPlain(join(root, path), files);
    if (!content || content.length > ringLimits.judgedBytesMax) return undefined;
    return content.toString("utf8");
  } catch {
    return undefined;
  }
};
