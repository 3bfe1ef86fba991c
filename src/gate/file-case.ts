/** One file of a proposal, with everything the rules look at. */
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type {
  Analysed,
  Analyser,
  ModuleAnswer,
  ModuleShape,
  RegionDiff,
  SyntaxVerdict,
} from "../structure/index.ts";

export interface FileCase {
  readonly path: string;
  /** What is there now; undefined when nothing is. */
  readonly before: Analysed | undefined;
  /** What shall be there; undefined deletes it. */
  readonly after: Analysed | undefined;
  readonly beforeBytes: Buffer | undefined;
  readonly afterBytes: Buffer | undefined;
  readonly regions: RegionDiff;
  /** Asked when first needed. */
  syntaxBefore(): Promise<SyntaxVerdict | undefined>;
  syntaxAfter(): Promise<SyntaxVerdict | undefined>;
  /** Its imports and exports; undefined where they are not known. Asked when first needed. */
  shapeBefore(): Promise<ModuleShape | undefined>;
  shapeAfter(): Promise<ModuleShape | undefined>;
  /** Another text under the same name. */
  judgeText(text: string): Promise<SyntaxVerdict>;
  /** Whether a judge that guesses makes no such mistake in the files around this one. */
  isTrusted(): Promise<boolean>;
  /** Where a line of the new version was in the old one; undefined for new and changed lines. */
  oldLine(line: number): number | undefined;
}

/** Throws NOT_JUDGED: rules prove nothing by an outline that was not made for want of time or room. */
export const answered = (analysed: Analysed, path: string): Analysed => {
  const { ranOut, coverage } = analysed.outline;
  if (ranOut) throw notJudged(path, coverage.outline.why);
  return analysed;
};

const notJudged = (path: string, why = "no answer"): HeadgateError =>
  new HeadgateError("NOT_JUDGED", `${showText(path)} was not judged: ${why}`, { data: { path } });

/** Throws NOT_JUDGED as well. */
export const shapeAnswered = (shape: ModuleAnswer, path: string): ModuleShape | undefined => {
  if (shape === "ranOut") throw notJudged(path);
  return shape;
};

export const askShape =
  (analyser: Analyser, bytes: Buffer | undefined, path: string) =>
  async (): Promise<ModuleShape | undefined> =>
    bytes && shapeAnswered(await analyser.module(bytes, path), path);

/** Asked once; throws NOT_JUDGED as well. */
export const verdictOf = (
  analyser: Analyser,
  bytes: Buffer | undefined,
  path: string,
): (() => Promise<SyntaxVerdict | undefined>) => {
  let asked: Promise<SyntaxVerdict> | undefined;
  return async () => {
    if (bytes === undefined) return undefined;
    const verdict = await (asked ??= analyser.syntax(bytes, path));
    if (verdict.ranOut) throw notJudged(path, verdict.why);
    return verdict;
  };
};

/** By the lines that both versions begin and end with; what is between is new. */
export const lineMap = (before: string, after: string): ((line: number) => number | undefined) => {
  let map: ReturnType<typeof compareLines> | undefined;
  return (line) => (map ??= compareLines(before, after))(line);
};

const compareLines = (before: string, after: string): ((line: number) => number | undefined) => {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const room = Math.min(old.length, now.length) - head;
  while (tail < room && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  return (line) => {
    if (line <= head) return line;
    if (line > now.length - tail) return line - now.length + old.length;
    return undefined;
  };
};
