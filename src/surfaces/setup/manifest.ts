/**
 * What `init` changed in this clone: `.git/headgate/installed.json`. It is what lets `uninstall`
 * restore files byte for byte, and `doctor` say that somebody changed them since.
 */
import { join } from "node:path";
import { readContent, writeFileAtomic } from "../../state/index.ts";

export interface InstalledFile {
  readonly path: string;
  /** The whole content before; undefined: there was no file. */
  readonly original: Buffer | undefined;
  /** SHA-256 of what `init` wrote. */
  readonly written: string;
}

export interface Manifest {
  readonly files: readonly InstalledFile[];
  /** Folders that were made, outermost first. */
  readonly folders: readonly string[];
}

export const emptyManifest: Manifest = { files: [], folders: [] };

export const manifestPath = (localDir: string): string => join(localDir, "installed.json");

/** Undefined without one, and for one that is not as it was written: then files are only searched. */
const parseManifest = (text: string): Manifest | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { version, files, folders } = (value ?? {}) as Record<string, unknown>;
  if (version !== 1 || !Array.isArray(files) || !Array.isArray(folders)) return undefined;
  const read = files.map(readFileEntry);
  if (read.includes(undefined) || !folders.every(isInside)) return undefined;
  return { files: read as InstalledFile[], folders: folders as string[] };
};

export const readManifest = (localDir: string, hasFolder: boolean): Manifest | undefined => {
  const bytes = hasFolder ? readContent(manifestPath(localDir)) : undefined;
  return bytes && parseManifest(bytes.toString("utf8"));
};

export const writeManifest = async (localDir: string, manifest: Manifest): Promise<void> => {
  const files = manifest.files.map(({ path, original, written }) => ({
    path,
    original: original === undefined ? null : original.toString("base64"),
    written,
  }));
  const text = JSON.stringify({ version: 1, files, folders: manifest.folders }, undefined, 2);
  await writeFileAtomic(manifestPath(localDir), `${text}\n`, { mode: 0o600, root: localDir });
};

const readFileEntry = (entry: unknown): InstalledFile | undefined => {
  const { path, original, written } = (entry ?? {}) as Record<string, unknown>;
  if (!isInside(path) || typeof written !== "string") return undefined;
  if (original === null) return { path, original: undefined, written };
  if (typeof original !== "string") return undefined;
  return { path, original: Buffer.from(original, "base64"), written };
};

/** The file lies in the repository's folder; a path in it must not lead out of there. */
const isInside = (path: unknown): path is string =>
  typeof path === "string" &&
  path !== "" &&
  !path.startsWith("/") &&
  !path.includes("\\") &&
  !path.split("/").some((name) => name === "" || name === "." || name === "..");
