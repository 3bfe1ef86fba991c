/** The texts of a run's Markdown files. Words of agents and plans stand in them as one safe line each. */
import { showText } from "../../base/text.ts";
import type { AgentRecord, Note, PlanRecord, PlanState, RunRecord, TaskRecord } from "../types.ts";
import { wayForward } from "../ways-forward.ts";

const line = (text: string): string => showText(text, 2_000);
const quoted = (text: string): string => JSON.stringify(text);

/** As the summaries name it; `partial` is everything that has begun and waits for somebody. */
export type SummaryStatus = "completed" | "failed" | "partial" | "skipped" | "timeout";

export const summaryStatus = (state: PlanState): SummaryStatus => {
  if (state === "done") return "completed";
  if (state === "failed" || state === "skipped" || state === "timeout") return state;
  return "partial";
};

export const stateText = (run: RunRecord, notes: readonly Note[]): string => {
  const done = run.plans.filter(({ state }) => state === "done" || state === "skipped").length;
  const open = notes.filter(
    ({ kind, answer }) => (kind === "question" || kind === "action") && answer === undefined,
  );
  return [
    "---",
    `run: ${run.id}`,
    `status: ${run.state}`,
    `updated_at: ${run.updatedAt}`,
    "---",
    `# ${line(run.name)}`,
    "",
    `Status: ${run.state}${run.reason === undefined ? "" : ` (${line(run.reason)})`}`,
    `Plans: ${done} of ${run.plans.length} finished`,
    `Branch: ${line(run.branch)}`,
    ...(run.base === undefined ? [] : [`Started on: ${run.base}`]),
    `Next: ${wayForward(run)}`,
    "",
    "## Plans",
    "",
    "| plan | title | status | tasks done | waits for |",
    "| --- | --- | --- | --- | --- |",
    ...run.plans.map(planLine),
    "",
    ...(open.length === 0
      ? []
      : ["## Open questions", "", ...open.map((note) => `- ${note.id}: ${line(note.text)}`), ""]),
  ].join("\n");
};

const cell = (text: string): string => line(text).replaceAll("|", "\\|");

const planLine = (plan: PlanRecord): string => {
  const done = plan.tasks.filter(({ state }) => state === "done" || state === "skipped").length;
  const waits = plan.reason ?? plan.dependsOn.join(", ");
  return `| ${plan.plan} | ${cell(plan.title)} | ${plan.state} | ${done} of ${plan.tasks.length} | ${cell(waits)} |`;
};

/** The front matter is what `run rebuild --from-summaries` reads back. */
export const planSummary = (
  run: RunRecord,
  plan: PlanRecord,
  { agents, notes }: { readonly agents: readonly AgentRecord[]; readonly notes: readonly Note[] },
): string =>
  [
    "---",
    `run: ${run.id}`,
    `plan: ${quoted(plan.plan)}`,
    `status: ${summaryStatus(plan.state)}`,
    ...(plan.startedAt === undefined ? [] : [`started_at: ${plan.startedAt}`]),
    ...(plan.endedAt === undefined ? [] : [`ended_at: ${plan.endedAt}`]),
    `agents: [${agents.map((agent) => quoted(agent.agent_id)).join(", ")}]`,
    "tasks:",
    ...plan.tasks.map((task) => `  - ${taskEntry(task)}`),
    "---",
    `# Plan ${plan.plan}: ${line(plan.title)}`,
    "",
    `Status: ${plan.state}${plan.reason === undefined ? "" : ` (${line(plan.reason)})`}`,
    "",
    "| task | status | commit | attempts |",
    "| --- | --- | --- | --- |",
    ...plan.tasks.map(
      (task) =>
        `| ${cell(task.name)} | ${task.state} | ${task.commit?.slice(0, 12) ?? ""} | ${task.tries} |`,
    ),
    "",
    ...section(
      "Repaired on the way",
      notes.filter(({ kind }) => kind === "fixed"),
    ),
    ...section(
      "Left for later",
      notes.filter(({ kind }) => kind === "issue"),
    ),
    ...rescued(plan.tasks),
  ].join("\n");

const taskEntry = ({ number, name, state, commit }: TaskRecord): string =>
  `{ task: ${number}, name: ${quoted(line(name))}, status: ${state}${commit === undefined ? "" : `, commit: ${quoted(commit)}`} }`;

const section = (title: string, notes: readonly Note[]): string[] =>
  notes.length === 0 ? [] : [`## ${title}`, "", ...notes.map(({ text }) => `- ${line(text)}`), ""];

const rescued = (tasks: readonly TaskRecord[]): string[] => {
  const refs = tasks.flatMap(({ name, rescues }) =>
    rescues.map((ref) => `- ${line(name)}: \`git show ${ref}\``),
  );
  return refs.length === 0 ? [] : ["## Changes of attempts that did not count", "", ...refs, ""];
};

export const issuesText = (run: RunRecord, issues: readonly Note[]): string =>
  [
    `# Issues of ${line(run.name)} (${run.id})`,
    "",
    ...issues.map(
      ({ id, kind, plan, task, text, at }) =>
        `- ${id}, ${at}, plan ${plan}, task ${task}, ${kind === "fixed" ? "repaired" : "open"}: ${line(text)}`,
    ),
    "",
  ].join("\n");

/** An answer can be written behind `Answer:`; `run resume` reads it. */
export const clarificationsText = (run: RunRecord, questions: readonly Note[]): string =>
  [
    `# Clarifications of ${line(run.name)} (${run.id})`,
    "",
    "Write behind `Answer:` and run `headgate run resume`, or use `headgate run decide`.",
    "",
    ...questions.flatMap(({ id, kind, plan, task, text, answer }) => [
      `## ${id} (${kind === "action" ? "something to do" : "question"}, plan ${plan}, task ${task})`,
      "",
      line(text),
      "",
      `Answer: ${answer === undefined ? "" : line(answer)}`,
      "",
    ]),
  ].join("\n");

/** The answers that somebody wrote into the file, by id. */
export const readClarifications = (text: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  let id: string | undefined;
  for (const one of text.split(/\r?\n/)) {
    const heading = /^##\s+(c\d+)\b/.exec(one)?.[1];
    if (heading !== undefined) id = heading;
    const answer = /^Answer:\s*(\S|\S.*\S)\s*$/.exec(one)?.[1];
    if (id !== undefined && answer !== undefined) found.set(id, answer);
  }
  return found;
};
