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
}

export const effectOf = (name: string, routing: RoutingView, seed: string): Effect => {
  // A file that cannot be trusted has no effect at all.
  const all = routing.problem === undefined ? routing.overrides : [];
  const own = all.filter(({ reviewer }) => reviewer === name);
  const terms = own
    .map((one): ScoreTerm => ({ term: "override", value: 0, why: `${shown(one)}: ${one.reason}` }))
    .toSorted((a, b) => (a.why < b.why ? -1 : 1));
  const floors = own.flatMap(({ action, floor }) => (action === "floor" && floor ? [floor] : []));
  // The strictest: P0 shows the least.
  const floor = floors.toSorted()[0];
  const except = own.flatMap((one) => (one.action === "scope" ? (one.except ?? []) : []));
  const leftOut = whyLeftOut(name, own, seed);
  const canary = routing.canaries.find(({ reviewer }) => reviewer === name);
  const shadow = canary?.shadowProbability ?? 0;
  const isShadow = leftOut !== undefined && chanceOf(seed, name, "shadow") < shadow;
  return {
    terms,
    ...(floor && { floor }),
    except: [...new Set(except)].toSorted(),
    isLater: own.some(({ action }) => action === "stage"),
    ...(leftOut !== undefined && { leftOut }),
    ...(isShadow && { shadow }),
  };
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

const shown = ({ action, floor, except = [], every }: Override): string => {
  if (action === "floor") return `floor ${floor ?? "?"}`;
  if (action === "scope") return `not in ${except.join(", ")}`;
  if (action === "stage") return "stage 2";
  return action === "sample" ? `one review in ${every ?? 1}` : "excluded";
};
