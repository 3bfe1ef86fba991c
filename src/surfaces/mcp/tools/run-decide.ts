import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { defineTool } from "../tool.ts";
import { questionShape, runId, toldQuestions } from "./run-status.ts";

export const runDecideTool = defineTool({
  name: "run_decide",
  title: "Answer what an agent of a run asked",
  description:
    "Answer a question that stopped a plan of a run (run_status lists them), in one line. It is recorded under your name " +
    "and given to the next agent of that task; resume says what a person must do when nobody carries the run out. Answer only what you know or what the user " +
    "told you; leave the rest to people. The agents of a run cannot answer it themselves, and an answer that was " +
    "given stands.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  input: v.strictObject({
    run: v.optional(runId),
    question: v.pipe(v.string(), v.regex(/^c\d{1,9}$/), v.description("Its id: c1, c2 …")),
    answer: v.pipe(
      v.string(),
      v.maxLength(limits.runNoteLengthMax),
      v.regex(/^[^\n\r]*\S[^\n\r]*$/, "an answer is one line that says something"),
    ),
  }),
  output: {
    run: v.optional(v.string()),
    question: v.optional(questionShape),
    resume: v.optional(
      v.pipe(
        v.nullable(v.string()),
        v.description("How a person goes on with the run; null: it goes on by itself."),
      ),
    ),
  },
  run: async ({ run: wanted, question, answer }, call) => {
    const { runs } = call.headgate;
    const { id: actor } = call.actor().claims.actor;
    const run = await runs.find(wanted);
    await runs.decide(run, { actor, note: question, answer: answer.trim(), isFinal: true });
    const status = await runs.status(run);
    const told = toldQuestions(status).find(({ id }) => id === question);
    const resume = status.run.executor ? null : `headgate run resume ${run}`;
    return {
      structured: { ok: true, run, resume, ...(told && { question: told }) },
      text: `${question} is answered; ${resume === null ? "the run goes on with it" : `a person goes on with: ${resume}`}`,
    };
  },
});
