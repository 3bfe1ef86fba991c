/** What comes back from the runner, one report per reviewer, kept as soon as its last part is there. */
import type { JobResult } from "../dispatch/types.ts";
import type { Report } from "../types.ts";
import { reportOf } from "./answers.ts";
import type { Question } from "./questions.ts";
import type { ReviewParts } from "./types.ts";

interface Part {
  readonly question: Question;
  readonly result: JobResult;
}

export const gather = (
  questions: readonly Question[],
  context: {
    readonly id: string;
    readonly parts: Pick<ReviewParts, "ledger">;
    readonly reports: Map<string, Report>;
  },
) => {
  const { id, parts, reports } = context;
  const results = new Map<string, Part[]>();
  const saving: Promise<unknown>[] = [];
  const notWanted: string[] = [];
  const keep = (question: Question, own: readonly Part[]): void => {
    const { reviewer, stage, shadow } = question;
    const fate = fateOf(own);
    // It can be asked again when the review is resumed.
    if (fate === "stopped") return;
    if (fate === "not-wanted") {
      notWanted.push(reviewer);
      return;
    }
    const { report, text } = reportOf(id, own);
    reports.set(reviewer, report);
    const [first] = own;
    const { runner = "", family = "" } = first?.result ?? {};
    const note = { reviewer, runner, family, stage, shadow };
    if (fate !== "answered") {
      const problem = report.problems[0] ?? fate;
      saving.push(parts.ledger.note(id, { ...note, state: fate, problem }));
      return;
    }
    const answered = own.flatMap((one) => one.result.answer ?? []);
    const total = (of: (answer: (typeof answered)[number]) => number): number =>
      answered.reduce((sum, answer) => sum + of(answer), 0);
    const model = answered.find((answer) => answer.model !== undefined)?.model;
    saving.push(
      parts.ledger.saveReport(id, {
        ...note,
        ...{ report, text },
        ...(model !== undefined && { model }),
        inputTokens: total(({ usage }) => usage.inputTokens),
        outputTokens: total(({ usage }) => usage.outputTokens),
        costUsd: total(({ costUsd }) => costUsd ?? 0),
      }),
    );
  };
  return {
    onResult: (result: JobResult, index: number): void => {
      const question = questions[index];
      if (!question) return;
      const own = results.get(question.reviewer) ?? [];
      results.set(question.reviewer, own);
      own.push({ question, result });
      if (own.length < question.of) return;
      own.sort((a, b) => a.question.slice - b.question.slice);
      keep(question, own);
    },
    /** Who was left out after stage 1; throws what keeping threw. */
    settled: async (): Promise<readonly string[]> => {
      await Promise.all(saving);
      return notWanted;
    },
  };
};

/**
 * Whoever did not answer is asked again by `resume`: only an answer is final. A reviewer whose parts were stopped by
 * us has not answered, even if some of them came.
 */
const fateOf = (
  own: readonly Part[],
): "answered" | "stopped" | "not-wanted" | "failed" | "timeout" | "cancelled" => {
  const isStopped = ({ result: { state, why = "" } }: Part): boolean =>
    state === "cancelled" || (state === "not-asked" && why.startsWith("cancelled"));
  if (own.some(isStopped)) return "stopped";
  const states = own.map(({ result }) => result.state);
  if (states.includes("answered")) return "answered";
  if (own.every(({ result: { why = "" } }) => why.startsWith("stage 2"))) return "not-wanted";
  if (states.includes("timeout")) return "timeout";
  return states.includes("failed") ? "failed" : "cancelled";
};
