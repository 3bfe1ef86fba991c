import { limits } from "../base/limits.ts";
import type { Prices, Runner, RunRequest, Usage } from "./types.ts";

/** Tokens × prices. */
export const priceOf = (usage: Usage, prices: Prices): number =>
  (usage.inputTokens * prices.input + usage.outputTokens * prices.output) / 1_000_000;

/**
 * Not fewer tokens than a text has: code has three bytes or more for a token, other scripts a little less
 * than that, so two are on the safe side.
 */
const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text, "utf8") / 2);

/**
 * What the program says; else tokens × prices; else unknown. Clients that do not know a model's price say
 * that it cost nothing.
 */
export const costOf = (
  said: number | undefined,
  usage: Usage,
  prices: Prices | undefined,
): number | undefined => {
  const isFree = usage.inputTokens === 0 && usage.outputTokens === 0;
  if (said !== undefined && (said > 0 || isFree)) return said;
  if (!prices || isFree) return undefined;
  return priceOf(usage, prices);
};

/** What one question costs at most, where its runner has prices and asks a model once; of an agent, one turn. */
export const worstCostUsd = (
  { cost }: Pick<Runner, "cost">,
  { system = "", prompt }: Pick<RunRequest, "system" | "prompt">,
): number | undefined => {
  if (!cost?.prices) return undefined;
  const inputTokens = estimateTokens(system) + estimateTokens(prompt);
  const outputTokens = cost.outputTokensMax ?? limits.runnerOutputTokensMax;
  return priceOf({ inputTokens, outputTokens }, cost.prices);
};
