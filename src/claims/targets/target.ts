/**
 * Targets: what a claim is on. docs/targets.md is the grammar in full.
 * - `src/a.ts`, `src`: a path; without wildcards it stands for everything below, too, unless it is a file.
 * - `src/**`, `*.{ts,tsx}`, `[a-z]?`: a pattern; it stands for exactly the paths that fit.
 * - `src/a.ts#C.m`: a symbol in a file.
 * - `name:dev-server`, `@git/index`: a resource that is no path.
 */
import { limits } from "../../base/limits.ts";
import { characterProblem } from "../../base/path-spelling.ts";
import { nearestName } from "../../base/text.ts";
import { Pattern } from "./pattern.ts";
import { foldInFull } from "./pattern-case.ts";
import { hasPlainWay } from "./pattern-modes.ts";
import { isOrdinary, type PathRead, readPath } from "./pattern-read.ts";
import { complexTarget, invalidTarget } from "./target-problem.ts";
import { readSymbol, writeSymbol } from "./target-symbol.ts";

export { escapePath } from "./pattern-text.ts";

export interface Target {
  /** Canonical: read again with the same extent and folds, it gives an equal target. */
  readonly text: string;
  readonly kind: "paths" | "symbol" | "name" | "git";
  /** What a path without wildcards stands for: itself only, or everything below it, too. */
  readonly extent: "file" | "tree";
  /** Its disk ignores case. */
  readonly folds: boolean;
  /** Folded literal folders at the start, as `/src/`; for resources the text. See candidates.ts. */
  readonly place: string;
  /** Folded literal characters that the last name of every path ends with, reversed; or nothing. */
  readonly tail: string;
  /** What comparing works with. */
  readonly shape: Shape;
}

export interface Shape {
  /** Literal names at the start; all of the path where there is no pattern. */
  readonly prefix: string;
  /** The same, folded in full. */
  readonly folded: string;
  readonly pattern: Pattern | undefined;
  readonly symbol: readonly string[];
}

export interface TargetOptions {
  /** "tree" unless it is known that the path is a file. */
  readonly extent?: "file" | "tree";
  readonly folds?: boolean;
  /** What the caller wrote, where that is not the text itself; messages show it. */
  readonly given?: string;
}

/**
 * Reads a target that is relative to the repository's root. Throws TARGET_INVALID, and
 * TARGET_TOO_COMPLEX for a text that is too long or too costly to compare; both after work that is
 * linear in what was read.
 */
export const parseTarget = (text: string, options: TargetOptions = {}): Target => {
  const { extent = "tree", folds = false } = options;
  const normal = readText(text);
  const { given = normal } = options;
  if (normal.startsWith("name:")) return resource("name", readName(normal), folds);
  if (/^@git(?:\/|$)/.test(normal)) return resource("git", readGit(normal), folds);
  checkStart(normal);
  return pathTarget(normal, { extent, folds, given });
};

/** What every target must fulfil before its text is looked at: some length, usable characters; NFC. */
export const readText = (text: string): string => {
  if (typeof text !== "string") throw invalidTarget(String(text), "it is not a text");
  if (text.length > limits.targetBytesMax) throw tooLong(text);
  if (isOrdinary(text)) return text;
  if (text === "") throw invalidTarget(text, 'it is empty; write "." for the whole repository');
  const problem = characterProblem(text);
  if (problem !== undefined) throw invalidTarget(text, problem.replace(/: .*$/su, ""));
  const normal = text.normalize("NFC");
  if (Buffer.byteLength(normal) > limits.targetBytesMax) throw tooLong(text);
  return normal;
};

const tooLong = (text: string) =>
  complexTarget(text, `it is longer than ${limits.targetBytesMax} bytes`);

const resource = (kind: "name" | "git", text: string, folds: boolean): Target => ({
  text,
  kind,
  extent: "file",
  folds,
  place: text,
  tail: "",
  shape: { prefix: text, folded: text, pattern: undefined, symbol: [] },
});

