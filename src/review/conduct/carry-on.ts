/** One review from its subject to its verdict: triage, questions, reports, synthesis, second looks, ledger. */
import { sha256 } from "../../base/sha256.ts";
import { plural } from "../../base/text.ts";
import { dispatch } from "../dispatch/dispatch.ts";
import { addTotals, noTotals } from "../dispatch/totals.ts";
import type { DispatchTotals } from "../dispatch/types.ts";
import { dismissedIn } from "../ledger/finish.ts";
import type { Answer } from "../ledger/ledger.ts";
import { linterFamily, runLinters } from "../linters/run-linters.ts";
import { readAnyReport } from "../report/read-any.ts";
import { runStatic, staticReviewer, staticRules } from "../static/index.ts";
import { changedLines, narrowSubject } from "../subject/index.ts";
import type { Subject } from "../subject/types.ts";
import { synthesizeReports } from "../synthesis/synthesize.ts";
import { withDismissals } from "../synthesis/verdict.ts";
import type { Considered, Triage } from "../triage/types.ts";
import type { Finding, MissedJudgement, Report, Verification } from "../types.ts";
import { choose, questionsFor } from "./choose.ts";
import { gather } from "./gather.ts";
import { hidingOf } from "./hidden.ts";
import { placer } from "./placed.ts";
import { gapsIn, languageNotes, missedLines, unreadByRules, unreadFiles } from "./missed.ts";
import { lookerName, secondLooks } from "./second-looks.ts";
import { sampleShadows } from "./shadows.ts";
import type { ReviewOutcome, ReviewParts, ReviewRequest, ReviewWatch } from "./types.ts";

export interface Begun {
  readonly id: string;
  readonly subject: Subject;
  /** Those of an earlier run of the same review. */
  readonly answers: readonly Answer[];
  readonly watch: ReviewWatch;
}

