/** The runs of the object graph: what carries them out is loaded with the first call. */
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import type { Repository } from "./git/index.ts";
import type { Actor } from "./claims/index.ts";
import type { Acting, Headgate } from "./compose.ts";
import type { StoreHandles } from "./compose-store.ts";
import type { Config } from "./config/index.ts";
import type { Runs } from "./runs/index.ts";

export const lazyRuns = (parts: {
  readonly repository: Repository;
  readonly config: Config;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly handles: StoreHandles;
  as(actor: Actor): Acting;
  open(worktree: string): Promise<Headgate>;
}): Runs => {
  let opened: Promise<Runs> | undefined;
  const runs = (): Promise<Runs> => (opened ??= openRuns(parts));
  return {
    check: async (...given) => (await runs()).check(...given),
    scaffold: async (...given) => (await runs()).scaffold(...given),
    create: async (...given) => (await runs()).create(...given),
    execute: async (...given) => (await runs()).execute(...given),
    find: async (...given) => (await runs()).find(...given),
    list: async () => (await runs()).list(),
    status: async (...given) => (await runs()).status(...given),
    printed: async (...given) => (await runs()).printed(...given),
    report: async (...given) => (await runs()).report(...given),
    pause: async (...given) => (await runs()).pause(...given),
    skip: async (...given) => (await runs()).skip(...given),
    retry: async (...given) => (await runs()).retry(...given),
    decide: async (...given) => (await runs()).decide(...given),
    rollback: async (...given) => (await runs()).rollback(...given),
    rebuild: async (...given) => (await runs()).rebuild(...given),
    rebuildFromSummaries: async (...given) => (await runs()).rebuildFromSummaries(...given),
    importFolder: async (...given) => (await runs()).importFolder(...given),
    clean: async (...given) => (await runs()).clean(...given),
  };
};

const openRuns = async (parts: Parameters<typeof lazyRuns>[0]): Promise<Runs> => {
  const { repository, config, environment, clock, handles, as, open } = parts;
  const { openRunsOf } = await import("./compose-executing.ts");
  const place = {
    open: async () => ({ store: await handles.writer(), scope: await handles.scope() }),
    look: () => handles.look(),
  };
  const at = async (worktree: string) => {
    const other = await open(worktree);
    handles.closeToo(() => void other.close());
    const there = { ...environment, cwd: worktree };
    return {
      repository: other.repository,
      config,
      environment: there,
      clock,
      place,
      as: other.as,
      at,
    };
  };
  return openRunsOf({ repository, config, environment, clock, place, as, at });
};
