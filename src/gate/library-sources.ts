/**
 * The sources of what a project builds upon: its language's own library, and the packages it imports with
 * everything they need in turn. A package that is not read is unknown, and proves nothing.
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import type { SourceFiles, SymbolUniverse } from "../structure/index.ts";

export interface LibraryOptions {
  readonly root: string;
  readonly files: Files;
  /** Folders with the sources of Python's own library and its packages; none without an interpreter. */
  readonly pythonLibraries: () => Promise<readonly string[]>;
  /** Told when reading takes longer than people expect. */
  readonly onReading?: () => void;
}

export const readPythonLibraries = async (
  universe: SymbolUniverse,
  options: LibraryOptions,
): Promise<void> => {
  const { files } = options;
  const [standard, ...sites] = await options.pythonLibraries();
  if (standard === undefined) return;
  const own = { isWanted: isPython, isEntered: (name: string) => !notPython.test(name) };
  await readFolder(universe, "python", standard, { ...options, ...own });
  const folders = [...new Set([...sites, ...virtualEnvironments(options)])];
  await readClosure(universe, "python", options, {
    find: (name) =>
      folders
        .flatMap((folder) => [join(folder, name), join(folder, `${name}.py`)])
        .find((path) => files.stat(path) !== undefined),
    isWanted: isPython,
    // What a package imports at the beginning of a line, whatever file it stands in.
    needsOf: (sources) =>
      [...sources.list()].flatMap((path) => {
        if (!path.endsWith(".py")) return [];
        const text = sources.read(path)?.toString("latin1") ?? "";
        return Array.from(
          text.matchAll(/^[ \t]*(?:from|import)[ \t]+([A-Za-z_]\w*)/gm),
          ([, name = ""]) => name,
        );
      }),
  });
};

export const readScriptLibraries = async (
  universe: SymbolUniverse,
  options: LibraryOptions,
): Promise<void> => {
  const { files, root } = options;
  const nothing: SourceFiles = { list: () => [], read: () => undefined };
  await universe.addLibrary("script", "the language itself", nothing);
  const folder = join(root, "node_modules");
  await readClosure(universe, "script", options, {
    find: (name) => [join(folder, name)].find((path) => files.stat(path)?.isDirectory()),
    isWanted: (path) => /\.([cm]?jsx?|[cm]?tsx?)$/.test(path),
    needsOf: (sources) => {
      const manifest = sources.read("package.json")?.toString("utf8") ?? "{}";
      return dependenciesOf(manifest);
    },
  });
};

const isPython = (path: string): boolean => /\.(pyi?|so|pyd)$/.test(path);
const notPython = /^(test|tests|__pycache__|idle_test|site-packages|dist-packages)$/;

interface Packages {
  /** Where a package is, by the name it is imported under. */
  find(name: string): string | undefined;
  isWanted(path: string): boolean;
  needsOf(sources: SourceFiles): readonly string[];
}

