import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { atFileEnd } from "./temporary-folder.ts";

const tools = join(import.meta.dirname, "../../.tools");

/** A test program that is ready to be started many times. */
export interface BundledProgram {
  /** The program and its file; its own arguments follow. */
  readonly argv: readonly [string, string];
  readonly env: NodeJS.ProcessEnv;
}

const programs = new Map<string, Promise<BundledProgram>>();

/**
 * A test program as JavaScript in few files, with its compiled code kept: it starts in a fifth of the
 * time that a hundred TypeScript modules take, which matters where hundreds of processes are started only
 * to be killed. Made once for each test file and removed after it. Programs that are killed must call
 * `flushCompileCache` before, for the next one to start faster.
 */
export const bundleProgram = (path: string): Promise<BundledProgram> => {
  const known = programs.get(path) ?? bundle(path);
  programs.set(path, known);
  return known;
};

const bundle = async (path: string): Promise<BundledProgram> => {
  mkdirSync(tools, { recursive: true });
  // Below the repository, so that packages with native parts are found.
  const folder = mkdtempSync(join(tools, "test-program-"));
  atFileEnd(() => {
    programs.delete(path);
    rmSync(folder, { recursive: true, force: true });
  });
  const made = await rolldown({
    input: path,
    platform: "node",
    external: [/^node:/, /^vitest/, "better-sqlite3", "fs-native-extensions", "pg-native"],
    // jsonc-parser's main file hides its imports from bundlers.
    resolve: { mainFields: ["module", "main"] },
    logLevel: "silent",
    plugins: [{ name: "own-places", transform: keepPlaces }],
  });
  await made.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs" });
  await made.close();
  return {
    argv: [process.execPath, join(folder, basename(path).replace(/\.ts$/, ".mjs"))],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
  };
};

/** Files that a module looks for beside itself are beside its source. */
const keepPlaces = (code: string, id: string): string | null => {
  if (!code.includes("import.meta.") || id.includes("node_modules")) return null;
  return code
    .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
    .replaceAll("import.meta.filename", JSON.stringify(id))
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href));
};
