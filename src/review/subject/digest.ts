import { createHash } from "node:crypto";
import type { Subject } from "./types.ts";

export type Taken = Omit<Subject, "digest">;

/** Everything in one order, so that the same subject has the same digest. */
export const withDigest = (subject: Taken): Subject => {
  const { kind, name, base, head } = subject;
  const files = subject.files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const digest = createHash("sha256");
  digest.update(JSON.stringify([kind, name, base ?? null, head ?? null]));
  for (const file of files) {
    const { path, oldPath, status, language, after, leftOut, counts, mode } = file;
    const hunks = file.hunks.map((hunk) => [
      ...[hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines, hunk.section],
      ...[hunk.endsOpen ?? null, hunk.lines],
    ]);
    const rest = [language ?? null, leftOut ?? null, mode ?? null, counts ?? null, after ?? null];
    digest.update(`\n${JSON.stringify([path, oldPath ?? null, status, hunks, ...rest])}`);
  }
  return {
    ...{ kind, name },
    ...(base !== undefined && { base }),
    ...(head !== undefined && { head }),
    ...{ files, digest: digest.digest("hex") },
  };
};
