/** The part of the object graph that carries plans out; compose.ts loads it when it is needed. */
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { systemFiles } from "./base/files.ts";
import type { Repository } from "./git/index.ts";
import type { Actor, Claims } from "./claims/index.ts";
import type { Config } from "./config/index.ts";
import { HeadgateError } from "./errors.ts";
import type { Gate } from "./gate/index.ts";
import { openRunner } from "./runners/index.ts";
import { execAgent, openRuns, type RunPorts, type Runs } from "./runs/index.ts";
import type { Scope, Store } from "./store/index.ts";

export interface RunsParts {
  readonly repository: Repository;
  readonly config: Config;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly place: {
    open(): Promise<{ readonly store: Store; readonly scope: Scope }>;
    look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
  };
  as(actor: Actor): { readonly claims: Claims; readonly gate: Pick<Gate, "judge"> };
  /** The same parts for another worktree of the repository. */
  at(worktree: string): Promise<RunsParts>;
  /** For tests that stop or kill the process on the way. */
  readonly onStep?: RunPorts["onStep"];
  readonly claimTtlMs?: number;
}

export const openRunsOf = (parts: RunsParts): Runs =>
  openRuns({
    ports: portsOf(parts),
    portsAt: async (worktree) => portsOf(await parts.at(worktree)),
  });

const portsOf = (parts: RunsParts): RunPorts => {
  const { repository, config, environment, clock, place, as, onStep, claimTtlMs } = parts;
  return {
    ...{ repository, environment, clock, place, as, files: systemFiles },
    ...(onStep && { onStep }),
    ...(claimTtlMs !== undefined && { claimTtlMs }),
    runnerOf: async (plan, { exec, agent }) => {
      const [program, ...args] = exec ?? [];
      if (program !== undefined) return execAgent([program, ...args], environment);
      const name = plan.agent ?? agent;
      if (name !== undefined) return openRunner(name, { config, environment });
      throw new HeadgateError(
        "USAGE",
        "nobody says how the agent is started: add --exec PROGRAM ARGUMENTS… at the end",
      );
    },
  };
};
