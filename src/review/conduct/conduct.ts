/**
 * One review from beginning to end: subject, triage, questions, reports, synthesis, second looks, ledger. Every
 * answer is kept as soon as it is there, so that an interrupted review goes on where it stopped.
 */
import type { Json } from "../../base/json.ts";
import { sha256 } from "../../base/sha256.ts";
import { plural } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { noRunner } from "../../runners/index.ts";
import { dispatch } from "../dispatch/dispatch.ts";
import type { DispatchTotals, JobResult } from "../dispatch/types.ts";
import { dismissedIn } from "../ledger/finish.ts";
import type { Answer } from "../ledger/ledger.ts";
import { candidatesOf } from "../prompt/index.ts";
import { runStatic, staticReviewer } from "../static/index.ts";
import { changedLines, readSubject } from "../subject/index.ts";
import type { Subject } from "../subject/types.ts";
import { synthesizeReports } from "../synthesis/synthesize.ts";
import { withDismissals } from "../synthesis/verdict.ts";
import type { Triage } from "../triage/types.ts";
import { triage } from "../triage/triage.ts";
import type { Finding, Report, Verification } from "../types.ts";
import { reportOf } from "./answers.ts";
import { type Question, questionsOf } from "./questions.ts";
import { secondLooks } from "./second-looks.ts";
import { sampleShadows } from "./shadows.ts";
import type { ReviewOutcome, ReviewParts, ReviewRequest, ReviewWatch } from "./types.ts";

/** Throws what reading the subject throws; undefined: there is nothing to review. */
export const conductReview = async (
  parts: ReviewParts,
  request: ReviewRequest,
  watch: ReviewWatch,
): Promise<ReviewOutcome | undefined> => {
  const subject = await subjectOf(parts, request);
  if (subject.files.length === 0) return undefined;
  const { id } = await parts.ledger.begin({
    id: parts.ids("review"),
    subject,
    request: kept(request),
  });
  return carryOn(parts, request, { id, subject, answers: [], watch });
};

/** Goes on with a review that was interrupted. Throws REVIEW_CHANGED when its subject is another by now. */
export const resumeReview = async (
  parts: ReviewParts,
  wanted: { readonly review: string; readonly patch?: Uint8Array },
  watch: ReviewWatch,
): Promise<ReviewOutcome> => {
  const { review, request: before, answers } = await parts.ledger.resume(wanted.review);
  const request = { ...before, ...(wanted.patch && { patch: wanted.patch }) } as ReviewRequest;
  const subject = await subjectOf(parts, request);
  if (subject.digest !== review.subjectDigest) {
    await parts.ledger.interrupt(review.id, { problem: "its subject has changed" });
    throw new HeadgateError(
      "REVIEW_CHANGED",
      `${review.subject} is not what review ${review.id} began with`,
    );
  }
  return carryOn(parts, request, { id: review.id, subject, answers, watch });
};

const subjectOf = (parts: ReviewParts, request: ReviewRequest): Promise<Subject> => {
  const { target, staged, patch } = request;
  const { repository, cwd, environment } = parts;
  return readSubject(
    {
      ...(target !== undefined && { target }),
      ...(staged !== undefined && { staged }),
      ...(patch && { patch }),
    },
    { repository, cwd, environment },
  );
};

/** A patch comes again on standard input when the review is resumed. */
const kept = (request: ReviewRequest): { [key: string]: Json } =>
  JSON.parse(JSON.stringify({ ...request, patch: undefined })) as { [key: string]: Json };

interface Begun {
  readonly id: string;
  readonly subject: Subject;
  readonly answers: readonly Answer[];
  readonly watch: ReviewWatch;
}

