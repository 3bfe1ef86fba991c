/** The answers of one reviewer to all its slices, as one report. */
import type { JobResult } from "../dispatch/types.ts";
import { readReport } from "../report/read-report.ts";
import type { Finding, Report, ReportState } from "../types.ts";
import type { Question } from "./questions.ts";

export const reportOf = (
  id: string,
  answers: readonly { readonly question: Question; readonly result: JobResult }[],
): { readonly report: Report; readonly text: string } => {
  const parts = answers.map(({ question, result }) => partOf(id, question, result));
  const [first] = answers;
  const { reviewer = "", family = "" } = first
    ? { reviewer: first.question.reviewer, family: first.result.family }
    : {};
  const states = parts.map(({ state }) => state);
  const worst = bySeverity.find((state) => states.includes(state)) ?? "error";
  const hasSome = states.some((state) => state !== "error" && state !== "foreign");
  // Of several parts one that is missing makes the whole incomplete, not worthless.
  const state = hasSome && (worst === "error" || worst === "foreign") ? "truncated" : worst;
  const [claimed] = parts.flatMap(({ claimedVerdict }) => claimedVerdict ?? []);
  return {
    report: {
      ...{ reviewer, family, state },
      findings: parts.flatMap(({ findings }) => findings),
      ...(claimed !== undefined && { claimedVerdict: claimed }),
      problems: parts.flatMap(({ problems }) => problems),
    },
    text: answers.map(({ result }) => result.answer?.text ?? "").join("\n\n"),
  };
};

const partOf = (id: string, question: Question, result: JobResult): Report => {
  const { reviewer, slice, of, nonce, hash } = question;
  const { state, answer, family } = result;
  const where = of > 1 ? `part ${slice} of ${of}: ` : "";
  if (state !== "answered" || !answer) {
    const why = `${where}${result.why ?? state}`;
    return { reviewer, family, state: "error", findings: [], problems: [why] };
  }
  const read = readReport(answer.text, { run: id, reviewer, family, nonce, hash });
  const cut = answer.truncated && read.state !== "foreign" && read.state !== "error";
  return {
    ...read,
    state: cut ? "truncated" : read.state,
    findings: slice === 1 ? read.findings : read.findings.map((one) => inSlice(one, slice)),
    problems: [...read.problems, ...(cut ? ["the answer was cut"] : [])].map((one) => where + one),
  };
};

/** Reviewers count from one in every part. */
const inSlice = (finding: Finding, slice: number): Finding => ({
  ...finding,
  id: `${finding.id}@${slice}`,
});

const bySeverity: readonly ReportState[] = [
  "error",
  "foreign",
  "truncated",
  "empty",
  "prose",
  "lenient",
  "strict",
];
