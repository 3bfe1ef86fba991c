/** Routing in the words that every surface uses. */
import { showText } from "../base/text.ts";
import type { ChangeOutcome, Override } from "../routing/index.ts";

export const effectText = ({ action, floor, except, every }: Partial<Override>): string => {
  if (action === "floor") return `floor ${floor ?? "?"}`;
  if (action === "scope")
    return `not in ${(except ?? []).map((glob) => showText(glob, 60)).join(", ")}`;
  if (action === "sample") return `1 review in ${every ?? "?"}`;
  return action === "stage" ? "second stage" : "excluded";
};

/** What a change of the overrides came to, and the commit that made it. */
export const changeWords = (
  outcome: ChangeOutcome,
): { readonly what: string; readonly how?: string; readonly left: readonly string[] } => {
  if (!outcome.done) return { what: outcome.why, left: [] };
  const { reviewer, kind, commit, ref, override, left } = outcome.change;
  const branch = showText(ref.replace(/^refs\/heads\//, ""));
  return {
    what: override ? `${reviewer}: ${effectText(override)}` : `${reviewer} is back`,
    how: `${kind}, commit ${commit.slice(0, 10)} on ${branch}`,
    left: left.map((place) =>
      place === "worktree"
        ? "your file differs from the branch, or is read-only, and was left; the commit is made all the same"
        : "your index has another version of the file staged and was left as it is",
    ),
  };
};
