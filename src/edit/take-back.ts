/**
 * Takes an edit back, after a failure or after a crash, from whatever point it had come to. It may itself
 * be killed at any point and be started again. What somebody else wrote meanwhile is never overwritten.
 */
import { errnoOf } from "../base/files.ts";
import { linkNew, removeFile } from "../base/open-file.ts";
import { type FileNow, lookAt, makeFile } from "./file-state.ts";
import { type Folder, nameOf, parentOf } from "./folders.ts";
import type { JournalFile, Phase } from "./journal.ts";
import { temporaryNames, type Work } from "./write-files.ts";

/** A file that holds neither its old nor its new content. */
export interface Conflict {
  readonly path: string;
  /** What the edit wrote there; null: nothing. */
  readonly after: string | null;
  readonly found: string | null;
}

export interface TakenBack {
  /** Some files had their new content already. */
  readonly wasWritten: boolean;
  /** Not empty: the edit stays open. */
  readonly conflicts: readonly Conflict[];
}

export const takeBack = (
  work: Work,
  from: Phase,
  /** Leaves files that somebody else changed as they are, and calls the edit taken back. */
  { acceptsConflicts = false }: { readonly acceptsConflicts?: boolean } = {},
): TakenBack => {
  const { journal, record, ports } = work;
  const written = writtenFiles(work, from);
  let phase = from;
  const go = (to: Phase): void => {
    journal.move(record.id, phase, to);
    phase = to;
  };
  if (phase === "preparing" || phase === "writing") {
    go(written.length === 0 ? "dropping" : "returning");
    ports.onStep("returning");
  }
  if (phase === "returning") {
    const conflicts = written.toReversed().flatMap((one) => {
      const conflict = returnFile(work, one);
      ports.onStep("returned", one.file.path);
      return conflict ? [conflict] : [];
    });
    for (const folder of new Set(written.map((one) => one.folder))) folder?.sync();
    if (conflicts.length > 0 && !acceptsConflicts) {
      removeOldNames(work, conflicts);
      return { wasWritten: true, conflicts };
    }
    go("returned");
    ports.onStep("all-returned");
  }
  removeTemporaries(work);
  removeFolders(work);
  ports.onStep("cleaned");
  if (phase === "returned") go("rolled-back");
  else journal.remove(record.id, phase);
  return { wasWritten: phase === "rolled-back", conflicts: [] };
};

interface Written {
  readonly file: JournalFile;
  readonly index: number;
  readonly folder: Folder | undefined;
}

/**
 * The files that got their new content: those whose prepared file has gone to its place, or whose old one
 * was put aside. The content is not asked: somebody else may have changed it before or after.
 */
export const writtenFiles = (work: Work, phase: Phase): Written[] => {
  if (phase !== "writing" && phase !== "returning") return [];
  const { folders, record, ports } = work;
  return record.files.flatMap((file, index) => {
    const folder = folders.find(parentOf(file.path));
    const { fresh, old } = temporaryNames(record.id, index);
    const at = (name: string) => folder && ports.files.stat(folder.at(name));
    const isWritten =
      file.kind === "delete"
        ? at(old) !== undefined
        : !at(fresh) || at(fresh)?.ino === at(nameOf(file.path))?.ino;
    return isWritten ? [{ file, index, folder }] : [];
  });
};

const returnFile = (work: Work, { file, index, folder }: Written): Conflict | undefined => {
  const { ports, journal, record } = work;
  const { files } = ports;
  const { path, before, after, beforeMode } = file;
  const now = folder && look(work, folder, path);
  const found = now === "other" ? "" : (now?.hash ?? null);
  if (found === after && folder) {
    const target = folder.at(nameOf(path));
    const { old, back } = temporaryNames(record.id, index);
    if (before === null) removeFile(files, target);
    else if (file.kind === "delete") {
      if (!linkNew(files, folder.at(old), target)) return { path, after, found: "" };
    } else if (isKept(work, folder, old, before)) files.rename(folder.at(old), target);
    else {
      removeFile(files, folder.at(back));
      makeFile(files, folder.at(back), journal.content(before), beforeMode ?? 0o600);
      files.rename(folder.at(back), target);
    }
    return undefined;
  }
  return found === before ? undefined : { path, after, found };
};

/** A link or folder in the place is as good as any other content: it is not ours. */
const look = ({ ports }: Work, folder: Folder, path: string): FileNow | "other" | undefined => {
  const stats = ports.files.stat(folder.at(nameOf(path)));
  if (stats && !stats.isFile()) return "other";
  return lookAt(ports.files, folder, path);
};

/** Somebody who had the old file open may have gone on writing into it. */
const isKept = (work: Work, folder: Folder, old: string, before: string): boolean =>
  lookAt(work.ports.files, folder, old)?.hash === before;

/**
 * Also after an edit that came to its end: the old files are needed no more. The record goes after them, so after
 * a power cut they must not come back without it.
 */
export const removeTemporaries = ({ folders, record, ports }: Work): void => {
  const known = new Set<Folder>();
  for (const [index, { path }] of record.files.entries()) {
    const folder = folders.find(parentOf(path));
    if (!folder) continue;
    for (const name of Object.values(temporaryNames(record.id, index))) {
      if (ports.files.stat(folder.at(name))) removeFile(ports.files, folder.at(name));
    }
    known.add(folder);
  }
  // Also where they are gone: an earlier try may have been killed before this.
  for (const folder of known) folder.sync();
};

/** The edit stays open, but files that are back must not keep a second name: it would lock them. */
const removeOldNames = ({ folders, record, ports }: Work, conflicts: readonly Conflict[]): void => {
  const paths = new Set(conflicts.map(({ path }) => path));
  for (const [index, { path }] of record.files.entries()) {
    const folder = folders.find(parentOf(path));
    if (!folder || paths.has(path)) continue;
    removeFile(ports.files, folder.at(temporaryNames(record.id, index).old));
  }
};

/** Those that were made for the edit, unless somebody uses them. */
const removeFolders = ({ folders, record, ports }: Work): void => {
  for (const path of record.folders.toReversed()) {
    const above = folders.find(parentOf(path));
    if (!above || !folders.find(path)) continue;
    try {
      ports.removeFolder?.(above.at(nameOf(path)));
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "ENOENT", "EBUSY"].includes(errnoOf(error) ?? "")) throw error;
    }
  }
};
