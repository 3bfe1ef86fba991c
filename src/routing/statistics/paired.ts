/** The same planted faults reviewed with and without a reviewer. */
import { logGamma } from "./special.ts";

/**
 * McNemar's exact test, one-sided: how likely is it that so many faults, or more, are found only with the
 * reviewer if it makes no difference? 1 when nothing differs.
 */
export const pairedPValue = (onlyWith: number, onlyWithout: number): number => {
  const differing = onlyWith + onlyWithout;
  if (differing === 0) return 1;
  let sum = 0;
  for (let k = onlyWith; k <= differing; k += 1) {
    sum += Math.exp(logChoose(differing, k) - differing * Math.LN2);
  }
  return Math.min(1, sum);
};

const logChoose = (n: number, k: number): number =>
  logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
