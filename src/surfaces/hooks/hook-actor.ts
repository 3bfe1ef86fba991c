/**
 * Who acts in a hook's call: the client's session, and its process where it can be recognised, so that its
 * death frees what it holds. Identity comes from the payload, never from what an agent types.
 */
import { isId } from "../../base/ids.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { startVariable } from "../../base/process-marks.ts";
import {
  ancestorsOf,
  processTreeAt,
  processTreeBelow,
  readProcessTree,
} from "../../base/process-tree.ts";
import {
  type Actor,
  actorOfClient,
  describeVia,
  isNameGiven,
  lookAtProcess,
  parseActor,
} from "../../claims/index.ts";
import type { HookCall } from "./types.ts";

export const actorName = ({ harness, session, agent }: HookCall): string =>
  `${harness}:${session}${agent === undefined ? "" : `/${agent}`}`;

/**
 * `askedBy` is the process that started the hook, where this is another one; null where it is not told.
 * Throws ACTOR_INVALID.
 */
export const actorOfCall = (call: HookCall, askedBy?: number | null, stateFolder?: string): Actor =>
  actorOfRun(askedBy === undefined ? ownIdentity().pid : (askedBy ?? 0), stateFolder) ??
  actorOfClient(actorName(call), () => {
    if (askedBy === undefined) return readProcessTree();
    return askedBy === null ? undefined : processTreeBelow(askedBy);
  });

/**
 * A client that a run has started acts for its plan, whose claims it writes under. The run said so when it
 * started the client: what the hook's process was started with comes from there.
 */
const actorOfRun = (pid: number, stateFolder: string | undefined): Actor | undefined => {
  const [run] = startVariable(pid, "HEADGATE_AGENT")?.split("/", 1) ?? [];
  const actor = startVariable(pid, "HEADGATE_ACTOR");
  if (run === undefined || !isId("run", run) || !actor?.startsWith(`run:${run}/plan-`))
    return undefined;
  const tree = stateFolder === undefined ? undefined : processTreeAt(pid);
  // Variables can be set by an agent that starts another; that the run is above cannot.
  if (tree && !isNameGiven(actor, ancestorsOf(tree), stateFolder)) return undefined;
  return parseActor(actor);
};

/** With the process that asks, beside what the payload says. */
export const seenActor = (actor: Actor, pid: number | undefined): Actor => {
  if (pid === undefined) return actor;
  const acting = lookAtProcess({ variables: {} }, { readTree: () => processTreeAt(pid) });
  const via = describeVia(acting, actor, { isGiven: actor.session.startsWith("run:") });
  return via ? { ...actor, via } : actor;
};