export const carryOn = async (
  parts: ReviewParts,
  request: ReviewRequest,
  begun: Begun,
): Promise<ReviewOutcome> => {
  const { id, subject, answers, watch } = begun;
  const { runner, ledger, defaults } = parts;
  const notes: string[] = await noticed(parts);
  const choice = choose(parts, request, { id, subject });
  const { decided, isAlone, isReplayed, runnerFor } = choice;
  await ledger.keepTriage(id, decided.considered);
  watch.onTriage?.(
    decided,
    subject,
    answers.map(({ reviewer }) => reviewer),
  );
  const secret = isReplayed
    ? "replayed"
    : sha256(Buffer.from(parts.random.bytes(32)).toString("hex"));
  const timing = {
    concurrency: request.concurrency ?? defaults.concurrency,
    timeoutMs: request.timeoutMs ?? defaults.timeoutMs,
  };
  const earlier = totalsOf(answers);
  const ceiling = request.budgetUsd === undefined ? defaults.budgetUsd : request.budgetUsd;
  /** What is left of the ceiling; what an earlier run of this review cost counts. */
  const left = (spent: DispatchTotals): number | null =>
    ceiling === null ? null : Math.max(0, ceiling - spent.costUsd);
  const reports = new Map(answers.map(({ report }) => [report.reviewer, report]));
  const shadows = new Set([
    ...answers.flatMap(({ reviewer, shadow }) => (shadow ? [reviewer] : [])),
    ...decided.considered.flatMap((one) => (one.decision.state === "shadow" ? [one.reviewer] : [])),
  ]);
  const shownReports = (): Report[] =>
    inOrder(reports, decided).filter(({ reviewer }) => !shadows.has(reviewer));

  const rules = decided.considered.find(({ reviewer }) => reviewer === staticReviewer);
  if (rules?.decision.state === "chosen" && !reports.has(staticReviewer) && !watch.signal.aborted) {
    const report = await staticReport(parts, { id, subject, watch, rules, isAlone });
    if (report) {
      reports.set(staticReviewer, report);
      const who = { reviewer: staticReviewer, runner: staticReviewer, family: staticReviewer };
      await ledger.saveReport(id, { ...who, report });
    }
  }
  if (!watch.signal.aborted) {
    for (const one of await foreignReports(parts, request, { id, subject, watch, notes })) {
      if (reports.has(one.reviewer)) continue;
      reports.set(one.reviewer, one);
      const who = { reviewer: one.reviewer, runner: linterFamily, family: linterFamily };
      await ledger.saveReport(id, { ...who, report: one });
    }
  }
  const planned = await questionsFor(parts, request, {
    ...{ ...choice, id, subject, secret, answered: new Set(reports.keys()) },
  });
  const { questions } = planned;
  notes.push(...planned.notes);
  const gathered = gather(questions, { id, parts, reports });
  const asked = await dispatch(questions, {
    ...{ budgetUsd: left(earlier), ...timing, signal: watch.signal, clock: parts.clock },
    runner: ({ reviewer }) => runnerFor(reviewer),
    wantsMore: () => wantsMore(shownReports()),
    onProgress: (progress) => watch.onProgress?.({ ...progress, phase: "review" }),
    onResult: gathered.onResult,
  });
  const notWanted = await gathered.settled();
  const first = addTotals(earlier, asked.totals);
  const hiding = hidingOf(decided);
  const placed = await placer(parts, subject);
  const shown = hiding.apply(shownReports().map(placed));
  notes.push(...decided.notes, ...shown.notes, ...reportNotes(shown.reports));
  if (notWanted.length > 0) {
    notes.push(
      `not asked, as the first ones found nothing severe: ${notWanted.toSorted().join(", ")}`,
    );
  }
  if (isAlone) {
    notes.push("no runner is chosen, so no model was asked: set review.runner, or --runner claude");
  }
  const unread = [
    ...unreadFiles(subject),
    ...shown.reports.flatMap(({ notJudged = [] }) => notJudged),
  ];
  notes.push(...missedLines(unread), ...(isAlone ? languageNotes(subject) : []));
  const made = { decided, reports: shown.reports, notes };
  if (watch.signal.aborted) {
    await ledger.interrupt(id);
    return outcomeOf(begun, { ...made, verifications: [], totals: first, isInterrupted: true });
  }
  const open = synthesizeReports(shown.reports).clusters.filter((one) => one.needsVerification);
  const looking = {
    ...{ parts, subject, secret, model: request.model, watch, ...timing },
    ...{ budgetUsd: left(first), findings: shown.reports.flatMap(({ findings }) => findings) },
  };
  const mayLook = request.verify !== false && !isAlone;
  const looks = mayLook
    ? await secondLooks(open, looking)
    : { verifications: [], totals: noTotals, notes: [], missed: [] };
  notes.push(...looks.notes);
  const looked = addTotals(first, looks.totals);
  if (watch.signal.aborted) {
    await ledger.interrupt(id);
    const { verifications } = looks;
    return outcomeOf(begun, { ...made, verifications, totals: looked, isInterrupted: true });
  }
  const watched = await sampleShadows(decided, {
    ...{ id, active: looking.findings, mayLook },
    reports: new Map([...reports].map(([name, report]) => [name, placed(report)])),
    looking: { ...looking, budgetUsd: left(looked) },
    ...(parts.onShadow && { onShadow: parts.onShadow }),
  });
  const totals = addTotals(looked, watched.totals);
  const lookTotals = addTotals(looks.totals, watched.totals);
  if (lookTotals.asked > 0) {
    await ledger.note(id, {
      ...{ reviewer: lookerName, runner: runner.name, family: runner.family, state: "done" },
      ...{ inputTokens: lookTotals.inputTokens, outputTokens: lookTotals.outputTokens },
      ...{ costUsd: lookTotals.costUsd, problem: lookText(looks.verifications) },
    });
  }
  const outcome = outcomeOf(begun, {
    ...made,
    ...{ verifications: looks.verifications, totals, isInterrupted: false },
  });
  const finished = await ledger.finish(id, {
    ...{ synthesis: outcome.synthesis, findings: outcome.findings, subject },
    missed: [...unread, ...looks.missed, ...watched.missed],
    skips: (reviewer, path) =>
      hiding.skips(reviewer, path) || isUnread(reports.get(reviewer), path),
  });
  const synthesis = withDismissals(outcome.synthesis, dismissedIn(finished));
  return { ...outcome, synthesis, kept: finished };
};

/** Linters that run here, and what others printed: one family, however many they are. */
const foreignReports = async (
  parts: ReviewParts,
  { imports = [] }: ReviewRequest,
  about: Pick<Begun, "id" | "subject" | "watch"> & { readonly notes: string[] },
): Promise<Report[]> => {
  const { id, subject, watch, notes } = about;
  const { repository, environment, linters } = parts;
  const linted = linters
    ? await runLinters(subject, {
        ...{ repository, environment, review: id, signal: watch.signal, ...linters },
      })
    : undefined;
  notes.push(...(linted?.notes ?? []));
  const lines = subject.kind === "change" ? changedLines(subject) : undefined;
  const imported = imports.map(({ name, text }): Report => {
    const options = { review: id, reviewer: name, root: repository.worktree };
    const { report } = readAnyReport(text, options);
    const isHere = ({ path, line }: Finding): boolean =>
      path !== undefined &&
      (lines === undefined
        ? subject.files.some((file) => file.path === path)
        : line !== undefined && lines.get(path)?.has(line) === true);
    const findings = report.findings.filter(isHere);
    const left = report.findings.length - findings.length;
    if (left > 0)
      notes.push(`${plural(left, "finding")} of ${name} not on changed lines, left out`);
    return {
      ...report,
      family: linterFamily,
      findings: findings.map((one) => ({ ...one, review: id, family: linterFamily })),
    };
  });
  return [...(linted?.reports ?? []), ...imported];
};

