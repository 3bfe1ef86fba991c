import type { Json } from "../base/json.ts";
import { showText } from "../base/text.ts";
import type { RunAnswer } from "./types.ts";

const noUsage = { inputTokens: 0, outputTokens: 0 } as const;

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

/** The answer as data, where a schema asked for it; models like to put a fence around. */
export const structuredIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text.replace(/^\s*```(?:json)?[^\S\n]*\n(.*)\n```\s*$/s, "$1")) as Json;
  } catch {
    return undefined;
  }
};
