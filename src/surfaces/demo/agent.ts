/**
 * One agent of the demo, a process of its own: reads a step per line, does it as an agent client would, and
 * answers with one line. Every edit goes through the installed hook; it writes the file itself, as clients do.
 */
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { systemFiles } from "../../base/files.ts";
import { hookScripts } from "../../base/hook-line.ts";
import { writeInPlace } from "../../base/open-file.ts";
import { newId } from "../../base/ids.ts";
import { systemProcesses } from "../../base/processes.ts";
import type { Done, Step } from "./types.ts";

export interface AgentPlace {
  readonly root: string;
  readonly session: string;
  /** Node and the command line. */
  readonly program: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

export const runAgent = async (
  steps: AsyncIterable<string>,
  place: AgentPlace,
  answer: (line: string) => void,
): Promise<void> => {
  for await (const line of steps) {
    const startMs = systemClock.monoMs();
    const done = await doStep(JSON.parse(line) as Step, place);
    answer(JSON.stringify({ ...done, ms: Math.round(systemClock.monoMs() - startMs) }));
  }
};

type StepOutcome = Omit<Done, "ms"> & { readonly isUnjudged?: boolean };

const doStep = (step: Step, place: AgentPlace): Promise<StepOutcome> => {
  switch (step.do) {
    case "read":
      return read(step.path, place);
    case "replace":
      return replace(step, place);
    case "claim":
      return claim(step, place);
    case "release":
      return headgate(["release", "--all"], place);
    case "commit":
      return headgate(["commit", "-m", step.message], place);
    case "begin":
      return hook("SessionStart", {}, place);
    case "end":
      return hook("SessionEnd", {}, place);
  }
};

const read = async (path: string, place: AgentPlace): Promise<StepOutcome> => {
  const file = join(place.root, path);
  const text = systemFiles.readFile(file).toString("utf8");
  const tool = { tool_name: "Read", tool_input: { file_path: file } };
  await hook("PostToolUse", { ...tool, tool_response: { file: { content: text } } }, place);
  return { ok: true };
};

const replace = async (
  step: Extract<Step, { do: "replace" }>,
  place: AgentPlace,
): Promise<StepOutcome> => {
  const file = join(place.root, step.path);
  const id = newId("edit");
  const input = { file_path: file, old_string: step.old, new_string: step.new };
  const tool = { tool_name: "Edit", tool_use_id: id, tool_input: input };
  const asked = await askPatiently(tool, place);
  if (!asked.ok) return asked;
  const now = systemFiles.readFile(file).toString("utf8");
  const parts = now.split(step.old);
  if (parts.length !== 2) return { ok: false, code: "TEXT_GONE", text: "the text is not there" };
  overwrite(file, parts.join(step.new));
  await hook("PostToolUse", { ...tool, tool_response: {} }, place);
  return { ok: true };
};

/**
 * It shows the gate's answer. A machine that is too busy for an answer shows nothing: then it asks
 * again, and does not write what was only let through unjudged.
 */
const askPatiently = async (tool: object, place: AgentPlace): Promise<StepOutcome> => {
  for (let tries = 1; ; tries += 1) {
    const asked = await hook("PreToolUse", tool, place);
    const isLate = asked.isUnjudged || asked.code === "HOOK_TIMEOUT";
    if (!isLate) return asked;
    if (tries === triesMax) return { ok: false, code: "HOOK_TIMEOUT", text: "no answer in time" };
    await systemClock.sleep(1_000);
  }
};

const triesMax = 5;

/** In place, as clients do it. */
const overwrite = (file: string, text: string): void =>
  writeInPlace(systemFiles, file, { text, mode: 0o644 });

/** As Claude Code calls it. */
const hook = async (event: string, more: object, place: AgentPlace): Promise<StepOutcome> => {
  const { root, session, env } = place;
  const payload = { session_id: session, hook_event_name: event, cwd: root, ...more };
  const result = await systemProcesses.run(
    ["/bin/sh", "-c", hookScripts.git, "headgate", "claude", root],
    {
      ...{ cwd: root, env, input: JSON.stringify(payload) },
      timeoutMs: 60_000,
      outputBytesMax: 1024 * 1024,
    },
  );
  if (result.ended !== "exit") return { ok: false, code: "HOOK_FAILED", text: result.ended };
  if (result.code === 0) {
    return { ok: true, isUnjudged: result.stdout.includes("pass unjudged") };
  }
  return refusal(result.stderr);
};

/** `Headgate refused this Edit: CODE place`, the reason, the remedy, one line for programs. */
const refusal = (said: string): StepOutcome => {
  const [first = "", text = "", remedy = ""] = said.trim().split("\n");
  const code = /: ([A-Z_]+)/.exec(first)?.[1] ?? "HOOK_FAILED";
  return { ok: false, code, text: text || first, remedy };
};

const claim = (step: Extract<Step, { do: "claim" }>, place: AgentPlace): Promise<StepOutcome> => {
  const { target, ttl, wait } = step;
  const waiting = wait === undefined ? [] : ["--wait", wait];
  return headgate(["claim", target, "--ttl", ttl, "--reason", "the demo", ...waiting], place);
};

const headgate = async (args: readonly string[], place: AgentPlace): Promise<StepOutcome> => {
  const { root, program, env } = place;
  const result = await systemProcesses.run([...program, ...args, "--json", "--repo", root], {
    ...{ cwd: root, env },
    timeoutMs: 60_000,
    outputBytesMax: 1024 * 1024,
  });
  if (result.ended !== "exit") return { ok: false, code: "INTERNAL", text: result.ended };
  const answer = JSON.parse(result.stdout.toString("utf8") || "{}") as {
    code?: string;
    message?: string;
    blockers?: { actor: string; target: string }[];
    rescued?: unknown[];
  };
  const { code, message, blockers, rescued } = answer;
  const [blocker] = blockers ?? [];
  const text = blocker ? `${blocker.actor} holds ${blocker.target}` : message;
  return {
    ok: result.code === 0,
    ...(code !== undefined && { code }),
    ...(text !== undefined && { text }),
    ...(rescued && rescued.length > 0 && { rescued: rescued.length }),
  };
};
