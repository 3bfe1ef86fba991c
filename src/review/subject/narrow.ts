import { pathMatcher } from "../path-glob.ts";
import { withDigest } from "./digest.ts";
import type { Subject } from "./types.ts";

/** Without the paths that these globs match: what a reviewer gets whose paths an override narrows. */
export const narrowSubject = (subject: Subject, except: readonly string[]): Subject => {
  const matchers = except.map(pathMatcher);
  const files = subject.files.filter(({ path }) => !matchers.some((matches) => matches(path)));
  return files.length === subject.files.length ? subject : withDigest({ ...subject, files });
};
