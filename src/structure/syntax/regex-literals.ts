/** Regular expressions in JavaScript are part of its syntax; oxc reads over what is inside of them. */
import { type Program, Visitor } from "oxc-parser";
import type { SourceText } from "../source-text.ts";
import type { SyntaxError } from "../types.ts";

/** Where a literal can begin: behind these signs and words a slash does not divide. */
const candidate =
  /(?:^|[(,=:[!&|?{};~+\-%^>]|[*<](?!\/)|\b(?:return|typeof|case|in|of|void))[^\S\n]*\/(?![/*])/m;

/** Looking into the tree is dear; longer texts are bundles. */
const lengthMax = 1024 * 1024;

/** Mistakes in any version of the language; what only an older engine refuses is not among them. */
const certain =
  /Unmatched '\)'|Unterminated (?:group|character class)|Nothing to repeat|Range out of order|\\ at end of pattern/;

export const regexErrors = (source: SourceText, program: () => Program): SyntaxError[] => {
  if (source.text.length > lengthMax || !candidate.test(source.text)) return [];
  const errors: SyntaxError[] = [];
  new Visitor({
    Literal(node) {
      if (!("regex" in node) || node.value !== null) return;
      const wrong = complaint(node.regex.pattern, node.regex.flags);
      if (wrong) errors.push({ ...source.position(node.start), message: wrong, code: "regex" });
    },
  }).visit(program());
  return errors;
};

const complaint = (pattern: string, flags: string): string | undefined => {
  try {
    void new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    const found = error instanceof Error ? certain.exec(error.message) : null;
    return found ? `invalid regular expression: ${found[0]}` : undefined;
  }
};
