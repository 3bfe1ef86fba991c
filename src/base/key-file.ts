/** A secret of the state folder: a record that carries a code made with it cannot be forged from outside that folder. */
import { errnoOf, type Files } from "./files.ts";
import { linkNew, removeFile, writeInPlace } from "./open-file.ts";
import { systemRandom } from "./random.ts";

/** Undefined where none was made yet. */
export const readKey = (path: string, files: Files): string | undefined => {
  try {
    return files.readFile(path).toString("latin1");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Made once, by the first process that needs it; it is whole or not there. */
export const makeKey = (path: string, files: Files): string | undefined => {
  const fresh = `${path}.${Buffer.from(systemRandom.bytes(8)).toString("hex")}`;
  const text = Buffer.from(systemRandom.bytes(32)).toString("hex");
  writeInPlace(files, fresh, { text, mode: 0o600 });
  if (!linkNew(files, fresh, path) || files.stat(fresh)) removeFile(files, fresh);
  return readKey(path, files);
};
