/**
 * E-07: a writer must have seen what it overwrites. Where its base is older than the file, both changes
 * are brought together if they concern different symbols; the result is judged like any other. In
 * doubt it is refused: reading the file again costs less than a wrong text.
 */
import {
  type Analysed,
  type Analyser,
  diffRegions,
  joinUnits,
  looseLines,
  merge3,
  type OutlineImport,
  ownTexts,
  type SourceText,
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

/** One file three times: what the writer began with, what it made of it, what is there now. */
interface Versions<One> {
  readonly base: One;
  readonly ours: One;
  readonly theirs: One;
}

export const bringUpToDate = async (
  analyser: Analyser,
  path: string,
  { base, ours, theirs }: Versions<Buffer>,
): Promise<Fresh> => {
  if (base.equals(theirs)) return { after: ours, isMerged: false };
  // Somebody has already done exactly this.
  if (ours.equals(theirs)) return { after: ours, isMerged: true };
  const read = async (bytes: Buffer): Promise<Analysed> =>
    answered(await analyser.outline(bytes, path), path);
  const [old, mine, other] = await Promise.all([read(base), read(ours), read(theirs)]);
  const all = { base: old, ours: mine, theirs: other };
  const stale = (what: string): Fresh => ({
    after: ours,
    isMerged: false,
    finding: {
      level: "deny",
      code: "STALE_VIEW",
      path,
      message: `${path} has changed since it was read: ${what}`,
      remedy: "Read the file again and make the change on its present content.",
    },
  });
  const [common] = commonSymbols(all);
  if (common !== undefined) return stale(`'${common}' was changed by both${bodies(all, common)}`);
  const isKnown = other.outline.coverage.outline.state !== "off";
  const join = isKnown ? joinUnits(mine, other) : undefined;
  const merged = merge3(old.source.text, mine.source.text, other.source.text, join);
  if (!merged.ok) {
    const shown = `\n--- yours\n${head(merged.ours)}\n--- theirs\n${head(merged.theirs)}`;
    return stale(`both changed line ${merged.line}${shown}`);
  }
  const text = isKnown
    ? await withoutTwins(analyser, path, { ...all, merged: merged.text })
    : merged;
  if ("twice" in text) return stale(text.twice);
  const after = other.source.encode(text.text);
  return after ? { after, isMerged: true } : stale("its encoding is another one now");
};

/**
 * Both brought it, at different places: an import of the same is there once; one local name for two things, or
 * a statement twice, is nothing that either of them wrote.
 */
const withoutTwins = async (
  analyser: Analyser,
  path: string,
  { base, ours, theirs, merged }: Versions<Analysed> & { readonly merged: string },
): Promise<{ readonly text: string } | { readonly twice: string }> => {
  const both = answered(await analyser.outline(merged, path), path);
  const [mine, other] = [bindings(ours), bindings(theirs)];
  const doubled: OutlineImport[] = [];
  for (const [name, imports] of bindings(both)) {
    if (imports.length <= Math.max(mine.get(name)?.length ?? 0, other.get(name)?.length ?? 0)) {
      continue;
    }
    const statements = imports.map(({ span }) => merged.slice(span.from, span.to).trim());
    const isLine = imports.every((one) => isWholeLine(both.source, one));
    if (new Set(statements).size > 1 || !isLine) {
      return { twice: `'${name}' is imported by both\n${statements.join("\n")}` };
    }
    doubled.push(...imports.slice(1));
  }
  const [lines, mineLoose] = [looseLines(both), looseLines(ours)];
  const [otherLoose, baseLoose] = [looseLines(theirs), looseLines(base)];
  for (const [line, count] of lines) {
    const counts = [mineLoose, otherLoose].map((side) => side.get(line) ?? 0);
    const isFromBoth = counts.every((one) => one > (baseLoose.get(line) ?? 0));
    if (isFromBoth && count > Math.max(...counts)) {
      return { twice: `both added the line\n${line}` };
    }
  }
  return { text: withoutLines(both.source, doubled) };
};

/** Which imports at module level bind a local name. */
const bindings = ({ outline }: Analysed): ReadonlyMap<string, readonly OutlineImport[]> => {
  const bound = new Map<string, OutlineImport[]>();
  for (const one of outline.imports) {
    if (one.scope !== "") continue;
    for (const { name, as } of one.names) {
      const local = as || name;
      if (local !== "" && local !== "*") bound.set(local, [...(bound.get(local) ?? []), one]);
    }
  }
  return bound;
};

const isWholeLine = ({ text }: SourceText, { span }: OutlineImport): boolean =>
  /(^|[\r\n])[ \t]*$/.test(text.slice(0, span.from)) &&
  /^[ \t;]*($|[\r\n])/.test(text.slice(span.to));

const withoutLines = (source: SourceText, doubled: readonly OutlineImport[]): string => {
  let { text } = source;
  const starts = new Set(doubled.map(({ range }) => `${range.start.line} ${range.end.line}`));
  const ranges = [...starts].map((one) => one.split(" ").map(Number) as [number, number]);
  for (const [first, last] of ranges.toSorted((a, b) => b[0] - a[0])) {
    text = text.slice(0, source.lineStart(first)) + text.slice(source.lineStart(last + 1));
  }
  return text;
};

/** Symbols that both sides changed, added or removed, unless they did it alike. */
const commonSymbols = ({ base, ours, theirs }: Versions<Analysed>): string[] => {
  const touched = (one: Analysed): string[] => {
    const { added, removed, changed } = diffRegions(base, one);
    return [...added, ...removed, ...changed];
  };
  const other = new Set(touched(theirs));
  const [mine, theirOwn] = [ownTexts(ours), ownTexts(theirs)];
  return touched(ours).filter((path) => other.has(path) && mine.get(path) !== theirOwn.get(path));
};

const bodies = ({ ours, theirs }: Versions<Analysed>, path: string): string =>
  `\n--- yours\n${head(symbolText(ours, path) ?? "(removed)")}\n--- theirs\n${head(symbolText(theirs, path) ?? "(removed)")}`;

const head = (text: string): string => {
  const lines = text.split("\n");
  return lines.length <= 30
    ? text
    : `${lines.slice(0, 30).join("\n")}\n… ${lines.length - 30} more lines`;
};
