/**
 * The ceiling of one dispatch. Before each question what it could cost is set aside, and it is asked only if
 * that fits beside what is spent and what others have set aside. When it is over, what it did cost counts.
 */
import { type Runner, type RunRequest, worstCostUsd } from "../../runners/index.ts";

export type Allowance =
  | { readonly state: "fits"; readonly usd: number }
  /** It may fit when others are over and cost less than they could. */
  | { readonly state: "later" }
  | { readonly state: "never"; readonly why: string };

export interface Budget {
  /** `waiting`: how many questions are left, with this one; a share is for those that keep to one. */
  setAside(runner: Runner, request: RunRequest, waiting: number): Allowance;
  /** An unknown cost counts as all that was set aside. */
  settle(runner: Runner, reserved: number, costUsd: number | undefined): void;
}

export const createBudget = (ceilingUsd: number): Budget => {
  let [spent, reserved, open] = [0, 0, 0];
  const finished = new Map<string, number[]>();
  const largest = (runner: Runner): number => Math.max(0, ...(finished.get(runner.name) ?? []));

  const wanted = (runner: Runner, request: RunRequest, waiting: number): number | undefined => {
    if (runner.cost?.keepsBudget) {
      const left = ceilingUsd - spent - reserved;
      // Half as much again as the dearest so far; a share of what is left where that is more.
      return Math.max(left / Math.max(1, waiting), largest(runner) * 1.5);
    }
    const worst = worstCostUsd(runner, request);
    // An agent asks its model several times: what one has cost, the next can.
    return worst === undefined ? undefined : Math.max(worst, largest(runner));
  };

  return {
    setAside: (runner, request, waiting) => {
      const usd = wanted(runner, request, waiting);
      if (usd === undefined) {
        const why = `budget: what ${runner.name} costs is not known; give it "prices", or set no budget`;
        return { state: "never", why };
      }
      const free = ceilingUsd - spent - reserved;
      // Who keeps to a budget needs one to keep to.
      if (usd <= free && (free > 0 || !runner.cost?.keepsBudget)) {
        reserved += usd;
        open += 1;
        return { state: "fits", usd };
      }
      if (open > 0) return { state: "later" };
      const left = showUsd(Math.max(0, ceilingUsd - spent));
      const wants = usd > 0 ? `it could cost ${showUsd(usd)}` : "it is not free";
      const why = `budget: ${wants}, and ${left} of ${showUsd(ceilingUsd)} are left`;
      return { state: "never", why };
    },
    settle: (runner, held, costUsd) => {
      open -= 1;
      // Sums of fractions do not come back to nothing by themselves.
      reserved = open === 0 ? 0 : reserved - held;
      spent += costUsd ?? held;
      if (costUsd === undefined) return;
      finished.set(runner.name, [...(finished.get(runner.name) ?? []), costUsd]);
    },
  };
};

const showUsd = (usd: number): string => `$${usd.toFixed(usd >= 1 || usd === 0 ? 2 : 4)}`;
