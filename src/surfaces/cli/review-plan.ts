/** The questions of a review: `review --dry-run`, `--explain`, `--prompt NAME`. None is asked, nothing is kept. */
import { nearestName, plural, showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import { explainTriage, type PlannedQuestion, type ReviewRequest } from "../../review/index.ts";
import { usageError } from "./arguments.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { alignedLines } from "./table.ts";

export const showPlan = async (
  request: ReviewRequest & { readonly runner?: string },
  context: CommandContext,
  headgate: Headgate,
): Promise<ExitCode> => {
  const { output, flags } = context;
  const plan = await headgate.review.plan(request);
  if (!plan) {
    output.object({ ok: true, state: "nothing-to-review" });
    output.line("nothing to review: no file differs");
    return 0;
  }
  const { subject, triage, questions, notes } = plan;
  const wanted = flags.text("prompt");
  if (wanted !== undefined) return showPrompts(wanted, questions, context);
  const total = addUp(questions);
  output.object({
    ...{ ok: true, state: "dry-run", subject: subject.name, files: subject.files.length },
    triage: { slots: triage.slots, considered: triage.considered },
    questions: questions.map(withoutTexts),
    ...{ total, notes: [...triage.notes, ...notes] },
  });
  if (output.json) return 0;
  output.line(`${showText(subject.name)}, ${plural(subject.files.length, "file")}`);
  const best = new Map(
    triage.considered.map(({ reviewer, terms }) => [
      reviewer,
      terms.toSorted((a, b) => b.value - a.value).find(({ value }) => value > 0)?.why ?? "",
    ]),
  );
  const rows = questions.map((one) => [
    showText(one.reviewer, 40) + (one.of > 1 ? ` ${one.slice}/${one.of}` : ""),
    one.shadow ? "shadow" : `stage ${one.stage}`,
    showText(one.runner, 40),
    `~${one.inputTokens} tokens`,
    one.costUsdMax === undefined ? "cost not known" : `at most $${one.costUsdMax.toFixed(4)}`,
    showText(best.get(one.reviewer) ?? "", 80),
  ]);
  for (const line of alignedLines(rows, (cell) => cell)) output.line(line);
  const usd =
    total.costUsdMax === null ? "cost not known" : `at most $${total.costUsdMax.toFixed(4)}`;
  output.line(
    questions.length === 0
      ? "No model would be asked: set review.runner, or --runner claude"
      : `${plural(questions.length, "question")}, about ${total.inputTokens} tokens, ${usd}; second looks come on top. None was asked.`,
  );
  if (flags.has("explain")) for (const line of explainTriage(triage)) output.line(line);
  for (const note of notes) output.note(`headgate: ${showText(note)}`);
  return 0;
};

const withoutTexts = (one: PlannedQuestion) => {
  const { reviewer, slice, of, stage, shadow, runner, family, inputTokens, costUsdMax } = one;
  const cost = costUsdMax === undefined ? {} : { costUsdMax };
  return { reviewer, slice, of, stage, shadow, runner, family, inputTokens, ...cost };
};

const addUp = (questions: readonly PlannedQuestion[]) => {
  const isKnown = questions.every(({ costUsdMax }) => costUsdMax !== undefined);
  const sum = (of: (one: PlannedQuestion) => number): number =>
    questions.reduce((all, one) => all + of(one), 0);
  return {
    questions: questions.length,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    costUsdMax: isKnown ? sum(({ costUsdMax = 0 }) => costUsdMax) : null,
  };
};

const showPrompts = (
  name: string,
  questions: readonly PlannedQuestion[],
  { output }: CommandContext,
): ExitCode => {
  const own = questions.filter(({ reviewer }) => reviewer === name);
  if (own.length === 0) {
    const names = [...new Set(questions.map(({ reviewer }) => reviewer))];
    const near = nearestName(name, names);
    const hint = near === undefined ? "" : `, did you mean ${near}?`;
    const asked = names.length === 0 ? "no model is" : `${names.join(", ")} would be`;
    throw usageError(
      `${showText(name)} would not be asked${hint} ${asked}; --reviewers ${showText(name)} asks it`,
      "headgate review",
    );
  }
  output.object({
    prompts: own.map(({ reviewer, slice, of, system, prompt }) => {
      return { reviewer, slice, of, system, prompt };
    }),
  });
  if (output.json) return 0;
  for (const { system, prompt } of own) output.print(`${system}\n\n${prompt}\n`);
  return 0;
};
