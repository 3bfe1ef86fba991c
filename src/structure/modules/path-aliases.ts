/** `paths` and `baseUrl` of tsconfig.json and jsconfig.json. */
import { posix } from "node:path";
import { parse } from "jsonc-parser";
import { foldersAbove, inFolder, type ModuleView } from "./module-view.ts";

interface CompilerSettings {
  readonly extends?: unknown;
  readonly compilerOptions?: { readonly baseUrl?: unknown; readonly paths?: unknown };
}

/** Where the module may be by the nearest settings that name it; none: no alias fits. */
export const aliasedTargets = (spec: string, from: string, view: ModuleView): string[] => {
  for (const folder of foldersAbove(from)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const found = targetsBy(inFolder(folder, name), spec, view, 4);
      if (found.length > 0) return found;
    }
  }
  return [];
};

const targetsBy = (file: string, spec: string, view: ModuleView, depth: number): string[] => {
  const text = depth > 0 ? view.text(file) : undefined;
  if (text === undefined) return [];
  const settings = parse(text, [], { allowTrailingComma: true }) as CompilerSettings | undefined;
  const folder = posix.dirname(file);
  const { baseUrl, paths } = settings?.compilerOptions ?? {};
  const base = posix.join(folder, typeof baseUrl === "string" ? baseUrl : ".");
  const found: string[] = [];
  if (typeof paths === "object" && paths !== null) {
    for (const [pattern, targets] of Object.entries(paths)) {
      const star = matchPattern(pattern, spec);
      if (star === undefined || !Array.isArray(targets)) continue;
      for (const target of targets as unknown[])
        if (typeof target === "string") found.push(posix.join(base, target.replace("*", star)));
    }
  }
  if (typeof baseUrl === "string" && isBelow(posix.join(base, spec), view))
    found.push(posix.join(base, spec));
  if (found.length > 0) return found;
  const parents = Array.isArray(settings?.extends) ? settings.extends : [settings?.extends];
  return (parents as unknown[]).flatMap((parent) => {
    if (typeof parent !== "string" || !parent.startsWith(".")) return [];
    const path = posix.join(folder, parent);
    return targetsBy(path.endsWith(".json") ? path : `${path}.json`, spec, view, depth - 1);
  });
};

const isBelow = (path: string, view: ModuleView): boolean => {
  const top = path.split("/")[0] ?? "";
  return (
    view.kind(path) !== undefined ||
    view.entries("").some((name) => name.startsWith(`${top}.`)) ||
    view.kind(top) === "folder"
  );
};

/** The part that `*` matches; undefined when the pattern does not fit. */
const matchPattern = (pattern: string, spec: string): string | undefined => {
  const at = pattern.indexOf("*");
  if (at < 0) return pattern === spec ? "" : undefined;
  const [head, tail] = [pattern.slice(0, at), pattern.slice(at + 1)];
  const fits = spec.startsWith(head) && spec.endsWith(tail) && spec.length >= pattern.length - 1;
  return fits ? spec.slice(head.length, spec.length - tail.length) : undefined;
};
