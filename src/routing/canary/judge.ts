/** What the shadows of an override come to. Silence never passes: only shadows that were run count. */
import { isoTime } from "../../base/clock.ts";
import { falseDiscoveryRate } from "../settings.ts";
import { cleanNeeded, logAlarm, logClear } from "../statistics/e-process.ts";
import { clopperPearson, type Interval } from "../statistics/intervals.ts";
import { estimatedTotal, standOut } from "../statistics/several.ts";
import type { CanaryState } from "../types.ts";
import type { Sample, StoredCanary } from "./canary-rows.ts";

export interface Canary {
  readonly id: string;
  readonly reviewer: string;
  readonly state: CanaryState;
  /** Reviews in which the reviewer was run all the same, without being shown. */
  readonly shadows: number;
  /** Of these, where something severe would have been missed. */
  readonly losses: number;
  /** Severe defects that were found later on code reviewed under the override. */
  readonly escapes: number;
  /** e-values against "harmless" and against "harmful". */
  readonly alarm: number;
  readonly clear: number;
  /** Clean shadows until it passes; null when that cannot be reached any more. */
  readonly needed: number | null;
  readonly uses: number;
  /** Losses per review, with an interval of 95 % for showing. */
  readonly rate: Interval & { readonly estimate: number };
  /** Over all reviews, those without a shadow included (Horvitz-Thompson). */
  readonly lossesInAll: number;
  readonly shadowProbability: number;
  readonly openedAt: string;
  readonly expiresAt: string;
  readonly isExtended: boolean;
  readonly sparkline: string;
  /** Both e-values after each shadow, thinned out where there are many; and where they decide. */
  readonly process: readonly {
    readonly shadow: number;
    readonly alarm: number;
    readonly clear: number;
  }[];
  readonly alarmAt: number;
  readonly clearAt: number;
}

export const judgeCanaries = (stored: readonly StoredCanary[], nowMs: number): Canary[] => {
  const counted = stored.map((canary) => ({ canary, ...countsOf(canary.samples) }));
  const logAlarms = counted.map(({ canary, losses, clean }) =>
    logAlarm(losses, clean, canary.settings.harmless),
  );
  const isOutstanding = standOut(logAlarms, falseDiscoveryRate);
  return counted.map((one, index) => {
    const { canary, losses, clean, escapes } = one;
    const { settings } = canary;
    const logAlarmed = logAlarms[index] ?? 0;
    const logCleared = logClear(losses, clean, settings.harmful);
    const shadows = losses + clean;
    const state = stateOf({
      ...one,
      shadows,
      nowMs,
      isAlarmed: logAlarmed >= -Math.log(settings.alpha) && isOutstanding[index] === true,
      isSuspicious: logAlarmed >= Math.log(4),
      isCleared: logCleared >= -Math.log(settings.beta),
    });
    return {
      id: canary.id,
      reviewer: canary.reviewer,
      state,
      shadows,
      losses,
      escapes,
      alarm: bounded(logAlarmed),
      clear: bounded(logCleared),
      needed: state === "PASS" ? 0 : cleanNeeded(losses, clean, settings),
      uses: canary.uses,
      rate: {
        estimate: shadows === 0 ? 0 : losses / shadows,
        ...clopperPearson(losses, shadows),
      },
      lossesInAll: estimatedTotal(
        canary.samples.map(({ kind, amount, probability }) => ({
          losses: kind === "loss" ? amount : 0,
          probability,
        })),
      ),
      shadowProbability: shadowProbability(canary.uses, state),
      openedAt: isoTime(canary.openedMs),
      expiresAt: isoTime(canary.expiresMs),
      isExtended: canary.isExtended,
      sparkline: sparklineOf(canary),
      process: processOf(canary),
      alarmAt: 1 / settings.alpha,
      clearAt: 1 / settings.beta,
    };
  });
};

