/** A commit that git's hooks did not see is judged by the next client hook, and the session hears of it. */
import type { HookDependencies, HookHeadgate } from "./dependencies.ts";
import { inWorktree } from "./in-worktree.ts";
import { ringLimits } from "./ring/index.ts";
import type { HookCall } from "./types.ts";

/** Whether the session was sent a notice now; a server judges in the background, and the next hook brings it. */
export const lookAtCommits = async (
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
  moved?: { readonly from?: string; readonly by: readonly string[] },
): Promise<boolean> => {
  const there = await inWorktree(call, headgate, dependencies);
  const { isHeadNew, judgeLate, lateText, noteMove } = await import("../git/index.ts");
  if (!isHeadNew(there.repository)) return false;
  if (moved) await noteMove(there, moved);
  const { environment, clock, isServing, actorOf } = dependencies;
  const { id: to } = actorOf(call);
  const tell = async (): Promise<boolean> => {
    const found = await judgeLate({ headgate: there, environment });
    const told = found
      // A person's own fine commit is nothing to the agent.
      .filter(({ by, problems }) => by.length > 0 || problems.length > 0)
      .map((one) => ({
        ...{ to, kind: "note" as const, about: `late:${one.commit}` },
        text: lateText(one),
      }));
    await there.notify(told);
    return told.length > 0;
  };
  const { worktree } = there.repository;
  // A server is asked again while it judges.
  if (underWay.has(worktree)) return false;
  // After a failure the next hook looks again.
  const telling = tell()
    .catch(() => false)
    .finally(() => underWay.delete(worktree));
  underWay.add(worktree);
  if (isServing) return false;
  const done = new AbortController();
  const isLate = (): boolean => false;
  const late = clock.sleep(ringLimits.settleMs, done.signal).then(isLate, isLate);
  return Promise.race([telling, late]).finally(() => done.abort());
};

/** Worktrees whose new commits are being judged in this process. */
const underWay = new Set<string>();
