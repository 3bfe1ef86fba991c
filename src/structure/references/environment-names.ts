/** Names that environments of JavaScript bring without an import: browsers, test runners, shells, frameworks. */
import { createRequire } from "node:module";

let known: ReadonlySet<string> | undefined;

export const environmentNames = (): ReadonlySet<string> => {
  if (!known) {
    const all = createRequire(import.meta.url)("globals") as Record<string, object>;
    known = new Set(Object.values(all).flatMap(Object.keys));
  }
  return known;
};
