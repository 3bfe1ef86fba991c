/** What plans write, and whether two of them may write at the same time. */
import { escapePath, parseTarget, targetsOverlap } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";

/** Why a path or pattern cannot be in a write-set; undefined when it can. */
export const writeProblem = (path: string): string | undefined => {
  const plain = path.replace(/^\.\//, "");
  if (/^(?:\/|~|[A-Za-z]:[\\/])/.test(plain) || plain.split(/[\\/]/).includes("..")) {
    return "leads outside the repository";
  }
  if (/^(?:name:|@git)/.test(plain)) return "is no path";
  if (plain === "" || plain === ".") return "is the whole repository: name what is written";
  if (/^(?:\.git|\.headgate)(?:\/|$)/i.test(plain)) return "belongs to git or Headgate";
  try {
    const target = parseTarget(plain);
    return target.kind === "symbol" ? "names a symbol: runs commit whole files" : undefined;
  } catch (error) {
    if (HeadgateError.isInstance(error)) return `is no path or pattern: ${error.message}`;
    throw error;
  }
};

/** The first pair that both may write; undefined when they have nothing in common. */
export const commonWrites = (
  left: readonly string[],
  right: readonly string[],
): readonly [string, string] | undefined => {
  for (const a of left) {
    for (const b of right) if (targetsOverlap(a, b)) return [a, b];
  }
  return undefined;
};

/** Whether a path of the tree is one of those named by paths and patterns. */
export const isWithin = (path: string, writes: readonly string[]): boolean =>
  writes.some((one) => {
    if (path === one || path.startsWith(`${one}/`)) return true;
    try {
      return /[*?[{\\]/.test(one) && targetsOverlap(escapePath(path), one);
    } catch (error) {
      // A name that no target can spell is nobody's.
      if (HeadgateError.isInstance(error)) return false;
      throw error;
    }
  });

/** Named by its characters, not by a pattern. */
export const isLiteral = (path: string): boolean => !/[*?[{\\]/.test(path);
