/** Counting: what was refused, what should have been, how sure one can be. */
import type { Attempt, Group, Problem } from "./types.ts";

export interface Judged {
  readonly language: string;
  readonly attempt: Attempt;
  /** What was right for it; undefined: discarded, the oracle found the attempt itself wrong. */
  readonly should: "refuse" | "pass" | undefined;
  readonly denied: boolean;
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  readonly problem: Problem | undefined;
  readonly ms: number;
}

export interface Row {
  readonly language: string;
  readonly group: Group;
  readonly kind: string;
  readonly attempts: number;
  readonly shouldRefuse: number;
  readonly caught: number;
  /** Caught for another reason than the one it was made for. */
  readonly otherReason: number;
  readonly shouldPass: number;
  readonly wronglyRefused: number;
  readonly problems: number;
  readonly collateralBytes: number;
  readonly discarded: number;
  readonly p50: number;
  readonly p99: number;
}

/** Wilson's interval at 95 %. */
export const wilson = (hits: number, all: number): readonly [number, number] => {
  if (all === 0) return [0, 1];
  const z = 1.959964;
  const share = hits / all;
  const middle = share + (z * z) / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const whole = 1 + (z * z) / all;
  return [Math.max(0, (middle - spread) / whole), Math.min(1, (middle + spread) / whole)];
};

export const isMissed = (one: Judged): boolean => one.should === "refuse" && !one.denied;
export const isWrongRefusal = (one: Judged): boolean =>
  one.should === "pass" && one.denied && isOwnMatter(one);

/** A mutant that still compiles may be a duplicate all the same; only its syntax is the oracle's matter. */
const isOwnMatter = ({ attempt, codes }: Judged): boolean =>
  attempt.expect !== "oracle" || codes.includes("SYNTAX_ERROR");

/** The kind of attempts on valid files that the gate's own parser rejected before anything was done. */
export const notUnderstood = "any, in a file the grammar does not understand";

/** Said of edits that were not made because the structure around the symbol is not certain. */
export const declined = "declined: the structure there is not certain";

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export const toRow = (
  all: readonly Judged[],
  name: { language: string; group: Group; kind: string },
): Row => {
  const kept = all.filter(({ should }) => should !== undefined);
  const wrong = kept.filter(({ should }) => should === "refuse");
  const times = all.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const caught = wrong.filter(({ denied }) => denied);
  return {
    ...name,
    attempts: kept.length,
    shouldRefuse: wrong.length,
    caught: caught.length,
    otherReason: caught.filter(
      ({ attempt, codes }) => !codes.some((code) => attempt.codes.includes(code)),
    ).length,
    shouldPass: kept.length - wrong.length,
    wronglyRefused: kept.filter(isWrongRefusal).length,
    problems: kept.filter(({ problem }) => problem !== undefined).length,
    collateralBytes: kept.reduce((sum, { problem }) => sum + (problem?.bytes ?? 0), 0),
    discarded: all.length - kept.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
};

export const rowsOf = (
  all: readonly Judged[],
  keyOf: (one: Judged) => { language: string; group: Group; kind: string },
): Row[] => {
  const groups = new Map<string, Judged[]>();
  for (const one of all) {
    const key = Object.values(keyOf(one)).join("\0");
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((some) => toRow(some, keyOf(some[0]!)));
};

export interface Target {
  readonly what: string;
  readonly wanted: string;
  readonly got: string;
  readonly isMet: boolean;
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

export const targetsOf = (all: readonly Judged[]): Target[] => {
  const recall = (some: readonly Judged[]): { share: number; text: string } => {
    const wrong = some.filter(({ should }) => should === "refuse");
    const caught = wrong.filter(({ denied }) => denied).length;
    const share = wrong.length === 0 ? 1 : caught / wrong.length;
    return { share, text: `${caught} of ${wrong.length}` };
  };
  const duplicates = recall(all.filter(({ attempt }) => attempt.group === "duplicate"));
  const valid = all.filter(({ should }) => should === "pass");
  const refused = valid.filter(isWrongRefusal).length;
  const collateral = all.reduce((sum, { problem }) => sum + (problem?.bytes ?? 0), 0);
  const problems = all.filter(({ problem }) => problem !== undefined).length;
  const languages = [...new Set(all.map(({ language }) => language))];
  return [
    {
      what: "duplicates caught",
      wanted: "100 %",
      got: duplicates.text,
      isMet: duplicates.share === 1,
    },
    {
      what: "valid attempts refused",
      wanted: "at most 0.05 %",
      got: `${refused} of ${valid.length}`,
      isMet: refused <= valid.length * 0.0005,
    },
    ...languages.flatMap((language) => {
      const some = all.filter(
        (one) =>
          one.language === language &&
          one.attempt.group === "syntax" &&
          one.attempt.kind !== notUnderstood,
      );
      if (!some.some(({ should }) => should !== undefined)) return [];
      const least = ["python", "javascript", "typescript", "tsx"].includes(language) ? 0.999 : 0.99;
      const { share, text } = recall(some);
      return [
        {
          what: `${language}: syntax errors caught`,
          wanted: `at least ${percent(least)}`,
          got: text,
          isMet: share >= least,
        },
      ];
    }),
    {
      what: "bytes changed outside",
      wanted: "0",
      got: String(collateral),
      isMet: collateral === 0,
    },
    { what: "edits at the wrong place", wanted: "0", got: String(problems), isMet: problems === 0 },
  ];
};
