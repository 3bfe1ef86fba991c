/** Several watches at once, and totals from samples. */

/**
 * e-BH: which of these log e-values stand out when the share of false ones among them is to stay under
 * `rate`, whatever their dependence.
 */
export const standOut = (logValues: readonly number[], rate: number): boolean[] => {
  const order = [...logValues.keys()].toSorted(
    (left, right) => (logValues[right] ?? 0) - (logValues[left] ?? 0),
  );
  let chosen = 0;
  for (const [index, which] of order.entries()) {
    const needed = Math.log(logValues.length / (rate * (index + 1)));
    if ((logValues[which] ?? 0) >= needed) chosen = index + 1;
  }
  const result = logValues.map(() => false);
  for (const which of order.slice(0, chosen)) result[which] = true;
  return result;
};

/** Horvitz and Thompson: the total over all reviews, from those that were looked at with known probability. */
export const estimatedTotal = (
  samples: readonly { readonly losses: number; readonly probability: number }[],
): number => samples.reduce((sum, { losses, probability }) => sum + losses / probability, 0);
