/** Problems as SARIF 2.1.0, so that code hosts show them beside the code and know them again. */
import { plainLine, plainText } from "../plain-text.ts";
import { rules as staticRules } from "../static/rules/index.ts";
import type { Severity } from "../types.ts";
import { lineHashes } from "./line-hash.ts";
import type { Problem, Sources } from "./problems.ts";
import { type SarifFinding, type SarifLevel, type SarifRule, toSarif } from "./sarif-log.ts";

export interface ReviewSarifInput {
  /** Of Headgate. */
  readonly version: string;
  readonly problems: readonly Problem[];
  readonly sources?: Sources;
  /** False when a reviewer gave no usable answer. */
  readonly isComplete?: boolean;
}

export const toReviewSarif = (input: ReviewSarifInput) => {
  const { version, problems, sources, isComplete = true } = input;
  const kept = problems.toSorted(byUrgency).slice(0, sarifResultsMax);
  const hashes = new Map<string, readonly string[]>();
  const hashOf = ({ path, line }: Problem): string | undefined => {
    const text = path === undefined ? undefined : sources?.get(path);
    if (path === undefined || text === undefined || line === undefined) return undefined;
    let known = hashes.get(path);
    if (!known) hashes.set(path, (known = lineHashes(text)));
    return known[line - 1];
  };
  return toSarif({
    version,
    rules: rulesOf(kept),
    findings: kept.map((problem) => toFinding(problem, hashOf(problem))),
    isComplete,
    category: "headgate/review",
  });
};

export const reviewSarifText = (input: ReviewSarifInput): string =>
  `${JSON.stringify(toReviewSarif(input), undefined, 2)}\n`;

/** GitHub shows no more of one run. */
export const sarifResultsMax = 5_000;

/** What is open before what is settled, then by severity; the order that came in decides among equals. */
const byUrgency = (left: Problem, right: Problem): number =>
  Number(isSettled(left)) - Number(isSettled(right)) ||
  (left.severity < right.severity ? -1 : left.severity > right.severity ? 1 : 0);

const isSettled = ({ state }: Problem): boolean => state === "fixed" || state === "dismissed";

const toFinding = (problem: Problem, lineHash: string | undefined): SarifFinding => {
  const { severity, title, body, fix, path, line, identity, reviewers, models } = problem;
  const { convergence, probability, needsVerification, finding, state, dismissal } = problem;
  const { symbol, others } = problem;
  const text = [title, body, fix === undefined ? undefined : `Fix: ${fix}`]
    .filter((part) => part !== undefined)
    .join("\n\n");
  return {
    rule: ruleIdOf(problem),
    level: levels[severity],
    message: plainText(text, messageLengthMax),
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line }),
    ...(symbol !== undefined && { symbol }),
    ...(others && { others }),
    fingerprints: {
      ...(lineHash !== undefined && { primaryLocationLineHash: lineHash }),
      "headgate/v1": identity,
    },
    ...(state !== undefined && { baseline: baselineOf(state) }),
    ...(dismissal !== undefined && { suppression: plainText(dismissal, messageLengthMax) }),
    ...(probability !== undefined && { rank: Math.round(probability * 1000) / 10 }),
    properties: {
      severity,
      reviewers,
      ...(models && { models }),
      ...(convergence !== undefined && { convergence }),
      ...(probability !== undefined && { probability }),
      ...(needsVerification !== undefined && { needsVerification }),
      ...(problem.problem !== undefined && { problem: problem.problem }),
      ...(finding !== undefined && { finding }),
      ...(state !== undefined && { state }),
    },
  };
};

/** Bodies are paragraphs; whoever wants all of it reads the report. */
const messageLengthMax = 4_000;

const baselineOf = (state: NonNullable<Problem["state"]>): "new" | "unchanged" | "absent" => {
  if (state === "fixed") return "absent";
  // What was fixed was not there the last time.
  return state === "new" || state === "regressed" ? "new" : "unchanged";
};

const levels = {
  P0: "error",
  P1: "error",
  P2: "warning",
  P3: "note",
} as const satisfies Record<Severity, SarifLevel>;

const grades: Readonly<Record<Severity, string>> = { P0: "9.5", P1: "8.0", P2: "5.0", P3: "2.0" };

const weights = { error: "error", warning: "warning", note: "recommendation" } as const;

/**
 * A linter's rule; else what sort of problem it is. Code hosts grade security by rule and not by result, so
 * there each severity is a rule of its own.
 */
const ruleIdOf = ({ rule, kind, severity }: Problem): string => {
  if (rule !== undefined) return plainLine(rule, ruleLengthMax);
  const sort = (kind ?? "problem").toLowerCase().replace(/[^a-z0-9]+/g, "-") || "problem";
  return sort === "security"
    ? `review/security-${severity.toLowerCase()}`
    : `review/${sort.slice(0, 60)}`;
};

const ruleLengthMax = 200;

const rulesOf = (problems: readonly Problem[]): SarifRule[] =>
  [...Map.groupBy(problems, ruleIdOf)].map(([id, own]): SarifRule => {
    const severity = own.map((one) => one.severity).toSorted()[0] ?? "P2";
    const isSecurity = own.some(({ kind }) => kind === "security");
    const known = staticRules.find(({ name }) => name === id);
    const level = levels[severity];
    return {
      id,
      summary: known?.why ?? summaryOf(id, own),
      help: known?.fix ?? "Look at the place, decide, and fix it or dismiss it with a reason.",
      level,
      properties: isSecurity
        ? { tags: ["security"], "security-severity": grades[severity] }
        : { "problem.severity": weights[level] },
    };
  });

const summaryOf = (id: string, own: readonly Problem[]): string => {
  const [first] = own;
  if (first?.rule === undefined) return `A reviewer reported a ${first?.kind ?? "problem"}.`;
  return `${first.reviewers[0] ?? "A reviewer"} reports ${id}.`;
};
