/** Reviews in the object graph; compose.ts loads it when it is needed. */
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { createGit, type Repository } from "./git/index.ts";
import { createIdSource } from "./base/ids.ts";
import { systemRandom } from "./base/random.ts";
import type { Config } from "./config/index.ts";
import { HeadgateError } from "./errors.ts";
import type { Profile } from "./profile/index.ts";
import {
  candidatesOf,
  conductReview,
  type Ledger,
  type Loss,
  type LossRequest,
  lossWithout,
  type Qualified,
  qualifiedOf,
  type QualifyRequest,
  planReview,
  qualifyReviewers,
  type Replayed,
  replayFixes,
  type ReplayRequest,
  resumeReview,
  type ReviewOutcome,
  type ReviewParts,
  type ReviewPlan,
  type ReviewRequest,
  type ReviewWatch,
} from "./review/index.ts";
import { openReviewers } from "./reviewers/index.ts";
import type { RoutingView } from "./routing/index.ts";
import { openRunner, type Runner } from "./runners/index.ts";
import type { Analyser } from "./structure/index.ts";

export interface Reviewing {
  /** Tries reviewers on planted faults; whoever fails takes no slot in reviews. */
  qualify(
    request: QualifyRequest & WithRunner,
    watch: Pick<ReviewWatch, "signal" | "onProgress">,
  ): Promise<Qualified>;
  /** What excluding a reviewer would lose, on planted faults. */
  loss(
    request: LossRequest & WithRunner,
    watch: Pick<ReviewWatch, "signal" | "onProgress">,
  ): Promise<Loss>;
  /** How much of the faults that this repository once fixed each reviewer sees. */
  replay(
    request: ReplayRequest & WithRunner,
    watch: Pick<ReviewWatch, "signal" | "onProgress">,
  ): Promise<Replayed>;
  /** Looks for later commits that changed what open findings cite; answers how many there are. Throws GIT_…. */
  notice(): Promise<number>;
  /** The questions of `run`, to whom, at what cost; none is asked. Undefined: there is nothing to review. */
  plan(request: ReviewRequest & WithRunner): Promise<ReviewPlan | undefined>;
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
  const notice = async (): Promise<number> => {
    const { kind, worktree } = given.repository;
    if (kind !== "git") return 0;
    const ledger = await given.ledger();
    return (await ledger.noticeCommits(createGit({ cwd: worktree }))).addressed.length;
  };
  /** A review goes on when git cannot read the history, and says that it was not read. */
  const noticeOrSay: ReviewParts["notice"] = async () => {
    try {
      return { addressed: await notice() };
    } catch (error) {
      if (!HeadgateError.isInstance(error) || !error.code.startsWith("GIT_")) throw error;
      return { addressed: 0, notJudged: error.message };
    }
  };
  const partsFor = async ({ runner }: WithRunner): Promise<ReviewParts> => {
    const { repository, config, environment, cwd, clock } = given;
    const { worktree, localDir } = repository;
    const { domains } = await given.profile();
    const ledger = await given.ledger();
    const reviewers = await openReviewers({ worktree, localDir, clock });
    const open = (name: string) =>
      openRunner(name, { config: { runners: config.runners }, environment, clock });
    // A runner that is named for this one review is meant for all of it.
    const panel = runner === undefined ? await openPanel(config.review.runners, open) : undefined;
    return {
      ...{ repository, environment, cwd, clock },
      ...(panel && { panel }),
      linters: {
        linters: Object.fromEntries(config.review.linters.map((name) => [name, true])),
        mayRunCode: config.review.linterRepositories.includes(worktree),
      },
      ledger,
      analyser: await given.analyser(),
      reviewers,
      qualified: qualifiedOf(candidatesOf(reviewers, { domains: [] }), await ledger.probes()),
      runner: await open(runner ?? config.review.runner),
      domains: domains.filter(({ state }) => state === "detected"),
      routing: await given.routing(),
      defaults: config.review,
      ids: createIdSource({ clock }),
      random: systemRandom,
      notice: noticeOrSay,
      ...(given.onShadow && { onShadow: given.onShadow }),
    };
  };
  return {
    plan: async (request) => planReview(await partsFor(request), request),
    run: async (request, watch) => conductReview(await partsFor(request), request, watch),
    resume: async (review, { runner, patch }, watch) => {
      const ledger = await given.ledger();
      const { review: taken, request } = await ledger.resume(review);
      const before = request["runner"];
      const named = runner ?? (typeof before === "string" ? before : undefined);
      const parts = await partsFor(named === undefined ? {} : { runner: named }).catch(
        async (error: unknown) => {
          await ledger.interrupt(taken.id, { problem: "it could not be taken up again" });
          throw error;
        },
      );
      return resumeReview(parts, { review: taken.id, ...(patch && { patch }) }, watch);
    },
    loss: async (request, watch) => lossWithout(await partsFor(request), request, watch),
    replay: async (request, watch) => replayFixes(await partsFor(request), request, watch),
    qualify: async (request, watch) => qualifyReviewers(await partsFor(request), request, watch),
    notice,
  };
};

const everybodyElse = "*";

/** Each runner is opened once. Undefined: the settings name none. Throws as `open` does. */
const openPanel = async (
  named: Config["review"]["runners"],
  open: (name: string) => Promise<Runner>,
): Promise<ReviewParts["panel"]> => {
  const names = [...new Set(Object.values(named).flat())];
  if (names.length === 0) return undefined;
  const opened = new Map(
    await Promise.all(names.map(async (name) => [name, await open(name)] as const)),
  );
  const found = (value: string | readonly string[]): Runner[] =>
    [value].flat().flatMap((name) => opened.get(name) ?? []);
  const { [everybodyElse]: all = [], ...rest } = named;
  const byName = Object.entries(rest).flatMap(([reviewer, value]) =>
    found(value)
      .slice(0, 1)
      .map((runner) => [reviewer, runner] as const),
  );
  return { byName: new Map(byName), all: found(all) };
};
