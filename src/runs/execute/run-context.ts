/** What the parts of an executor share. */
import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import type { Files } from "../../base/files.ts";
import type { Actor, Claim } from "../../claims/index.ts";
import type { Runner } from "../../runners/index.ts";
import type { RunFiles } from "../state/run-files.ts";
import type { RunStore } from "../store/run-store.ts";
import type { Plan, RunRecord } from "../types.ts";
import type { RunActing, RunStep } from "./ports.ts";
import type { WritingGit } from "../../git/index.ts";

export interface RunContext {
  /** As it was when the executor began: only what does not change is read from it. */
  readonly run: RunRecord;
  readonly store: RunStore;
  readonly runFiles: RunFiles;
  readonly files: Files;
  readonly clock: Clock;
  readonly environment: Environment;
  /** The repository's, where work under way is noted. */
  readonly stateFolder: string;
  /** For indexes and messages of commits in the making. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Agents that work at this moment. */
  readonly agents: Set<string>;
  readonly claimTtlMs: number;
  readonly claimWaitMs: number;
  step(step: RunStep): void;
  /** Files that follow the store: written in order, beside what goes on; waited for when a plan ends. */
  later(work: () => Promise<void>): void;
  /** One commit at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export interface PlanContext extends RunContext {
  readonly plan: Plan;
  readonly actor: Actor;
  readonly acting: RunActing;
  readonly git: WritingGit;
  readonly runner: Runner;
  /** Another plan may commit at this moment. */
  isShared(): boolean;
  /** What other plans write at this moment. */
  othersWrite(): readonly string[];
  /** These claims are renewed until the plan is over. */
  keep(claims: readonly Claim[]): void;
  held(): readonly Claim[];
  tell(task: number, what: string): void;
}
