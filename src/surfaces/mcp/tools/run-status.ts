import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import type { RunStatus } from "../../../runs/index.ts";
import { plainData } from "../data-text.ts";
import { agentText, repositoryText } from "../shapes.ts";
import { defineTool, looking } from "../tool.ts";

export const runId = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(100),
  v.description("A run's id or its beginning; the newest run when left out."),
);

export const questionShape = v.object({
  id: v.string(),
  kind: v.picklist(["question", "action"]),
  plan: repositoryText,
  task: v.number(),
  text: agentText,
  answer: v.nullable(agentText),
});

const stopped = ["failed", "timeout", "needs-decision", "needs-action"] as const;

const runShape = v.object({
  id: v.string(),
  name: repositoryText,
  state: v.picklist(["running", "interrupted", "paused", "done", "rolled-back", ...stopped]),
  reason: v.nullable(agentText),
  executor: v.nullable(v.object({ actor: agentText, evidence: v.array(v.string()) })),
  branch: repositoryText,
  createdAt: v.string(),
  updatedAt: v.string(),
  spent: v.object({ inputTokens: v.number(), outputTokens: v.number(), costUsd: v.number() }),
  claimed: v.array(repositoryText),
  next: v.pipe(v.string(), v.description("What a person can do about it.")),
  plans: v.array(
    v.object({
      plan: repositoryText,
      title: repositoryText,
      state: v.picklist(["pending", "running", "done", "skipped", ...stopped]),
      tasks: v.array(
        v.object({
          number: v.number(),
          name: repositoryText,
          state: v.picklist(["pending", "running", "committing", "done", "skipped", ...stopped]),
          commit: v.nullable(v.string()),
          reason: v.nullable(agentText),
          tries: v.number(),
        }),
      ),
    }),
  ),
});

export const runStatusTool = defineTool({
  name: "run_status",
  title: "How far is a run?",
  description:
    "How far a run is (plans carried out task by task by fresh agents): the state of each plan and task, who carries it " +
    "out, what it has claimed and spent, and what agents asked (questions; answer null: nobody has answered yet). " +
    "Answer one with run_decide. Runs are started and resumed by people, with `headgate run`.",
  annotations: looking,
  input: v.strictObject({ run: v.optional(runId) }),
  output: {
    run: v.optional(runShape),
    questions: v.optional(v.array(questionShape)),
    cut: v.optional(v.pipe(v.boolean(), v.description("There is more than one answer may hold."))),
  },
  run: async ({ run }, { headgate: { runs } }) => {
    const found = await runs.status(await runs.find(run));
    const { run: told, isCut } = toldRun(found);
    const questions = toldQuestions(found);
    const lines = [
      `${told.id} ${told.state}${told.reason === null ? "" : `: ${told.reason}`}`,
      ...told.plans.flatMap(({ plan, state, tasks }) => [
        `${plan} ${state}`,
        ...tasks.map((task) => `  ${task.number} ${task.state} ${task.name}`),
      ]),
      ...questions
        .filter(({ answer }) => answer === null)
        .map(({ id, kind, text }) => `${id} ${kind}: ${text}`),
    ];
    const cut = isCut || questions.length > limits.mcpListMax;
    return {
      structured: { ok: true, run: told, questions: questions.slice(0, limits.mcpListMax), cut },
      text: lines.join("\n"),
    };
  },
});

/** Open ones first: of many, those are the ones to be seen. */
export const toldQuestions = ({ notes }: RunStatus) =>
  notes
    .flatMap(({ id, kind, plan, task, text, answer }) =>
      kind === "question" || kind === "action"
        ? [plainData({ id, kind, plan, task, text, answer: answer ?? null })]
        : [],
    )
    .toSorted((a, b) => Number(a.answer !== null) - Number(b.answer !== null));

const toldRun = ({ run }: RunStatus) => {
  let left: number = limits.mcpListMax;
  const plans = run.plans.slice(0, limits.mcpListMax).map(({ plan, title, state, tasks }) => {
    const shown = tasks.slice(0, left);
    left -= shown.length;
    return {
      ...{ plan, title, state },
      tasks: shown.map(({ number, name, state: taskState, commit, reason, tries }) => ({
        ...{ number, name, tries, state: taskState },
        ...{ commit: commit ?? null, reason: reason ?? null },
      })),
    };
  });
  const all = run.plans.reduce((count, { tasks }) => count + tasks.length, 0);
  const { id, name, reason, executor, branch, createdAt, updatedAt, spent, claimed, next } = run;
  return {
    isCut: plans.length < run.plans.length || limits.mcpListMax - left < all,
    run: plainData({
      ...{ id, name, branch, createdAt, updatedAt, spent, next, plans },
      state: run.isInterrupted ? ("interrupted" as const) : run.state,
      reason: reason ?? null,
      executor: executor ?? null,
      claimed: claimed.slice(0, limits.mcpListMax),
    }),
  };
};