const carryOn = async (
  parts: ReviewParts,
  request: ReviewRequest,
  begun: Begun,
): Promise<ReviewOutcome> => {
  const { id, subject, answers, watch } = begun;
  const { runner, ledger, defaults } = parts;
  const isAlone = runner.name === noRunner;
  const all = candidatesOf(parts.reviewers, {
    domains: parts.domains.map(({ name }) => name),
    ...(parts.qualified && { qualified: parts.qualified }),
  });
  const candidates = isAlone ? all.filter(({ kind }) => kind === "static") : all;
  const seed = runner.isReplayed ? subject.digest : id;
  const decided = triage({
    ...{ subject, candidates, domains: parts.domains, routing: parts.routing, seed },
    ...(request.reviewers && { chosen: request.reviewers }),
    ...(request.slots !== undefined && { slots: request.slots }),
  });
  watch.onTriage?.(decided, subject);
  const secret = runner.isReplayed
    ? "replayed"
    : sha256(Buffer.from(parts.random.bytes(32)).toString("hex"));
  const timing = {
    concurrency: request.concurrency ?? defaults.concurrency,
    timeoutMs: request.timeoutMs ?? defaults.timeoutMs,
  };
  const budgetUsd = request.budgetUsd === undefined ? defaults.budgetUsd : request.budgetUsd;
  const canRead = runner.readsFiles === true;
  const done = new Map(answers.map(({ report }) => [report.reviewer, report]));
  const reports = new Map<string, Report>(done);
  if (!done.has(staticReviewer) && isChosen(decided, staticReviewer)) {
    const report = await staticReport(parts, { id, subject, watch });
    reports.set(staticReviewer, report);
    await ledger.saveReport(id, { reviewer: staticReviewer, runner: staticReviewer, report });
  }
  const questions = questionsOf(decided, {
    ...{ id: runner.isReplayed ? seed.slice(0, 12) : id, subject, candidates, secret, canRead },
    ...{ cwd: parts.repository.worktree, timeoutMs: timing.timeoutMs, model: request.model },
    answered: new Set(done.keys()),
  });
  const gathered = gather(questions, { id, parts, reports });
  const first = await dispatch(questions, {
    ...{ runner, budgetUsd, ...timing, signal: watch.signal, clock: parts.clock },
    wantsMore: () => wantsMore([...reports.values()]),
    onProgress: (progress) => watch.onProgress?.({ ...progress, phase: "review" }),
    onResult: gathered.onResult,
  });
  await gathered.settled();
  const shadows = new Set(
    decided.considered.flatMap((one) => (one.decision.state === "shadow" ? [one.reviewer] : [])),
  );
  const shown = [...reports.values()].filter(({ reviewer }) => !shadows.has(reviewer));
  const floored = aboveFloors(shown, decided);
  const alone = isAlone
    ? ["no runner is chosen, so no model was asked: set review.runner, or --runner claude"]
    : [];
  const context = {
    decided,
    reports: floored.reports,
    notes: [...decided.notes, ...floored.notes, ...alone],
  };
  if (watch.signal.aborted) {
    await ledger.interrupt(id);
    return outcomeOf(begun, {
      ...context,
      verifications: [],
      totals: first.totals,
      isInterrupted: true,
    });
  }
  const raw = synthesizeReports(floored.reports);
  const open = raw.clusters.filter(({ needsVerification }) => needsVerification);
  const left = budgetUsd === null ? null : Math.max(0, budgetUsd - first.totals.costUsd);
  const looking = {
    ...{ parts, subject, secret, canRead, budgetUsd: left, model: request.model, watch, ...timing },
    findings: floored.reports.flatMap(({ findings }) => findings),
  };
  const mayLook = request.verify !== false && !isAlone;
  const looks = mayLook ? await secondLooks(open, looking) : { verifications: [], totals: none };
  const totals = add(first.totals, looks.totals);
  await sampleShadows(decided, {
    ...{ id, reports, shadows, looking, active: looking.findings, mayLook },
    ...(parts.onShadow && { onShadow: parts.onShadow }),
  });
  const outcome = outcomeOf(begun, {
    ...context,
    ...{ verifications: looks.verifications, totals, isInterrupted: watch.signal.aborted },
  });
  if (watch.signal.aborted) {
    await ledger.interrupt(id);
    return outcome;
  }
  const finished = await ledger.finish(id, {
    ...{ synthesis: outcome.synthesis, findings: outcome.findings, subject },
  });
  const synthesis = withDismissals(outcome.synthesis, dismissedIn(finished));
  return { ...outcome, synthesis, kept: finished };
};

const isChosen = ({ considered }: Triage, name: string): boolean =>
  considered.some(({ reviewer, decision }) => reviewer === name && decision.state === "chosen");

const staticReport = async (
  { analyser }: ReviewParts,
  { id, subject, watch }: { id: string; subject: Subject; watch: ReviewWatch },
): Promise<Report> => {
  const files = subject.files.flatMap(({ path, after }) =>
    after === undefined ? [] : [{ path, content: after }],
  );
  const { findings, skipped } = await runStatic(files, {
    ...{ analyser, review: id, signal: watch.signal },
    ...(subject.kind === "change" && { changedLines: changedLines(subject) }),
  });
  return {
    ...{ reviewer: staticReviewer, family: staticReviewer, state: "strict", findings },
    problems: skipped.slice(0, 20).map(({ path, why }) => `${path}: ${why}`),
  };
};

