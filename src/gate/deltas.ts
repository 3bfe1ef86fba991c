/**
 * E-20: exact counts of a change, before and after, for each file and in all. They say nothing about intent, so they
 * are never wrong: fewer tests are fewer tests. Rules make remarks of some of them; a lead's policy may refuse those.
 */
import { isTestPath } from "../base/path-kinds.ts";
import type { Outline, OutlineSymbol } from "../structure/index.ts";
import { formsByLanguage, suppressedInCode, suppressedInComments } from "./count-forms.ts";
import type { FileCase } from "./file-case.ts";
import { countOdd } from "./rules/characters.ts";
import { countLineEnds } from "./rules/line-ends.ts";
import { textChange, type TextChange, type TextSide } from "./rules/text-change.ts";

export const countNames = [
  "tests",
  "assertions",
  "skippedTests",
  "focusedTests",
  "suppressions",
  "publicSymbols",
  "functions",
  "symbols",
  "debugging",
  "bytes",
  "lineEndsLf",
  "lineEndsCrlf",
  "lineEndsCr",
  "oddCharacters",
] as const;

export type FileCounts = Readonly<Record<(typeof countNames)[number], number>>;

export interface CountChange {
  readonly before: number;
  readonly after: number;
}

export type FileDelta = Readonly<Record<keyof FileCounts, CountChange>>;

export interface Deltas {
  readonly total: FileDelta;
  readonly files: readonly (FileDelta & { readonly path: string })[];
}

export const countDeltas = (cases: readonly FileCase[]): Deltas => {
  const files = cases.map((one) => {
    const change = textChange(one);
    const before = countOnce(change, change.before, one.before?.outline);
    const after = countOnce(change, change.after, one.after?.outline);
    return { path: one.path, ...pair(before, after) };
  });
  const total = Object.fromEntries(
    countNames.map((name) => [
      name,
      files.reduce<CountChange>(
        (sum, { [name]: { before, after } }) => ({
          before: sum.before + before,
          after: sum.after + after,
        }),
        { before: 0, after: 0 },
      ),
    ]),
  ) as FileDelta;
  return { total, files };
};

const pair = (before: FileCounts, after: FileCounts): FileDelta =>
  Object.fromEntries(
    countNames.map((name) => [name, { before: before[name], after: after[name] }]),
  ) as FileDelta;

/** Many edits start from the same content: it is counted at the first of them. */
const countOnce = (
  change: TextChange,
  side: TextSide | undefined,
  outline: Outline | undefined,
): FileCounts => {
  const known = side && counted.get(side);
  if (known?.path === change.path && known.outline === outline) return known.counts;
  const counts = countSide(change, side, outline);
  if (side) counted.set(side, { path: change.path, outline, counts });
  return counts;
};

const counted = new WeakMap<
  TextSide,
  {
    readonly path: string;
    readonly outline: Outline | undefined;
    readonly counts: FileCounts;
  }
>();

const countSide = (
  { path, language }: TextChange,
  side: TextSide | undefined,
  outline: Outline | undefined,
): FileCounts => {
  const forms = formsByLanguage[language];
  const isText = side !== undefined && !side.text.includes("\0");
  const isCounted = isText && forms && (!forms.needsTestFile || isTestFile(path, side.text));
  const count = (pattern: RegExp | undefined, where: "code" | "comments" = "code"): number =>
    isText && pattern ? (side[where].match(pattern)?.length ?? 0) : 0;
  // Most files have none, and the whole text tells so without being taken apart.
  const countRare = (pattern: RegExp | undefined, where: "code" | "comments" = "code"): number =>
    isText && pattern && side.text.search(pattern) >= 0 ? count(pattern, where) : 0;
  const { lf, crlf, cr } = countLineEnds(isText ? side : undefined);
  const symbols = outline ? everySymbol(outline.symbols) : [];
  return {
    tests: isCounted ? count(forms.tests) : 0,
    assertions: isCounted ? count(forms.assertions) : 0,
    skippedTests: isCounted ? countRare(forms.skipped) : 0,
    focusedTests: isCounted ? countRare(forms.focused) : 0,
    suppressions:
      forms || language === "bash"
        ? countRare(suppressedInComments, "comments") + countRare(suppressedInCode)
        : 0,
    publicSymbols: outline ? countPublic(outline) : 0,
    functions: symbols.filter(({ kind }) => functionKinds.has(kind)).length,
    symbols: symbols.filter(({ kind }) => functionKinds.has(kind) || typeKinds.has(kind)).length,
    debugging: countRare(forms?.debugging),
    bytes: side?.bytes ?? 0,
    lineEndsLf: lf,
    lineEndsCrlf: crlf,
    lineEndsCr: cr,
    oddCharacters: countOdd(side),
  };
};

const isTestFile = (path: string, text: string): boolean =>
  isTestPath(path) ||
  /(?:^|[/._-])(?:tests?|specs?)(?=[/._-])|[a-z](?:Tests?|Spec)\.\w+$/i.test(path) ||
  /\bfrom\s+["'](?:vitest|@jest\/globals|node:test|bun:test|@playwright\/test)["']/.test(text);

const functionKinds = new Set(["function", "method", "constructor", "getter", "setter"]);
const typeKinds = new Set([
  "class",
  "interface",
  "enum",
  "struct",
  "trait",
  "type",
  "module",
  "macro",
]);

const everySymbol = (symbols: readonly OutlineSymbol[]): OutlineSymbol[] =>
  symbols.flatMap((symbol) => [symbol, ...everySymbol(symbol.children)]);

/** By the word `export` where the language has one, else all that is not private. */
const countPublic = ({ language, symbols, exports }: Outline): number => {
  if (["typescript", "tsx", "javascript", "vue", "svelte"].includes(language)) {
    const exported = symbols.filter(({ isExported }) => isExported);
    return new Set([...exported, ...exports].map(({ name }) => name)).size;
  }
  return everySymbol(symbols).filter(
    ({ kind, isPrivate, isExported }) =>
      (functionKinds.has(kind) || typeKinds.has(kind)) &&
      (exportingLanguages.has(language) ? isExported : !isPrivate),
  ).length;
};

const exportingLanguages = new Set(["go", "rust", "java", "csharp"]);
