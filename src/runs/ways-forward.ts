/** What somebody can do about a run in each of its states (L-05). */
import type { PlanState, RunRecord, RunState } from "./types.ts";

export const wayForward = (
  run: Pick<RunRecord, "id" | "state"> & { readonly isInterrupted?: boolean },
): string =>
  run.isInterrupted
    ? `go on (headgate run resume ${run.id}): whoever carried it out is gone`
    : ways[run.state](run.id);

const ways: Readonly<Record<RunState, (id: string) => string>> = {
  running: (id) => `watch it (headgate run status ${id}) or stop it (headgate run pause ${id})`,
  paused: (id) => `go on (headgate run resume ${id})`,
  done: (id) =>
    `nothing; headgate run rollback ${id} takes it back, headgate run clean ${id} removes its files`,
  failed: (id) =>
    `try again (headgate run retry ${id}), leave it out (headgate run skip ${id} PLAN), or take the run back (headgate run rollback ${id})`,
  timeout: (id) =>
    `give it more time (headgate run resume ${id} --timeout 1h), or leave it out (headgate run skip ${id} PLAN)`,
  "needs-decision": (id) =>
    `answer (headgate run decide ${id} QUESTION ANSWER), then headgate run resume ${id}`,
  "needs-action": (id) => `do what the reason says, then headgate run resume ${id}`,
  "rolled-back": (id) => `nothing; headgate run clean ${id} removes its files`,
};

/** What stops a plan, the most urgent first: where several plans stopped, the run is in the first of these. */
export const stops: readonly (PlanState & RunState)[] = [
  "needs-decision",
  "needs-action",
  "timeout",
  "failed",
];
