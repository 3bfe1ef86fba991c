/**
 * Lines: whose every uncommitted line of a worktree is, and who waits for whom because of them.
 * 1. A line has its author or none, never a wrong one: a write is believed when the file shows it (N-01).
 * 2. An edit waits only for lines that another session has written here and not committed; two that only add
 *    pass each other. A wait in a circle, or for a session that is idle, ended or dead, ends at once (N-08).
 * 3. The own part of a session is the last commit with its lines and, where they were written into others'
 *    lines, with exactly those (N-02). A commit settles the lines it took, the rest stays (N-09).
 * `weave` is the algebra, `file-record` adds writes that are under way, `open-lines` keeps all of it in the
 * store. Nothing here runs git or touches files: contents are given.
 */
export type { LineSplice, LineEdit, LineRow, Weave, WriteKind } from "./types.ts";
export type { FileRecord, ChangedLines } from "./file-record.ts";
export type {
  Along,
  AskedWrite,
  ChangedFile,
  CommittedFiles,
  FileAuthor,
  LineAnswer,
  LineBlocker,
  LineGrant,
  Lines,
  NearLines,
  Noted,
  OpenLinesOptions,
  Presence,
  ReformatAnswer,
  ReformatWish,
  SessionPresence,
} from "./ports.ts";
export type { OverdueWrite } from "./late-writes.ts";
export type { NotedFile } from "./lines-store.ts";
export { overKey } from "./line-notices.ts";
export { openLines } from "./open-lines.ts";
export { passLines, type PassedOn } from "./pass-on.ts";
export { type GoneLines, goneLines, type LineSpan, lineSpans } from "./spans.ts";
export { countHunks, diffLines, matchLines, toBytes, toLines, withLineEnds } from "./line-diff.ts";
export {
  committedLines,
  currentLines,
  isBackAtCommit,
  partLines,
  rebase,
  settle,
  weaveContent,
  withGround,
  withoutEdits,
} from "./weave.ts";
