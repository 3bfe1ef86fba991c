/** Which file a module name means in JavaScript and TypeScript; in doubt unknown. */
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { aliasedTargets } from "./path-aliases.ts";
import {
  inFolder,
  isSample,
  mayBeGenerated,
  type ModuleView,
  type ResolvedModule,
  unknownModule,
} from "./module-view.ts";
import { missingScriptPackage } from "./script-packages.ts";

const codeEndings = [
  ".ts",
  ".tsx",
  ".d.ts",
  ".mts",
  ".cts",
  ".d.mts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
];
const otherEndings = [
  ".json",
  ".vue",
  ".svelte",
  ".astro",
  ".mdx",
  ".css",
  ".scss",
  ".node",
  ".wasm",
];

export const resolveScriptModule = async (
  spec: string,
  from: string,
  view: ModuleView,
): Promise<ResolvedModule> => {
  if (spec === "" || /[?!*\s]/.test(spec) || spec.startsWith("/")) return unknownModule;
  if (/^\.{1,2}(?:\/|$)/.test(spec)) {
    const target = posix.join(posix.dirname(from), spec).replace(/\/$/, "");
    return (await findScriptFile(target, view)) ?? missingFile(target, from, view);
  }
  if (/^[a-z][\w+.-]*:/i.test(spec) || isBuiltin(spec)) return unknownModule;
  const aliased = aliasedTargets(spec, from, view);
  for (const target of aliased) {
    const found = await findScriptFile(target, view);
    if (found) return found;
  }
  if (aliased.length > 0 || /^[~#$.]|^@\//.test(spec)) return unknownModule;
  const missing = missingScriptPackage(spec, from, view);
  if (!missing) return unknownModule;
  const { isSure, ...undeclared } = missing;
  return isSure
    ? { state: "missing", what: "package", ...undeclared }
    : { state: "unknown", undeclared };
};

const findScriptFile = async (
  target: string,
  view: ModuleView,
): Promise<ResolvedModule | undefined> => {
  if (target.startsWith("..")) return unknownModule;
  const written = /^(.*)\.([cm]?)jsx?$/.exec(target);
  const stems = [target, ...(written?.[1] === undefined ? [] : [written[1]])];
  const candidates = [
    target,
    ...stems.flatMap((stem) => codeEndings.map((ending) => stem + ending)),
    ...codeEndings.map((ending) => `${inFolder(target, "index")}${ending}`),
  ];
  const found = candidates.filter((path) => view.kind(path) === "file");
  if (found.length > 0) {
    const isCode = found.every((path) => codeEndings.some((ending) => path.endsWith(ending)));
    return isCode ? { state: "files", paths: found } : unknownModule;
  }
  const isThere =
    view.kind(target === "" ? "." : target) !== undefined ||
    otherEndings.some((ending) => view.kind(target + ending) === "file");
  return isThere ? unknownModule : undefined;
};

const missingFile = async (
  target: string,
  from: string,
  view: ModuleView,
): Promise<ResolvedModule> => {
  if (isSample(from) || mayBeGenerated(target, view) || hasOddRules(view)) return unknownModule;
  const made = ["", ".ts", ".js", ".d.ts", "/index.ts"].map((ending) => target + ending);
  if (await view.isIgnored(made)) return unknownModule;
  const folder = posix.dirname(target);
  const last = target.slice(target.lastIndexOf("/") + 1).replace(/\.[cm]?[jt]sx?$/, "");
  // `view.ios.ts` answers to `view`; so may other endings that a bundler knows.
  const names = view.entries(folder === "." ? "" : folder);
  if (
    names.some(
      (name) => name.startsWith(`${last}.`) && !codeEndings.some((one) => name === last + one),
    )
  )
    return unknownModule;
  const candidates = names.map((name) => name.replace(/\.d\.ts$|\.\w+$/, ""));
  return { state: "missing", what: "module", name: last, candidates };
};

/** Virtual folders, or a bundler that looks elsewhere. */
const hasOddRules = (view: ModuleView): boolean =>
  ["tsconfig.json", "tsconfig.base.json", "jsconfig.json"].some((file) =>
    /"rootDirs"|"moduleSuffixes"/.test(view.text(file) ?? ""),
  ) || view.kind(".gitmodules") === "file";
