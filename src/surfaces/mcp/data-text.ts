/**
 * Words of agents and of the repository on their way into an answer. They are data for whoever reads
 * them: no control or reordering character survives, and nobody can fill an answer with one field.
 */
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";

type Plain<T> = T extends readonly (infer U)[]
  ? Plain<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;

/** A copy in which every text, however deep, is one safe line of bounded length. */
export const plainData = <T>(
  value: T,
  lengthMax: number = limits.mcpAgentTextLengthMax,
): Plain<T> => copy(value, lengthMax, depthMax) as Plain<T>;

/** Nothing of ours nests deeper; what others put into an error might. */
const depthMax = 12;

const copy = (value: unknown, lengthMax: number, depth: number): unknown => {
  if (typeof value === "string") return showText(value, lengthMax);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((one) => copy(one, lengthMax, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      showText(key, lengthMax),
      copy(one, lengthMax, depth - 1),
    ]),
  );
};

/** A text of several lines: tabs and line breaks stay, everything else is as in `plainData`. */
export const plainBlock = (text: string, lengthMax: number): string => {
  const lines = text.slice(0, lengthMax).split("\n");
  const safe = lines.map((line) =>
    line
      .replace(/\r$/, "")
      .split("\t")
      .map((part) => showText(part, lengthMax))
      .join("\t"),
  );
  const block = safe.join("\n");
  return block.length > lengthMax || text.length > lengthMax
    ? `${block.slice(0, lengthMax)}\n… (cut)`
    : block;
};
