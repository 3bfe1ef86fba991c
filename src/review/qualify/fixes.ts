/**
 * The repository's own fixes, taken back: what a fix changed, the other way round, is a change that brings a
 * known fault back. Small fixes of code only, without their tests, which would say what is wrong.
 */
import { createGit } from "../../git/index.ts";
import { isForeignName, isTestPath } from "../../base/path-kinds.ts";
import { HeadgateError } from "../../errors.ts";
import { languageOf } from "../../structure/index.ts";
import type { ReviewParts } from "../conduct/types.ts";
import { withDigest } from "../subject/digest.ts";
import { readSubject } from "../subject/index.ts";
import type { Subject, SubjectFile } from "../subject/types.ts";
import type { Finding } from "../types.ts";

export interface Fix {
  /** The commit. */
  readonly id: string;
  readonly title: string;
  /** The fix taken back. */
  readonly subject: Subject;
  /** Where the fault is, in the files as they are with it. */
  readonly faults: readonly { readonly path: string; readonly from: number; readonly to: number }[];
}

/** The newest first. */
export const ownFixes = async (
  { repository, environment }: Pick<ReviewParts, "repository" | "environment">,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<Fix[]> => {
  if (repository.kind !== "git") return [];
  const git = createGit({ cwd: repository.worktree, environment });
  const format = ["--no-merges", "--min-parents=1", `--max-count=${commitsMax}`, "--format=%H %s"];
  const { stdout } = await git.run({ args: ["rev-list", ...format], revisions: ["HEAD"] });
  const found: Fix[] = [];
  for (const line of stdout.toString().split("\n")) {
    if (found.length >= count || signal.aborted) break;
    const [, id = "", title = ""] = /^([0-9a-f]{40,64}) (.*)$/.exec(line) ?? [];
    if (id === "" || !saysFix.test(title) || saysOther.test(title)) continue;
    const fix = await takenBack(id, title, { repository, environment, signal });
    if (fix) found.push(fix);
  }
  return found;
};

const takenBack = async (
  id: string,
  title: string,
  parts: Parameters<typeof readSubject>[1],
): Promise<Fix | undefined> => {
  const { files } = await readSubject({ target: `${id}..${id}^1` }, parts).catch(notHere);
  const sources = files.filter(isSource);
  const lines = sources.reduce((total, file) => total + (file.counts?.added ?? 0), 0);
  const removed = sources.reduce((total, file) => total + (file.counts?.removed ?? 0), 0);
  if (sources.length === 0 || sources.length > filesMax || lines + removed > linesMax) {
    return undefined;
  }
  const subject = withDigest({ kind: "change", name: "working tree", files: sources });
  return { id, title, subject, faults: sources.flatMap(faultsIn) };
};

/** Where a shallow clone ends, and where a commit is larger than a review, there is nothing to take back. */
const notHere = (error: unknown): Pick<Subject, "files"> => {
  if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
  return { files: [] };
};

const isSource = ({ path, status, after }: SubjectFile): boolean =>
  status === "modified" &&
  after !== undefined &&
  languageOf(path, after) !== "text" &&
  !isTestPath(path) &&
  !isForeignName(path);

const faultsIn = ({ path, hunks }: SubjectFile): Fix["faults"] =>
  hunks.flatMap(({ newStart, lines }) => {
    const places: { path: string; from: number; to: number }[] = [];
    let at = newStart;
    for (const line of lines) {
      // The lines that the fix added are missing between those before and after them.
      if (!line.startsWith(" ")) places.push({ path, from: at, to: at });
      if (!line.startsWith("-")) at += 1;
    }
    return places;
  });

/** A remark does not count as found. */
export const isFound = ({ faults }: Fix, findings: readonly Finding[]): boolean =>
  findings.some(
    ({ path, line, severity = "P2" }) =>
      line !== undefined &&
      severity < "P3" &&
      faults.some(
        (fault) => fault.path === path && line >= fault.from - nearBy && line <= fault.to + nearBy,
      ),
  );

const saysFix =
  /\b(?:fix(?:es|ed)?|bug|crash|race|leak|inject|deadlock|overflow|CVE|traversal|vulnerab|security|regress)/i;
const saysOther =
  /\b(?:typo|lint|docs?|comment|format|style|test|ci|flak|bump|deps?|merge|readme|chore)\b/i;
const commitsMax = 500;
const filesMax = 4;
const linesMax = 80;
/** People name the call, the condition above it, or the function. */
const nearBy = 3;
