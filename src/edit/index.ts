/**
 * Changing files: operations on symbols, texts and files, planned in memory, judged, shown, claimed, written,
 * recorded, and taken back on request.
 * 1. Nothing is written that the gate denies, or that was not approved (E-04, E-10).
 * 2. All files of an edit or none, through a kill at any step; a third party's change is never lost (G3, G6).
 * 3. Everything outside the named part stays as it is, byte for byte (E-11).
 * 4. What was done is in the history, and can be undone as a whole, by file or by symbol.
 * It does not format, and it does not say what is right: that is the gate's.
 */
export {
  type Editor,
  type EditorOptions,
  openEditor,
  type TakeBackRequest,
  type UndoRequest,
} from "./editor.ts";
export { damagedRecords } from "./damaged-records.ts";
export { isRecordName } from "./journal.ts";
export { type DiffedChange, unifiedDiff } from "./diff.ts";
export { type DiffView, viewDiff } from "./diff-view.ts";
export {
  type EditHistory,
  type HistoryFilter,
  type HistoryPlace,
  openHistory,
  type StoredEdit,
} from "./history.ts";
export { keepLatePatch } from "./late-patch.ts";
export { patchedFiles } from "./operations/patched-files.ts";
export { type EditRecovery, listUnfinishedEdits } from "./recover.ts";
export { isScratchName, scratchPattern } from "./write-files.ts";
export { findMissingContents } from "./missing-contents.ts";
export type { RunCommand } from "./verify.ts";
export type {
  EditPlan,
  EditRecord,
  EditRequest,
  EditResult,
  FileChange,
  LinesBack,
  Operation,
  OutlineDelta,
} from "./types.ts";
