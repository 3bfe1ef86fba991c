import { systemClock } from "../../src/base/clock.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { openRunsOf, type RunsParts } from "../../src/compose-executing.ts";
import type { Headgate } from "../../src/index.ts";
import type { Runs, RunStep } from "../../src/runs/index.ts";

/** The runs of an open repository, with a look at every step. */
export const steppingRuns = (
  headgate: Headgate,
  onStep?: (step: RunStep) => void,
  claimTtlMs?: number,
): Runs => {
  const there = async () => ({ store: await headgate.store(), scope: await headgate.scope() });
  const parts: RunsParts = {
    repository: headgate.repository,
    config: headgate.config,
    environment: { ...systemEnvironment(), cwd: headgate.repository.worktree },
    clock: systemClock,
    place: { open: there, look: there },
    as: headgate.as,
    at: async () => parts,
    ...(onStep && { onStep }),
    ...(claimTtlMs !== undefined && { claimTtlMs }),
  };
  return openRunsOf(parts);
};
