/**
 * Tools write the same sentence under each of their comments ("Verify this against the current code and only
 * fix it if needed"). Such sentences make all findings of one tool look alike and say nothing.
 */
import type { Finding } from "../types.ts";
import { type ProblemWords, saidIn } from "./said.ts";

/** The words of each about the problem itself: without the template, and without the sentences its reviewer always writes. */
export const findBoilerplate = (
  findings: readonly Finding[],
): ((finding: Finding) => ProblemWords) => {
  const totals = new Map<string, number>();
  const seen = new Map<string, Map<string, number>>();
  const said = new Map(findings.map((finding) => [finding, saidIn(finding)]));
  for (const [{ reviewer }, { body }] of said) {
    totals.set(reviewer, (totals.get(reviewer) ?? 0) + 1);
    let counts = seen.get(reviewer);
    if (!counts) seen.set(reviewer, (counts = new Map()));
    for (const key of new Set(sentencesOf(body).map(keyOf))) {
      if (key) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return (finding) => {
    const { title, body } = said.get(finding) ?? saidIn(finding);
    const counts = seen.get(finding.reviewer);
    const often = Math.max(countMin, (totals.get(finding.reviewer) ?? 0) * shareMin);
    const own = sentencesOf(body).filter((one) => (counts?.get(keyOf(one)) ?? 0) < often);
    return { title, body: own.join("\n") };
  };
};

/** Fewer than this can be three sightings of one problem. */
const countMin = 4;
const shareMin = 0.15;

const sentencesOf = (text: string): string[] => text.split(/\n+|(?<=[.!?])\s+/);

const keyOf = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
