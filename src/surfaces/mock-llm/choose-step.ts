import type { ModelRequest, Script, Step } from "./types.ts";

export interface Chosen {
  /** Null where no conversation of the script is meant. */
  readonly conversation: number | null;
  readonly step: number;
  readonly said: Step;
}

/**
 * The answer to a request, by what the request holds alone: which conversation by its first message, which
 * step by how often the model has spoken. A client that starts again or asks twice gets the same answer.
 */
export const chooseStep = ({ conversations }: Script, request: ModelRequest): Chosen => {
  const { answers: step, tools, firstUserText } = request;
  const at = conversations.findIndex(
    ({ when, withoutTools }) =>
      (tools.length > 0 || withoutTools) && (when === undefined || firstUserText.includes(when)),
  );
  const conversation = conversations[at];
  if (!conversation) {
    const text = tools.length > 0 ? "mock-llm: no conversation of the script fits" : "ok";
    return { conversation: null, step, said: { text } };
  }
  const alternatives = conversation.steps[step];
  if (!alternatives) return { conversation: at, step, said: { text: "done" } };
  const last = [request.lastUserText, ...request.results.map(({ text }) => text)];
  const said = alternatives.find(
    ({ when }) => when === undefined || last.some((text) => text.includes(when)),
  );
  const nothing = `mock-llm: no alternative of step ${step + 1} fits what came last`;
  return { conversation: at, step, said: said ?? { text: nothing } };
};
