/** Whether a review looked at a place: only then does silence about it say something. */
import type { Subject, SubjectFile } from "../subject/types.ts";
import { hashLine, squeeze } from "./context.ts";

export interface CitedPlace {
  readonly path: string | null;
  readonly line: number | null;
  readonly lineHash: string | null;
  /** As a person named what was reviewed when it was last seen. */
  readonly subjectName: string;
}

export type LookedAt = (place: CitedPlace) => boolean;

export const lookedAt = (subject: Subject): LookedAt => {
  const files = new Map<string, SubjectFile>();
  for (const file of subject.files) {
    if (file.oldPath !== undefined) files.set(file.oldPath, file);
    files.set(file.path, file);
  }
  const hashes = new Map<SubjectFile, ReadonlySet<string>>();
  return ({ path, line, lineHash, subjectName }) => {
    // A document, or a finding about the whole: the same subject was asked for again.
    if (path === null) return subjectName === subject.name;
    const file = files.get(path);
    if (!file) return false;
    if (file.status === "deleted") return true;
    if (file.leftOut !== undefined) return false;
    if (file.status === "whole" || file.hunks.length === 0) return file.after !== undefined;
    if (line === null) return true;
    let own = hashes.get(file);
    if (!own) hashes.set(file, (own = hunkHashes(file)));
    if (lineHash !== null && own.has(lineHash)) return true;
    // The line as it was cited is in no hunk. If it still stands elsewhere, nobody looked there.
    if (lineHash !== null && hasLine(file, lineHash)) return false;
    return file.hunks.some(
      ({ oldStart, oldLines, newStart, newLines }) =>
        isWithin(line, oldStart, oldLines) || isWithin(line, newStart, newLines),
    );
  };
};

/** Old path → new path. */
export const renamesOf = ({ files }: Subject): Map<string, string> =>
  new Map(
    files.flatMap(({ path, oldPath, status }): [string, string][] =>
      status === "renamed" && oldPath !== undefined ? [[oldPath, path]] : [],
    ),
  );

const hunkHashes = ({ hunks }: SubjectFile): ReadonlySet<string> =>
  new Set(
    hunks.flatMap(({ lines }) =>
      lines
        .map((line) => squeeze(line.slice(1)))
        .filter((line) => line !== "")
        .map(hashLine),
    ),
  );

const hasLine = ({ after = "" }: SubjectFile, hash: string): boolean =>
  after.split("\n").some((line) => {
    const squeezed = squeeze(line);
    return squeezed !== "" && hashLine(squeezed) === hash;
  });

const isWithin = (line: number, start: number, count: number): boolean =>
  line >= start && line < start + Math.max(1, count);
