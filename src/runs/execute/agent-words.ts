/**
 * What an agent says to the run: lines of its output that begin with `HEADGATE:`. Everything else it says is
 * shown and otherwise ignored, so nothing that it quotes from the repository can steer the run.
 */
import { limits } from "../../base/limits.ts";
import { redactSecrets } from "../../base/secrets.ts";
import type { Note } from "../types.ts";

export interface AgentWords {
  readonly notes: readonly Pick<Note, "kind" | "text">[];
  /** It stopped, and somebody has to do something. */
  readonly stopped?: "needs-decision" | "needs-action" | "failed";
  readonly reason?: string;
}

const kinds: Readonly<Record<string, Note["kind"]>> = {
  fixed: "fixed",
  issue: "issue",
  "needs-decision": "question",
  "needs-action": "action",
};

export const readAgentWords = (output: string): AgentWords => {
  const notes: Pick<Note, "kind" | "text">[] = [];
  let stopped: AgentWords["stopped"];
  let reason: string | undefined;
  for (const line of output.split("\n")) {
    const [, word = "", rest = ""] = /^\s*HEADGATE:\s*([a-z-]+)\b:?\s*(.*?)\s*$/.exec(line) ?? [];
    const text = redactSecrets(rest).slice(0, limits.runNoteLengthMax);
    const kind = kinds[word];
    if (word === "failed") {
      stopped ??= "failed";
      reason ??= text;
    }
    if (kind === undefined || notes.length >= limits.runNotesPerAgentMax) continue;
    notes.push({ kind, text: text === "" ? "(nothing said)" : text });
    if (word === "needs-decision" || word === "needs-action") {
      stopped = word;
      reason = text;
    }
  }
  return {
    notes,
    ...(stopped !== undefined && { stopped }),
    ...(reason !== undefined && { reason }),
  };
};
