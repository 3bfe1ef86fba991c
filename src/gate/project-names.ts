/**
 * Which names exist in this project and what it builds upon, kept on disk between runs: reading a
 * project and its libraries takes seconds, bringing a kept index up to date milliseconds. What is too
 * large to be read is left out, and nothing is then proven by it.
 */
import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Files } from "../base/files.ts";
import { type Git, splitNul } from "../git/index.ts";
import { limits } from "../base/limits.ts";
import { writeFileAtomic } from "../state/index.ts";
import { type Family, languageOf, SymbolUniverse } from "../structure/index.ts";
import { readAmbientNames } from "./ambient-sources.ts";
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
export type ProjectNames = (
  families: readonly Family[],
  /** The files of one judgement, whose rules share one look at the disk. */
  judgement?: object,
) => Promise<SymbolUniverse>;

/** Common to the worktrees of a repository: the first to come reads it for all of them. */
export interface NamesShelf {
  turn: Promise<unknown>;
  first?: SymbolUniverse;
  /** Where Python's libraries are, as last asked; that starts a program. */
  python?: { readonly folders: Promise<readonly string[]>; readonly untilMs: number };
}

export const newNamesShelf = (): NamesShelf => ({ turn: Promise.resolve() });

export const openProjectNames = (
  options: ProjectNamesOptions,
  shelf: NamesShelf = newNamesShelf(),
): ProjectNames => {
  let known: SymbolUniverse | undefined;
  let keptRevision: number | undefined;
  const own = { ...options, pythonLibraries: () => askPython(options, shelf) };
  const bringUpToDate = async (families: readonly Family[]): Promise<SymbolUniverse> => {
    if (!known) {
      const kept = shelf.first ? undefined : restore(options);
      known = shelf.first?.copy() ?? kept ?? new SymbolUniverse();
      if (kept) keptRevision = known.revision;
      shelf.first ??= known;
    }
    const hasNewLibraries = await readAll(known, own, families);
    // A few files are read again sooner than everything is written down.
    const changes = known.revision - (keptRevision ?? Number.NEGATIVE_INFINITY);
    if (hasNewLibraries || changes >= keptChangesMin) {
      if (await keep(known, options)) keptRevision = known.revision;
    }
    return known;
  };
  // One after the other: two at once would read everything twice.
  const looks = new WeakMap<
    object,
    { families: readonly Family[]; names: Promise<SymbolUniverse> }
  >();
  return (families, judgement) => {
    const look = judgement && looks.get(judgement);
    if (look && families.every((one) => look.families.includes(one))) return look.names;
    const mine = shelf.turn.then(() => bringUpToDate(families));
    shelf.turn = mine.catch(() => {});
    if (judgement) looks.set(judgement, { families, names: mine });
    return mine;
  };
};

const keptChangesMin = 16;

/** Another interpreter may take its place while a server runs. */
const pythonMs = 60_000;

const askPython = (
  { pythonLibraries }: ProjectNamesOptions,
  shelf: NamesShelf,
): Promise<readonly string[]> => {
  const now = systemClock.monoMs();
  if (!shelf.python || now >= shelf.python.untilMs) {
    shelf.python = { folders: pythonLibraries(), untilMs: now + pythonMs };
  }
  return shelf.python.folders;
};

const restore = ({ files, cacheFile }: ProjectNamesOptions): SymbolUniverse | undefined => {
  if (!files.stat(cacheFile)?.isFile()) return undefined;
  return SymbolUniverse.restore(files.readFile(cacheFile).toString("utf8"));
};

/** Only a cache: when it cannot be written, the next run reads everything again. */
const keep = async (
  universe: SymbolUniverse,
  { files, cacheFile }: ProjectNamesOptions,
): Promise<boolean> => {
  // Looking makes no folder where nobody has used Headgate yet.
  if (!files.stat(join(cacheFile, "../.."))?.isDirectory()) return false;
  try {
    files.makeDirectory(join(cacheFile, ".."), 0o700);
    await writeFileAtomic(cacheFile, universe.serialize(), { durability: "cache" });
    return true;
  } catch {
    // A read-only disk is no reason to judge less.
    return false;
  }
};

/** Whether something was read that takes long. */
const readAll = async (
  universe: SymbolUniverse,
  options: ProjectNamesOptions,
  families: readonly Family[],
): Promise<boolean> => {
  const { root, files, onReading } = options;
  const project = await listProject(options);
  if ([...universe.files()].length === 0) onReading?.();
  await universe.update(sourcesIn(root, project, files));
  const before = universe.revision;
  if (families.includes("python")) await readPythonLibraries(universe, options);
  if (families.includes("script")) {
    await readScriptLibraries(universe, options);
    await readAmbientNames(universe, options);
  }
  return universe.revision !== before;
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
