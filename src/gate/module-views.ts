/** The project before and after a proposal, as modules are looked up in it. Nothing is read twice. */
import {
  type Analyser,
  isNewerPython,
  type ModuleShape,
  type ModuleView,
  type ModuleViews,
  SourceText,
  stemOf,
  type SymbolUniverse,
} from "../structure/index.ts";
import { type FileCase, shapeAnswered } from "./file-case.ts";
import type { ProjectFiles } from "./project-files.ts";

export interface ViewSources {
  readonly universe: SymbolUniverse;
  readonly files: ProjectFiles;
  readonly analyser: Analyser;
  /** The files are on disk already: their own imports say nothing about the project before them. */
  readonly isWritten?: boolean;
}

export const openViews = (cases: readonly FileCase[], sources: ViewSources): ModuleViews => {
  const known = knownFiles(sources);
  const changes = (side: "beforeBytes" | "afterBytes") =>
    new Map(cases.map((one) => [one.path, one[side]]));
  return {
    before: viewWith(changes("beforeBytes"), sources, known),
    after: viewWith(changes("afterBytes"), sources, known),
  };
};

/** Answers of the disk, asked once for both views. */
const knownFiles = ({ universe, files, isWritten = false }: ViewSources) => {
  const kinds = new Map<string, "file" | "folder" | undefined>();
  const folders = new Map<string, readonly string[]>();
  const modules = new Map<string, ReadonlySet<string>>();
  return {
    kind: (path: string) => {
      if (universe.file(path)) return "file";
      if (!kinds.has(path)) kinds.set(path, files.kind(path));
      return kinds.get(path);
    },
    entries: (folder: string): readonly string[] => {
      const found = folders.get(folder) ?? files.entries(folder);
      folders.set(folder, found);
      return found;
    },
    modules: (from: string): ReadonlySet<string> => {
      const besides = isWritten ? from : "";
      const asked = [...universe.files()].filter(({ path }) => path !== besides);
      const found = modules.get(besides) ?? new Set(asked.flatMap(({ imports }) => imports));
      modules.set(besides, found);
      return found;
    },
  };
};

const viewWith = (
  changed: ReadonlyMap<string, Buffer | undefined>,
  { universe, files, analyser }: ViewSources,
  known: ReturnType<typeof knownFiles>,
): ModuleView => {
  const isGone = (path: string): boolean => changed.has(path) && changed.get(path) === undefined;
  const brought = [...changed].flatMap(([path, bytes]) => (bytes ? [path] : []));
  const read = (path: string): Buffer | undefined =>
    changed.has(path) ? changed.get(path) : files.read(path);
  const withChanges = (paths: Iterable<string>, isWanted: (path: string) => boolean): string[] => [
    ...[...paths].filter((path) => !changed.has(path)),
    ...brought.filter(isWanted),
  ];
  const texts = new Map<string, string | undefined>();
  const text = (path: string): string | undefined => {
    if (!texts.has(path)) {
      const bytes = read(path);
      texts.set(path, bytes && SourceText.of(bytes).text);
    }
    return texts.get(path);
  };
  return {
    kind: (path) => {
      if (changed.has(path)) return changed.get(path) && "file";
      if (brought.some((one) => one.startsWith(`${path}/`))) return "folder";
      const kind = known.kind(path);
      const isEmptied =
        kind === "folder" && [...changed.keys()].some((one) => one.startsWith(`${path}/`));
      return isEmptied && !hasOthers(path, universe, isGone) ? undefined : kind;
    },
    shape: async (path): Promise<ModuleShape | undefined> => {
      const bytes = read(path);
      return bytes && shapeAnswered(await analyser.module(bytes, path), path);
    },
    text,
    entries: (folder) => {
      const prefix = folder === "" ? "" : `${folder}/`;
      const own = brought.flatMap((path) =>
        path.startsWith(prefix) ? [path.slice(prefix.length).split("/")[0] ?? ""] : [],
      );
      const there = known.entries(folder).filter((name) => !isGone(prefix + name));
      return [...new Set([...there, ...own])];
    },
    named: (stem) => withChanges(universe.named(stem), (path) => stemOf(path) === stem),
    paths: () =>
      withChanges(
        [...universe.files()].map(({ path }) => path),
        () => true,
      ),
    filesWith: (word) =>
      withChanges(universe.filesWith(word), (path) => text(path)?.includes(word) ?? false),
    importing: (stem) => {
      const isIt = (module: string): boolean =>
        lastPart(module) === stem || /(?:^|[/.])$/.test(module);
      const found = [...universe.files()].filter(({ imports }) => imports.some(isIt));
      return withChanges(
        found.map(({ path }) => path),
        () => true,
      );
    },
    importedModules: known.modules,
    isNewerPython: () => isNewerPython(universe),
    isIgnored: (paths) => files.isIgnored(paths),
  };
};

const lastPart = (module: string): string =>
  module
    .replace(/\.[cm]?[jt]sx?$|\.vue$/, "")
    .split(/[/.]/)
    .at(-1) ?? "";

const hasOthers = (
  folder: string,
  universe: SymbolUniverse,
  isGone: (path: string) => boolean,
): boolean => {
  for (const { path } of universe.files())
    if (path.startsWith(`${folder}/`) && !isGone(path)) return true;
  return false;
};
