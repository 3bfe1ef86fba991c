import type { DispatchTotals } from "./types.ts";

export const noTotals: DispatchTotals = {
  ...{ asked: 0, answered: 0, notAsked: 0, inputTokens: 0, outputTokens: 0 },
  ...{ costUsd: 0, costUnknown: 0 },
};

export const addTotals = (one: DispatchTotals, two: DispatchTotals): DispatchTotals => ({
  asked: one.asked + two.asked,
  answered: one.answered + two.answered,
  notAsked: one.notAsked + two.notAsked,
  inputTokens: one.inputTokens + two.inputTokens,
  outputTokens: one.outputTokens + two.outputTokens,
  costUsd: one.costUsd + two.costUsd,
  costUnknown: one.costUnknown + two.costUnknown,
});
