/** The life of a client's session, as far as its hooks tell: it begins, turns end, sub-agents end, it ends. */
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import type { Actor, FollowSession } from "../../claims/index.ts";
import type { Headgate } from "../../compose.ts";
import { calledAs } from "../called-as.ts";
import type { HookDependencies } from "./dependencies.ts";
import { actorName } from "./hook-actor.ts";
import { lookAtInbox, tellTaken, tellWithNotices } from "./notices.ts";
import { rulesText } from "./rules-text.ts";
import { sessionBrief } from "./session-brief.ts";
import { markStart, namesFiles, rememberShown } from "./shown-files.ts";
import { taskName } from "./task-name.ts";
import type { HookCall, HookDecision } from "./types.ts";

export type SessionHeadgate = Pick<Headgate, "repository" | "events" | "lines" | "as">;

const pass: HookDecision = { kind: "pass" };

/** The user has written: the first line is what the session works on from now on. */
export const beginTurn = async (
  headgate: SessionHeadgate,
  call: HookCall,
  dependencies: Pick<HookDependencies, "actorOf" | "openWorktree" | "worktrees">,
): Promise<HookDecision> => {
  const actor = dependencies.actorOf(call);
  const own = headgate.as(actor);
  const look = lookAtInbox(own, call);
  const { prompt = "" } = call;
  if (namesFiles(prompt, call.cwd)) await rememberShown(prompt, call, headgate, dependencies);
  const task = taskName(prompt);
  await headgate.lines.heard({
    ...{ actor, kind: "edit", along: look.along },
    ...(task !== "" && { task }),
  });
  return tellTaken([], look.taken());
};

/** Makes the actor known, gives it what it goes on with; the agent reads the rules and its notices. */
export const startSession = async (
  headgate: SessionHeadgate,
  call: HookCall,
  {
    actorOf,
    startServer,
    environment,
  }: Pick<HookDependencies, "actorOf" | "startServer" | "environment">,
): Promise<HookDecision> => {
  const actor = actorOf(call);
  const source = showText(call.source ?? "startup", 40);
  const data = { harness: call.harness, source };
  const own = headgate.as(actor);
  await own.claims.register({ kind: "session.started", data }, followedBy(call, actor));
  await markStart(call, own);
  await startServer?.(headgate.repository);
  if (call.isDeaf) return { kind: "tell", text: rulesText };
  const lengthMax = limits.noticeStartLengthMax - limits.noticeCallLengthMax;
  const { repository, lines } = headgate;
  const caller = calledAs(repository, environment);
  const parts = { repository, lines, claims: own.claims, ...(caller && { caller }) };
  const brief = await sessionBrief(parts, lengthMax);
  const messages = brief === "" ? [rulesText] : [rulesText.trimEnd(), brief];
  return tellWithNotices(messages, own);
};

/** How a session begins that goes on in the process of another one. */
const followers = new Set(["clear", "resume", "fork", "compact"]);
/** Why a session ends whose client goes on. */
const goingOn = new Set(["clear", "resume"]);

/**
 * A client that clears its conversation, or goes on with an older one, gives it another id in the same process. Only
 * Claude Code is known to have one session in a process: of others a new one need not follow the one that is there.
 */
const followedBy = ({ harness, source = "" }: HookCall, to: Actor): FollowSession | undefined => {
  if (!followers.has(source)) return undefined;
  const mayGuess = harness === "claude" || source === "clear";
  return async ({ tx, peers, ...moment }) => {
    const { passLines } = await import("../../lines/index.ts");
    return passLines(tx, moment, { to, peers, mayGuess });
  };
};

/**
 * A turn is over. What was claimed on the way goes on for a few minutes, so that the next turn finds it;
 * what was claimed on purpose stays as it is.
 */
export const endTurn = async (headgate: SessionHeadgate, call: HookCall): Promise<HookDecision> => {
  const actor = actorName(call);
  const { claims: own } = headgate.as(actor);
  const { claims } = await own.list({ actor, limit: limits.claimsListedMax });
  const passing = claims.filter(({ mode }) => mode === "edit").map(({ id }) => id);
  if (passing.length > 0) await own.shorten({ claims: passing }, limits.hookStopTtlMs);
  return pass;
};

/** A sub-agent comes back no more. */
export const endSubagent = async (
  headgate: SessionHeadgate,
  call: HookCall,
): Promise<HookDecision> => {
  // Without a name it would be the session itself, which goes on.
  if (call.agent !== undefined) {
    const { claims, inbox } = headgate.as(actorName(call));
    await claims.release({ all: true });
    await inbox.leaveToSession();
  }
  return pass;
};

/**
 * Releases what the session and its sub-agents hold, unless its client goes on under another id, which then gets
 * it. The client waits a second or so.
 */
export const endSession = async (
  headgate: SessionHeadgate,
  call: HookCall,
  { actorOf }: Pick<HookDependencies, "actorOf">,
): Promise<HookDecision> => {
  const { agent: _, ...ended } = call;
  const session = actorName(ended);
  const own = headgate.as(session);
  if (goingOn.has(call.reason ?? "") && actorOf(ended).process) {
    await endTurn(headgate, ended);
    const by = { actor: own.claims.actor, kind: "edit" } as const;
    await headgate.lines.heard(by, { isEnd: true, goesOn: true });
    return sayEnded(headgate, call, session);
  }
  const { claims } = await own.claims.list({ limit: limits.claimsListedMax });
  const holders = claims.map(({ actor }) => actor);
  const subagents = new Set(holders.filter((holder) => holder.startsWith(`${session}/`)));
  for (const subagent of subagents) {
    await headgate.as(subagent).claims.release({ all: true });
  }
  await own.claims.release({ all: true });
  await headgate.lines.heard({ actor: own.claims.actor, kind: "edit" }, { isEnd: true });
  return sayEnded(headgate, call, session);
};

const sayEnded = async (
  { events }: SessionHeadgate,
  call: HookCall,
  session: string,
): Promise<HookDecision> => {
  const reason = showText(call.reason ?? "other", 40);
  await events.append({ kind: "session.ended", actor: session, data: { reason } });
  return pass;
};
