/**
 * Which names exist in this project and what it builds upon, kept on disk between runs: reading a
 * project and its libraries takes seconds, bringing a kept index up to date milliseconds. What is too
 * large to be read is left out, and nothing is then proven by it.
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { type Git, splitNul } from "../git/index.ts";
import { limits } from "../base/limits.ts";
import { writeFileAtomic } from "../state/index.ts";
import { type Family, languageOf, SymbolUniverse } from "../structure/index.ts";
import {
  listBelow,
  readPythonLibraries,
  readScriptLibraries,
  sourcesIn,
} from "./library-sources.ts";

export interface ProjectNamesOptions {
  readonly root: string;
  /** Undefined for a folder without git. */
  readonly git: Git | undefined;
  readonly files: Files;
  /** Where the index is kept. */
  readonly cacheFile: string;
  /** Folders with the sources of Python's own library; none when there is no interpreter. */
  readonly pythonLibraries: () => Promise<readonly string[]>;
  /** Told when reading takes longer than people expect. */
  readonly onReading?: () => void;
}

/**
 * The names of the project as it is now, and of the libraries of these languages; others may be missing,
 * because reading a language's library for the first time takes seconds.
 */
export type ProjectNames = (families: readonly Family[]) => Promise<SymbolUniverse>;

export const openProjectNames = (options: ProjectNamesOptions): ProjectNames => {
  let known: SymbolUniverse | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const bringUpToDate = async (families: readonly Family[]): Promise<SymbolUniverse> => {
    known ??= restore(options);
    const before = known.revision;
    await readAll(known, options, families);
    if (known.revision !== before) await keep(known, options);
    return known;
  };
  // One after the other: two at once would read everything twice.
  return (families) => {
    const mine = turn.then(() => bringUpToDate(families));
    turn = mine.catch(() => {});
    return mine;
  };
};

const restore = ({ files, cacheFile }: ProjectNamesOptions): SymbolUniverse => {
  const stat = files.stat(cacheFile);
  if (!stat?.isFile()) return new SymbolUniverse();
  return SymbolUniverse.restore(files.readFile(cacheFile).toString("utf8")) ?? new SymbolUniverse();
};

/** Only a cache: when it cannot be written, the next run reads everything again. */
const keep = async (
  universe: SymbolUniverse,
  { files, cacheFile }: ProjectNamesOptions,
): Promise<void> => {
  // Looking makes no folder where nobody has used Headgate yet.
  if (!files.stat(join(cacheFile, "../.."))?.isDirectory()) return;
  try {
    files.makeDirectory(join(cacheFile, ".."), 0o700);
    await writeFileAtomic(cacheFile, universe.serialize(), { durability: "cache" });
  } catch {
    // A read-only disk is no reason to judge less.
  }
};

const readAll = async (
  universe: SymbolUniverse,
  options: ProjectNamesOptions,
  families: readonly Family[],
): Promise<void> => {
  const { root, files, onReading } = options;
  const project = await listProject(options);
  if ([...universe.files()].length === 0) onReading?.();
  await universe.update(sourcesIn(root, project, files));
  if (families.includes("python")) await readPythonLibraries(universe, options);
  if (families.includes("script")) await readScriptLibraries(universe, options);
};

/** Everything that git does not ignore; without git, everything but what is usually installed. */
const listProject = async ({ root, git, files }: ProjectNamesOptions): Promise<string[]> => {
  if (!git) return listBelow(root, files, { isWanted: isSource, isEntered: isOwnFolder }) ?? [];
  const { stdout } = await git.run({
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    outputBytesMax: limits.mineOutputBytesMax,
  });
  return [...new Set(splitNul(stdout))].filter(isSource).slice(0, limits.namesFilesMax);
};

const isSource = (path: string): boolean => languageOf(path) !== "text";
const isOwnFolder = (name: string): boolean =>
  !/^(node_modules|\.git|\.venv|venv|__pycache__|\.headgate)$/.test(name);
