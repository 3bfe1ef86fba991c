/** The two special functions that everything here rests on. */

/** log Γ(x) for x > 0, by Lanczos' approximation (g = 7, nine terms; about 15 digits). */
export const logGamma = (x: number): number => {
  // The approximation holds from ½ on; below it, Euler's reflection.
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const at = x - 1;
  let sum = lanczos[0] ?? 0;
  for (let index = 1; index < lanczos.length; index += 1)
    sum += (lanczos[index] ?? 0) / (at + index);
  const t = at + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (at + 0.5) * Math.log(t) - t + Math.log(sum);
};

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

export const logBeta = (a: number, b: number): number =>
  logGamma(a) + logGamma(b) - logGamma(a + b);

/** log I_x(a, b), the regularised incomplete beta function; in logs, because it may be 10⁻⁴⁰⁰. */
export const logLowerBeta = (x: number, a: number, b: number): number => {
  if (x <= 0) return -Infinity;
  if (x >= 1) return 0;
  // The continued fraction converges fast on this side of the mean; the other side is one minus it.
  if (x <= (a + 1) / (a + b + 2)) return logFraction(x, a, b);
  return logOneMinus(logFraction(1 - x, b, a));
};

/** log(1 − I_x(a, b)), without losing the digits of a small rest. */
export const logUpperBeta = (x: number, a: number, b: number): number => logLowerBeta(1 - x, b, a);

const logOneMinus = (log: number): number => (log >= 0 ? -Infinity : Math.log1p(-Math.exp(log)));

/** Lentz's method for the continued fraction of the incomplete beta function. */
const logFraction = (x: number, a: number, b: number): number => {
  const front = a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b) - Math.log(a);
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let sum = d;
  for (let m = 1; m <= stepsMax; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    sum *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    const factor = d * c;
    sum *= factor;
    if (Math.abs(factor - 1) < 1e-15) break;
  }
  return front + Math.log(sum);
};

const stepsMax = 10_000;
const notZero = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
