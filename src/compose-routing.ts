/** Routing in the object graph; compose.ts loads it when it is needed. */
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { systemFiles } from "./base/files.ts";
import { systemRandom } from "./base/random.ts";
import { type Repository, createWritingGit } from "./git/index.ts";
import type { Actor } from "./claims/index.ts";
import type { Config } from "./config/index.ts";
import { HeadgateError } from "./errors.ts";
import { openReviewers } from "./reviewers/index.ts";
import {
  openRouting,
  type Routing,
  type RoutingSettings,
  type RoutingStep,
  type RoutingStore,
} from "./routing/index.ts";

export interface RoutingParts {
  readonly repository: Repository;
  readonly config: Config;
  readonly environment: Environment;
  readonly store: RoutingStore;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly readOnly: boolean;
  /** For crash tests. */
  readonly onStep?: (step: RoutingStep) => void;
}

export const openRoutingOf = (parts: RoutingParts): Routing => {
  const { repository, config, environment, store, clock, actor } = parts;
  return openRouting({
    repository,
    host: environment.host,
    platform: environment.platform,
    mayWrite: !parts.readOnly,
    store,
    settings: settingsOf(config),
    actor: { id: actor.id, session: actor.session },
    roster: async () => {
      const { worktree, localDir } = repository;
      const listed = (await openReviewers({ worktree, localDir })).list();
      // One whose file is missing cannot be asked; `fd-NAME` is what the source documents call ours.
      const present = listed.filter(({ state }) => state !== "missing");
      return present.flatMap(({ name, kind }) =>
        kind === "built-in" ? [name, `fd-${name}`] : [name],
      );
    },
    gitIn: (worktree) => createWritingGit({ cwd: worktree, environment, actor: actor.id }),
    clock,
    random: systemRandom,
    files: systemFiles,
    onStep: parts.onStep ?? (() => {}),
  });
};

/** Throws CONFIG_INVALID where the two rates of the canary contradict each other. */
const settingsOf = ({ routing }: Config): RoutingSettings => {
  const { harmless, harmful, alpha, beta, shadowsMax, canaryDays: days, ...rest } = routing;
  if (harmless >= harmful) {
    throw new HeadgateError("CONFIG_INVALID", "routing.harmless must be below routing.harmful");
  }
  return { ...rest, canary: { harmless, harmful, alpha, beta, shadowsMax, days } };
};
