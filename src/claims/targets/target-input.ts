/**
 * What a caller's target means here: spellings of one file become one (C-12), patterns keep their
 * wildcards behind folders resolved in the same way, and the disk tells files from folders.
 */
import { isAbsolute, join, relative, sep } from "node:path";
import { type Files, systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { resolveInRepository } from "../../base/paths.ts";
import type { Repository } from "../../git/index.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { escapePath, parseTarget, readText, type Target } from "./target.ts";
import { invalidTarget } from "./target-problem.ts";
import type { TargetInput } from "../types.ts";

export interface TargetPlace {
  readonly repository: Pick<Repository, "worktrees" | "caseInsensitive">;
  /** Relative spellings start here. */
  readonly cwd: string;
  readonly files?: Files;
}

/**
 * Throws TARGET_INVALID, TARGET_TOO_COMPLEX, PATH_INVALID, PATH_OUTSIDE, WORKTREE_MISSING. A text that names an existing file
 * or folder by its very characters means that one: `app/[id]/page.tsx` is no pattern where it exists.
 */
export const resolveTarget = (input: TargetInput, place: TargetPlace): Target => {
  if (typeof input !== "string") return resolveObject(input, place);
  const text = readText(input);
  const folds = place.repository.caseInsensitive;
  if (/^(?:name:|@git(?:\/|$))/.test(text)) return parseTarget(text, { folds });
  if (/^[!~]|^file:\/\//i.test(text)) return parseTarget(text);
  const { literal, pattern, symbol } = split(text, place);
  // A pattern that is refused is refused before the disk is asked (C-04).
  const given = text;
  if (pattern !== "") parseTarget(`./${pattern}`, { given });
  // A name that begins with "~" got here escaped; as a path it would be refused.
  const spelled = literal === "" ? "." : literal.startsWith("~") ? `./${literal}` : literal;
  const found = find(spelled, text, place);
  if (symbol !== undefined) return symbolTarget(found, symbol, { target: text, folds, place });
  const extent = filesOf(place).stat(found.absolute)?.isFile() ? "file" : "tree";
  if (pattern === "") return parseTarget(escapePath(found.path), { extent, folds });
  // Behind "./" nothing of the pattern can pass for another kind of target.
  const before = found.path === "." ? "." : escapePath(found.path);
  return parseTarget(`${before}/${pattern}`, { folds, given });
};

const resolveObject = (input: Exclude<TargetInput, string>, place: TargetPlace): Target => {
  if (!isTargetObject(input)) {
    const problem = 'write a text, or an object with a path and an extent, "file" or "tree"';
    throw invalidTarget(JSON.stringify(input) ?? "", problem);
  }
  const { path, extent, symbol } = input;
  const folds = place.repository.caseInsensitive;
  const found = find(path, path, place);
  if (symbol !== undefined) return symbolTarget(found, symbol, { target: path, folds, place });
  return parseTarget(escapePath(found.path), { extent, folds });
};

/** Callers in JavaScript are not held by types. */
const isTargetObject = (input: Partial<Exclude<TargetInput, string>> | null): boolean =>
  typeof input?.path === "string" &&
  (input.extent === "file" || input.extent === "tree") &&
  (input.symbol === undefined || typeof input.symbol === "string");

const filesOf = ({ files = systemFiles }: TargetPlace): Files => files;

interface Found {
  /** Relative to its worktree, in the disk's own spelling; "." is the root. */
  readonly path: string;
  readonly absolute: string;
}

const find = (path: string, target: string, place: TargetPlace): Found => {
  const { repository, cwd } = place;
  const { worktrees, caseInsensitive } = repository;
  const files = filesOf(place);
  const result = resolveInRepository(worktrees, path, { cwd, caseInsensitive, files });
  if (!result.ok) {
    if (worktrees.length === 0) {
      throw new HeadgateError("WORKTREE_MISSING", "a bare repository has no files to claim");
    }
    throw new HeadgateError(result.code, result.message, { data: { target: showText(target) } });
  }
  // Not the folded key: whoever reads the claim wants to see the name, and comparing folds anyway.
  const own = relative(result.root, result.absolute).split(sep).join("/");
  return { path: own === "" ? "." : own, absolute: result.absolute };
};

const symbolTarget = (
  found: Found,
  symbol: string,
  { target, folds, place }: { target: string; folds: boolean; place: TargetPlace },
): Target => {
  if (filesOf(place).stat(found.absolute)?.isDirectory()) {
    throw invalidTarget(
      target,
      "a folder has no symbols; name a file before the #, or write \\# for a # in a name",
    );
  }
  return parseTarget(`${escapePath(found.path)}#${symbol}`, {
    extent: "file",
    folds,
    given: target,
  });
};

interface Split {
  /** Names that mean themselves, unescaped. */
  readonly literal: string;
  /** The text from the first name on that does not. */
  readonly pattern: string;
  readonly symbol: string | undefined;
}

const split = (text: string, place: TargetPlace): Split => {
  let literal = "";
  for (let from = 0; from < text.length;) {
    const slash = text.indexOf("/", from);
    const end = slash < 0 ? text.length : slash;
    const name = text.slice(from, end);
    const read = readName(name, (exact) => exists(literal + exact, place));
    if (read === undefined) return { literal, pattern: text.slice(from), symbol: undefined };
    if (read.length < name.length) {
      const symbol = text.slice(from + read.length + 1);
      return { literal: literal + read.meant, pattern: "", symbol };
    }
    literal += read.meant + text.slice(end, end + 1);
    from = end + 1;
  }
  return { literal, pattern: "", symbol: undefined };
};

/** What a name means literally, and how much of it: less than all, a `#` and a symbol follow. */
const readName = (
  name: string,
  isThere: (exact: string) => boolean,
): { readonly meant: string; readonly length: number } | undefined => {
  if (!special.test(name)) return { meant: name, length: name.length };
  const hashes = hashesIn(name);
  for (const length of [name.length, ...hashes.toReversed()]) {
    const part = name.slice(0, length);
    if (mayBeExact(part) && isThere(part)) return { meant: part, length };
  }
  const length = hashes[0] ?? name.length;
  const part = name.slice(0, length);
  return escapedOnly.test(part) ? { meant: part.replace(/\\(.)/g, "$1"), length } : undefined;
};

/**
 * A star or question mark fits itself, too, so a pattern with it never loses such a file. To take it
 * literally because somebody made a file called `**` would shrink everybody's claims.
 */
const mayBeExact = (part: string): boolean =>
  part !== "" && part.length <= limits.nameBytesMax && !/[*?]/.test(part);

const special = /[*?[\]{}\\#]|[+@!]\(/;
const escapedOnly = /^(?:[^*?[\]{}\\#+@!]|[+@!](?!\()|\\[ !-.:-@[-`{-~])*$/;

const hashesIn = (name: string): number[] =>
  [...name.matchAll(/\\.|#/g)].filter(([found]) => found === "#").map(({ index }) => index);

const exists = (path: string, place: TargetPlace): boolean => {
  const absolute = isAbsolute(path) ? path : join(place.cwd, path);
  try {
    return filesOf(place).stat(absolute) !== undefined;
  } catch {
    // Too long or not allowed to look: then nothing is known to be there by that name.
    return false;
  }
};
