/** What carrying a run out needs from the outside. */
import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import type { Files } from "../../base/files.ts";
import type { Repository } from "../../git/index.ts";
import type { Actor, Claims } from "../../claims/index.ts";
import type { Gate } from "../../gate/index.ts";
import type { Runner } from "../../runners/index.ts";
import type { RunPlace } from "../store/run-store.ts";
import type { Plan, RunOptionsKept } from "../types.ts";

/** One actor in the worktree that a run writes in. */
export interface RunActing {
  readonly claims: Claims;
  readonly gate: Pick<Gate, "judge">;
}

export interface RunPorts {
  readonly repository: Repository;
  readonly environment: Environment;
  readonly files: Files;
  readonly clock: Clock;
  readonly place: RunPlace;
  /** Acting as somebody in this repository. */
  as(actor: Actor): RunActing;
  /** The agent of a plan. Throws USAGE when it cannot be told which. */
  runnerOf(plan: Plan, options: RunOptionsKept): Promise<Runner>;
  /** How long its claims live without being renewed; tests want to see them end. */
  readonly claimTtlMs?: number;
  /** Tests stop or kill the process here. */
  onStep?(step: RunStep): void;
}

/** Where a process may die; each is tried by the fault tests. */
export type RunStep =
  | "claimed"
  | "recovered"
  | "set-aside"
  | "before-task"
  | "agent-recorded"
  | "agent-ended"
  | "agent-told"
  | "verified"
  | "commit-made"
  | "commit-recorded"
  | "branch-moved"
  | "index-followed"
  | "task-recorded"
  | "checkpoint-written"
  | "plan-recorded"
  | "run-recorded";

export interface RunProgress {
  readonly plan?: string;
  readonly task?: number;
  readonly what: string;
}
