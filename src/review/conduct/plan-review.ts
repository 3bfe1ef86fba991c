/** The questions of a review, to whom, at what cost: none is asked and nothing is kept. */
import { worstCostUsd } from "../../runners/index.ts";
import { charactersPerToken } from "../context/show-context.ts";
import type { Subject } from "../subject/types.ts";
import type { Triage } from "../triage/types.ts";
import { choose, questionsFor } from "./choose.ts";
import { readAsked } from "./conduct.ts";
import type { ReviewParts, ReviewRequest } from "./types.ts";

export interface PlannedQuestion {
  readonly reviewer: string;
  readonly slice: number;
  readonly of: number;
  readonly stage: 1 | 2;
  readonly shadow: boolean;
  readonly runner: string;
  readonly family: string;
  /** About. */
  readonly inputTokens: number;
  /** With the longest answer; absent where the runner's prices are not known. */
  readonly costUsdMax?: number;
  readonly system: string;
  readonly prompt: string;
}

export interface ReviewPlan {
  readonly subject: Subject;
  readonly triage: Triage;
  readonly questions: readonly PlannedQuestion[];
  readonly notes: readonly string[];
}

/** Throws as a review does. Undefined: nothing to review. */
export const planReview = async (
  parts: ReviewParts,
  request: ReviewRequest,
): Promise<ReviewPlan | undefined> => {
  const subject = await readAsked(parts, request);
  if (subject.files.length === 0) return undefined;
  const id = "dry-run";
  const choice = choose(parts, request, { id, subject });
  const about = { ...choice, id, subject, secret: id, answered: new Set<string>() };
  const { questions, notes } = await questionsFor(parts, request, about);
  return {
    ...{ subject, triage: choice.decided, notes },
    questions: questions.map(({ reviewer, slice, of, stage, shadow, request: asked }) => {
      const runner = choice.runnerFor(reviewer);
      const { system = "", prompt } = asked;
      const costUsdMax = worstCostUsd(runner, asked);
      return {
        ...{ reviewer, slice, of, stage, shadow, runner: runner.name, family: runner.family },
        inputTokens: Math.ceil((system.length + prompt.length) / charactersPerToken),
        ...(costUsdMax !== undefined && { costUsdMax }),
        ...{ system, prompt },
      };
    }),
  };
};
