/** A state of the project in which modules are looked up: as it is, or as it would be with a proposal. */
import type { ModuleShape } from "./module-shape.ts";

export interface ModuleView {
  /** Ignored files count, too. */
  kind(path: string): "file" | "folder" | undefined;
  /** Undefined where nothing is known about it. */
  shape(path: string): Promise<ModuleShape | undefined>;
  text(path: string): string | undefined;
  /** Names in a folder of the disk. */
  entries(folder: string): readonly string[];
  /** Source files that answer to this last part of a module's name. */
  named(stem: string): readonly string[];
  /** Source files of the project. */
  paths(): Iterable<string>;
  /** Source files that hold the word. */
  filesWith(word: string): readonly string[];
  /** Source files that import something whose last part is this, or a folder. */
  importing(stem: string): readonly string[];
  /** Modules that the project's files name, as written; `from` asks. */
  importedModules(from: string): ReadonlySet<string>;
  /** The interpreter of this machine may have members that no list here holds. */
  isNewerPython(): boolean;
  /** git ignores one of them: after a build it may be there. */
  isIgnored(paths: readonly string[]): Promise<boolean>;
}

export type ResolvedModule =
  /** One of these is meant. */
  | { readonly state: "files"; readonly paths: readonly string[] }
  /** Proven not to be there. */
  | {
      readonly state: "missing";
      readonly what: "module" | "package";
      readonly name: string;
      /** Existing ones, for a hint. */
      readonly candidates: readonly string[];
    }
  | {
      readonly state: "unknown";
      /** A package that no manifest declares, where no list says that there is no other. */
      readonly undeclared?: { readonly name: string; readonly candidates: readonly string[] };
    };

export const unknownModule: ResolvedModule = { state: "unknown" };

/** Code that need not run: its imports prove nothing. */
export const isSample = (path: string): boolean =>
  /(?:^|\/)(?:_*fixtures?_*|testdata|test-data|templates?|examples?|samples?|snippets?|docs?|playgrounds?|__mocks__|stubs?|vendor|third_party|node_modules)\//i.test(
    path,
  );

/** A build may make it: its name or folder says so, or a build file names it. */
export const mayBeGenerated = (target: string, view: ModuleView): boolean => {
  const names = target.split("/");
  const last = names.at(-1)?.replace(/\..*$/s, "") ?? "";
  if (/generated|_pb2?(?:_grpc)?$|\.gen\b|^_?version$|^_?build_?info$/i.test(target)) return true;
  const isMade = (name: string, at: number): boolean =>
    madeFolder.test(name) && view.kind(names.slice(0, at + 1).join("/")) !== "folder";
  if (names.slice(0, -1).some(isMade)) return true;
  return buildFiles.some((file) => mentions(view.text(file), last));
};

const madeFolder = /^(?:dist|build|out|lib|gen|esm|cjs|target|coverage|pkg|wasm|\..+)$/;
const buildFiles = [
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "meson.build",
  "Makefile",
  "CMakeLists.txt",
];

export const mentions = (text: string | undefined, word: string): boolean =>
  text !== undefined && word !== "" && text.includes(word);

/** The folder and all above it, the root being the empty text. */
export const foldersAbove = (path: string): string[] => {
  const names = path.split("/").slice(0, -1);
  return Array.from({ length: names.length + 1 }, (_, up) =>
    names.slice(0, names.length - up).join("/"),
  );
};

export const inFolder = (folder: string, name: string): string =>
  folder === "" ? name : `${folder}/${name}`;