/** Puts the parts of each reviewer together and keeps the report as soon as the last one is there. */
const gather = (
  questions: readonly Question[],
  context: {
    readonly id: string;
    readonly parts: ReviewParts;
    readonly reports: Map<string, Report>;
  },
) => {
  const { id, parts, reports } = context;
  const results = new Map<string, { question: Question; result: JobResult }[]>();
  const saving: Promise<unknown>[] = [];
  return {
    onResult: (result: JobResult, index: number): void => {
      const question = questions[index];
      if (!question) return;
      const own = results.get(question.reviewer) ?? [];
      results.set(question.reviewer, own);
      own.push({ question, result });
      if (own.length < question.of) return;
      // Whoever was not asked, or was stopped by us, has not answered: it can be asked again.
      if (own.every(({ result: { state } }) => state === "not-asked" || state === "cancelled"))
        return;
      own.sort((a, b) => a.question.slice - b.question.slice);
      const { report, text } = reportOf(id, own);
      reports.set(question.reviewer, report);
      const answered = own.flatMap((one) => one.result.answer ?? []);
      const total = (of: (answer: (typeof answered)[number]) => number): number =>
        answered.reduce((sum, answer) => sum + of(answer), 0);
      const model = answered.find((answer) => answer.model !== undefined)?.model;
      saving.push(
        parts.ledger.saveReport(id, {
          ...{ reviewer: question.reviewer, runner: result.runner, family: result.family },
          ...{ stage: question.stage, shadow: question.shadow, report, text },
          ...(model !== undefined && { model }),
          inputTokens: total(({ usage }) => usage.inputTokens),
          outputTokens: total(({ usage }) => usage.outputTokens),
          costUsd: total(({ costUsd }) => costUsd ?? 0),
        }),
      );
    },
    settled: async (): Promise<void> => void (await Promise.all(saving)),
  };
};

/** Something severe turned up, or too few answered: the next ones are worth their price. */
const wantsMore = (reports: readonly Report[]): boolean =>
  reports.some(({ findings }) => findings.some(({ severity = "P3" }) => severity < "P2")) ||
  reports.filter(({ state }) => state === "strict" || state === "lenient").length * 2 <
    reports.length;

/** What an override hides is counted, never silently gone. */
const aboveFloors = (
  reports: readonly Report[],
  { considered }: Triage,
): { readonly reports: Report[]; readonly notes: string[] } => {
  const floors = new Map(
    considered.flatMap(({ reviewer, decision }) =>
      decision.state === "chosen" && decision.floor !== undefined
        ? [[reviewer, decision.floor] as const]
        : [],
    ),
  );
  const notes: string[] = [];
  const cut = reports.map((report): Report => {
    const floor = floors.get(report.reviewer);
    if (floor === undefined) return report;
    const findings = report.findings.filter(({ severity = "P2" }) => severity <= floor);
    const hidden = report.findings.length - findings.length;
    if (hidden > 0) {
      notes.push(
        `${plural(hidden, "finding")} of ${report.reviewer} below its floor ${floor} hidden`,
      );
    }
    return { ...report, findings };
  });
  return { reports: cut, notes };
};

const outcomeOf = (
  { id, subject }: Begun,
  made: {
    readonly decided: Triage;
    readonly reports: readonly Report[];
    readonly notes: readonly string[];
    readonly verifications: readonly Verification[];
    readonly totals: DispatchTotals;
    readonly isInterrupted: boolean;
  },
): ReviewOutcome => {
  const { decided, reports, notes, verifications, totals, isInterrupted } = made;
  const findings: Finding[] = reports.flatMap(({ state, findings: own }) =>
    state === "foreign" || state === "error" ? [] : own,
  );
  const synthesis = synthesizeReports(reports, { verifications });
  return {
    ...{ id, subject, triage: decided, reports, findings, synthesis, verifications, totals },
    ...{ notes, isInterrupted },
  };
};

const none: DispatchTotals = {
  ...{ asked: 0, answered: 0, notAsked: 0, inputTokens: 0, outputTokens: 0 },
  ...{ costUsd: 0, costUnknown: 0 },
};

const add = (one: DispatchTotals, two: DispatchTotals): DispatchTotals => ({
  asked: one.asked + two.asked,
  answered: one.answered + two.answered,
  notAsked: one.notAsked + two.notAsked,
  inputTokens: one.inputTokens + two.inputTokens,
  outputTokens: one.outputTokens + two.outputTokens,
  costUsd: one.costUsd + two.costUsd,
  costUnknown: one.costUnknown + two.costUnknown,
});
