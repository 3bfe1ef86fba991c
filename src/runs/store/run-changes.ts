/** What can be stored about a run, and changed in it. */
import type { Plan, PlanState, RunOptionsKept, RunState, TaskState } from "../types.ts";

export interface NewRun {
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  readonly actor: string;
  readonly source: string;
  readonly worktree: string;
  readonly branch: string;
  readonly base?: string;
  readonly own?: "branch" | "worktree";
  readonly options: RunOptionsKept;
  readonly plans: readonly {
    readonly plan: Plan;
    readonly source: string;
    readonly state?: PlanState;
    readonly reason?: string;
    readonly tasks?: readonly { readonly state: TaskState; readonly commit?: string }[];
  }[];
}

export interface TaskKey {
  readonly plan: string;
  readonly number: number;
}

export interface TaskChange {
  readonly state?: TaskState;
  readonly reason?: string;
  readonly operation?: string | null;
  readonly commit?: string | null;
  readonly parent?: string | null;
  readonly tries?: number;
  readonly touched?: boolean;
  readonly rescues?: readonly string[];
  readonly started?: boolean;
  readonly ended?: boolean;
}

/** A task as the executor needs it, beside what is shown. */
export interface TaskFacts {
  readonly operation?: string;
  readonly commit?: string;
  readonly parent?: string;
  readonly isTouched: boolean;
  readonly tries: number;
  readonly reason: string;
  readonly rescues: readonly string[];
}
