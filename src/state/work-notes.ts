/**
 * Work that changes several things one after another: a note says so before the first step and goes after the
 * last. All notes, and the records of edits, are in one folder: whether a killed process left something half
 * done is one read. A note never says what to do: its kind knows how to finish.
 */
import { join } from "node:path";
import { type Files, systemFiles } from "../base/files.ts";
import { removeFile } from "../base/open-file.ts";
import { ownIdentity, probe, type ProcessIdentity } from "../base/process-identity.ts";
import { listWork, workFolder } from "../base/work-folder.ts";
import { writeFileAtomicSync } from "./atomic-file.ts";
import { readContent } from "./read-content.ts";

export interface WorkNote {
  readonly kind: "commit" | "routing";
  /** The operation (`op_…`). */
  readonly id: string;
  /** Who does it; null: it is left to the next command. */
  readonly process: ProcessIdentity | null;
  readonly worktree: string;
  /** Of a commit: undefined until it is made. */
  readonly commit?: string;
  /** The ref that it moves. */
  readonly branch?: string;
}

export const noteWork = (
  stateFolder: string,
  note: Omit<WorkNote, "process"> & { readonly isLeft?: boolean },
  files: Files = systemFiles,
): void => {
  const { isLeft = false, ...rest } = note;
  files.makeDirectory(workFolder(stateFolder), 0o700);
  const text = JSON.stringify({ ...rest, process: isLeft ? null : { ...ownIdentity() } });
  writeFileAtomicSync(notePath(stateFolder, note), text, {
    ...{ durability: "cache", mode: 0o600, files },
  });
};

export const endWork = (
  stateFolder: string,
  note: Pick<WorkNote, "kind" | "id">,
  files: Files = systemFiles,
): void => removeFile(files, notePath(stateFolder, note));

/** Notes of work that no living process does. */
export const findLeftWork = (
  stateFolder: string,
  files: Files = systemFiles,
): readonly WorkNote[] =>
  readNotes(stateFolder, files).flatMap(({ note }) =>
    note && (note.process === null || probe(note.process).state === "dead") ? [note] : [],
  );

/** Names in the folder that are neither records of edits, nor notes that can be read, nor temporaries. */
export const findOddWork = (
  stateFolder: string,
  isEdit: (name: string) => boolean,
  files: Files = systemFiles,
): readonly string[] => {
  const readable = new Set(
    readNotes(stateFolder, files).flatMap(({ name, note }) => (note === null ? [] : [name])),
  );
  return listWork(stateFolder, files).filter(
    (name) => !readable.has(name) && !isEdit(name) && !/^\..*\.tmp$/.test(name),
  );
};

interface ReadNote {
  readonly name: string;
  /** Undefined: another has just finished it. Null: it is damaged or was not written here. */
  readonly note: WorkNote | null | undefined;
}

const readNotes = (stateFolder: string, files: Files): ReadNote[] =>
  listWork(stateFolder, files).flatMap((name): ReadNote[] => {
    const [, id, kind] = noteName.exec(name) ?? [];
    if (id === undefined) return [];
    const text = readContent(join(workFolder(stateFolder), name), files)?.toString("utf8");
    if (text === undefined) return [{ name, note: undefined }];
    const note = parseNote(text);
    return [{ name, note: note?.id === id && note.kind === kind ? note : null }];
  });

const parseNote = (text: string): WorkNote | undefined => {
  const note = readJson(text) as Partial<Record<keyof WorkNote, unknown>> | null | undefined;
  const isNote =
    typeof note === "object" &&
    note !== null &&
    typeof note.worktree === "string" &&
    typeof note.process === "object" &&
    [note.commit, note.branch].every((one) => one === undefined || typeof one === "string");
  return isNote ? (note as WorkNote) : undefined;
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const noteName = /^(op_\w+)\.(commit|routing)\.json$/;
const notePath = (stateFolder: string, { kind, id }: Pick<WorkNote, "kind" | "id">): string =>
  join(workFolder(stateFolder), `${id}.${kind}.json`);
