/** What all clients understand: silence, or the exit code 2 with the reason on stderr. */
import type { HookAnswer, HookCall, HookDecision } from "../types.ts";

export const silence: HookAnswer = { exit: 0, stdout: "", stderr: "" };

export const refused = (text: string): HookAnswer => ({ exit: 2, stdout: "", stderr: `${text}\n` });

/** `tell` gives what a client wants on stdout; "" where it listens to nothing. */
export const answerWith = (
  decision: HookDecision,
  call: Pick<HookCall, "event">,
  tell: (text: string) => string,
): HookAnswer => {
  if (decision.kind === "pass") return silence;
  if (decision.kind === "tell") {
    const { text, handedOver } = decision;
    const stdout = tell(text);
    // Where the client does not listen, nothing was handed over.
    if (stdout === "" || handedOver === undefined) return { ...silence, stdout };
    return { ...silence, stdout, ...settleWith(handedOver) };
  }
  // Only a tool that has not run yet can be refused: 2 at the end of a turn would make the agent go on.
  if (call.event === "before-tool") {
    return { ...refused(decision.text), ...settleWith(decision.handedOver) };
  }
  return { ...silence, stderr: `${decision.text}\n` };
};

/** For an answer that carries notices; nothing without them. */
export const settleWith = (handedOver?: () => Promise<void>): Pick<HookAnswer, "settle"> => {
  if (!handedOver) return {};
  const settle = async (isWritten: boolean): Promise<void> => {
    try {
      if (isWritten) await handedOver();
    } catch {
      // The agent has its answer; with the next one it reads the same notices, marked as repeated.
    }
  };
  return { settle };
};

/** In Claude Code's form, for clients that listen to these events of theirs only. */
export const answerListeners = (
  decision: HookDecision,
  call: Pick<HookCall, "event" | "eventName">,
  listens: ReadonlySet<string>,
): HookAnswer => {
  const { eventName = "" } = call;
  return answerWith(decision, call, (text) => {
    if (call.event === "stop") return systemMessage(text);
    return listens.has(eventName) ? additionalContext(eventName, text) : "";
  });
};

/** For the person in front of the client. Context at the end of a turn would make the agent go on. */
export const systemMessage = (text: string): string =>
  `${JSON.stringify({ systemMessage: text })}\n`;

/** Claude Code's form, which Codex, Gemini CLI and VS Code took over. */
export const additionalContext = (eventName: string, text: string): string =>
  `${JSON.stringify({ hookSpecificOutput: { hookEventName: eventName, additionalContext: text } })}\n`;
