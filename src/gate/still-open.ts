/** An open end closes by itself: when the name is there, or its use is gone. */
import {
  type Analysed,
  type Analyser,
  boundNames,
  checkArguments,
  type Family,
  familyOf,
  isStillCalled,
  isStillMissing,
  missingGoCalls,
  type Reference,
  type SymbolUniverse,
} from "../structure/index.ts";
import { openViews } from "./module-views.ts";
import type { OpenEnd } from "./open-ends.ts";
import type { ProjectFiles } from "./project-files.ts";

export interface ClosingContext {
  /** The file as it is now; undefined: it is gone. */
  outlineOf(path: string): Promise<Analysed | undefined>;
  universe(families: readonly Family[]): Promise<SymbolUniverse>;
  readonly files: ProjectFiles;
  readonly analyser: Analyser;
}

/** Which of them are still owed. A look: the commit judges in earnest. */
export const stillOpen = async (
  ends: readonly OpenEnd[],
  { outlineOf, universe, files, analyser }: ClosingContext,
): Promise<readonly OpenEnd[]> => {
  const left: OpenEnd[] = [];
  const calls: OpenEnd[] = [];
  const sources = { universe: await universe([]), files, analyser, isWritten: true };
  const { after: view } = openViews([], sources);
  for (const end of ends) {
    const isMethod = end.code === "SYMBOL_REMOVED" && /^[\w$]+(?:\.[\w$]+)+$/.test(end.missing);
    const isMissing =
      isMethod && end.missing !== end.path
        ? await isStillCalled(end.missing, { universe: await universe([]), outlineOf })
        : await isStillMissing(end, view);
    if (isMissing === undefined) calls.push(end);
    else if (isMissing) left.push(end);
  }
  for (const [path, group] of Map.groupBy(calls, (end) => end.path)) {
    const analysed = await outlineOf(path);
    if (!analysed) continue;
    const family = familyOf(analysed.outline.language);
    const called = new Set(analysed.outline.references.map(calledName));
    const names = await universe([family]);
    const [mismatches, others] = [
      group.filter(({ code }) => code === "ARGUMENTS_MISMATCH"),
      group.filter(({ code }) => code !== "ARGUMENTS_MISMATCH"),
    ];
    if (mismatches.length > 0) {
      const parseTree = (file: string, text: string) => analyser.tree(text, file);
      const context = { universe: names, outlineOf, parseTree };
      const found = await checkArguments([{ path, before: undefined, after: analysed }], context);
      const wrong = new Set(found.map(({ reference }) => calledName(reference)));
      left.push(...mismatches.filter(({ missing }) => wrong.has(missing.replace(/\(\)$/, ""))));
    }
    const isGo = analysed.outline.language === "go";
    const missing = isGo ? await missingGoCalls(path, analysed.outline, view) : [];
    for (const end of others) {
      if (isGo) {
        if (missing.some(({ called }) => called === end.missing)) left.push(end);
        continue;
      }
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

const calledName = ({ receiver, name }: Pick<Reference, "receiver" | "name">): string =>
  [receiver, name].filter(Boolean).join(".");
