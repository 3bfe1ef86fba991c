import type { Severity } from "../types.ts";

/** Severities as reviewers write them; an improvement is a remark. */
export const readSeverity = (text: string): Severity | undefined => {
  const word = text
    .replace(/[*_`~[\]():]/g, "")
    .trim()
    .toUpperCase();
  const found = /^(P[0-3]|[A-Z]+)/.exec(word)?.[1];
  return found === undefined || word.length > 24 ? undefined : known.get(found);
};

const known: ReadonlyMap<string, Severity> = new Map([
  ["P0", "P0"],
  ["CRITICAL", "P0"],
  ["BLOCKER", "P0"],
  ["P1", "P1"],
  ["HIGH", "P1"],
  ["MAJOR", "P1"],
  ["ERROR", "P1"],
  ["P2", "P2"],
  ["MEDIUM", "P2"],
  ["MODERATE", "P2"],
  ["WARNING", "P2"],
  ["P3", "P3"],
  ["LOW", "P3"],
  ["MINOR", "P3"],
  ["NIT", "P3"],
  ["INFO", "P3"],
  ["NOTE", "P3"],
  ["IMP", "P3"],
  ["IMPROVEMENT", "P3"],
] as const);
