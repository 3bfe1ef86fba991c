/**
 * The structure of files: outline, syntax verdict, duplicates, references, what changed between two versions.
 * 1. Contents come in, findings go out; no file is read here. Bad source is a finding, never an exception (E-14).
 * 2. Every answer says which checks were live for the file (`Outline.coverage`): "allowed" is never "not looked at".
 * 3. The syntax verdict comes from another parser than the structure, whose own is made to forgive (E-09).
 * 4. Parsers run in a process of their own (parser-host.ts): a file that crashes or hangs one costs an honest
 *    "not analysed", nothing else.
 * It does not know what is allowed: that is the gate's.
 */
export {
  type Analysed,
  Analyser,
  lookUnread,
  type ModuleAnswer,
  type ParsedTree,
} from "./analyser.ts";
export type { FlatTree } from "./worker/flat-tree.ts";
export { binaryKind } from "./binary-formats.ts";
export { notAnalysed } from "./coverage.ts";
export { findDuplicates, newDuplicates } from "./find-duplicates.ts";
export { languageOf, rulesOf } from "./languages/index.ts";
export { diffRegions, ownTexts } from "./region-diff.ts";
export { documentSections } from "./document-sections.ts";
export { scan, type Scanned, type ScannedLine } from "./scan-text.ts";
export { isProvenError } from "./proven-code.ts";
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
  TitledBlock,
  UnreadSource,
} from "./types.ts";
export * from "./references/index.ts";
export * from "./modules/index.ts";
export * from "./checkers/index.ts";
export {
  isNotebook,
  type Notebook,
  type NotebookCell,
  readNotebook,
  withoutMagics,
} from "./notebook.ts";
export { joinUnits, looseLines } from "./join-units.ts";
export { type Merged, merge3, splitLines } from "./merge.ts";
