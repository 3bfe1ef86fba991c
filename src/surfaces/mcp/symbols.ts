import * as v from "valibot";
import { showText } from "../../base/text.ts";
import type { OutlineSymbol } from "../../structure/index.ts";
import { repositoryText } from "./shapes.ts";

export const symbolShape = v.object({
  path: v.pipe(
    v.string(),
    v.description("The name to use as symbol in edit and behind # in targets."),
  ),
  kind: v.string(),
  lines: v.pipe(v.array(v.number()), v.description("First and last line, counted from 1.")),
  signature: repositoryText,
  doc: v.optional(repositoryText),
  exported: v.boolean(),
});

/** One after the other, the outer before the inner ones. */
export const flatSymbols = (symbols: readonly OutlineSymbol[]): OutlineSymbol[] =>
  symbols.flatMap((one) => [one, ...flatSymbols(one.children)]);

export const plainSymbol = ({ path, kind, range, signature, doc, isExported }: OutlineSymbol) => ({
  path: showText(path, nameLengthMax),
  kind,
  lines: [range.start.line, range.end.line],
  signature: showText(signature, signatureLengthMax),
  ...(doc !== undefined && { doc: showText(doc) }),
  exported: isExported,
});

export const symbolLine = ({ path, kind, range }: OutlineSymbol): string =>
  `${range.start.line}-${range.end.line} ${kind} ${showText(path, nameLengthMax)}`;

const nameLengthMax = 1_024;
const signatureLengthMax = 300;
