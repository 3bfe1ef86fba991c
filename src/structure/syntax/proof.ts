/** Certain mistakes in a file whose language has no parser here but its grammar. */
import { type BracketError, wrongBracket } from "./brackets.ts";
import { proofAgainst } from "./c-family.ts";
import { codeTokens } from "./code-tokens.ts";
import { shellTokens } from "./shell-tokens.ts";

export const findProof = (language: string, text: string): BracketError | undefined => {
  if (language === "c" || language === "cpp") return proofAgainst(text);
  if (language === "bash") return wrongBracket(shellTokens(text) ?? []);
  return wrongBracket(codeTokens(language, text));
};
