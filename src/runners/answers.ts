import { showText } from "../base/text.ts";
import type { RunAnswer } from "./types.ts";

export const noUsage = { inputTokens: 0, outputTokens: 0 } as const;

/** An answer without a text. */
export const without = (
  ended: "failed" | "timeout" | "cancelled",
  problem: string,
  more: Partial<RunAnswer> = {},
): RunAnswer => ({
  ended,
  text: "",
  usage: noUsage,
  truncated: false,
  tries: 1,
  problem: showText(problem, 500),
  ...more,
});

export const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
