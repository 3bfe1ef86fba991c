/** The verdict for programs: what was decided, on which input, and what has to be done first. */
import { canonical } from "../synthesis/normalise.ts";
import { isBlocker } from "../synthesis/verdict.ts";
import type { Synthesis } from "../types.ts";

export interface VerdictJson {
  readonly version: 1;
  readonly verdict: Synthesis["verdict"];
  readonly go: boolean;
  readonly counts: Synthesis["counts"];
  readonly quorum?: Synthesis["quorum"];
  readonly reasons: readonly string[];
  readonly notJudged?: Synthesis["notJudged"];
  readonly blockers: readonly {
    readonly id: string;
    readonly severity: string;
    readonly title: string;
  }[];
  readonly verify: readonly string[];
  readonly inputDigest: string;
}

export const toVerdict = (synthesis: Synthesis): VerdictJson => {
  const { verdict, go, counts, quorum, reasons = [], clusters, inputDigest } = synthesis;
  const { notJudged } = synthesis;
  return {
    version: 1,
    verdict,
    go,
    counts,
    ...(quorum && { quorum }),
    reasons,
    ...(notJudged && { notJudged }),
    blockers: clusters
      .filter((cluster) => isBlocker(cluster))
      .map(({ id, severity, title }) => ({ id, severity, title })),
    verify: clusters.filter(({ needsVerification }) => needsVerification).map(({ id }) => id),
    inputDigest,
  };
};

/** With sorted keys: the same verdict is the same bytes. */
export const verdictText = (synthesis: Synthesis): string => `${canonical(toVerdict(synthesis))}\n`;
