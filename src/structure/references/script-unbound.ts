/**
 * A function of the project that a module of JavaScript or TypeScript calls without importing it. Modules see
 * their own names, their imports and global ones; a name that no file makes global is not one of them.
 */
import type { Reference } from "../types.ts";
import { ambientDoubt, type ScriptPlace } from "./closed-world.ts";
import { wordsBesides } from "./source-facts.ts";
import type { OutlineOf } from "./types.ts";

/** Undefined: something may bind it. Else whether that is proven, and why not. */
export const scriptUnbound = async (
  { name }: Reference,
  place: ScriptPlace,
  outlineOf: OutlineOf,
): Promise<{ readonly doubt: string | undefined } | undefined> => {
  const { after, universe } = place;
  const { source, outline } = after;
  if (!isModule(source.text) || universe.library("script").has(name)) return undefined;
  if (!/\.[cm]?[jt]sx?$/.test(outline.path)) return undefined;
  const calls = outline.references.filter(({ kind }) => kind === "call");
  const at = new Set(calls.map(({ span }) => span.from));
  if (wordsBesides(source.text, "script", at).has(name)) return undefined;
  const files = universe.filesWith(name);
  if (files.length > filesMax) return undefined;
  for (const path of files) {
    const other = await outlineOf(path);
    if (!other || mayBeGlobal(other.source.text, path)) return undefined;
  }
  return { doubt: ambientDoubt(name, place) };
};

const filesMax = 60;

const isModule = (text: string): boolean => /^(?:import|export)\b/m.test(text);

/** Declarations, scripts and what is put into the global object are seen everywhere. */
const mayBeGlobal = (text: string, path: string): boolean =>
  /\.d\.[cm]?ts$/.test(path) ||
  !isModule(text) ||
  /\bdeclare\b|\b(?:globalThis|window|global|self)\s*[.[]|\bstubGlobal\b/.test(text);
