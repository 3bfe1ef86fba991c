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
  const inHunks = eachOnce(hunkHashes);
  const inFile = eachOnce(fileHashes);
  return ({ path, line, lineHash, subjectName }) => {
    // A document, or a finding about the whole: the same subject was asked for again.
    if (path === null) return subjectName === subject.name;
    const file = files.get(path);
    if (!file) return false;
    if (file.status === "deleted") return true;
    if (file.leftOut !== undefined) return false;
    if (file.status === "whole" || file.hunks.length === 0) return file.after !== undefined;
    if (line === null) return true;
    if (lineHash !== null && inHunks(file).has(lineHash)) return true;
    // The line as it was cited is in no hunk. If it still stands elsewhere, nobody looked there.
    if (lineHash !== null && inFile(file).has(lineHash)) return false;
    // What was never committed and is taken back leaves no trace in a hunk.
    if (lineHash !== null && subjectName === subject.name) return true;
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

/** A file may have thousands of findings, and this runs inside a transaction. */
const eachOnce = (
  make: (file: SubjectFile) => ReadonlySet<string>,
): ((file: SubjectFile) => ReadonlySet<string>) => {
  const known = new Map<SubjectFile, ReadonlySet<string>>();
  return (file) => {
    let made = known.get(file);
    if (!made) known.set(file, (made = make(file)));
    return made;
  };
};

const hunkHashes = ({ hunks }: SubjectFile): ReadonlySet<string> =>
  hashesOf(hunks.flatMap(({ lines }) => lines.map((line) => line.slice(1))));

const fileHashes = ({ after = "" }: SubjectFile): ReadonlySet<string> =>
  hashesOf(after.split("\n"));

const hashesOf = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(
    lines
      .map(squeeze)
      .filter((line) => line !== "")
      .map(hashLine),
  );

const isWithin = (line: number, start: number, count: number): boolean =>
  line >= start && line < start + Math.max(1, count);
