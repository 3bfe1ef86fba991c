/**
 * Whole plans, carried out task by task by fresh agents, resumable after anything.
 * 1. One executor per run, by a claim (S-08); what it writes is claimed, and fenced at every commit.
 * 2. The store is the authority; files beside it are made from it and can be made again (S-07).
 * 3. No task's commit is made twice: its name is stored before the branch moves, and it names its task (L-02).
 * 4. What an interrupted attempt left is kept on a rescue ref before the task begins anew.
 * 5. Only the run's own commits are taken back, by a new commit, and nobody's work with them (L-04).
 * It knows no agent program: runners start them.
 */
export type {
  AgentRecord,
  Note,
  Plan,
  PlanProblem,
  PlanRecord,
  RunOptionsKept,
  RunRecord,
  RunState,
  Task,
  TaskRecord,
  TimeoutPolicy,
} from "./types.ts";
export type { PlanSet } from "./plan/read-plans.ts";
export { parseSources, readPlans } from "./plan/read-plans.ts";
export { type CreateRun, openRuns, type Runs, type RunStatus } from "./open-runs.ts";
export { execAgent } from "./execute/exec-agent.ts";
export type { Executed } from "./execute/executor.ts";
export type { RunPorts, RunProgress, RunStep } from "./execute/ports.ts";
export type { RolledBack } from "./execute/rollback.ts";
export type { Printed } from "./state/printed.ts";
export type { Restored } from "./state/restore.ts";
