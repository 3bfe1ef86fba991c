/**
 * The folder of work under way (state/work-notes.ts, edit/journal.ts). Every command looks into it, so the look
 * loads nothing else.
 */
import { join } from "node:path";
import { errnoOf, type Files, systemFiles } from "./files.ts";

/** In a repository's state folder. */
export const workFolder = (stateFolder: string): string => join(stateFolder, "edits", "open");

/** Names of everything under way, of edits too. Empty where nothing was ever done. */
export const listWork = (stateFolder: string, files: Files = systemFiles): readonly string[] => {
  try {
    return files.list(workFolder(stateFolder)).map(({ name }) => name);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
};
