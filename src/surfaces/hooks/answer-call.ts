/** The one way of a hook's call: who, what, where, may it; whatever goes wrong on the way is a refusal. */
import type { Clock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { errorCodes, HeadgateError } from "../../errors.ts";
import { answerAfter, answerFailed } from "./after-tool.ts";
import { answerBefore } from "./before-tool.ts";
import { concernsUs, mayWrite } from "./concerns.ts";
import type { HookDependencies } from "./dependencies.ts";
import { actorName } from "./hook-actor.ts";
import { lookAtCommits } from "./late-commits.ts";
import { tellWithNotices } from "./notices.ts";
import { failureText, refusalOf } from "./refusal.ts";
import { beginTurn, endSession, endSubagent, endTurn, startSession } from "./sessions.ts";
import type { HookCall, HookDecision } from "./types.ts";

const pass: HookDecision = { kind: "pass" };

/** Never throws, and ends within its time. */
export const answerCall = async (
  call: HookCall,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  if (!concernsUs(call)) return pass;
  try {
    const decide = () => decideInTime(call, dependencies);
    return await (dependencies.repeats?.once(call, decide) ?? decide());
  } catch (error) {
    return dependencies.bypass === undefined ? failureOf(call, error) : pass;
  }
};

/** An edit that could not be judged in time is looked at without its judgement. */
const decideInTime = async (
  call: HookCall,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  let isOver = false;
  let opened: ReturnType<HookDependencies["open"]> | undefined;
  const ports: HookDependencies = {
    ...dependencies,
    open: (one) => (opened ??= dependencies.open(one)),
    isOver: () => isOver,
  };
  const { clock, answerMs, lateMs = limits.hookLateMs } = dependencies;
  const isEnd = call.event === "session-end";
  const ms = answerMs ?? (isEnd ? limits.hookEndMs : limits.hookAnswerMs);
  try {
    return await withinTime(ms, clock, () => decideCall(call, ports));
  } catch (error) {
    isOver = true;
    const why = lateness(error);
    const { tool } = call;
    const isEdit = call.event === "before-tool" && tool !== undefined && mayWrite(tool);
    if (why === undefined || !isEdit || tool.kind === "shell") throw error;
    let isTooLate = false;
    const late = { ...ports, isOver: () => isTooLate };
    const passing = withinTime(lateMs, clock, async () => {
      const headgate = await late.open(call);
      if (!headgate) return pass;
      const { passUnjudged } = await import("./pass-unjudged.ts");
      return passUnjudged(call, { tool, headgate, dependencies: late, why });
    });
    return await passing.finally(() => (isTooLate = true));
  }
};

/** Why there is no judgement, where it was for want of time or room; all other failures stay failures. */
const lateness = (error: unknown): string | undefined => {
  if (!HeadgateError.isInstance(error)) return undefined;
  return error.code === "HOOK_TIMEOUT" || error.code === "NOT_JUDGED"
    ? showText(error.message, 200)
    : undefined;
};

const decideCall = async (
  call: HookCall,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  const { bypass, readsOnly } = dependencies;
  if (call.tool?.kind === "shell" && (await readsOnly?.(call.tool, call.cwd))) {
    return call.event === "after-tool" ? afterReading(call, dependencies) : pass;
  }
  const headgate = await dependencies.open(call);
  if (!headgate) return pass;
  switch (call.event) {
    case "before-tool": {
      if (bypass === undefined) return answerBefore(call, headgate, dependencies);
      if (!call.tool || !mayWrite(call.tool)) return pass;
      await headgate.events.append({
        kind: "gate.bypassed",
        actor: actorName(call),
        data: { reason: bypass.slice(0, 500), tool: call.tool.name.slice(0, 100), hook: true },
      });
      return pass;
    }
    case "after-tool":
      return answerAfter(call, headgate, dependencies);
    case "tool-failed":
      return answerFailed(call, headgate, dependencies);
    case "prompt":
      await lookAtCommits(call, headgate, dependencies);
      return beginTurn(headgate, call, dependencies);
    case "session-start":
      await lookAtCommits(call, headgate, dependencies);
      return startSession(headgate, call, dependencies);
    case "stop":
      await endTurn(headgate, call);
      return (await import("./remind-lines.ts")).remindOfLines(call, headgate, dependencies);
    case "subagent-stop":
      return endSubagent(headgate, call);
    case "session-end":
      return endSession(headgate, call, dependencies);
    case "other":
      return pass;
  }
};

/** A command that only read needs no look at files; its answer can carry notices where that is cheap. */
const afterReading = async (
  call: HookCall,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  const { open, actorOf, isServing } = dependencies;
  const command = call.tool?.kind === "shell" ? call.tool.command : "";
  const { namesFiles, rememberShown } = await import("./shown-files.ts");
  const hasShown = namesFiles(command, call.cwd);
  const canTell = isServing && !call.isDeaf;
  const headgate = canTell || hasShown ? await open(call) : undefined;
  if (!headgate) return pass;
  if (hasShown) await rememberShown(command, call, headgate, dependencies);
  if (canTell) await lookAtCommits(call, headgate, dependencies);
  return canTell ? tellWithNotices([], headgate.as(actorOf(call))) : pass;
};

const withinTime = async <T>(ms: number, clock: Clock, decide: () => Promise<T>): Promise<T> => {
  const done = new AbortController();
  const late = clock.sleep(ms, done.signal).then(() => {
    throw new HeadgateError("HOOK_TIMEOUT", `no answer within ${ms / 1000} s`);
  });
  try {
    return await Promise.race([decide(), late]);
  } finally {
    // The sleep ends, and throws to nobody.
    late.catch(() => {});
    done.abort();
  }
};

/** Only a tool that has not run yet can be stopped; in all other places a failure is told or left out. */
const failureOf = (call: HookCall, error: unknown): HookDecision => {
  const known = HeadgateError.isInstance(error) ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const isOurs = known !== undefined && shownAsTheyAre.has(known.code);
  const code = isOurs ? known.code : "HOOK_FAILED";
  const told = known && !isOurs ? `${known.code}: ${message}` : message;
  if (call.event === "before-tool") {
    const { remedy } = errorCodes[code];
    return refusalOf(call.tool?.name ?? "tool", { code, message: told, remedy });
  }
  if (call.event === "session-start" || call.event === "after-tool") {
    return { kind: "tell", text: failureText(code, told) };
  }
  return pass;
};

const shownAsTheyAre = new Set([
  "HOOK_INPUT_INVALID",
  "HOOK_TIMEOUT",
  "PATH_INVALID",
  "INPUT_TOO_LARGE",
]);
