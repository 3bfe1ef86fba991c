/**
 * What the canary sees: one reviewer in shadow, some others shown, on labelled findings with places. A true loss is a
 * real problem that only the shadow reported.
 */
import { missedBy } from "../../src/review/conduct/shadows.ts";

import { canaryDefaults, logAlarm, logClear } from "../../src/routing/statistics/e-process.ts";
import { Random } from "../random.ts";
import type { Labelled } from "./labelled.ts";
import { panelsFrom } from "./score.ts";

export interface Sighting {
  /** The shown reviewers have not reported the problem. */
  readonly isLoss: boolean;
  readonly isCounted: boolean;
}

/** Each problem of each shadow beside panels of four: was it lost, and was that noticed. */
export const sightingsIn = (findings: readonly Labelled[]): Sighting[] =>
  [...Map.groupBy(findings, ({ review }) => review).values()].flatMap((own) => {
    const reviewers = [...new Set(own.map(({ reviewer }) => reviewer))];
    return reviewers.flatMap((shadow) =>
      panelsFrom(
        reviewers.filter((one) => one !== shadow),
        Math.min(4, reviewers.length - 1),
      )
        .slice(0, 3)
        .flatMap((panel) => sightingsOf(own, shadow, panel)),
    );
  });

const sightingsOf = (
  own: readonly Labelled[],
  shadow: string,
  panel: readonly string[],
): Sighting[] => {
  // Severity decides what blocks; here every problem counts, so that there are enough of them.
  const severe = (one: Labelled): Labelled => ({ ...one, severity: "P1" });
  const hidden = own.filter(({ reviewer }) => reviewer === shadow).map(severe);
  const shown = own.filter(({ reviewer }) => panel.includes(reviewer)).map(severe);
  const seen = new Set(shown.map(({ problem }) => problem));
  const counted = new Set(missedBy(hidden, shown).flatMap(({ members }) => members));
  return hidden
    .filter(({ real }) => real)
    .map(({ id, problem }) => ({ isLoss: !seen.has(problem), isCounted: counted.has(id) }));
};

export interface Operation {
  readonly rate: number;
  readonly alert: number;
  readonly pass: number;
}

/** Reviews in which a loss happens with a given chance and is noticed as `sightings` say, judged as in use. */
export const operate = (sightings: readonly Sighting[], rate: number, runs: number): Operation => {
  const random = new Random(`canary ${rate}`);
  const losses = sightings.filter(({ isLoss }) => isLoss);
  const others = sightings.filter(({ isLoss }) => !isLoss);
  const counts = { alert: 0, pass: 0 };
  for (let run = 0; run < runs; run += 1) {
    let state = "MONITORING";
    const told = { clean: 0, losses: 0 };
    while (state !== "ALERT" && state !== "PASS" && told.clean + told.losses < shadowsMax) {
      const pool = random.next() < rate ? losses : others;
      if (random.pick(pool)?.isCounted) told.losses += 1;
      else told.clean += 1;
      state = stateAfter(told);
    }
    if (state === "ALERT") counts.alert += 1;
    if (state === "PASS") counts.pass += 1;
  }
  return { rate, alert: counts.alert / runs, pass: counts.pass / runs };
};

const stateAfter = (told: { readonly losses: number; readonly clean: number }): string => {
  const key = told.losses * 1000 + told.clean;
  const before = states.get(key);
  if (before !== undefined) return before;
  const state = judge(told);
  states.set(key, state);
  return state;
};

const states = new Map<number, string>();

const judge = ({ losses, clean }: { readonly losses: number; readonly clean: number }): string => {
  const { harmless, harmful, alpha, beta } = canaryDefaults;
  if (logAlarm(losses, clean, harmless) >= -Math.log(alpha)) return "ALERT";
  return logClear(losses, clean, harmful) >= -Math.log(beta) ? "PASS" : "MONITORING";
};

const shadowsMax = 60;
