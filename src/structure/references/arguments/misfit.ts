/** Whether the arguments of a call fit a function's parameters, by the rules of the language. */
import type { DeclaredParameter, GivenArguments } from "../../types.ts";
import type { Family } from "../types.ts";

/** Says what is wrong; undefined: they fit, or it cannot be said. */
export const misfit = (
  parameters: readonly DeclaredParameter[],
  given: GivenArguments,
  family: Family,
): string | undefined => {
  if (given.isOpen) return undefined;
  return family === "python" ? byName(parameters, given) : byPlace(parameters, given);
};

const byPlace = (
  parameters: readonly DeclaredParameter[],
  { count }: GivenArguments,
): string | undefined => {
  const hasRest = parameters.some(({ kind }) => kind === "rest");
  const plain = parameters.filter(({ kind }) => kind === "plain");
  const needed = plain.findLastIndex(({ isOptional }) => !isOptional) + 1;
  if (count < needed) return `it needs ${counted(needed)}, ${count} given`;
  if (count > plain.length && !hasRest) return `it takes ${counted(plain.length)}, ${count} given`;
  return undefined;
};

const byName = (
  parameters: readonly DeclaredParameter[],
  { count, keywords = [] }: GivenArguments,
): string | undefined => {
  const has = (wanted: DeclaredParameter["kind"]): boolean =>
    parameters.some(({ kind }) => kind === wanted);
  const placed = parameters.filter(({ kind }) => kind === "place" || kind === "plain");
  if (count > placed.length && !has("rest"))
    return `it takes ${counted(placed.length)} by position, ${count} given`;
  for (const keyword of keywords) {
    const at = placed.findIndex(({ name, kind }) => name === keyword && kind === "plain");
    if (at >= 0 && at < count) return `'${keyword}' is given twice`;
    const isKnown =
      at >= 0 || parameters.some(({ name, kind }) => name === keyword && kind === "keyword");
    if (!isKnown && !has("keywords")) return `it has no parameter '${keyword}'`;
  }
  const needed = [...placed.slice(count), ...parameters.filter(({ kind }) => kind === "keyword")];
  const missing = needed.filter(
    ({ name, kind, isOptional }) => !isOptional && (kind === "place" || !keywords.includes(name)),
  );
  if (missing.length === 0) return undefined;
  return `it needs ${missing.map(({ name }) => `'${name}'`).join(", ")}`;
};

const counted = (count: number): string => `${count} argument${count === 1 ? "" : "s"}`;
