/** Reviews in the object graph; compose.ts loads it when it is needed. */
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { createIdSource } from "./base/ids.ts";
import { systemRandom } from "./base/random.ts";
import type { Repository } from "./base/repository.ts";
import type { Config } from "./config/index.ts";
import type { Profile } from "./profile/index.ts";
import {
  conductReview,
  type Ledger,
  resumeReview,
  type ReviewOutcome,
  type ReviewParts,
  type ReviewRequest,
  type ReviewWatch,
} from "./review/index.ts";
import { openReviewers } from "./reviewers/index.ts";
import type { RoutingView } from "./routing/index.ts";
import { openRunner } from "./runners/index.ts";
import type { Analyser } from "./structure/index.ts";

export interface Reviewing {
  /** Undefined: there is nothing to review. */
  run(request: ReviewRequest & WithRunner, watch: ReviewWatch): Promise<ReviewOutcome | undefined>;
  /** Goes on with an interrupted review; a patch that came on standard input must come again. */
  resume(
    review: string,
    options: WithRunner & { readonly patch?: Uint8Array },
    watch: ReviewWatch,
  ): Promise<ReviewOutcome>;
}

/** A configured name, a client's, `fixture:DIR`, `none`; what the settings say when absent. */
export interface WithRunner {
  readonly runner?: string;
}

export interface ReviewingParts {
  readonly repository: Repository;
  readonly config: Config;
  readonly environment: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  ledger(): Promise<Ledger>;
  analyser(): Promise<Analyser>;
  profile(): Promise<Pick<Profile, "domains">>;
  routing(): Promise<RoutingView>;
  readonly onShadow?: ReviewParts["onShadow"];
}

export const openReviewing = (given: ReviewingParts): Reviewing => {
  const partsFor = async ({ runner }: WithRunner): Promise<ReviewParts> => {
    const { repository, config, environment, cwd, clock } = given;
    const { worktree, localDir } = repository;
    const { domains } = await given.profile();
    return {
      ...{ repository, environment, cwd, clock },
      ledger: await given.ledger(),
      analyser: await given.analyser(),
      reviewers: await openReviewers({ worktree, localDir, clock }),
      runner: await openRunner(runner ?? config.review.runner, {
        config: { runners: config.runners },
        environment,
        clock,
      }),
      domains: domains.filter(({ state }) => state === "detected"),
      routing: await given.routing(),
      defaults: config.review,
      ids: createIdSource({ clock }),
      random: systemRandom,
      ...(given.onShadow && { onShadow: given.onShadow }),
    };
  };
  return {
    run: async (request, watch) => conductReview(await partsFor(request), request, watch),
    resume: async (review, options, watch) =>
      resumeReview(await partsFor(options), { review, ...options }, watch),
  };
};
