/** Definitions that stand twice on purpose: in branches of which only one counts, or where the first is used before. */
import { rulesOf } from "./languages/index.ts";
import type { SourceText } from "./source-text.ts";
import type { Duplicate, Outline } from "./types.ts";

export const meantTwice = (
  { language }: Outline,
  source: SourceText,
): ((duplicate: Duplicate) => boolean) => {
  const { branches, takesOver } = rulesOf(language) ?? {};
  return (duplicate) =>
    duplicate.kind === "symbol" &&
    ((branches !== undefined && areInBranches(duplicate, source.text, branches)) ||
      (takesOver !== undefined && isUsedBetween(duplicate, source.text, takesOver)));
};

/** They are in different branches. */
const areInBranches = ({ first, second }: Duplicate, text: string, branches: RegExp): boolean => {
  const path: number[] = [];
  const places = new Map<number, string>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const word = branches.exec(line)?.[1];
    if (word === "if") path.push(index);
    else if (word === "endif") path.pop();
    else if (word !== undefined) path.splice(-1, 1, index);
    if (index + 1 === first.line || index + 1 === second.line) places.set(index + 1, path.join());
  }
  return places.get(first.line) !== places.get(second.line);
};

/**
 * `_old = f`, `del f`, `register(f)` between the two: then the first one has done its work. The inside of
 * other definitions only counts where both are inside of one themselves, because that runs from top to bottom.
 */
const isUsedBetween = (
  { name, first, second, within, symbolKind }: Duplicate,
  text: string,
  takesOver: RegExp,
): boolean => {
  const [one, other] = first.span.from < second.span.from ? [first, second] : [second, first];
  const indent = indentAt(text, other.span.from);
  const isLocal = within !== "" && symbolKind !== "method" && indent.length > 0;
  const mention = new RegExp(String.raw`(?<![\w.$])${name.replaceAll(/[^\w]/g, "\\$&")}(?![\w$])`);
  let isInDefinition = false;
  for (const line of text
    .slice(one.span.to, other.span.from)
    .split(/\r\n|\r|\n/)
    .slice(1)) {
    const code = line.trimStart();
    if (code === "") continue;
    if (line.length - code.length <= indent.length) isInDefinition = takesOver.test(code);
    if ((isLocal || !isInDefinition) && mention.test(code)) return true;
  }
  return false;
};

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
