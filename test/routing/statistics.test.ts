import { describe, expect, it } from "vitest";
import {
  type CanarySettings,
  canaryDefaults,
  cleanNeeded,
  logAlarm,
  logClear,
  logWrong,
} from "../../src/routing/statistics/e-process.ts";
import { clopperPearson, wilson } from "../../src/routing/statistics/intervals.ts";
import { pairedPValue } from "../../src/routing/statistics/paired.ts";
import { estimatedTotal, standOut } from "../../src/routing/statistics/several.ts";
import {
  logBeta,
  logGamma,
  logLowerBeta,
  logUpperBeta,
} from "../../src/routing/statistics/special.ts";

/** Repeatable: a small generator with a seed (mulberry32). */
const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

describe("special functions", () => {
  it("know factorials and Γ(½)", () => {
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
    let factorial = 0;
    for (let n = 1; n <= 170; n += 1) {
      factorial += Math.log(n);
      expect(Math.abs(logGamma(n + 1) - factorial)).toBeLessThan(1e-11 * Math.max(1, factorial));
    }
  });

  it("the incomplete beta function equals the binomial sums it stands for", () => {
    for (const n of [1, 5, 20, 60]) {
      for (const x of [0.001, 0.02, 0.15, 0.5, 0.9]) {
        for (let k = 1; k <= n; k += 7) {
          let sum = 0;
          for (let j = k; j <= n; j += 1) {
            const choose = logGamma(n + 1) - logGamma(j + 1) - logGamma(n - j + 1);
            sum += Math.exp(choose + j * Math.log(x) + (n - j) * Math.log(1 - x));
          }
          expect(Math.exp(logLowerBeta(x, k, n - k + 1))).toBeCloseTo(sum, 10);
          expect(Math.exp(logUpperBeta(x, k, n - k + 1))).toBeCloseTo(1 - sum, 10);
        }
      }
    }
  });

  it("keeps the digits of what no double can hold", () => {
    const log = logLowerBeta(0.02, 900, 100);
    expect(log).toBeLessThan(-3000);
    expect(Number.isFinite(log)).toBe(true);
    expect(logBeta(900, 100)).toBeLessThan(0);
  });
});

describe("R-11 the canary's two tests", () => {
  const lossesToAlert = (n: number, harmless: number): number => {
    for (let s = 0; s <= n; s += 1) if (logAlarm(s, n - s, harmless) >= Math.log(20)) return s;
    return Infinity;
  };

  it("R-11 alert at the losses of the table", () => {
    const sizes = [3, 5, 10, 15, 20, 30, 50, 100];
    const at = (harmless: number) => sizes.map((n) => lossesToAlert(n, harmless));
    expect(at(0.01)).toEqual([2, 2, 2, 3, 3, 3, 4, 6]);
    expect(at(0.02)).toEqual([2, 2, 3, 3, 4, 4, 5, 8]);
    expect(at(0.05)).toEqual([3, 3, 4, 4, 5, 6, 8, 13]);
  });

  const shadowsToPass = (losses: number, harmful: number, beta: number): number => {
    for (let n = losses; ; n += 1) {
      if (logClear(losses, n - losses, harmful) >= -Math.log(beta)) return n;
    }
  };

  it("R-11 pass after 18, 36 and 50 shadows with 0, 1 and 2 losses", () => {
    const at = (harmful: number, beta: number) =>
      [0, 1, 2].map((losses) => shadowsToPass(losses, harmful, beta));
    expect(at(0.15, 0.1)).toEqual([18, 36, 50]);
    expect(at(0.15, 0.05)).toEqual([23, 41, 56]);
    expect(at(0.2, 0.1)).toEqual([13, 26, 37]);
    expect(at(0.25, 0.1)).toEqual([10, 21, 29]);
    expect(at(0.1, 0.1)).toEqual([28, 55, 76]);
  });

  it("R-11 says how many clean shadows are missing, and when no number helps", () => {
    expect(cleanNeeded(0, 0, canaryDefaults)).toBe(18);
    expect(cleanNeeded(0, 11, canaryDefaults)).toBe(7);
    expect(cleanNeeded(0, 18, canaryDefaults)).toBe(0);
    expect(cleanNeeded(1, 17, canaryDefaults)).toBe(18);
    expect(cleanNeeded(5, 5, canaryDefaults)).toBeNull();
  });

  type End = "ALERT" | "PASS" | "INCONCLUSIVE";
  /** Looked at after every review, as people do. */
  const simulate = (rate: number, random: () => number, settings: CanarySettings): End => {
    let [losses, clean] = [0, 0];
    while (losses + clean < settings.shadowsMax) {
      if (random() < rate) losses += 1;
      else clean += 1;
      if (logAlarm(losses, clean, settings.harmless) >= -Math.log(settings.alpha)) return "ALERT";
      if (logClear(losses, clean, settings.harmful) >= -Math.log(settings.beta)) return "PASS";
    }
    return "INCONCLUSIVE";
  };
  const shares = (rate: number, runs: number): Record<End, number> => {
    const random = seeded(20_260_215 + Math.round(rate * 1000));
    const counts = { ALERT: 0, PASS: 0, INCONCLUSIVE: 0 };
    for (let run = 0; run < runs; run += 1)
      counts[simulate(rate, random, canaryDefaults)] += 1 / runs;
    return counts;
  };

  it("R-11 by simulation: alerts at most 2 % at 2 % loss, at least 88 % at 15 %; a harmful one passes under 10 %", () => {
    const runs = 4_000;
    expect(shares(0, runs)).toEqual({ ALERT: 0, PASS: expect.closeTo(1, 6), INCONCLUSIVE: 0 });
    const harmless = shares(0.02, runs);
    expect(harmless.ALERT).toBeLessThanOrEqual(0.02);
    expect(harmless.PASS).toBeGreaterThan(0.9);
    const harmful = shares(0.15, runs);
    expect(harmful.ALERT).toBeGreaterThanOrEqual(0.88);
    expect(harmful.PASS).toBeLessThan(0.1);
    expect(shares(0.3, 1_000).ALERT).toBeGreaterThan(0.99);
  });
});

