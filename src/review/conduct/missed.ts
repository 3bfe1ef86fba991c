/** Gaps of a review: they are said and kept, and never taken for "nothing found". */
import { extname } from "node:path";
import { limits } from "../../base/limits.ts";
import { plural } from "../../base/text.ts";
import { linterFamily } from "../linters/run-linters.ts";
import { hasRules, staticReviewer } from "../static/index.ts";
import { isUsable } from "../synthesis/verdict.ts";
import type { Subject, SubjectFile } from "../subject/types.ts";
import { roleOf } from "../triage/roles.ts";
import type { MissedJudgement, Report } from "../types.ts";

/** Files that no prompt holds because they are too large, or source that only looks binary. */
export const unreadFiles = (subject: Subject): MissedJudgement[] =>
  subject.files.flatMap((file) => {
    if (file.leftOut === "unread") return [missedFile(file, holdsNul)];
    return file.leftOut === "too-large" && file.hunks.length === 0
      ? [missedFile(file, tooLarge)]
      : [];
  });

/**
 * Files that the static rules did not look at: they ran out of time or room there, or the content is not known. Where
 * they look alone and can read nothing of the code, all of it.
 */
export const unreadByRules = (
  subject: Subject,
  context: {
    readonly skipped: readonly { readonly path: string; readonly why: string }[];
    readonly isAlone: boolean;
  },
): MissedJudgement[] => {
  const { skipped, isAlone } = context;
  const left = subject.files.filter(
    (file) => isWritten(file) && hasRules(file.language ?? "") && file.after === undefined,
  );
  return [
    ...skipped.map(({ path, why }) => missedFile({ path }, `static rules: ${why}`)),
    ...left.flatMap((file) => {
      const why = file.leftOut === "too-large" ? tooLarge : "its content could not be taken";
      // Whole files without content are in `unreadFiles`.
      return file.status === "whole" ? [] : [missedFile(file, `static rules: ${why}`)];
    }),
    ...(isAlone && !hasReadable(subject) ? foreignCode(subject) : []).map((file) =>
      missedFile(file, `no static rule reads ${languageName(file)}`),
    ),
  ];
};

/** Some of the code is in languages that the rules, which look alone, do not read. */
export const languageNotes = (subject: Subject): string[] => {
  const files = foreignCode(subject);
  if (files.length === 0 || !hasReadable(subject)) return [];
  const names = [...new Set(files.map(languageName))].toSorted().join(", ");
  return [`${plural(files.length, "file")} not judged: no static rule reads ${names}`];
};

const hasReadable = ({ files }: Subject): boolean =>
  files.some((file) => isWritten(file) && hasRules(file.language ?? ""));

const foreignCode = (subject: Subject): SubjectFile[] =>
  subject.files.filter((file) => {
    const role = roleOf(file, subject.kind);
    const isCode = role === "code" || role === "tests";
    return isCode && isWritten(file) && file.after !== undefined && !hasRules(file.language ?? "");
  });

const languageName = ({ path, language }: SubjectFile): string =>
  language ?? (extname(path).slice(1) || path);

/** There are lines to look at: added ones, or the whole file. */
const isWritten = ({ leftOut, status, hunks }: SubjectFile): boolean =>
  (leftOut === undefined || leftOut === "too-large") &&
  status !== "deleted" &&
  (status === "whole" || hunks.some(({ lines }) => lines.some(isAdded)));

/**
 * Those of them that leave a gap in the verdict: what the rules missed counts where no other reviewer answered; data of any
 * size is named, and decides nothing.
 */
export const gapsIn = (subject: Subject, reports: readonly Report[]): MissedJudgement[] => {
  const roles = new Map(subject.files.map((file) => [file.path, roleOf(file, subject.kind)]));
  const isGap = ({ where }: MissedJudgement): boolean =>
    !["data", "dependencies"].includes(roles.get(where) ?? "");
  const hasOthers = reports.some(
    ({ reviewer, family, state, findings }) =>
      reviewer !== staticReviewer &&
      family !== linterFamily &&
      isUsable({ reviewer, state, findings: findings.length }),
  );
  const rules = reports.flatMap(({ notJudged = [] }) => notJudged);
  return [...unreadFiles(subject), ...(hasOthers ? [] : rules)].filter(isGap);
};

/** For people, where there is no room for all. */
export const missedLines = (missed: readonly MissedJudgement[]): string[] => {
  const shown = missed.slice(0, shownMax).map(({ where, why }) => `${where}: not judged, ${why}`);
  const more = missed.length - shown.length;
  return more > 0 ? [...shown, `${more} more not judged`] : shown;
};

const shownMax = 20;

const isAdded = (line: string): boolean => line.startsWith("+");

const missedFile = ({ path }: Pick<SubjectFile, "path">, why: string): MissedJudgement => ({
  ...{ what: "file", where: path, why },
});

const holdsNul = "it is source that git takes for binary: it holds NUL characters, or is in UTF-16";

const tooLarge = `it is too large: a review reads ${limits.reviewFileBytesMax} bytes of a file, ${limits.reviewFilePatchBytesMax} of its difference`;
