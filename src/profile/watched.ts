import { fileParts, matchingPatterns } from "./file-patterns.ts";
import { type SignalIndex, signalIndex } from "./signal-index.ts";

/**
 * Whether the coming, going or changing of this file can change a profile apart from the shares of
 * languages: a manifest, a file of a signal, a README, attributes.
 */
export const isWatched = (path: string, index: SignalIndex = signalIndex()): boolean => {
  const parts = fileParts(path);
  return parts.name === ".gitattributes" || matchingPatterns(index.files, parts).length > 0;
};

/** Whether also its content matters: of most signals only the name does. */
export const isRead = (path: string, index: SignalIndex = signalIndex()): boolean => {
  const parts = fileParts(path);
  return (
    parts.name === ".gitattributes" ||
    matchingPatterns(index.files, parts).some(
      ({ value }) => value.kind === "manifest" || value.kind === "readme",
    )
  );
};

/** Folders above this file that are signals: they may come with the first file and go with the last. */
export const watchedFolders = (path: string, index: SignalIndex = signalIndex()): string[] =>
  foldersAbove(path).filter(
    (folder) =>
      matchingPatterns(index.directories, { ...fileParts(folder), extension: "" }).length > 0,
  );

const foldersAbove = (path: string): string[] => {
  const folders: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
};
