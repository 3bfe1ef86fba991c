/**
 * `{{match:REGEX}}` in a scripted text: what only the request holds, such as a value that an answer must repeat. The
 * last match counts, because what a message asks for stands at its end.
 */
export const fillText = (text: string, message: string): string =>
  text.replace(place, (_, source: string) => {
    const expression = expressionOf(source);
    const found = expression && [...message.matchAll(expression)].at(-1);
    return found?.[1] ?? found?.[0] ?? "";
  });

/** What is wrong with the expressions in a text; undefined: nothing. */
export const fillProblem = (text: string): string | undefined => {
  for (const [, source = ""] of text.matchAll(place)) {
    if (expressionOf(source) === undefined) return `not a regular expression: ${source}`;
  }
  return undefined;
};

const expressionOf = (source: string): RegExp | undefined => {
  try {
    return new RegExp(source, "gmu");
  } catch {
    return undefined;
  }
};

const place = /\{\{match:((?:(?!\}\}).)+)\}\}/g;
