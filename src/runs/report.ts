/** What a run came to, as Markdown. */
import { showText } from "../base/text.ts";
import type { AgentRecord, Note, RunRecord, TaskRecord } from "./types.ts";
import { wayForward } from "./ways-forward.ts";

export const reportText = (
  run: RunRecord,
  agents: readonly AgentRecord[],
  notes: readonly Note[],
): string => {
  const tasks = run.plans.flatMap((plan) => plan.tasks);
  const done = tasks.filter(({ state }) => state === "done").length;
  const { inputTokens, outputTokens, costUsd } = run.spent;
  const open = notes.filter(
    ({ kind, answer }) => (kind === "question" || kind === "action") && answer === undefined,
  );
  return [
    `# Run ${run.id}: ${cell(run.name)}`,
    "",
    `State: **${run.state}**${run.reason === undefined ? "" : ` (${cell(run.reason)})`}`,
    "",
    `- ${done} of ${tasks.length} tasks done, ${tasks.filter(({ state }) => state === "skipped").length} left out`,
    `- ${agents.length} agents, ${inputTokens} tokens in, ${outputTokens} out, ${costUsd.toFixed(2)} USD`,
    `- branch ${cell(run.branch)}${run.base === undefined ? "" : `, from ${run.base.slice(0, 12)}`}`,
    `- began ${run.createdAt}${run.endedAt === undefined ? "" : `, ended ${run.endedAt}`}`,
    `- next: ${wayForward(run)}`,
    "",
    "| plan | task | state | commit | attempts | took |",
    "| --- | --- | --- | --- | --- | --- |",
    ...run.plans.flatMap((plan) => plan.tasks.map((task) => row(plan.plan, task))),
    "",
    ...list(
      "Open questions",
      open.map(({ id, text }) => `${id}: ${text}`),
    ),
    ...list(
      "Left for later",
      notes.filter(({ kind }) => kind === "issue").map(({ text }) => text),
    ),
    ...list(
      "Repaired on the way",
      notes.filter(({ kind }) => kind === "fixed").map(({ text }) => text),
    ),
    ...list(
      "Changes of attempts that did not count",
      tasks.flatMap(({ rescues }) => rescues.map((ref) => `git show ${ref}`)),
    ),
    ...list(
      "What stopped",
      run.plans.flatMap((plan) => plan.tasks.flatMap((task) => stopped(plan.plan, task))),
    ),
  ].join("\n");
};

const cell = (text: string): string => showText(text, 500).replaceAll("|", "\\|");

const row = (plan: string, task: TaskRecord): string =>
  `| ${plan} | ${cell(task.name)} | ${task.state} | ${task.commit?.slice(0, 12) ?? ""} | ${task.tries} | ${took(task)} |`;

const took = ({ startedAt, endedAt }: TaskRecord): string => {
  if (startedAt === undefined || endedAt === undefined) return "";
  return `${Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 100) / 10} s`;
};

const stopped = (plan: string, { number, state, reason }: TaskRecord): string[] =>
  reason === undefined || state === "done" || state === "pending"
    ? []
    : [`plan ${plan}, task ${number}, ${state}: ${reason}`];

const list = (title: string, items: readonly string[]): string[] =>
  items.length === 0
    ? []
    : [`## ${title}`, "", ...items.map((item) => `- ${showText(item, 2_000)}`), ""];
