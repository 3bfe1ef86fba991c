/** The words of this room: plans as they are written, runs as they are carried out. */

/** extend: it gets as long again, twice; skip: the task is left out; fail: somebody must decide. */
export type TimeoutPolicy = "extend" | "skip" | "fail";

export interface Task {
  readonly name: string;
  /** What its commit may hold: paths or patterns, relative to the repository. Empty: nothing is committed. */
  readonly files: readonly string[];
  /** What the agent is told to do. */
  readonly action: string;
  /** A command of the shell that must end with 0. */
  readonly verify?: string;
  /** When it counts as done, in words. */
  readonly done?: string;
  /** Of its heading, from 1. */
  readonly line: number;
}

export interface Plan {
  readonly id: string;
  readonly title: string;
  readonly dependsOn: readonly string[];
  /** What the plan may write: as given, or all files of its tasks. */
  readonly writes: readonly string[];
  /** The name of a configured runner. */
  readonly agent?: string;
  readonly timeoutMs?: number;
  readonly onTimeout?: TimeoutPolicy;
  readonly retries?: number;
  /** What stands before the first task; every agent of the plan reads it. */
  readonly text: string;
  readonly tasks: readonly Task[];
  readonly file: string;
  readonly line: number;
}

export interface PlanProblem {
  readonly level: "error" | "warning";
  readonly file: string;
  readonly line?: number;
  readonly plan?: string;
  readonly message: string;
}

/**
 * pending, running, committing (its commit exists and may be in the branch) and done; the others stop the
 * plan until somebody acts: `waysForward` says how.
 */
export type TaskState =
  | "pending"
  | "running"
  | "committing"
  | "done"
  | "skipped"
  | "failed"
  | "timeout"
  | "needs-decision"
  | "needs-action";

export type PlanState = Exclude<TaskState, "committing">;

/** `interrupted` is never stored: a run that says it is running and has no living executor. */
export type RunState =
  | "running"
  | "paused"
  | "done"
  | "failed"
  | "timeout"
  | "needs-decision"
  | "needs-action"
  | "rolled-back";

export interface TaskRecord {
  readonly number: number;
  readonly name: string;
  readonly state: TaskState;
  readonly commit?: string;
  /** Why it is in this state, where that is not plain. */
  readonly reason?: string;
  readonly tries: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Changes of attempts that did not come to an end. */
  readonly rescues: readonly string[];
}

export interface PlanRecord {
  readonly plan: string;
  readonly title: string;
  readonly state: PlanState;
  readonly reason?: string;
  readonly dependsOn: readonly string[];
  readonly writes: readonly string[];
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly tasks: readonly TaskRecord[];
}

export interface RunOptionsKept {
  /** How the agent is started; absent where every plan names its own. */
  readonly exec?: readonly string[];
  readonly agent?: string;
  readonly parallel: number;
  readonly timeoutMs: number;
  readonly onTimeout: TimeoutPolicy;
  readonly retries: number;
  readonly budgetUsd?: number;
}

export interface RunRecord {
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  readonly reason?: string;
  readonly actor: string;
  readonly source: string;
  /** The worktree it writes in, absolute. */
  readonly worktree: string;
  /** The full name of the branch, or HEAD when none was checked out. */
  readonly branch: string;
  /** What it started on; absent in a repository without commits. */
  readonly base?: string;
  /** The worktree or branch was made for it. */
  readonly own?: "branch" | "worktree";
  readonly options: RunOptionsKept;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
  readonly wantsPause: "no" | "soon" | "now";
  readonly spent: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number;
  };
  readonly plans: readonly PlanRecord[];
}

export type AgentStatus = "spawned" | "completed" | "failed" | "timeout" | "cancelled" | "lost";

/** One agent process, in words that are the same in the store, the files and everywhere else (L-03). */
export interface AgentRecord {
  readonly agent_id: string;
  readonly plan: string;
  readonly task: number;
  readonly status: AgentStatus;
  readonly started_at: string;
  readonly ended_at?: string;
  readonly exit?: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd?: number;
  readonly problem?: string;
}

/** fixed: the agent repaired something on the way. issue: left for later. question: somebody must answer. */
export interface Note {
  readonly id: string;
  readonly kind: "fixed" | "issue" | "question" | "action";
  readonly plan: string;
  readonly task: number;
  readonly text: string;
  readonly at: string;
  readonly answer?: string;
  readonly answeredAt?: string;
}
