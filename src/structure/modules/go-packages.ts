/**
 * Calls of Go's package functions that no file of the package declares. A Go package is a folder, and nothing adds names
 * to it at run time, so its files are proof: the name occurs in none of them but where it is called.
 */
import { posix } from "node:path";
import { scan } from "../scan-text.ts";
import type { Outline } from "../types.ts";
import { isSlip } from "../references/nearest-names.ts";
import { resolveGoFolder } from "./folder-modules.ts";
import { inFolder, isSample, mayBeGenerated, type ModuleView } from "./module-view.ts";

export interface GoCall {
  /** As called: `Total`, `cart.Total`. */
  readonly called: string;
  readonly name: string;
  readonly line: number;
  readonly within: string;
  /** Where it would be declared. */
  readonly folder: string;
  readonly isOwn: boolean;
}

export interface MissingGoCall extends GoCall {
  readonly slipOf?: string;
}

/** Calls of a file that no file of their package declares, each name once. */
export const missingGoCalls = async (
  path: string,
  { references, imports }: Pick<Outline, "references" | "imports">,
  view: ModuleView,
): Promise<MissingGoCall[]> => {
  if (isSample(path)) return [];
  const folders = new Map<string, string>();
  for (const { from, names } of imports) {
    if (names.some(({ name }) => name === "*")) return [];
    const folder = resolveGoFolder(from, path, view);
    if (folder !== undefined && names[0]) folders.set(names[0].as, folder);
  }
  const own = posix.dirname(path) === "." ? "" : posix.dirname(path);
  const code = codeOnly(view.text(path) ?? "");
  const found = new Map<string, MissingGoCall>();
  for (const { kind, receiver, name, line, within } of references) {
    const isOwn = kind === "call" && receiver === undefined;
    const folder = isOwn ? own : kind === "member-call" ? folders.get(receiver ?? "") : undefined;
    const called = isOwn ? name : `${receiver}.${name}`;
    if (folder === undefined || found.has(called) || universe.has(name)) continue;
    // A variable may have the name of the package.
    if (!isOwn && (!/^\p{Lu}/u.test(name) || hasOtherUse(code, receiver ?? ""))) continue;
    const call: GoCall = { called, name, line, within, folder, isOwn };
    if (!isMissing(call, view) || (await mayBeMade(call, view))) continue;
    const slipOf = declaredIn(folder, view).find((one) => isSlip(name, one));
    found.set(called, { ...call, ...(slipOf !== undefined && { slipOf }) });
  }
  return [...found.values()];
};

/** Go's own functions and types. */
const universe = new Set(
  "append cap clear close complex copy delete imag len make max min new panic print println real recover any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr".split(
    " ",
  ),
);

const goTexts = (folder: string, view: ModuleView): string[] =>
  view
    .entries(folder)
    .filter((name) => name.endsWith(".go"))
    .map((name) => view.text(inFolder(folder, name)) ?? "");

const isMissing = ({ folder, name, isOwn }: GoCall, view: ModuleView): boolean => {
  const texts = goTexts(folder, view);
  if (texts.length === 0) return false;
  const word = new RegExp(String.raw`\b${name}\b`);
  const naming = texts.filter((text) => text.includes(name) && word.test(codeOnly(text)));
  return isOwn ? naming.every((text) => isOnlyCalled(codeOnly(text), name)) : naming.length === 0;
};

/** `name(…)` that is neither a member nor a declaration, nor a method that an interface lists. */
const isOnlyCalled = (code: string, name: string): boolean =>
  Array.from(code.matchAll(new RegExp(String.raw`\b${name}\b`, "g"))).every(({ index }) => {
    const before = code.slice(Math.max(0, index - 200), index).trimEnd();
    const isCall = /^\s*\(/.test(code.slice(index + name.length, index + name.length + 20));
    return isCall && !/(?:[.)]|\bfunc)$/.test(before) && !/\binterface\s*\{[^{}]*$/.test(before);
  });

/** The name of a package, used otherwise than before a dot or in an import. */
const hasOtherUse = (code: string, name: string): boolean =>
  new RegExp(String.raw`(?<![\w.])${name}(?![\w.])(?!\s*(?:$|\n))`).test(code);

/** C, generators and what git ignores may bring more names than the files say. */
const mayBeMade = async ({ folder, name }: GoCall, view: ModuleView): Promise<boolean> => {
  const others = view.entries(folder).filter((one) => !one.endsWith(".go"));
  if (others.some((one) => generating.test(one))) return true;
  const isDoubted = (text: string): boolean =>
    /^[^\S\n]*(?:import[^\S\n]+)?(?:"C"|\.[^\S\n]+")|^\/\/go:generate\b/m.test(text);
  if (goTexts(folder, view).some(isDoubted) || mayBeGenerated(inFolder(folder, name), view))
    return true;
  return view.isIgnored(made.map((one) => inFolder(folder, one)));
};

const generating =
  /\.(?:proto|y|yy|rl|l|peg|g4|tmpl|tpl|gotmpl|templ|thrift|fbs|avsc|graphql|qtpl|idl|swig|swigcxx)$/;
const made = ["x.pb.go", "x_gen.go", "gen_x.go", "x_string.go", "zz_generated.go", "mock_x.go"];

const declaredIn = (folder: string, view: ModuleView): string[] =>
  goTexts(folder, view).flatMap((text) =>
    Array.from(
      text.matchAll(/^(?:func|type|var|const)\s+([\p{L}_]\w*)/gmu),
      ([, one]) => one ?? "",
    ),
  );

/** Comments and strings become spaces. */
const codeOnly = (text: string): string => {
  const known = codes.get(text);
  if (known !== undefined) return known;
  const { texts, comments } = scan(text, "go");
  let code = "";
  let at = 0;
  for (const { from, to } of [...texts, ...comments].toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue;
    code += text.slice(at, from) + text.slice(from, to).replaceAll(/[^\n]/g, " ");
    at = to;
  }
  code += text.slice(at);
  if (codes.size >= codesMax) codes.clear();
  codes.set(text, code);
  return code;
};

const codes = new Map<string, string>();
const codesMax = 200;
