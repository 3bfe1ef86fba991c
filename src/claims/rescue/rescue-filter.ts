import { sep } from "node:path";
import { characterProblem } from "../../base/path-spelling.ts";
import type { Repository } from "../../git/index.ts";
import { HeadgateError } from "../../errors.ts";
import { overlap } from "../targets/overlap.ts";
import { nameOfText, textOf } from "./rescue-content.ts";
import { escapePath, parseTarget, type Target } from "../targets/target.ts";

/** Which files a claim was on. Names are bytes, one character each. */
export interface RescueFilter {
  /** A plain path that all of them lie at or below, as git takes it; empty when there is none. */
  readonly within: string;
  includes(name: string): boolean;
  /** Headgate's own files, which are nobody's work. */
  isOurs(root: string, name: string): boolean;
}

/** Undefined for a target that is no path. A symbol stands for its whole file. */
export const rescueFilter = (
  target: Target,
  { caseInsensitive, localDir }: Repository,
): RescueFilter | undefined => {
  if (target.kind !== "paths" && target.kind !== "symbol") return undefined;
  const folds = target.folds || caseInsensitive;
  const { prefix } = target.shape;
  return {
    // Targets have one spelling per file; the disk may use another, in case or in how accents are
    // written, which git would not find.
    within: !folds && /^[\x20-\x7e]*$/.test(prefix) ? prefix : "",
    includes: (name) => {
      try {
        return overlap(parseTarget(escapePath(plain(name)), { extent: "file", folds }), target);
      } catch (error) {
        // A name that no target can spell, or too long to compare: saving it harms nobody.
        if (HeadgateError.isInstance(error) && error.code.startsWith("TARGET_")) return true;
        throw error;
      }
    },
    isOurs: (root, name) => {
      const local = nameOfText(localDir.replaceAll(sep, "/"));
      return `${nameOfText(root.replaceAll(sep, "/"))}/${name}/`.startsWith(`${local}/`);
    },
  };
};

/** Characters that no target may hold stand for themselves only in wildcards, and so may any other. */
const plain = (name: string): string => {
  const text = textOf(name);
  if (characterProblem(text) === undefined) return text;
  return [...text].map((letter) => (characterProblem(letter) ? "\ufffd" : letter)).join("");
};
