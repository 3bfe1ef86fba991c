import type { HookDependencies, HookHeadgate } from "./dependencies.ts";
import type { Ring } from "./ring/index.ts";
import type { HookCall } from "./types.ts";

/** The ring as the call's actor sees it; undefined where nobody keeps one. */
export const ringFor = (
  call: HookCall,
  { repository, events, lines, notify, as }: HookHeadgate,
  { ring, actorOf, clock, environment }: HookDependencies,
): Ring | undefined => {
  if (!ring) return undefined;
  const { claims, gate } = as(actorOf(call));
  return ring({
    root: repository.worktree,
    kind: repository.kind,
    localDir: repository.localDir,
    claims,
    judge: (proposal, manner) => gate.judge(proposal, manner),
    events,
    lines,
    notify,
    emit: (event) => events.append({ actor: claims.actor.id, ...event }),
    clock,
    environment,
  });
};
