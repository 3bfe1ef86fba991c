/** What routing says about each reviewer, taken together. */
import type { Override, RoutingView, Severity } from "../../routing/index.ts";
import { chanceOf } from "./chance.ts";
import type { ScoreTerm } from "./types.ts";

export interface Effect {
  readonly terms: readonly ScoreTerm[];
  readonly floor?: Severity;
  readonly except: readonly string[];
  readonly isLater: boolean;
  /** Why it does not run. */
  readonly leftOut?: string;
  /** It runs nevertheless, unseen. */
  readonly shadow?: number;
  /** A canary counts what a floor or a scope hides: a floor always, a scope when it looks at all paths. */
  readonly watched?: number;
}

export const effectOf = (name: string, routing: RoutingView, seed: string): Effect => {
  // A file that cannot be trusted has no effect at all.
  const all = routing.problem === undefined ? routing.overrides : [];
  const own = all.filter(({ reviewer }) => reviewer === name);
  const terms = own
    .map((one): ScoreTerm => ({ term: "override", value: 0, why: told(one) }))
    .toSorted((a, b) => (a.why < b.why ? -1 : 1));
  const floors = own.flatMap(({ action, floor }) => (action === "floor" && floor ? [floor] : []));
  // The strictest: P0 shows the least.
  const floor = floors.toSorted()[0];
  const except = own.flatMap((one) => (one.action === "scope" ? (one.except ?? []) : []));
  const leftOut = whyLeftOut(name, own, seed);
  const canary = routing.canaries.find(({ reviewer }) => reviewer === name);
  const shadow = canary?.shadowProbability ?? 0;
  const isDrawn = shadow > 0 && chanceOf(seed, name, "shadow") < shadow;
  const isShadow = leftOut !== undefined && isDrawn;
  const watched =
    leftOut !== undefined || !canary ? undefined : watchedBy({ floor, except, isDrawn, shadow });
  return {
    terms,
    ...(floor && { floor }),
    except: [...new Set(except)].toSorted(),
    isLater: own.some(({ action }) => action === "stage"),
    ...(leftOut !== undefined && { leftOut }),
    ...(isShadow && { shadow }),
    ...(watched !== undefined && { watched }),
  };
};

/** Below a floor everything is seen anyway; a scope keeps paths away, unless it is drawn. */
const watchedBy = (rules: {
  readonly floor: Severity | undefined;
  readonly except: readonly string[];
  readonly isDrawn: boolean;
  readonly shadow: number;
}): number | undefined => {
  const { floor, except, isDrawn, shadow } = rules;
  if (except.length > 0) return isDrawn ? shadow : undefined;
  return floor === undefined ? undefined : 1;
};

const whyLeftOut = (name: string, own: readonly Override[], seed: string): string | undefined => {
  const excluded = own.filter(({ action }) => action === "exclude");
  if (excluded.length > 0) {
    return `excluded by routing: ${excluded.map(({ reason }) => reason).toSorted()[0]}`;
  }
  const samples = own.flatMap(({ action, every }) => (action === "sample" ? [every ?? 1] : []));
  const every = Math.max(1, ...samples);
  if (every === 1 || chanceOf(seed, name, "sample") < 1 / every) return undefined;
  return `asked in one review of ${every}, and not in this one`;
};

/** Who reads the review sees that it is a rule that somebody set, and can look it up. */
const told = (one: Override): string =>
  `${shown(one)} by override${one.reason === "" ? "" : `: ${one.reason}`}`;

const shown = ({ action, floor, except = [], every }: Override): string => {
  if (action === "floor") return `floor ${floor ?? "?"}`;
  if (action === "scope") return `not in ${except.join(", ")}`;
  if (action === "stage") return "stage 2";
  return action === "sample" ? `one review in ${every ?? 1}` : "excluded";
};