/** Silence about a file that a reviewer could not look at, or reported only in part, says nothing. */
const isUnread = (report: Report | undefined, path: string): boolean =>
  report?.notJudged?.some(({ where }) => where === path) === true ||
  report?.cut?.includes(path) === true;

/** Commits since the last review may have changed what it cited. */
const noticed = async ({ notice }: ReviewParts): Promise<string[]> => {
  const { addressed = 0, notJudged } = (await notice?.()) ?? {};
  return [
    ...(addressed === 0
      ? []
      : [`${plural(addressed, "earlier finding")} addressed by commits since the last review`]),
    ...(notJudged === undefined ? [] : [`later commits were not looked at: ${notJudged}`]),
  ];
};

/** As triage ranks them: who answered first is chance. */
const inOrder = (reports: ReadonlyMap<string, Report>, { considered }: Triage): Report[] => {
  const ranks = new Map(considered.map(({ reviewer }, rank) => [reviewer, rank]));
  const rankOf = ({ reviewer }: Report): number => ranks.get(reviewer) ?? ranks.size;
  return [...reports.values()].toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.reviewer < b.reviewer ? -1 : 1),
  );
};

const staticReport = async (
  { analyser }: ReviewParts,
  about: {
    readonly id: string;
    readonly subject: Subject;
    readonly watch: ReviewWatch;
    readonly rules: Considered;
    readonly isAlone: boolean;
  },
): Promise<Report | undefined> => {
  const { id, watch, rules, isAlone } = about;
  const subject = rules.except ? narrowSubject(about.subject, rules.except) : about.subject;
  const files = subject.files.flatMap(({ path, after }) =>
    after === undefined ? [] : [{ path, content: after }],
  );
  try {
    const changed = subject.kind === "change" ? changedLines(subject) : undefined;
    const looked = await runStatic(files, {
      ...{ analyser, review: id, signal: watch.signal },
      ...(changed && { changedLines: changed }),
      // A whole tree is not parsed for it.
      provesReadable: files.length <= readableFilesMax,
    });
    const { findings, skipped, leftOut, cut } = looked;
    const notJudged = unreadByRules(subject, { skipped, isAlone });
    return {
      ...{ reviewer: staticReviewer, family: staticReviewer, state: "strict", findings },
      problems: [
        ...(leftOut > 0
          ? [`${plural(leftOut, "more finding")} left out, in ${plural(cut.length, "file")}`]
          : []),
        ...missedLines(notJudged),
      ],
      ...(notJudged.length > 0 && { notJudged }),
      ...(cut.length > 0 && { cut }),
    };
  } catch (error) {
    // Stopped in the middle: it looks again when the review is resumed.
    if (watch.signal.aborted) return undefined;
    throw error;
  }
};

const readableFilesMax = 300;

/** Something severe turned up, or too few answered: the next ones are worth their price. */
const wantsMore = (reports: readonly Report[]): boolean =>
  reports.some(({ findings }) => findings.some(({ severity = "P3" }) => severity < "P2")) ||
  reports.filter(({ state }) => state === "strict" || state === "lenient").length * 2 <
    reports.length;

const reportNotes = (reports: readonly Report[]): string[] =>
  reports.flatMap(({ reviewer, state, cut, problems: [problem] }) =>
    (state === "strict" && cut === undefined) || problem === undefined
      ? []
      : [`${reviewer}: ${state}, ${problem}`],
  );

const lookText = (verifications: readonly Verification[]): string => {
  const count = (outcome: string): number =>
    verifications.filter((one) => one.outcome === outcome).length;
  return `${count("confirmed")} confirmed, ${count("refuted")} refuted, ${count("unsure")} unsure`;
};

const totalsOf = (answers: readonly Answer[]): DispatchTotals => {
  const asked = answers.filter(
    ({ runner }) => runner !== staticReviewer && runner !== linterFamily,
  );
  const sum = (of: (one: Answer) => number): number => asked.reduce((all, one) => all + of(one), 0);
  return {
    ...noTotals,
    ...{ asked: asked.length, answered: asked.length },
    inputTokens: sum(({ inputTokens = 0 }) => inputTokens),
    outputTokens: sum(({ outputTokens = 0 }) => outputTokens),
    costUsd: sum(({ costUsd = 0 }) => costUsd),
  };
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
  const notJudged: MissedJudgement[] = gapsIn(subject, reports);
  const rules = reports.some(({ reviewer }) => reviewer === staticReviewer);
  const synthesis = synthesizeReports(reports, {
    ...{ verifications, notJudged },
    looked: { files: subject.files.length, ...(rules && { rules: staticRules.length }) },
  });
  return {
    ...{ id, subject, triage: decided, reports, findings, synthesis, verifications, totals },
    ...{ notes, isInterrupted },
  };
};
