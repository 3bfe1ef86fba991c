/** Carries a plan out, file by file, each whole or not at all, and keeps the manifest true after each. */
import { dirname, join } from "node:path";
import { errnoOf } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import { contentHash, writeFileAtomic } from "../../state/index.ts";
import { emptyManifest, type Manifest, manifestPath, writeManifest } from "./manifest.ts";
import type { PlannedFile, SetupPlace } from "./types.ts";

/** The local folder must exist. Throws what the first failing file throws; those before it stay done. */
export const applySetup = async (
  place: SetupPlace,
  files: readonly PlannedFile[],
  manifest: Manifest = emptyManifest,
): Promise<void> => {
  let installed = manifest;
  for (const file of files) {
    const { path, after, original } = file;
    if (after === undefined) continue;
    const folders = missingFolders(place, path);
    // Written before the file: a crash between the two leaves an entry too many, never a file too many.
    installed = {
      files: [
        ...installed.files.filter((one) => one.path !== path),
        { path, original, written: contentHash(after) },
      ],
      folders: [...new Set([...installed.folders, ...folders])],
    };
    await writeManifest(place.localDir, installed);
    for (const folder of folders) place.files.makeDirectory(join(place.root, folder), 0o777);
    await writeFileAtomic(join(place.root, path), after, writeOptions(place, file));
  }
};

/** Removes our part again; files that only we had, and folders that only we made, go. */
export const applyRemoval = async (
  place: SetupPlace,
  files: readonly PlannedFile[],
  manifest: Manifest = emptyManifest,
): Promise<void> => {
  const { root } = place;
  for (const file of files) {
    const path = join(root, file.path);
    if (file.after !== undefined) {
      await writeFileAtomic(path, file.after, { ...writeOptions(place, file), allowEmpty: true });
    } else removeUnchanged(place, file);
  }
  const emptied = files.filter(({ after }) => after === undefined).map(({ path }) => dirname(path));
  const made = manifest.folders.length > 0 ? manifest.folders : emptied;
  for (const folder of made.toSorted((a, b) => b.length - a.length)) {
    // `.headgate` holds the store, which stays.
    if (folder !== "." && folder !== ".headgate") removeIfEmpty(place, folder);
  }
  const kept = manifestPath(place.localDir);
  if (place.files.stat(kept)) place.files.unlink(kept);
};

const writeOptions = ({ root, files }: SetupPlace, { before, mode }: PlannedFile) => ({
  root,
  files,
  expect: before === undefined ? null : contentHash(before),
  // An existing file keeps its own, unless ours must be run.
  ...(mode !== undefined && { mode }),
});

const missingFolders = ({ root, files }: SetupPlace, path: string): string[] => {
  const names = path.split("/").slice(0, -1);
  return names
    .map((_, depth) => names.slice(0, depth + 1).join("/"))
    .filter((folder) => files.stat(join(root, folder)) === undefined);
};

const removeUnchanged = ({ root, files }: SetupPlace, { path, before }: PlannedFile): void => {
  const place = join(root, path);
  if (before && !files.readFile(place).equals(before)) {
    throw new HeadgateError("STATE_CHANGED", `${path} changed while it was looked at`);
  }
  files.unlink(place);
};

const removeIfEmpty = ({ root, files }: SetupPlace, folder: string): void => {
  try {
    files.removeDirectory(join(root, folder));
  } catch (error) {
    // Somebody else has something in it, or it is gone.
    if (!["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) throw error;
  }
};
