import { HeadgateError } from "../../errors.ts";

/** A supply of steps; whoever compares targets takes from it. */
export interface Budget {
  /** What is left; not above zero: used up. */
  steps: number;
}

export const spend = (budget: Budget, steps: number): void => {
  budget.steps -= steps;
  if (budget.steps < 0) {
    throw new HeadgateError("TARGET_TOO_COMPLEX", "comparing targets took more steps than allowed");
  }
};
