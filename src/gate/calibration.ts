/**
 * How far a judge that guesses can be trusted here. Where it finds the same kind of mistake in files that are there
 * already, it does not know what this project writes (templates, dialects, newer syntax), and may not refuse.
 */
import { type Analyser, isProvenError } from "../structure/index.ts";
import type { Tree } from "./tree.ts";

/** Enough to meet what a folder is full of, and few enough to be read within an edit. */
const lookedAtMax = 12;

export const isTrustedAt = async (
  path: string,
  { analyser, tree }: { readonly analyser: Analyser; readonly tree: Tree },
): Promise<boolean> => {
  const ending = /\.[^./]+$/.exec(path)?.[0] ?? "";
  if (ending === "") return true;
  const others = (tree.near?.(path) ?? []).filter((one) => one !== path && one.endsWith(ending));
  for (const other of others.slice(0, lookedAtMax)) {
    const bytes = tree.read(other);
    const { errors } = bytes ? await analyser.syntax(bytes, other) : { errors: [] };
    if (errors.some(isProvenError)) return false;
  }
  return true;
};
