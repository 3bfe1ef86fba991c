import { dirname, join } from "node:path";
import { type Files, errnoOf, systemFiles } from "./files.ts";
import { composed } from "./text.ts";

/**
 * Whether the disk under `folder` treats `A` and `a` as one name, found out by asking it: a name that
 * exists is looked up with its case swapped. Only that answer counts, the platform does not (macOS can
 * be sensitive, a Linux folder can be insensitive).
 */
export const isCaseInsensitive = (folder: string, files: Files = systemFiles): boolean => {
  for (let place = folder; ; place = dirname(place)) {
    const answer = probe(place, files);
    if (answer !== undefined) return answer;
    if (dirname(place) === place) return false;
  }
};

/**
 * The form in which names of a case-insensitive disk are compared. By way of upper case, because several
 * small letters share one capital (ß and ss, σ and ς). It folds more than some disks do; that can only make
 * two names one, never one name two.
 */
export const foldCase = (text: string): string =>
  composed(composed(text).toLowerCase().toUpperCase().toLowerCase());

const probe = (place: string, files: Files): boolean | undefined => {
  const names = new Set(namesIn(place, files));
  for (const name of names) {
    const swapped = swapCase(name);
    // Both spellings listed means two names, which may still be one inode (a hard link).
    if (swapped === name || names.has(swapped)) continue;
    const original = files.stat(join(place, name));
    // Removed since it was listed.
    if (!original) continue;
    const other = files.stat(join(place, swapped));
    return other !== undefined && other.ino === original.ino && other.dev === original.dev;
  }
  return undefined;
};

const namesIn = (place: string, files: Files): string[] => {
  try {
    return files.list(place).map((entry) => entry.name);
  } catch (error) {
    // A parent that may not be listed or is gone says nothing; the next one up is asked.
    if (unreadable.has(errnoOf(error) ?? "")) return [];
    throw error;
  }
};

const unreadable = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR"]);

// ASCII only: whether other letters fold differs between disks and says nothing about these.
const swapCase = (name: string): string =>
  name.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
