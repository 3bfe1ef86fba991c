/** A run as lines for people. Words of plans and agents are shown as safe text. */
import { systemClock } from "../../base/clock.ts";
import { showText } from "../../base/text.ts";
import type { PlanProblem, RunState, RunStatus, TaskRecord } from "../../runs/index.ts";
import type { Output } from "./output.ts";

export const runLines = ({ run, notes, agents }: RunStatus, output: Output): string[] => {
  const { style } = output;
  const lines = [
    `${style.bold(run.id)} ${showText(run.name)}: ${shownState(run.isInterrupted ? "interrupted" : run.state, output)}`,
  ];
  if (run.reason !== undefined) lines.push(`  ${showText(run.reason, 400)}`);
  if (run.executor)
    lines.push(
      style.dim(
        `  carried out by ${showText(run.executor.actor)} (${run.executor.evidence.join(", ")})`,
      ),
    );
  for (const plan of run.plans) {
    lines.push(
      `  ${mark(plan.state)} ${plan.plan} ${showText(plan.title)} ${style.dim(plan.state)}`,
    );
    for (const task of plan.tasks) lines.push(...taskLines(task, output));
  }
  const open = notes.filter(
    ({ kind, answer }) => (kind === "question" || kind === "action") && answer === undefined,
  );
  for (const note of open) lines.push(style.yellow(`  ${note.id}: ${showText(note.text, 400)}`));
  if (run.claimed.length > 0)
    lines.push(style.dim(`  claimed: ${run.claimed.map((one) => showText(one)).join(", ")}`));
  const { inputTokens, outputTokens, costUsd } = run.spent;
  if (inputTokens + outputTokens > 0 || costUsd > 0) {
    lines.push(
      style.dim(
        `  ${agents.length} agents, ${inputTokens} tokens in, ${outputTokens} out, ${costUsd.toFixed(2)} USD`,
      ),
    );
  }
  lines.push(`  next: ${run.next}`);
  return lines;
};

export const branchName = (ref: string): string => showText(ref.replace(/^refs\/heads\//, ""));

const taskLines = (task: TaskRecord, { style }: Output): string[] => {
  const commit = task.commit === undefined ? "" : ` ${style.cyan(task.commit.slice(0, 12))}`;
  const tries = task.tries > 1 ? ` (attempt ${task.tries})` : "";
  const isOpen = task.state === "running" || task.state === "committing";
  const since = isOpen && task.startedAt !== undefined ? ` for ${elapsed(task.startedAt)}` : "";
  const lines = [
    `      ${mark(task.state)} ${showText(task.name)} ${style.dim(`${task.state}${since}`)}${commit}${tries}`,
  ];
  if (task.reason !== undefined && task.state !== "done")
    lines.push(`          ${showText(task.reason, 400)}`);
  for (const ref of task.rescues) lines.push(style.dim(`          kept: git show ${ref}`));
  return lines;
};

const elapsed = (since: string): string => {
  const seconds = Math.max(0, Math.round((systemClock.wallMs() - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const marks: Readonly<Record<string, string>> = {
  done: "✓",
  skipped: "–",
  running: "▸",
  committing: "▸",
  pending: "·",
};
const mark = (state: string): string => marks[state] ?? "!";

const shownState = (state: RunState | "interrupted", { style }: Output): string => {
  if (state === "done") return style.green(state);
  if (state === "failed" || state === "timeout") return style.red(state);
  return state === "running" ? state : style.yellow(state);
};

export const problemLines = (problems: readonly PlanProblem[], { style }: Output): string[] =>
  problems.map(({ level, file, line, message }) => {
    const place = `${showText(file)}${line === undefined ? "" : `:${line}`}`;
    return `${place}: ${level === "error" ? style.red("error") : style.yellow("warning")}: ${showText(message, 400)}`;
  });
