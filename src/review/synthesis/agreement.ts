/** How much agreement counts. Copies of one model make the same mistakes, so they are not several witnesses. */
import type { Finding, Verification } from "../types.ts";

export type Voice = Pick<Finding, "reviewer" | "family">;

export interface Agreement {
  readonly reviewers: readonly string[];
  readonly families: readonly string[];
  /** Reviewers, where those of one family count less: m of them are worth m / (1 + φ·(m − 1)). */
  readonly independent: number;
}

export const agreementOf = (findings: readonly Voice[]): Agreement => {
  // A reviewer without a family stands for itself; a reviewer counts once, however often it says it.
  const families = new Map<string, Set<string>>();
  for (const { reviewer, family } of findings) {
    const key = family === undefined ? `reviewer ${reviewer}` : `family ${family}`;
    const members = families.get(key);
    if (members) members.add(reviewer);
    else families.set(key, new Set([reviewer]));
  }
  let independent = 0;
  for (const { size } of families.values()) independent += size / (1 + familyPhi * (size - 1));
  return {
    reviewers: [...new Set(findings.map(({ reviewer }) => reviewer))].toSorted(),
    families: [...new Set(findings.map(({ family, reviewer }) => family ?? reviewer))].toSorted(),
    independent: round(independent, 3),
  };
};

/**
 * The chance that a problem is real when `independent` of a panel worth `panel` voices see it, both counted by
 * `agreementOf`: the panel is everybody who was asked and answered, so the silence of one who looked counts against it.
 * For twelve tools it is the measured σ(1.97·ln k − 2.58); the smaller the panel, the more one voice weighs. As another
 * voice adds at least as much to `independent` as to `panel`, and weighs more there, agreement never lowers it.
 */
export const probabilityOf = (independent: number, panel: number): number => {
  const seen = Math.max(independent, 1);
  const logOdds = 1.97 * Math.log(seen) - 2.58 + 1.03 * Math.log(12 / Math.max(panel, seen));
  return round(1 / (1 + Math.exp(-logOdds)), 4);
};

/**
 * A second look that confirms weighs like one more sighting, by the same family like a correlated one; one that
 * refutes weighs as much against it. What a command reproduced is as good as certain. Nobody has measured it yet.
 */
export const verifiedProbability = (
  probability: number,
  look: Verification | undefined,
  families: readonly string[],
): number => {
  if (look === undefined || look.outcome === "unsure") return probability;
  const isConfirmed = look.outcome === "confirmed";
  if (look.by === "command") return isConfirmed ? Math.max(probability, 0.97) : 0.03;
  const isSameFamily = families.includes(look.family ?? look.by);
  const weight = 1.97 * Math.log(isSameFamily ? 2 / (1 + familyPhi) : 2);
  const logOdds = Math.log(probability / (1 - probability)) + (isConfirmed ? weight : -weight);
  return round(1 / (1 + Math.exp(-logOdds)), 4);
};

/** Static rules and linters: they look for what they know. */
export const isMechanical = ({ family }: Pick<Voice, "family">): boolean =>
  family === "static" || family === "linters";

/** Correlation of two reviewers of one family. Between families it is 0.28, which the formula above holds already. */
const familyPhi = 0.6;

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
