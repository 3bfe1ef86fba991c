/** Everything that reviewers hear of the project beside the change. A part that cannot be read is left out and said. */
import { HeadgateError } from "../../errors.ts";
import { blameLines, commitOf, type Git } from "../../git/index.ts";
import type { Analyser } from "../../structure/index.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Subject } from "../subject/types.ts";
import { readChangedSymbols } from "./changed-symbols.ts";
import { readProjectRules } from "./project-rules.ts";
import type { DismissedBefore, ReviewContext } from "./types.ts";

export const readContext = async (
  subject: Subject,
  parts: {
    /** Absent without git. */
    readonly git?: Git | undefined;
    readonly analyser: Analyser;
    readonly ledger: Pick<Ledger, "findings">;
  },
): Promise<{ readonly context: ReviewContext; readonly notes: readonly string[] }> => {
  const { git, analyser, ledger } = parts;
  const notes: string[] = [];
  const attempt = async <T>(what: string, otherwise: T, read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!HeadgateError.isInstance(error)) throw error;
      notes.push(`reviewers did not hear ${what}: ${error.message}`);
      return otherwise;
    }
  };
  const paths = subject.files.map(({ path }) => path);
  const revision = git && (subject.base ?? (await commitOf(git, "HEAD")));
  const context: ReviewContext = {
    rules:
      git && revision !== undefined
        ? await attempt("the project's rules", [], () => readProjectRules(git, revision, paths))
        : [],
    symbols:
      git && subject.kind === "change"
        ? await attempt("who calls what changed", [], () =>
            readChangedSymbols(subject, { git, analyser }),
          )
        : [],
    commits:
      git && subject.base !== undefined
        ? await attempt("of earlier commits", new Map(), () => readCommits(git, subject))
        : new Map(),
    dismissed: await attempt("what was dismissed", [], () => readDismissed(ledger)),
  };
  return { context, notes };
};

const blamedFilesMax = 12;
const commitsMax = 4;

/** The newest commits that wrote the lines around each change, by path. */
const readCommits = async (git: Git, subject: Subject): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>();
  const changed = subject.files.filter(
    ({ status, hunks }) => status !== "added" && hunks.length > 0,
  );
  for (const { path, oldPath = path, hunks } of changed.slice(0, blamedFilesMax)) {
    const lines = await blameLines(git, subject.base ?? "HEAD", oldPath);
    const touched = hunks.flatMap(({ oldStart, oldLines }) =>
      lines.slice(Math.max(0, oldStart - 1), Math.max(0, oldStart - 1) + oldLines),
    );
    const byCommit = new Map(touched.map((one) => [one.commit, one]));
    const newest = [...byCommit.values()]
      .toSorted((a, b) => b.at - a.at || (a.commit < b.commit ? -1 : 1))
      .slice(0, commitsMax)
      .map(({ commit, at, summary }) => {
        return `${commit.slice(0, 9)} ${new Date(at).toISOString().slice(0, 10)} ${summary}`;
      });
    if (newest.length > 0) found.set(path, newest);
  }
  return found;
};

/** A finding that later commits overtook says nothing about the next review. */
const readDismissed = async (ledger: Pick<Ledger, "findings">): Promise<DismissedBefore[]> => {
  const found = await ledger.findings({ state: ["dismissed"], limit: 500 });
  return found.flatMap(({ path, line, title, reviewers, decision }) => {
    const { reason, note = null } = decision ?? {};
    if (reason === undefined || reason === null || reason === "stale") return [];
    return [{ path, line, title, reviewers, reason, note }];
  });
};
