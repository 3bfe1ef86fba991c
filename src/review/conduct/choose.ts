/** The choice of reviewers, runners and questions: the same for a review and for a dry run. */
import { createGit } from "../../git/index.ts";
import { noRunner, type Runner } from "../../runners/index.ts";
import { readContext } from "../context/read-context.ts";
import { candidatesOf } from "../prompt/index.ts";
import { staticReviewer } from "../static/index.ts";
import type { Subject } from "../subject/types.ts";
import type { Candidate, Triage } from "../triage/types.ts";
import { triage } from "../triage/triage.ts";
import { type Question, questionsOf } from "./questions.ts";
import type { ReviewParts, ReviewRequest } from "./types.ts";

export interface ReviewChoice {
  readonly candidates: readonly Candidate[];
  readonly decided: Triage;
  readonly seed: string;
  /** No model is asked. */
  readonly isAlone: boolean;
  /** Every answer comes from a recording. */
  readonly isReplayed: boolean;
  runnerFor(reviewer: string): Runner;
}

export const choose = (
  parts: ReviewParts,
  request: ReviewRequest,
  { id, subject }: { readonly id: string; readonly subject: Subject },
): ReviewChoice => {
  const { runner, panel, qualified } = parts;
  const runners = [runner, ...(panel?.all ?? []), ...(panel?.byName.values() ?? [])];
  const isAlone = runners.every(({ name }) => name === noRunner);
  const isReplayed = runners.every((one) => one.isReplayed === true);
  const all = candidatesOf(parts.reviewers, {
    domains: parts.domains.map(({ name }) => name),
    ...(qualified && { qualified }),
  });
  const candidates = all.filter(({ kind, name }) => kind === "static" || hasRunner(name, parts));
  const seed = isReplayed ? subject.digest : id;
  const decided = triage({
    ...{ subject, candidates, domains: parts.domains, routing: parts.routing, seed },
    // Alone, the static rules always look: that they know nothing of these files is an answer.
    ...(isAlone && { chosen: [staticReviewer] }),
    ...(request.reviewers && { chosen: request.reviewers }),
    ...(request.slots !== undefined && { slots: request.slots }),
  });
  const asked = decided.considered.flatMap(({ reviewer, decision }) =>
    decision.state === "left-out" || reviewer === staticReviewer ? [] : [reviewer],
  );
  return {
    ...{ candidates, decided, seed, isAlone, isReplayed },
    runnerFor: (reviewer) => {
      const named = panel?.byName.get(reviewer);
      if (named) return named;
      const turn = Math.max(0, asked.indexOf(reviewer));
      return panel?.all[turn % panel.all.length] ?? runner;
    },
  };
};

export const hasRunner = (
  reviewer: string,
  { runner, panel }: Pick<ReviewParts, "runner" | "panel">,
): boolean =>
  runner.name !== noRunner || (panel?.all.length ?? 0) > 0 || panel?.byName.has(reviewer) === true;

export const questionsFor = async (
  parts: ReviewParts,
  request: ReviewRequest,
  about: ReviewChoice & {
    readonly id: string;
    readonly subject: Subject;
    readonly secret: string;
    readonly answered: ReadonlySet<string>;
  },
): Promise<{ readonly questions: Question[]; readonly notes: readonly string[] }> => {
  const { subject, decided, isAlone, isReplayed, runnerFor, seed } = about;
  const { repository, analyser, ledger, defaults, environment } = parts;
  if (isAlone) return { questions: [], notes: [] };
  const git =
    repository.kind === "git" ? createGit({ cwd: repository.worktree, environment }) : undefined;
  const { context, notes } = await readContext(subject, { git, analyser, ledger });
  const questions = questionsOf(decided, {
    ...{ id: isReplayed ? seed.slice(0, 12) : about.id, subject, candidates: about.candidates },
    ...{ secret: about.secret, answered: about.answered, cwd: repository.worktree },
    ...{ timeoutMs: request.timeoutMs ?? defaults.timeoutMs, model: request.model },
    ...{ known: context, contextTokens: defaults.contextTokens },
    canRead: (reviewer) => runnerFor(reviewer).readsFiles === true,
  });
  return { questions, notes };
};
