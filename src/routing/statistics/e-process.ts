/**
 * Tests that may be looked at after every review: their false alarms stay under α however often one looks
 * (Ville). A mixture of likelihood ratios over the rates that the alternative allows, in closed form, so
 * that only counts matter. All in logs.
 */
import { logBeta, logLowerBeta, logUpperBeta } from "./special.ts";

export interface CanarySettings {
  /** A loss rate up to this is harmless. */
  readonly harmless: number;
  /** A loss rate from this on must not pass. */
  readonly harmful: number;
  /** How often a harmless override may be alerted. */
  readonly alpha: number;
  /** How often a harmful override may pass. */
  readonly beta: number;
  readonly shadowsMax: number;
  readonly days: number;
}

/** algorithms.md, C.3. */
export const canaryDefaults: CanarySettings = {
  harmless: 0.02,
  harmful: 0.15,
  alpha: 0.05,
  beta: 0.1,
  shadowsMax: 60,
  days: 14,
};

/** The prior over loss rates: most overrides lose little. */
const lossPrior = { a: 0.5, b: 4.5 } as const;

/** log E⁺: grows when losses are more frequent than `harmless`. H0: p ≤ harmless. */
export const logAlarm = (losses: number, clean: number, harmless: number): number =>
  logAbove({ hits: losses, misses: clean }, harmless, lossPrior);

/** log E⁻: grows when losses are rarer than `harmful`. H0: p ≥ harmful. */
export const logClear = (losses: number, clean: number, harmful: number): number => {
  const { a, b } = lossPrior;
  return (
    logBeta(a + losses, b + clean) +
    logLowerBeta(harmful, a + losses, b + clean) -
    logBeta(a, b) -
    logLowerBeta(harmful, a, b) -
    losses * Math.log(harmful) -
    clean * Math.log1p(-harmful)
  );
};

/** Every rate is as likely as every other. */
const flatPrior = { a: 1, b: 1 } as const;

/**
 * log E for "more than `rate` of what the reviewer says is wrong". An outcome may count in part (½ wrong is
 * half a hit and half a miss): the ratio is convex in it, so the bound holds.
 */
export const logWrong = (wrong: number, right: number, rate: number): number =>
  logAbove({ hits: wrong, misses: right }, rate, flatPrior);

const logAbove = (
  { hits, misses }: { readonly hits: number; readonly misses: number },
  bound: number,
  { a, b }: { readonly a: number; readonly b: number },
): number =>
  logBeta(a + hits, b + misses) +
  logUpperBeta(bound, a + hits, b + misses) -
  logBeta(a, b) -
  logUpperBeta(bound, a, b) -
  hits * Math.log(bound) -
  misses * Math.log1p(-bound);

/** How many shadows without a loss are still missing until it passes; null beyond `shadowsMax` in all. */
export const cleanNeeded = (
  losses: number,
  clean: number,
  settings: CanarySettings,
): number | null => {
  const wanted = -Math.log(settings.beta);
  const most = settings.shadowsMax - losses - clean;
  for (let more = 0; more <= Math.max(0, most); more += 1) {
    if (logClear(losses, clean + more, settings.harmful) >= wanted) return more;
  }
  return null;
};
