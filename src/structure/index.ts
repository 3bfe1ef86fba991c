/**
 * The structure of files: outline, syntax verdict, duplicates, what changed between two versions.
 * No file is read here: contents come in, findings go out. Bad source is a finding, never an exception;
 * what could not be looked at is said with its reason (`Outline.coverage`).
 * Parsers run in a process of their own (parser-host.ts): a file that crashes or hangs one costs an honest
 * "not analysed", nothing else.
 */
export { type Analysed, Analyser, type ParsedTree } from "./analyser.ts";
export type { FlatTree } from "./worker/flat-tree.ts";
export { notAnalysed } from "./coverage.ts";
export { findDuplicates, newDuplicates } from "./find-duplicates.ts";
export { languageOf, rulesOf } from "./languages/index.ts";
export { diffRegions, ownTexts } from "./region-diff.ts";
export { symbolText } from "./symbol-text.ts";
export { type Encoding, type LineEnding, SourceText } from "./source-text.ts";
export type {
  CheckName,
  Coverage,
  Duplicate,
  Outline,
  OutlineExport,
  OutlineImport,
  OutlineSymbol,
  Position,
  Range,
  Reference,
  RegionDiff,
  SourceProblem,
  Span,
  SymbolKind,
  SyntaxError,
  SyntaxVerdict,
} from "./types.ts";
export * from "./references/index.ts";
export * from "./checkers/index.ts";
export { type Merged, merge3 } from "./merge.ts";
