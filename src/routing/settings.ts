import { limits } from "../base/limits.ts";
import { type CanarySettings, canaryDefaults } from "./statistics/e-process.ts";

/** What may be set, resolved. Only a user's own configuration can make any of the bounds weaker. */
export interface RoutingSettings {
  /** Of the overrides, relative to the worktree. */
  readonly path: string;
  /** Named besides the built-in ones: changing these needs an extra confirmation. */
  readonly guarded: readonly string[];
  /** An alert takes the override back by itself. */
  readonly autoRevert: boolean;
  /** A pattern is ready from this e-value on. */
  readonly eValue: number;
  readonly sessions: number;
  readonly changes: number;
  /** Changes of overrides within 24 hours. */
  readonly changesPerDay: number;
  readonly lockWaitMs: number;
  readonly canary: CanarySettings;
}

export const routingDefaults: RoutingSettings = {
  path: ".headgate/routing-overrides.json",
  guarded: [],
  autoRevert: false,
  eValue: 20,
  sessions: 3,
  changes: 2,
  changesPerDay: 5,
  lockWaitMs: limits.routingLockWaitMs,
  canary: canaryDefaults,
};

/** Whose exclusion could cost most: an inconclusive watch takes their override back. */
const safetyCritical = ["safety", "correctness"];
/** They look at every change, so that leaving them out touches every review. */
const crossCutting = ["architecture", "quality"];

/** The source documents call `safety` `fd-safety`. */
const plainName = (reviewer: string): string => reviewer.replace(/^fd-/, "");

export const isSafetyCritical = (reviewer: string): boolean =>
  safetyCritical.includes(plainName(reviewer));

export const isGuarded = (reviewer: string, settings: RoutingSettings): boolean =>
  isSafetyCritical(reviewer) ||
  crossCutting.includes(plainName(reviewer)) ||
  settings.guarded.includes(reviewer);

/** Above this share of wrong findings a pattern is worth an action. */
export const wrongRate = 0.6;
export const growingEValue = 4;
/** A confirmed P0 so recent speaks against any change. */
export const quietDays = 90;
/** Reverts of one reviewer within `revertDays` after which nothing is proposed for it. */
export const revertsMax = 3;
export const revertDays = 30;
/** So many watches that alerted, and such a share of all, within so many days: no change without a person. */
export const alertsMin = 2;
export const alertShare = 0.5;
export const alertDays = 30;
/** Planted faults that may be lost. */
export const probeLossMax = 1;
/** The share of false alerts among several watches. */
export const falseDiscoveryRate = 0.1;
export const dayMs = 24 * 60 * 60_000;
