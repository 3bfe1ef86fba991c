/**
 * Changing files: operations on symbols, texts and files, planned in memory, judged by the gate, written
 * all or none with a journal that survives a crash, and taken back on request. Everything outside the
 * named part stays as it is, byte for byte.
 */
export { type Editor, type EditorOptions, openEditor, type UndoRequest } from "./editor.ts";
export { type DiffView, viewDiff } from "./diff-view.ts";
export {
  type EditHistory,
  type HistoryFilter,
  type HistoryPlace,
  openHistory,
  type StoredEdit,
} from "./history.ts";
export { patchedFiles } from "./operations/patched-files.ts";
export type { EditRecovery } from "./recover.ts";
export type { RunCommand } from "./verify.ts";
export type {
  EditPlan,
  EditRecord,
  EditRequest,
  EditResult,
  FileChange,
  Operation,
  OutlineDelta,
} from "./types.ts";
