/**
 * E-07: a writer must have seen what it overwrites. Where its base is older than the file, both changes
 * are brought together if they concern different symbols; the result is judged like any other.
 */
import {
  type Analysed,
  type Analyser,
  diffRegions,
  merge3,
  ownTexts,
  SourceText,
  symbolText,
} from "../../structure/index.ts";
import { answered } from "../file-case.ts";
import type { Finding } from "./rule.ts";

export interface Fresh {
  /** What is to be written. */
  readonly after: Buffer;
  readonly isMerged: boolean;
  readonly finding?: Finding;
}

export const bringUpToDate = async (
  analyser: Analyser,
  path: string,
  { base, ours, theirs }: { readonly base: Buffer; readonly ours: Buffer; readonly theirs: Buffer },
): Promise<Fresh> => {
  if (base.equals(theirs)) return { after: ours, isMerged: false };
  // Somebody has already done exactly this.
  if (ours.equals(theirs)) return { after: ours, isMerged: true };
  const texts = [base, ours, theirs].map((bytes) => SourceText.of(bytes));
  const [old, mine, other] = texts as [SourceText, SourceText, SourceText];
  const both = await Promise.all(
    [base, ours, theirs].map(async (bytes) => answered(await analyser.outline(bytes, path), path)),
  );
  const common = commonSymbols(both as [Analysed, Analysed, Analysed]);
  const stale = (what: string, shown: string): Fresh => ({
    after: ours,
    isMerged: false,
    finding: {
      level: "deny",
      code: "STALE_VIEW",
      path,
      message: `${path} has changed since it was read: ${what}${shown}`,
      remedy: "Read the file again and make the change on its present content.",
    },
  });
  if (common.length > 0) {
    const [first = ""] = common;
    return {
      ...stale(
        `'${first}' was changed by both`,
        bodies(both as [Analysed, Analysed, Analysed], first),
      ),
    };
  }
  const merged = merge3(old.text, mine.text, other.text);
  if (!merged.ok) {
    const shown = `\n--- yours\n${head(merged.ours)}\n--- theirs\n${head(merged.theirs)}`;
    return stale(`both changed line ${merged.line}`, shown);
  }
  const after = other.encode(merged.text);
  return after ? { after, isMerged: true } : stale("its encoding is another one now", "");
};

/** Symbols that both sides changed, added or removed, unless they did it alike. */
const commonSymbols = ([base, ours, theirs]: readonly [Analysed, Analysed, Analysed]): string[] => {
  const touched = (one: Analysed): string[] => {
    const { added, removed, changed } = diffRegions(base, one);
    return [...added, ...removed, ...changed];
  };
  const other = new Set(touched(theirs));
  const [mine, theirOwn] = [ownTexts(ours), ownTexts(theirs)];
  return touched(ours).filter((path) => other.has(path) && mine.get(path) !== theirOwn.get(path));
};

const bodies = (all: readonly [Analysed, Analysed, Analysed], path: string): string =>
  `\n--- yours\n${head(symbolText(all[1], path) ?? "(removed)")}\n--- theirs\n${head(symbolText(all[2], path) ?? "(removed)")}`;

const head = (text: string): string => {
  const lines = text.split("\n");
  return lines.length <= 30
    ? text
    : `${lines.slice(0, 30).join("\n")}\n… ${lines.length - 30} more lines`;
};
