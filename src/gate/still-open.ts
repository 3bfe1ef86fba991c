/** An open end closes by itself: when the name is there, or its use is gone. */
import {
  type Analysed,
  boundNames,
  type Family,
  familyOf,
  type SymbolUniverse,
} from "../structure/index.ts";
import type { OpenEnd } from "./open-ends.ts";

export interface ClosingContext {
  /** The file as it is now; undefined: it is gone. */
  outlineOf(path: string): Promise<Analysed | undefined>;
  universe(families: readonly Family[]): Promise<SymbolUniverse>;
}

/** Which of them are still owed. A look: the commit judges in earnest. */
export const stillOpen = async (
  ends: readonly OpenEnd[],
  { outlineOf, universe }: ClosingContext,
): Promise<readonly OpenEnd[]> => {
  const left: OpenEnd[] = [];
  for (const [path, group] of Map.groupBy(ends, (end) => end.path)) {
    const analysed = await outlineOf(path);
    if (!analysed) continue;
    const family = familyOf(analysed.outline.language);
    const called = new Set(
      analysed.outline.references.map(({ receiver, name }) =>
        [receiver, name].filter(Boolean).join("."),
      ),
    );
    const names = await universe([family]);
    for (const end of group) {
      const name = end.missing.split(".").at(-1) ?? end.missing;
      const isBare = name === end.missing;
      const isThere =
        isBare && family === "python"
          ? boundNames(analysed).has(name)
          : names.isDefined(name, family);
      if (called.has(end.missing) && !isThere) left.push(end);
    }
  }
  return left;
};
