/** Who is asked what: a question per reviewer and slice, each with a secret of its own. */
import { sha256 } from "../../base/sha256.ts";
import { limits } from "../../base/limits.ts";
import type { ReviewContext } from "../context/types.ts";
import type { ReviewJob } from "../dispatch/types.ts";
import { promptFor } from "../prompt/index.ts";
import { narrowSubject, sliceSubject } from "../subject/index.ts";
import type { Slice, Subject } from "../subject/types.ts";
import type { Candidate, Considered, Triage } from "../triage/types.ts";

export interface Question extends ReviewJob {
  readonly of: number;
  readonly nonce: string;
  readonly hash: string;
}

export const questionsOf = (
  triage: Triage,
  context: {
    readonly id: string;
    readonly subject: Subject;
    readonly candidates: readonly Candidate[];
    /** Nobody who wrote what is reviewed knows it. */
    readonly secret: string;
    /** Whether the runner of a reviewer can look into the repository. */
    readonly canRead: (reviewer: string) => boolean;
    readonly known: ReviewContext;
    readonly contextTokens: number;
    readonly cwd: string;
    readonly timeoutMs: number;
    readonly model?: string | undefined;
    /** Whoever has answered already. */
    readonly answered: ReadonlySet<string>;
  },
): Question[] => {
  const { id, candidates, secret, canRead, cwd, timeoutMs, model, answered } = context;
  const byName = new Map(candidates.map((one) => [one.name, one]));
  return triage.considered.flatMap((considered): Question[] => {
    const { decision, reviewer } = considered;
    const candidate = byName.get(reviewer);
    if (decision.state === "left-out" || !candidate || candidate.kind === "static") return [];
    if (answered.has(reviewer)) return [];
    const { subject, slices } = shareOf(considered, context.subject);
    return slices.map((slice) => {
      const nonce = sha256(`${secret}\0${subject.digest}\0${reviewer}\0${slice.number}`).slice(
        0,
        24,
      );
      const hash = sha256(`answer\0${nonce}`);
      const { system, prompt } = promptFor({
        ...{ candidate, subject, slice, nonce, hash, canRead: canRead(reviewer), run: id },
        ...{ context: context.known, contextTokens: context.contextTokens },
      });
      return {
        reviewer,
        ...{ slice: slice.number, of: slice.of, nonce, hash },
        stage: decision.state === "chosen" ? decision.stage : 1,
        shadow: decision.state === "shadow",
        request: {
          ...{ label: reviewer, system, prompt, cwd, timeoutMs, readOnly: true },
          ...(model !== undefined && { model }),
        },
      };
    });
  });
};

const shareOf = (
  { except, decision }: Considered,
  subject: Subject,
): { readonly subject: Subject; readonly slices: readonly Slice[] } => {
  // A canary looks at what the override keeps from it; what it finds there is hidden all the same.
  const isWhole = decision.state === "chosen" && decision.watched !== undefined;
  const own = except === undefined || isWhole ? subject : narrowSubject(subject, except);
  if (own.files.length === 0) return { subject: own, slices: [] };
  return { subject: own, slices: sliceSubject(own, { charactersMax: limits.sliceCharactersMax }) };
};