/** The packages that the project imports, those that they need, and so on, until there is too much of it. */
const readClosure = async (
  universe: SymbolUniverse,
  family: "python" | "script",
  options: LibraryOptions,
  packages: Packages,
): Promise<void> => {
  const { files, onReading } = options;
  const queue = [
    ...new Set(
      [...universe.files()].filter((one) => one.family === family).flatMap((one) => one.imports),
    ),
  ].map((module) => packageName(module, family));
  const seen = new Set<string>();
  let bytesLeft = limits.namesBytesMax;
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (name === "" || seen.has(name)) continue;
    seen.add(name);
    if (family === "script" && !name.startsWith("@types/"))
      queue.push(`@types/${name.replace(/^@(.+)\//, "$1__")}`);
    const folder = packages.find(name);
    const stat = folder === undefined ? undefined : files.statFollowing(folder);
    if (folder === undefined || stat === undefined) continue;
    const key = `${folder} ${stat.mtimeMs}`;
    const library = universe.library(family);
    // Walking through packages costs more than everything else here: only new ones are looked at.
    const known = library.part(key);
    if (known?.isRead) {
      bytesLeft -= known.bytes;
      queue.push(...known.needs);
      continue;
    }
    if (known && known.bytes > bytesLeft) continue;
    const list = stat.isDirectory()
      ? listBelow(folder, files, {
          isWanted: packages.isWanted,
          isEntered: (one) => !notPackage.test(one),
        })
      : [];
    if (!list) continue;
    const sources = stat.isDirectory()
      ? sourcesIn(folder, list, files, name)
      : sourcesIn(join(folder, ".."), [`${name}.py`], files);
    const bytes = list.reduce((sum, path) => sum + (files.stat(join(folder, path))?.size ?? 0), 0);
    if (bytes > bytesLeft) {
      library.leaveOut(key, bytes);
      continue;
    }
    const needs = [...new Set(packages.needsOf(sources))];
    bytesLeft -= bytes;
    onReading?.();
    await universe.addLibrary(family, key, sources, { needs, bytes });
    queue.push(...needs);
  }
};

const notPackage = /^(tests?|__pycache__|\.bin|\.cache)$/;

const packageName = (module: string, family: "python" | "script"): string => {
  if (family === "python") return module.startsWith(".") ? "" : (module.split(".")[0] ?? "");
  if (/^[./]|^node:/.test(module)) return "";
  const parts = module.split("/");
  return parts.slice(0, module.startsWith("@") ? 2 : 1).join("/");
};

const dependenciesOf = (manifest: string): string[] => {
  try {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(manifest) as Record<
      string,
      object
    >;
    return [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
  } catch {
    return [];
  }
};

const readFolder = async (
  universe: SymbolUniverse,
  family: "python" | "script",
  folder: string,
  options: LibraryOptions & Pick<Packages, "isWanted"> & { isEntered(name: string): boolean },
): Promise<void> => {
  const { files, onReading } = options;
  const stat = files.statFollowing(folder);
  const key = `${folder} ${stat?.mtimeMs ?? "absent"}`;
  if (!stat?.isDirectory() || universe.library(family).part(key)) return;
  const list = listBelow(folder, files, options);
  if (!list) return;
  onReading?.();
  await universe.addLibrary(family, key, sourcesIn(folder, list, files));
};

const virtualEnvironments = ({ root, files }: LibraryOptions): string[] =>
  [".venv", "venv", "env"].flatMap((name) => {
    const lib = join(root, name, "lib");
    const stat = files.stat(lib);
    if (!stat?.isDirectory()) return [];
    return files.list(lib).map((one) => join(lib, one.name, "site-packages"));
  });

/** Undefined when there are more than can be read. Links are not followed. */
export const listBelow = (
  root: string,
  files: Files,
  { isWanted, isEntered }: { isWanted(path: string): boolean; isEntered(name: string): boolean },
): string[] | undefined => {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of files.list(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && isEntered(entry.name)) folders.push(path);
      else if (entry.isFile() && isWanted(path)) found.push(path);
    }
    if (found.length > limits.namesFilesMax) return undefined;
  }
  return found;
};

/** With `prefix` each path is told as that of a file of this package. */
export const sourcesIn = (
  root: string,
  paths: readonly string[],
  files: Files,
  prefix?: string,
): SourceFiles => {
  const own = (path: string): string =>
    prefix !== undefined && path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path;
  const statOf = (path: string) => files.stat(join(root, own(path)));
  return {
    list: () => (prefix === undefined ? paths : paths.map((path) => `${prefix}/${path}`)),
    read: (path) => {
      const stat = statOf(path);
      if (!stat?.isFile() || stat.size > limits.structureBytesMax) return undefined;
      return files.readFile(join(root, own(path)));
    },
    stamp: (path) => {
      const stat = statOf(path);
      return stat?.isFile() ? `${stat.size} ${stat.mtimeMs} ${stat.ino}` : undefined;
    },
  };
};
