/**
 * Takes an edit back, although others came after it: the way from its result to its beginning is brought
 * together with what is there now. Whatever stands in the way is named; nothing is guessed. An undo is an
 * edit of its own, so undoing it is the redo.
 */
import { isText } from "./binary.ts";
import type { Analyser } from "../structure/index.ts";
import { SourceText } from "../structure/index.ts";
import { merge3 } from "../structure/index.ts";
import { HeadgateError } from "../errors.ts";
import { showText } from "../base/text.ts";
import type { StoredEdit, StoredFile } from "./history.ts";
import type { Undone } from "./journal.ts";
import type { FileChange } from "./types.ts";
import { withoutSymbolChange } from "./undo-symbol.ts";

export interface UndoOptions {
  readonly edit: StoredEdit;
  /** Default: the whole edit. */
  readonly file?: string;
  /** One symbol of `file`, by its path in the outline. */
  readonly symbol?: string;
  /** The content that is kept under a hash. */
  readonly content: (hash: string) => Buffer;
  /** What is there now. */
  readonly read: (path: string) => { readonly bytes: Buffer; readonly mode: number } | undefined;
  /** Needed for a symbol. */
  readonly analyser?: Analyser;
  /** Later edits of a file, to be named where they are in the way. */
  readonly later?: (path: string) => Promise<readonly StoredEdit[]>;
}

export interface UndoConflict {
  readonly path: string;
  readonly symbol?: string;
  readonly message: string;
  /** In the file as the edit left it. */
  readonly line?: number;
  /** What the undo would write, and what is there now. */
  readonly wanted?: string;
  readonly present?: string;
  /** Later edits that touched the file, oldest first. */
  readonly edits: readonly {
    readonly id: string;
    readonly actor: string;
    readonly reason: string;
  }[];
}

export type UndoPlan =
  | { readonly ok: true; readonly changes: readonly FileChange[]; readonly undoes: Undone }
  | {
      readonly ok: false;
      readonly code: "UNDO_CONFLICT";
      readonly conflicts: readonly UndoConflict[];
    };

/** Changes nothing. Throws EDIT_UNKNOWN, EDIT_NOT_UNDOABLE, EDIT_JOURNAL_DAMAGED. */
export const planUndo = async (options: UndoOptions): Promise<UndoPlan> => {
  const { edit, file, symbol } = options;
  if (edit.state === "rolled-back") {
    throw new HeadgateError("EDIT_NOT_UNDOABLE", `${edit.id} was taken back when it was made`);
  }
  if (symbol !== undefined && file === undefined) {
    throw new HeadgateError("USAGE", "a symbol is undone in a file: name both");
  }
  const files = edit.files.filter(({ path }) => file === undefined || path === file);
  if (files.length === 0) {
    throw new HeadgateError("EDIT_UNKNOWN", `${edit.id} did not touch ${showText(file ?? "")}`);
  }
  const changes: FileChange[] = [];
  const conflicts: UndoConflict[] = [];
  for (const one of files) {
    const outcome =
      symbol === undefined ? undoFile(one, options) : await undoSymbol(one, symbol, options);
    if (outcome === undefined) continue;
    if ("kind" in outcome) changes.push(outcome);
    else conflicts.push(await withLater(outcome, options));
  }
  if (conflicts.length > 0) return { ok: false, code: "UNDO_CONFLICT", conflicts };
  if (changes.length === 0) {
    throw new HeadgateError("EDIT_NOT_UNDOABLE", `nothing of ${edit.id} is left to be undone`);
  }
  const part = symbol !== undefined ? "symbol" : file !== undefined ? "file" : "whole";
  return {
    ok: true,
    changes,
    undoes: {
      id: edit.id,
      part,
      ...(file !== undefined && { file }),
      ...(symbol !== undefined && { symbol }),
    },
  };
};

type Found = Omit<UndoConflict, "edits">;

/** Undefined when the file is as it was before the edit. */
const undoFile = (file: StoredFile, options: UndoOptions): FileChange | Found | undefined => {
  const { path } = file;
  const now = options.read(path);
  const before = file.before === null ? null : options.content(file.before);
  const after = file.after === null ? null : options.content(file.after);
  if (before === null || after === null) return undoWhole(path, { before, after, now }, file);
  if (!now) return { path, message: `${showText(path)} was deleted since` };
  const mode = modeAfterUndo(file, now.mode);
  const change = (bytes: Buffer): FileChange | undefined =>
    bytes.equals(now.bytes) && mode === undefined
      ? undefined
      : {
          path,
          kind: "modify",
          before: now.bytes,
          after: bytes,
          ...(mode !== undefined && { mode }),
        };
  if (now.bytes.equals(after)) return change(before);
  if (now.bytes.equals(before)) return change(now.bytes);
  const merged = mergeBytes(path, { base: after, ours: before, theirs: now.bytes });
  return Buffer.isBuffer(merged) ? change(merged) : merged;
};

