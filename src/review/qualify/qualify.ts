/**
 * Trying reviewers on planted faults: each gets the files of its area as a change, in a prompt like any other, and
 * what it reports is counted. Nobody is told that it is a trial.
 */
import { nothingKnown } from "../context/types.ts";
import { assert } from "../../base/assert.ts";
import { sha256 } from "../../base/sha256.ts";
import { nearestName, showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { noRunner, type Runner } from "../../runners/index.ts";
import { languageOf } from "../../structure/index.ts";
import { reportOf } from "../conduct/answers.ts";
import { questionsOf } from "../conduct/questions.ts";
import type { ReviewParts, ReviewWatch } from "../conduct/types.ts";
import { dispatch } from "../dispatch/dispatch.ts";
import type { DispatchTotals } from "../dispatch/types.ts";
import { type Probe, type Probed, probeFor, scoreProbe } from "../faults/index.ts";
import type { KeptProbe } from "../ledger/ledger.ts";
import { candidatesOf } from "../prompt/index.ts";
import { withDigest } from "../subject/digest.ts";
import type { Subject, SubjectFile } from "../subject/types.ts";
import { isUsable } from "../synthesis/verdict.ts";
import type { Candidate } from "../triage/types.ts";
import type { Report } from "../types.ts";

export interface QualifyRequest {
  /** All that there are faults for, unless named. */
  readonly reviewers?: readonly string[];
  readonly model?: string;
  readonly budgetUsd?: number | null;
  readonly timeoutMs?: number;
}

export interface Qualified {
  readonly results: readonly (Probed & { readonly state: "tried" })[];
  /** Who could not be judged, and why: no faults in its area, or no usable report. */
  readonly untried: readonly { readonly reviewer: string; readonly why: string }[];
  readonly totals: DispatchTotals;
}

/** Throws USAGE for names that nobody has, and without a runner. Each result is kept. */
export const qualifyReviewers = async (
  parts: ReviewParts,
  request: QualifyRequest,
  watch: Pick<ReviewWatch, "signal" | "onProgress">,
): Promise<Qualified> => {
  const { runner, ledger } = parts;
  needRunner(runner);
  const tried = chosenOf(parts, request);
  const untried = tried.flatMap(({ candidate: { name }, probe }) =>
    probe.faults.length === 0 ? [{ reviewer: name, why: "no planted faults are in its area" }] : [],
  );
  const able = tried.filter(({ probe }) => probe.faults.length > 0);
  const trials = able.map(({ candidate, probe }) => ({ candidate, subject: subjectOf(probe) }));
  const { reports, totals } = await askTrials(parts, trials, { request, watch });
  const judged: Qualified["results"][number][] = [];
  for (const [at, { candidate, probe }] of able.entries()) {
    const { name } = candidate;
    const report = reports[at];
    assert(report, "a trial without a report");
    if (!isUsable({ reviewer: name, state: report.state, findings: report.findings.length })) {
      untried.push({
        reviewer: name,
        why: `${report.state}: ${report.problems[0] ?? "no report"}`,
      });
      continue;
    }
    const probed = scoreProbe(name, probe, report.findings);
    const instructions = instructionsDigest(candidate);
    await ledger.recordProbe({
      ...{ probed, runner: runner.name, family: runner.family, instructions },
    });
    judged.push({ ...probed, state: "tried" });
  }
  return { results: judged, untried, totals };
};

export const needRunner = ({ name }: Pick<Runner, "name">): void => {
  if (name !== noRunner) return;
  throw new HeadgateError(
    "USAGE",
    "trying reviewers needs a runner: --runner claude, or the setting review.runner",
  );
};

export interface Trial {
  readonly candidate: Candidate;
  readonly subject: Subject;
}

/** Asks each for a review of its files; answers a report for each. */
export const askTrials = async (
  { runner, repository, defaults, random, clock }: ReviewParts,
  trials: readonly Trial[],
  {
    request,
    watch,
  }: {
    readonly request: Omit<QualifyRequest, "reviewers">;
    readonly watch: Pick<ReviewWatch, "signal" | "onProgress">;
  },
): Promise<{ readonly reports: readonly Report[]; readonly totals: DispatchTotals }> => {
  const secret = runner.isReplayed ? "replayed" : Buffer.from(random.bytes(32)).toString("hex");
  const timeoutMs = request.timeoutMs ?? defaults.timeoutMs;
  const asked = trials.map(({ candidate, subject }) => {
    const decision = { state: "chosen", stage: 1 } as const;
    const { name: reviewer, kind } = candidate;
    return questionsOf(
      { slots: 1, notes: [], considered: [{ reviewer, kind, score: 0, terms: [], decision }] },
      {
        ...{ id: "trial", subject, candidates: [candidate], secret, timeoutMs },
        // What it looks at is in no folder.
        ...{ canRead: () => false, known: nothingKnown, contextTokens: 0 },
        ...{ cwd: repository.worktree, model: request.model, answered: new Set() },
      },
    );
  });
  const { results, totals } = await dispatch(asked.flat(), {
    ...{ runner, concurrency: defaults.concurrency, timeoutMs, signal: watch.signal },
    budgetUsd: request.budgetUsd === undefined ? defaults.budgetUsd : request.budgetUsd,
    clock,
    onProgress: (progress) => watch.onProgress?.({ ...progress, phase: "review" }),
  });
  let next = 0;
  const reports = asked.map((questions) => {
    const own = questions.flatMap((question) => {
      const result = results[next];
      next += 1;
      return result ? [{ question, result }] : [];
    });
    return reportOf("trial", own).report;
  });
  return { reports, totals };
};

/** What probes say of those whose instructions are still the same. */
export const qualifiedOf = (
  candidates: readonly Candidate[],
  probes: readonly KeptProbe[],
): ReadonlyMap<string, boolean> => {
  const byName = new Map(candidates.map((one) => [one.name, instructionsDigest(one)]));
  return new Map(
    probes.flatMap(({ reviewer, instructions, qualified }) =>
      byName.get(reviewer) === instructions ? [[reviewer, qualified] as const] : [],
    ),
  );
};

const instructionsDigest = ({ instructions }: Candidate): string => sha256(instructions);

const chosenOf = (
  parts: ReviewParts,
  { reviewers = [] }: QualifyRequest,
): { readonly candidate: Candidate; readonly probe: Probe }[] => {
  const domains = parts.domains.map(({ name }) => name);
  const all = candidatesOf(parts.reviewers, { domains }).filter(({ kind }) => kind !== "static");
  const names = all.map(({ name }) => name);
  for (const name of reviewers) if (!names.includes(name)) throw unknownReviewer(name, names);
  return all.flatMap((candidate) => {
    const { name, domain } = candidate;
    const probe = probeFor({ name, domain });
    const isMeant = reviewers.length === 0 ? probe.faults.length > 0 : reviewers.includes(name);
    return isMeant ? [{ candidate, probe }] : [];
  });
};

/** Also by the name that the source documents give a built-in one. */
export const findCandidate = (wanted: string, all: readonly Candidate[]): Candidate => {
  const plain = wanted.replace(/^fd-/, "");
  const found = all.find(({ name }) => name === wanted) ?? all.find(({ name }) => name === plain);
  if (found) return found;
  const names = all.map(({ name }) => name);
  throw unknownReviewer(wanted, names);
};

const unknownReviewer = (wanted: string, names: readonly string[]): HeadgateError => {
  const near = nearestName(wanted, names);
  const hint = near === undefined ? "" : `, did you mean ${near}?`;
  return new HeadgateError("USAGE", `there is no reviewer ${showText(wanted)}${hint}`);
};

export const subjectOf = ({ faults, clean }: Probe): Subject =>
  withDigest({ kind: "change", name: "new files", files: [...faults, ...clean].map(addedFile) });

const addedFile = ({ path, content }: { path: string; content: string }): SubjectFile => {
  const lines = (content.endsWith("\n") ? content.slice(0, -1) : content).split("\n");
  const language = languageOf(path, content);
  return {
    ...{ path, status: "added", after: content },
    ...(language !== "text" && { language }),
    hunks: [
      {
        ...{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, section: "" },
        lines: lines.map((line) => `+${line}`),
      },
    ],
    counts: { added: lines.length, removed: 0 },
  };
};
