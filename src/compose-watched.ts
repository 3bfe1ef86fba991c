/** Reviews whose overrides are watched: what shadows saw, and what went by without them, goes to the canary. */
import { openReviewing, type Reviewing, type ReviewingParts } from "./compose-review.ts";
import type { ReviewOutcome, ShadowSample } from "./review/index.ts";
import { rosterNames } from "./reviewers/index.ts";
import type { Routing, RoutingView } from "./routing/index.ts";

type Watched = Pick<Routing, "view" | "canary">;

export const openWatchedReviewing = (
  routing: Watched,
  parts: Omit<ReviewingParts, "routing" | "onShadow">,
): Reviewing => {
  const reviewing = openReviewing({
    ...parts,
    routing: async () => withPlainNames(await routing.view()),
    onShadow: (sample) => lookedInShadow(routing, sample),
  });
  return {
    ...reviewing,
    run: async (request, watch) => {
      const outcome = await reviewing.run(request, watch);
      if (outcome) await countUses(routing, outcome);
      return outcome;
    },
    resume: async (review, options, watch) => {
      const outcome = await reviewing.resume(review, options, watch);
      await countUses(routing, outcome);
      return outcome;
    },
  };
};

/** `fd-safety` is what the source documents call the built-in reviewer `safety`; overrides keep that name. */
const plainName = (name: string): string => {
  const plain = name.replace(/^fd-/, "");
  return (rosterNames as readonly string[]).includes(plain) ? plain : name;
};

const withPlainNames = (view: RoutingView): RoutingView => {
  const named = <T extends { readonly reviewer: string }>(list: readonly T[]): T[] =>
    list.map((one) => ({ ...one, reviewer: plainName(one.reviewer) }));
  const { overrides, canaries, precision } = view;
  return {
    ...view,
    overrides: named(overrides),
    canaries: named(canaries),
    precision: named(precision),
  };
};

/** A severe finding that nobody could confirm or refute is neither a loss nor a clean look. */
const lookedInShadow = async (
  { canary, view }: Watched,
  { reviewer: name, review, probability, losses, open }: ShadowSample,
): Promise<void> => {
  const { canaries } = await view();
  const reviewer = canaries.find((one) => plainName(one.reviewer) === name)?.reviewer ?? name;
  if (losses === 0 && open > 0) await canary.used([reviewer]);
  else await canary.shadow({ reviewer, review, probability, isLoss: losses > 0 });
};

/** Reviews that went by without the reviewer that an override keeps away. */
const countUses = async (
  routing: Watched,
  { triage, isInterrupted }: ReviewOutcome,
): Promise<void> => {
  if (isInterrupted) return;
  const { canaries } = await routing.view();
  const left = triage.considered.filter(({ decision }) => decision.state === "left-out");
  const names = new Set(left.map(({ reviewer }) => reviewer));
  const used = canaries.flatMap(({ reviewer }) =>
    names.has(plainName(reviewer)) ? [reviewer] : [],
  );
  if (used.length > 0) await routing.canary.used(used);
};
