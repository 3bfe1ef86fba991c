/** The one way of a hook's call: who, what, where, may it; whatever goes wrong on the way is a refusal. */
import { limits } from "../../base/limits.ts";
import { errorCodes, HeadgateError } from "../../errors.ts";
import { answerAfter } from "./after-tool.ts";
import { answerBefore } from "./before-tool.ts";
import { concernsUs, mayWrite } from "./concerns.ts";
import type { HookDependencies } from "./dependencies.ts";
import { actorName } from "./hook-actor.ts";
import { failureText, refusalOf } from "./refusal.ts";
import { endSession, endSubagent, endTurn, startSession } from "./sessions.ts";
import type { HookCall, HookDecision } from "./types.ts";

const pass: HookDecision = { kind: "pass" };

/** Never throws, and ends within its time. */
export const answerCall = async (
  call: HookCall,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  if (!concernsUs(call)) return pass;
  try {
    const decide = () => withinTime(call, dependencies, () => decideCall(call, dependencies));
    return await (dependencies.repeats?.once(call, decide) ?? decide());
  } catch (error) {
    return dependencies.bypass === undefined ? failureOf(call, error) : pass;
  }
};

const decideCall = async (
  call: HookCall,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  const { bypass, readsOnly } = dependencies;
  if (call.tool?.kind === "shell" && (await readsOnly?.(call.tool, call.cwd))) return pass;
  const headgate = await dependencies.open(call);
  if (!headgate) return pass;
  switch (call.event) {
    case "before-tool": {
      if (bypass === undefined) return answerBefore(call, headgate, dependencies);
      if (!call.tool || !mayWrite(call.tool)) return pass;
      await headgate.events.append({
        kind: "gate.bypassed",
        actor: actorName(call),
        data: { reason: bypass.slice(0, 500), tool: call.tool.name.slice(0, 100) },
      });
      return pass;
    }
    case "after-tool":
      return answerAfter(call, headgate, dependencies);
    case "session-start":
      return startSession(headgate, call, dependencies);
    case "stop":
      return endTurn(headgate, call);
    case "subagent-stop":
      return endSubagent(headgate, call);
    case "session-end":
      return endSession(headgate, call);
    case "other":
      return pass;
  }
};

const withinTime = async (
  call: HookCall,
  { clock, answerMs }: HookDependencies,
  decide: () => Promise<HookDecision>,
): Promise<HookDecision> => {
  const ms = answerMs ?? (call.event === "session-end" ? limits.hookEndMs : limits.hookAnswerMs);
  const done = new AbortController();
  const late = clock.sleep(ms, done.signal).then(() => {
    throw new HeadgateError("HOOK_TIMEOUT", `No answer within ${ms} ms.`);
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