/** A file that the edit made or deleted: there is no half of that. */
const undoWhole = (
  path: string,
  {
    before,
    after,
    now,
  }: {
    readonly before: Buffer | null;
    readonly after: Buffer | null;
    readonly now: ReturnType<UndoOptions["read"]>;
  },
  { beforeMode }: StoredFile,
): FileChange | Found | undefined => {
  if (before === null) {
    if (!now) return undefined;
    if (after?.equals(now.bytes)) return { path, kind: "delete", before: now.bytes, after: null };
    return { path, message: `${showText(path)} was changed since it was made` };
  }
  if (!now) {
    const mode = beforeMode === null ? {} : { mode: beforeMode & 0o777 };
    return { path, kind: "create", before: null, after: before, ...mode };
  }
  if (now.bytes.equals(before)) return undefined;
  return { path, message: `${showText(path)} was made anew since it was deleted` };
};

/** Undefined: it stays as it is, because the edit did not change it or somebody did since. */
const modeAfterUndo = (
  { beforeMode, afterMode }: StoredFile,
  present: number,
): number | undefined => {
  const isChanged = beforeMode !== null && beforeMode !== afterMode;
  const before = (beforeMode ?? 0) & 0o777;
  const isOurs = (present & 0o777) === ((afterMode ?? 0) & 0o777);
  return isChanged && isOurs && before !== (present & 0o777) ? before : undefined;
};

const mergeBytes = (
  path: string,
  { base, ours, theirs }: { readonly base: Buffer; readonly ours: Buffer; readonly theirs: Buffer },
): Buffer | Found => {
  if (![base, ours, theirs].every(isText)) {
    return { path, message: `${showText(path)} is not text, and was changed since` };
  }
  const [old, mine, other] = [base, ours, theirs].map((bytes) => SourceText.of(bytes)) as [
    SourceText,
    SourceText,
    SourceText,
  ];
  const merged = merge3(old.text, mine.text, other.text);
  if (!merged.ok) {
    return {
      path,
      message: `${showText(path)}: line ${merged.line} was changed since`,
      line: merged.line,
      wanted: merged.ours,
      present: merged.theirs,
    };
  }
  const bytes = other.encode(merged.text);
  return bytes ?? { path, message: `${showText(path)} has another encoding now` };
};

const undoSymbol = async (
  file: StoredFile,
  symbol: string,
  options: UndoOptions,
): Promise<FileChange | Found | undefined> => {
  const { path } = file;
  const { analyser } = options;
  if (!analyser) throw new HeadgateError("USAGE", "a symbol is undone with an analyser");
  const now = options.read(path);
  if (!now) return { path, symbol, message: `${showText(path)} was deleted since` };
  const [before, after] = [file.before, file.after].map((hash) =>
    hash === null ? Buffer.alloc(0) : options.content(hash),
  ) as [Buffer, Buffer];
  const wanted = await withoutSymbolChange(analyser, path, { before, after, symbol });
  if (!wanted) {
    throw new HeadgateError(
      "EDIT_UNKNOWN",
      `${options.edit.id} did not change ${showText(symbol)} in ${showText(path)}`,
    );
  }
  const merged = now.bytes.equals(after)
    ? wanted
    : mergeBytes(path, { base: after, ours: wanted, theirs: now.bytes });
  if (!Buffer.isBuffer(merged)) return { ...merged, symbol };
  if (merged.equals(now.bytes)) return undefined;
  return { path, kind: "modify", before: now.bytes, after: merged };
};

const withLater = async (conflict: Found, { later }: UndoOptions): Promise<UndoConflict> => {
  const edits = (await later?.(conflict.path)) ?? [];
  const shown = edits
    .filter(({ state }) => state !== "undone")
    .map(({ id, actor, reason }) => ({ id, actor, reason }));
  const by = shown.length > 0 ? ` (by ${shown.map(({ id }) => id).join(", ")})` : "";
  return { ...conflict, message: conflict.message + by, edits: shown };
};