/** The first uses always, then every other; after it passed, now and then for ever. */
export const shadowProbability = (uses: number, state: CanaryState): number =>
  state === "PASS" ? 0.05 : uses < alwaysUses ? 1 : 0.5;

const alwaysUses = 5;

interface Counts {
  readonly losses: number;
  readonly clean: number;
  readonly escapes: number;
  /** A P0 was lost in a shadow, or escaped. */
  readonly hasSevereLoss: boolean;
  readonly hasSevereEscape: boolean;
}

const countsOf = (samples: readonly Sample[]): Counts => {
  const sum = (kind: Sample["kind"]): number =>
    samples.reduce((total, one) => total + (one.kind === kind ? one.amount : 0), 0);
  const isSevere = (kind: Sample["kind"]): boolean =>
    samples.some((one) => one.kind === kind && one.severity === "P0");
  return {
    losses: sum("loss"),
    clean: sum("clean"),
    escapes: sum("escape"),
    hasSevereLoss: isSevere("loss"),
    hasSevereEscape: isSevere("escape"),
  };
};

const stateOf = (
  seen: Counts & {
    readonly canary: StoredCanary;
    readonly shadows: number;
    readonly nowMs: number;
    readonly isAlarmed: boolean;
    readonly isSuspicious: boolean;
    readonly isCleared: boolean;
  },
): CanaryState => {
  const { canary } = seen;
  if (canary.alertedMs !== null || seen.isAlarmed || seen.hasSevereEscape) return "ALERT";
  if (canary.passedMs !== null || seen.isCleared) return "PASS";
  if (seen.nowMs >= canary.expiresMs || seen.shadows >= canary.settings.shadowsMax) {
    return "INCONCLUSIVE";
  }
  return seen.isSuspicious || seen.hasSevereLoss || seen.escapes > 0 ? "WARN" : "MONITORING";
};

/** A finite number in JSON, however certain it is. */
const bounded = (log: number): number => Math.min(Math.exp(log), 1e12);

const levels = "▁▂▃▄▅▆▇█";
const widthMax = 24;

/** Shadow after shadow: was something lost? */
const shadowsOf = ({ samples }: StoredCanary): boolean[] =>
  samples.flatMap(({ kind, amount }) =>
    kind === "escape" ? [] : Array<boolean>(Math.min(amount, 1000)).fill(kind === "loss"),
  );

const pointsMax = 120;

const processOf = (canary: StoredCanary): Canary["process"] => {
  const { harmless, harmful } = canary.settings;
  const shadows = shadowsOf(canary);
  const step = Math.max(1, Math.ceil(shadows.length / pointsMax));
  const points: Canary["process"][number][] = [];
  let losses = 0;
  for (const [index, isLoss] of shadows.entries()) {
    const shadow = index + 1;
    if (isLoss) losses += 1;
    if (shadow % step !== 0 && shadow !== shadows.length) continue;
    const clean = shadow - losses;
    points.push({
      shadow,
      alarm: bounded(logAlarm(losses, clean, harmless)),
      clear: bounded(logClear(losses, clean, harmful)),
    });
  }
  return points;
};

/** How far it is on its way to passing after each shadow; `x` where something was lost. */
const sparklineOf = (canary: StoredCanary): string => {
  const { settings } = canary;
  const shadows = shadowsOf(canary);
  const step = Math.max(1, Math.ceil(shadows.length / widthMax));
  let [losses, clean] = [0, 0];
  let line = "";
  for (let at = 0; at < shadows.length; at += step) {
    const part = shadows.slice(at, at + step);
    const lost = part.filter(Boolean).length;
    losses += lost;
    clean += part.length - lost;
    const share = logClear(losses, clean, settings.harmful) / -Math.log(settings.beta);
    const level = Math.max(0, Math.min(levels.length - 1, Math.floor(share * levels.length)));
    line += lost > 0 ? "x" : (levels[level] ?? "");
  }
  return line;
};