describe("R-10 the test behind a proposal", () => {
  it("R-10 by simulation: proposes in at most 5 % at a wrong rate of 60 %, nearly always at 90 %", () => {
    const runs = 2_000;
    const proposes = (rate: number): number => {
      const random = seeded(Math.round(rate * 100));
      let count = 0;
      for (let run = 0; run < runs; run += 1) {
        let [wrong, right] = [0, 0];
        while (wrong + right < 60) {
          if (random() < rate) wrong += 1;
          else right += 1;
          if (logWrong(wrong, right, 0.6) >= Math.log(20)) {
            count += 1;
            break;
          }
        }
      }
      return count / runs;
    };
    expect(proposes(0.5)).toBeLessThan(0.01);
    expect(proposes(0.6)).toBeLessThanOrEqual(0.05);
    expect(proposes(0.8)).toBeGreaterThan(0.7);
    expect(proposes(0.9)).toBeGreaterThan(0.97);
  });

  it("R-10 accepted findings are in the denominator: 95 % accepted is never a pattern", () => {
    expect(logWrong(5, 95, 0.6)).toBeLessThan(0);
    expect(logWrong(5, 0, 0.6)).toBeLessThan(Math.log(20));
    expect(logWrong(9, 0, 0.6)).toBeGreaterThan(Math.log(20));
  });
});

describe("R-11 several watches, samples, planted faults, intervals", () => {
  it("R-11 e-BH: one e-value of 20 stands out alone, not among ten", () => {
    const log = (values: readonly number[]) => values.map((value) => Math.log(value));
    expect(standOut(log([20]), 0.1)).toEqual([true]);
    expect(standOut(log([20, 1, 1, 1, 1, 1, 1, 1, 1, 1]), 0.1)).not.toContain(true);
    expect(standOut(log([1, 100, 60, 1, 40, 1, 1, 1, 1, 1]), 0.1)).toEqual(
      [1, 100, 60, 1, 40].map((value) => value > 1).concat(Array(5).fill(false)),
    );
    expect(standOut([], 0.1)).toEqual([]);
    // The k-th largest of ten must reach 10 / (0.1 · k): 100, then 50, then 33.3….
    const among = (...values: number[]) =>
      standOut(log([...values, ...Array<number>(10 - values.length).fill(1)]), 0.1);
    expect(among(99.9)).not.toContain(true);
    expect(among(100.1)[0]).toBe(true);
    expect(among(50.1, 49.9)).not.toContain(true);
    expect(among(50.1, 50.1).slice(0, 3)).toEqual([true, true, false]);
    expect(among(50.1, 49.9, 33.4).slice(0, 4)).toEqual([true, true, true, false]);
    // Exactly the bound is enough.
    expect(standOut([0], 1)).toEqual([true]);
  });

  it("Horvitz-Thompson: a loss seen with probability ½ stands for two", () => {
    const samples = [
      { losses: 1, probability: 1 },
      { losses: 1, probability: 0.5 },
      { losses: 0, probability: 0.05 },
    ];
    expect(estimatedTotal(samples)).toBe(3);
  });

  it("McNemar's exact test on the example of the documents: 4 of 12 lost", () => {
    expect(pairedPValue(4, 0)).toBeCloseTo(1 / 16, 12);
    expect(pairedPValue(0, 0)).toBe(1);
    expect(pairedPValue(5, 1)).toBeCloseTo(7 / 64, 12);
    expect(pairedPValue(10, 0)).toBeCloseTo(1 / 1024, 12);
  });

  it("intervals agree with published values", () => {
    const near = (value: number) => expect.closeTo(value, 4);
    // Newcombe 1998, table I: 81 of 263, and 0 of 20.
    expect(wilson(81, 263)).toEqual({ low: near(0.2553), high: near(0.3662) });
    expect(clopperPearson(81, 263)).toEqual({ low: near(0.2527), high: near(0.3676) });
    expect(wilson(0, 20)).toEqual({ low: near(0), high: near(0.1611) });
    expect(clopperPearson(0, 20)).toEqual({ low: 0, high: near(0.1684) });
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
    expect(clopperPearson(20, 20).high).toBe(1);
  });
});
