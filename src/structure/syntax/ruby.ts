/** Ruby by prism, the parser of the language itself. */
import { loadPrism } from "@ruby/prism";
import { SourceText } from "../source-text.ts";
import { utf8Offsets } from "./utf8-offsets.ts";
import { type Judge, verdict } from "./verdict.ts";

const by = "prism 1.9.0";

let prism: ReturnType<typeof loadPrism> | undefined;

export const judgeRuby: Judge = async ({ text, encoding }) => {
  const parse = await (prism ??= loadPrism());
  // It gets UTF-8 in any case; what the file says about itself is only true of UTF-8 files.
  const { errors } = parse(text, encoding === "latin1" ? { encoding: false } : {});
  if (errors.length === 0) return verdict(by, []);
  const source = new SourceText(text);
  const offsetOf = utf8Offsets(text);
  return verdict(
    by,
    errors
      .toSorted((a, b) => a.location.startOffset - b.location.startOffset)
      .map(({ message, type, location }) => {
        const place = source.position(offsetOf(location.startOffset));
        return { ...place, message, code: type };
      }),
  );
};
