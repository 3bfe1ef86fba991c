/**
 * The moment of the write: every file is looked at again, then all get their new content, one rename
 * each. The old file stays beside it under another name until the edit is finished: taking it back is
 * a rename as well, which a full disk cannot stop.
 */
import { errnoOf } from "../base/files.ts";
import { linkNew, removeFile } from "../base/open-file.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { type FileNow, isUntouched, lookAt, refuseOtherNames } from "./file-state.ts";
import { type Folder, type Folders, kindProblem, nameOf, parentOf } from "./folders.ts";
import type { Journal, JournalFile, JournalRecord } from "./journal.ts";
import type { Ports } from "./ports.ts";

/** One edit under way. */
export interface Work {
  readonly ports: Ports;
  readonly journal: Journal;
  readonly folders: Folders;
  readonly record: JournalRecord;
}

/** Names beside the file by its number in the record; they need no room for the file's own name. */
export const temporaryNames = (
  id: string,
  index: number,
): { readonly fresh: string; readonly old: string; readonly back: string } => ({
  fresh: `.headgate-${id}-${index}.new`,
  old: `.headgate-${id}-${index}.old`,
  back: `.headgate-${id}-${index}.back`,
});

/** For git's ignore files and the search for leftovers. */
export const scratchPattern = ".headgate-ed_*";

export const isScratchName = (path: string): boolean =>
  /(?:^|\/)\.headgate-ed_\w+-\d+\.(?:new|old|back)$/.test(path);

/** Throws STALE_VIEW, EDIT_TARGET_KIND and what the system throws; some files may be written by then. */
export const writeFiles = (work: Work): void => {
  const { ports, record } = work;
  const seen = record.files.map((file) => {
    const folder = folderOf(work, file);
    const now = checkBefore(work, file, folder);
    if (now) refuseOtherNames(now, file.path);
    return { file, folder, now };
  });
  ports.onStep("checked");
  for (const [index, { file, folder, now }] of seen.entries()) {
    folder.verify();
    writeFile(work, { file, folder, now, index });
    ports.onStep("written", file.path);
  }
};

const writeFile = (
  { ports: { files, onStep }, record }: Work,
  one: {
    readonly file: JournalFile;
    readonly folder: Folder;
    readonly now: FileNow | undefined;
    readonly index: number;
  },
): void => {
  const { file, folder, now, index } = one;
  const { fresh, old } = temporaryNames(record.id, index);
  const target = folder.at(nameOf(file.path));
  if (now === undefined) {
    if (!linkNew(files, folder.at(fresh), target)) throw staleView(file.path, "it exists by now");
    onStep("half-written", file.path);
    removeFile(files, folder.at(fresh));
    return;
  }
  if (!isUntouched(files, folder, file.path, now.stats)) {
    throw staleView(file.path, "it was changed just now");
  }
  if (file.kind === "delete") {
    files.rename(target, folder.at(old));
    return;
  }
  keepOld(() => files.link(target, folder.at(old)));
  onStep("half-written", file.path);
  files.rename(folder.at(fresh), target);
};

/** Where there are no links, the content kept in the journal has to do. */
const keepOld = (link: () => void): void => {
  try {
    link();
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errnoOf(error) ?? "")) throw error;
  }
};

/** What is there now, which must be what the edit was made for. */
export const checkBefore = (
  { ports }: Pick<Work, "ports">,
  file: Pick<JournalFile, "path" | "before">,
  folder: Folder | undefined,
): FileNow | undefined => {
  const now = folder && lookAt(ports.files, folder, file.path);
  if ((now?.hash ?? null) === file.before) return now;
  if (!now) throw staleView(file.path, "it is gone");
  throw staleView(file.path, file.before === null ? "it exists already" : "its content is another");
};

const folderOf = ({ folders }: Work, { path, before }: JournalFile): Folder => {
  const folder = folders.find(parentOf(path));
  if (folder) return folder;
  if (before !== null) throw staleView(path, "it is gone");
  throw kindProblem(path, "its folder was removed just now");
};

export const syncFolders = ({ folders, record }: Work): void => {
  const paths = new Set(record.files.map(({ path }) => parentOf(path)));
  for (const path of paths) folders.find(path)?.sync();
};

export const staleView = (path: string, what: string): HeadgateError =>
  new HeadgateError("STALE_VIEW", `${showText(path)} is not the version that was seen: ${what}`, {
    data: { path, problem: what },
  });
