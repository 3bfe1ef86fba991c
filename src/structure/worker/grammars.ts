/** Grammars are loaded once per process, and only if everything they ask for is there. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { Language, Parser } from "web-tree-sitter";
import { systemFiles } from "../../base/files.ts";

/** The part of the engine that is used here; Node's types leave it to the browser's. */
interface Engine {
  Module: (new (bytes: Uint8Array) => object) & {
    imports(
      module: object,
    ): { readonly module: string; readonly name: string; readonly kind: string }[];
    exports(module: object): { readonly name: string }[];
  };
}
const { Module } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

const folder = join(import.meta.dirname, "../../../grammars");
const parsers = new Map<string, Promise<Parser>>();
let runtime: Promise<ReadonlySet<string>> | undefined;

export const parserFor = (grammar: string): Promise<Parser> => {
  const known = parsers.get(grammar);
  if (known) return known;
  const made = load(grammar);
  parsers.set(grammar, made);
  return made;
};

const load = async (grammar: string): Promise<Parser> => {
  runtime ??= startRuntime();
  const offered = await runtime;
  const bytes = systemFiles.readFile(join(folder, `${grammar}.wasm`));
  refuseMissingImports(grammar, bytes, offered);
  const language = await Language.load(bytes);
  const parser = new Parser();
  parser.setLanguage(language);
  return parser;
};

/** What the runtime offers to grammars. */
const startRuntime = async (): Promise<ReadonlySet<string>> => {
  await Parser.init();
  const require = createRequire(import.meta.url);
  const path = require.resolve("web-tree-sitter/web-tree-sitter.wasm");
  const names = Module.exports(new Module(systemFiles.readFile(path)));
  return new Set(names.map(({ name }) => name));
};

/**
 * Imports are bound when first called: a grammar that asks for a function which is not there would throw
 * from inside the parser and leave the memory that all languages share in disorder. So it is refused here.
 */
const refuseMissingImports = (
  grammar: string,
  bytes: Uint8Array,
  offered: ReadonlySet<string>,
): void => {
  const wasm = new Module(bytes);
  const own = new Set(Module.exports(wasm).map(({ name }) => name));
  const missing = Module.imports(wasm)
    .filter(({ module: from, kind }) => from === "env" && kind === "function")
    .map(({ name }) => name)
    .filter((name) => !offered.has(name) && !own.has(name) && !provided.has(name));
  if (missing.length > 0) {
    throw new Error(
      `the grammar ${grammar} needs ${missing.slice(0, 5).join(", ")}, which the parser lacks`,
    );
  }
};

/**
 * Nobody gives these, and nobody needs to: a grammar calls them only to stop when its own scanner found
 * itself in disorder. The call then throws from inside the parser, which is that stop; whoever asked must
 * not go on with the process.
 */
const provided = new Set<string>(["__assert_fail"]);
