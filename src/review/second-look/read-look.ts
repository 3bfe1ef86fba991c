import { plainLine } from "../plain-text.ts";
import type { Verification } from "../types.ts";

/**
 * What a second look says. Without our mark at the end, or with two outcomes, nothing is decided: an answer that was
 * cut, or that quotes the report's own words, must not clear a problem.
 */
export const readLook = (
  text: string,
  { nonce }: { readonly nonce: string },
): Pick<Verification, "outcome" | "reason"> => {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.at(-1) !== `<!-- headgate:look run=${nonce} -->`) {
    return { outcome: "unsure", reason: "the answer is not complete" };
  }
  const said = lines.flatMap((line) => {
    const word = /^\**outcome\**\s*:\s*(?:\*+\s*)?(confirmed|refuted|unsure)\b/i.exec(line)?.[1];
    return word === undefined ? [] : [word.toLowerCase() as Verification["outcome"]];
  });
  const outcomes = new Set(said);
  const [outcome] = outcomes;
  if (outcome === undefined || outcomes.size > 1) {
    return { outcome: "unsure", reason: "the answer names no outcome, or several" };
  }
  const reason = lines.findLast((line) => /^\**reason\**\s*:/i.test(line));
  return { outcome, reason: plainLine((reason ?? "").replace(/^[^:]*:\**\s*/, ""), 300) };
};
