/**
 * Names that scripts find without an import: those of the language as the project's own TypeScript knows it,
 * and those that declared packages put into every file (`declare global`, types of test runners).
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import type { SourceFiles, SymbolUniverse } from "../structure/index.ts";
import { type LibraryOptions, listBelow, sourcesIn } from "./library-sources.ts";

export const readAmbientNames = async (
  universe: SymbolUniverse,
  options: LibraryOptions,
): Promise<void> => {
  const modules = join(options.root, "node_modules");
  await readLanguageNames(universe, modules, options);
  await readAmbient(universe, modules, options);
};

/** `lib.dom.d.ts` and its like, from where TypeScript keeps them; without it, what this program knows. */
const readLanguageNames = async (
  universe: SymbolUniverse,
  modules: string,
  { files }: LibraryOptions,
): Promise<void> => {
  const native = join(modules, "@typescript");
  const places = [
    join(modules, "typescript", "lib"),
    ...(files.stat(native)?.isDirectory() ? files.list(native) : []).map(({ name }) =>
      join(native, name, "lib"),
    ),
  ];
  for (const place of places) {
    const stat = files.statFollowing(place);
    if (!stat?.isDirectory()) continue;
    const names = files.list(place).map(({ name }) => name);
    const own = names.filter((name) => /^lib(?:\.[\w.]+)?\.d\.ts$/.test(name));
    const key = `${place} ${stat.mtimeMs} names`;
    await universe.addLibrary("script", key, sourcesIn(place, own, files, "the language"));
  }
};

/** Of packages that no source imports only their ambient types are read: they can bring nothing else. */
const readAmbient = async (
  universe: SymbolUniverse,
  modules: string,
  { files, onReading }: LibraryOptions,
): Promise<void> => {
  const library = universe.library("script");
  const declared = new Set([...universe.files()].flatMap(manifestNames));
  const typed = join(modules, "@types");
  for (const { name } of files.stat(typed)?.isDirectory() ? files.list(typed) : [])
    declared.add(`@types/${name}`);
  for (const name of declared) {
    const folder = join(modules, name);
    const stat = files.statFollowing(folder);
    if (!stat?.isDirectory() || library.packages.has(name)) continue;
    const key = `${folder} ${stat.mtimeMs} ambient`;
    if (library.part(key)) continue;
    const list = listBelow(folder, files, {
      isWanted: (path) => /\.d\.[cm]?ts$/.test(path),
      isEntered: (one) => !/^(?:node_modules|tests?)$/.test(one),
    });
    const bytes = list?.reduce((sum, path) => sum + sizeAt(join(folder, path), files), 0) ?? 0;
    if (!list || bytes > limits.namesBytesMax) {
      library.leaveOut(key, bytes);
      continue;
    }
    onReading?.();
    await universe.addLibrary("script", key, onlyAmbient(sourcesIn(folder, list, files, name)));
  }
};

const manifestNames = ({
  family,
  imports,
  path,
}: {
  family: string;
  imports: readonly string[];
  path: string;
}) => (family === "other" && path.endsWith("package.json") ? imports : []);

const sizeAt = (path: string, files: Files): number => files.stat(path)?.size ?? 0;

/** A file of declarations outside of all modules, or one that speaks of all files. */
const onlyAmbient = (sources: SourceFiles): SourceFiles => ({
  ...sources,
  read: (path) => {
    const bytes = sources.read(path);
    const text = bytes?.toString("utf8") ?? "";
    const isModule = /^(?:import|export)\b/m.test(text);
    return !isModule || /\bdeclare\s+global\b/.test(text) ? bytes : undefined;
  },
});