const readName = (text: string): string => {
  const name = text.slice("name:".length);
  if (name.length > limits.targetNameLengthMax) {
    throw complexTarget(text, `the name is longer than ${limits.targetNameLengthMax} characters`);
  }
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:/@+=~-]*$/u.test(name)) {
    const near = name
      .replace(/[^\p{L}\p{M}\p{N}._:/@+=~-]+/gu, "-")
      .replace(/^[^\p{L}\p{N}]+/u, "");
    const example = `name:${near || "dev-server"}`;
    throw invalidTarget(text, `a name is letters, digits and ._:/@+=~- ; write ${example}`);
  }
  return text;
};

const gitParts = ["@git/index", "@git/head", "@git/stash", "@git/worktree"];

const readGit = (text: string): string => {
  if (gitParts.includes(text)) return text;
  const near = nearestName(text, gitParts);
  const hint = near === undefined ? `one of ${gitParts.join(", ")}` : near;
  throw invalidTarget(text, `write ${hint}, or ./${text} for a folder of that name`);
};

const checkStart = (text: string): void => {
  if (text.startsWith("!")) {
    throw invalidTarget(
      text,
      "a target cannot leave things out; write \\! for a name that begins so",
    );
  }
  if (text.startsWith("~")) {
    throw invalidTarget(text, '"~" is not expanded; write \\~ for a name that begins so');
  }
  if (/^file:\/\//i.test(text)) throw invalidTarget(text, "give a path, not an address");
  if (text.startsWith("/")) {
    throw invalidTarget(text, "it is absolute; write it from the repository's root on");
  }
};

const pathTarget = (path: string, options: Required<TargetOptions>): Target => {
  const { extent, folds, given } = options;
  const read = readPath(path, given);
  const { prefix, program, hasBraces } = read;
  if (Buffer.byteLength(prefix) > limits.pathBytesMax) {
    throw invalidTarget(given, `the path is longer than ${limits.pathBytesMax} bytes`);
  }
  const symbol = read.end < path.length ? symbolBehind(path, read, given) : [];
  const isPattern = program.length > 0;
  const isRoot = !isPattern && prefix === "";
  const kind = symbol.length > 0 ? "symbol" : "paths";
  const meant = kind === "symbol" ? "file" : isRoot ? "tree" : extent;
  const hasPrefix = prefix !== "";
  const pattern = isPattern
    ? new Pattern({ given, program, hasBraces, hasPrefix, extent: meant, folds })
    : undefined;
  const text = kind === "symbol" ? `${read.text}#${writeSymbol(symbol)}` : read.text || ".";
  const folded = foldInFull(prefix);
  return {
    text,
    kind,
    extent: meant,
    folds,
    place: placeOf(folded),
    tail: meant === "tree" && (!isPattern || hasPlainWay(program)) ? "" : tailOf(read),
    shape: { prefix, folded, pattern, symbol },
  };
};

const symbolBehind = (path: string, read: PathRead, given: string): readonly string[] => {
  if (read.program.length > 0) {
    throw invalidTarget(given, "a symbol needs one file before the #; write \\# for a # in a name");
  }
  if (read.prefix === "") {
    throw invalidTarget(given, "a file is missing before the #; write \\# for a # in a name");
  }
  return readSymbol(path.slice(read.end + 1), given);
};

/** Cut at a folder where it is too long for an index: a place further up is right for all below it. */
const placeOf = (folded: string): string => {
  let place = folded === "" ? "/" : `/${folded}/`;
  while (Buffer.byteLength(place) > limits.targetPlaceBytesMax) {
    place = place.slice(0, place.lastIndexOf("/", place.length - 2) + 1);
  }
  return place;
};

const tailOf = ({ prefix, program, ending }: PathRead): string => {
  const end = program.length > 0 ? ending : prefix.slice(prefix.lastIndexOf("/") + 1);
  let tail = "";
  for (const letter of [...foldInFull(end)].toReversed()) {
    if (tail.length + letter.length > limits.targetTailLengthMax) break;
    tail += letter;
  }
  return tail;
};
