/** Rows of the store as the records that are shown. */
import { isoTime } from "../../base/clock.ts";
import type { Row } from "../../store/index.ts";
import type {
  AgentRecord,
  AgentStatus,
  Note,
  Plan,
  PlanRecord,
  PlanState,
  RunOptionsKept,
  RunRecord,
  RunState,
  TaskRecord,
  TaskState,
} from "../types.ts";

export interface RunRow extends Row {
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  readonly reason: string;
  readonly actor: string;
  readonly source: string;
  readonly worktree: string;
  readonly branch: string;
  readonly base: string | null;
  readonly own: "branch" | "worktree" | null;
  readonly options: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly ended_at: number | null;
  readonly wants_pause: RunRecord["wantsPause"];
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number;
  readonly rollback: string | null;
  readonly fence: number;
}

export interface PlanRow extends Row {
  readonly plan: string;
  readonly number: number;
  readonly state: PlanState;
  readonly reason: string;
  readonly content: string;
  readonly source: string;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

export interface TaskRow extends Row {
  readonly plan: string;
  readonly number: number;
  readonly name: string;
  readonly state: TaskState;
  readonly reason: string;
  readonly operation: string | null;
  readonly commit_id: string | null;
  readonly parent: string | null;
  readonly tries: number;
  readonly touched: number;
  readonly rescues: string;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

export interface AgentRow extends Row {
  readonly id: string;
  readonly plan: string;
  readonly task: number;
  readonly status: AgentStatus;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly exit: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number | null;
  readonly problem: string | null;
}

export interface NoteRow extends Row {
  readonly number: number;
  readonly kind: Note["kind"];
  readonly plan: string;
  readonly task: number;
  readonly text: string;
  readonly at: number;
  readonly answer: string | null;
  readonly answered_at: number | null;
}

export const recordOf = (
  row: RunRow,
  plans: readonly PlanRow[],
  tasks: readonly TaskRow[],
): RunRecord => ({
  id: row.id,
  name: row.name,
  state: row.state,
  ...(row.reason !== "" && { reason: row.reason }),
  actor: row.actor,
  source: row.source,
  worktree: row.worktree,
  branch: row.branch,
  ...(row.base !== null && { base: row.base }),
  ...(row.own !== null && { own: row.own }),
  options: JSON.parse(row.options) as RunOptionsKept,
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
  ...(row.ended_at !== null && { endedAt: isoTime(row.ended_at) }),
  wantsPause: row.wants_pause,
  spent: {
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    costUsd: row.cost_micros / 1_000_000,
  },
  plans: plans.map((plan) =>
    planOf(
      plan,
      tasks.filter((task) => task.plan === plan.plan),
    ),
  ),
});

const planOf = (row: PlanRow, tasks: readonly TaskRow[]): PlanRecord => {
  const { title, dependsOn, writes } = JSON.parse(row.content) as Plan;
  return {
    plan: row.plan,
    title,
    state: row.state,
    ...(row.reason !== "" && { reason: row.reason }),
    dependsOn,
    writes,
    ...times(row),
    tasks: tasks.map(taskOf),
  };
};

const taskOf = (row: TaskRow): TaskRecord => ({
  number: row.number,
  name: row.name,
  state: row.state,
  // A commit that was made and may be in the branch is not told as one that is.
  ...(row.commit_id !== null && row.state !== "committing" && { commit: row.commit_id }),
  ...(row.reason !== "" && { reason: row.reason }),
  tries: row.tries,
  ...times(row),
  rescues: JSON.parse(row.rescues) as string[],
});

const times = (row: { readonly started_at: number | null; readonly ended_at: number | null }) => ({
  ...(row.started_at !== null && { startedAt: isoTime(row.started_at) }),
  ...(row.ended_at !== null && { endedAt: isoTime(row.ended_at) }),
});

export const agentOf = (row: AgentRow): AgentRecord => ({
  agent_id: row.id,
  plan: row.plan,
  task: row.task,
  status: row.status,
  started_at: isoTime(row.started_at),
  ...(row.ended_at !== null && { ended_at: isoTime(row.ended_at) }),
  ...(row.exit !== null && { exit: row.exit }),
  input_tokens: row.input_tokens,
  output_tokens: row.output_tokens,
  ...(row.cost_micros !== null && { cost_usd: row.cost_micros / 1_000_000 }),
  ...(row.problem !== null && { problem: row.problem }),
});

export const noteOf = (row: NoteRow): Note => ({
  id: `c${row.number}`,
  kind: row.kind,
  plan: row.plan,
  task: row.task,
  text: row.text,
  at: isoTime(row.at),
  ...(row.answer !== null && { answer: row.answer }),
  ...(row.answered_at !== null && { answeredAt: isoTime(row.answered_at) }),
});
