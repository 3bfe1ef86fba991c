/** The life of a client's session, as far as its hooks tell: it begins, turns end, sub-agents end, it ends. */
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import type { HookDependencies } from "./dependencies.ts";
import { actorName } from "./hook-actor.ts";
import { rulesText } from "./rules-text.ts";
import type { HookCall, HookDecision } from "./types.ts";

export type SessionHeadgate = Pick<Headgate, "repository" | "events" | "lines" | "as">;

const pass: HookDecision = { kind: "pass" };

/** Makes the actor known and tells the agent the rules. */
export const startSession = async (
  headgate: SessionHeadgate,
  call: HookCall,
  { actorOf, startServer }: Pick<HookDependencies, "actorOf" | "startServer">,
): Promise<HookDecision> => {
  const actor = actorOf(call);
  const source = showText(call.source ?? "startup", 40);
  const data = { harness: call.harness, source };
  await headgate.as(actor).claims.register({ kind: "session.started", data });
  await startServer?.(headgate.repository);
  return { kind: "tell", text: rulesText };
};

/**
 * A turn is over. What was claimed on the way goes on for a few minutes, so that the next turn finds it;
 * what was claimed on purpose stays as it is.
 */
export const endTurn = async (headgate: SessionHeadgate, call: HookCall): Promise<HookDecision> => {
  const actor = actorName(call);
  const { claims: own } = headgate.as(actor);
  const { claims } = await own.list({ actor, limit: limits.claimsListedMax });
  const passing = claims.filter(({ reason }) => reason === editingReason).map(({ id }) => id);
  if (passing.length > 0) await own.shorten({ claims: passing }, limits.hookStopTtlMs);
  return pass;
};

/** As the gate names what it claims for a writer. */
const editingReason = "editing";

/** A sub-agent comes back no more. */
export const endSubagent = async (
  headgate: SessionHeadgate,
  call: HookCall,
): Promise<HookDecision> => {
  // Without a name it would be the session itself, which goes on.
  if (call.agent !== undefined) {
    await headgate.as(actorName(call)).claims.release({ all: true });
  }
  return pass;
};

/** Releases what the session and its sub-agents hold. The client waits a second or so. */
export const endSession = async (
  headgate: SessionHeadgate,
  call: HookCall,
): Promise<HookDecision> => {
  const { agent: _, ...ended } = call;
  const session = actorName(ended);
  const own = headgate.as(session);
  const { claims } = await own.claims.list({ limit: limits.claimsListedMax });
  const holders = claims.map(({ actor }) => actor);
  const subagents = new Set(holders.filter((holder) => holder.startsWith(`${session}/`)));
  for (const subagent of subagents) {
    await headgate.as(subagent).claims.release({ all: true });
  }
  await own.claims.release({ all: true });
  await headgate.lines.heard({ actor: own.claims.actor, kind: "edit" }, { isEnd: true });
  const reason = showText(call.reason ?? "other", 40);
  await headgate.events.append({ kind: "session.ended", actor: session, data: { reason } });
  return pass;
};
