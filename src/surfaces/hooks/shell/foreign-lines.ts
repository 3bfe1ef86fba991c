/** Uncommitted lines of other sessions that a git command would take away (N-01). */
import { isoTime } from "../../../base/clock.ts";
import { shellWord } from "../../../base/shell-word.ts";
import { plural, showText } from "../../../base/text.ts";
import { commitOf, type Git } from "../../../git/index.ts";
import type { Reason } from "../../../gate/index.ts";
import { readContents } from "../../../landing/index.ts";
import { isBackAtCommit, type LineEdit, type Presence } from "../../../lines/index.ts";
import type { GitEffect, ShellLines } from "./types.ts";

export interface ForeignLines {
  readonly path: string;
  /** The oldest edit of that author in the file. */
  readonly edit: LineEdit;
  readonly state: Presence;
}

/** Lines without a known author count for none. */
const isForeign =
  (session: string) =>
  (edit: LineEdit): boolean =>
    edit.kind !== "unknown" && edit.session !== session;

/** Files that were noted as written by other sessions: all that need a look. */
export const notedByOthers = async (
  lines: ShellLines,
  session: string,
): Promise<ReadonlySet<string>> => {
  const isTheirs = isForeign(session);
  const noted = [...(await lines.noted())].filter(
    ([, { edits, pendings }]) =>
      edits.some(isTheirs) || pendings.some(({ edit }) => isTheirs(edit)),
  );
  return new Set(noted.map(([path]) => path));
};

/** Whose lines these files hold as they are now, one entry per author and file. */
export const foreignLines = async (
  paths: readonly string[],
  {
    lines,
    git,
    session,
  }: { readonly lines: ShellLines; readonly git: Git; readonly session: string },
): Promise<readonly ForeignLines[]> => {
  if (paths.length === 0) return [];
  const committed = await readContents(git, await commitOf(git, "HEAD"), paths);
  const presence = await lines.presence();
  return [...(await lines.view(committed))].flatMap(([path, { weave }]) => {
    if (isBackAtCommit(weave)) return [];
    const theirs = weave.edits.filter(isForeign(session));
    const authors = Map.groupBy(theirs, (edit) => edit.session);
    return [...authors].map(([author, edits]) => ({
      path,
      edit: edits.toSorted((one, other) => one.at - other.at)[0] as LineEdit,
      state: presence.get(author)?.state ?? "ended",
    }));
  });
};

export const linesReason = (
  { by }: Pick<GitEffect, "by">,
  first: ForeignLines,
  all: readonly ForeignLines[],
): Reason => {
  const { path, edit, state } = first;
  const files = new Set(all.map((one) => one.path)).size - 1;
  const more = files > 0 ? ` and ${plural(files, "other file")}` : "";
  const left = state === "here" ? "" : `, who is ${state === "idle" ? "idle" : "gone"}`;
  const name = shellWord(edit.session);
  const keep = `Keep them first: headgate commit --with ${name} -m "…" (headgate diff --actor ${name} shows them).`;
  const wait = `Touch your own paths only (git restore <path>…), or work in a worktree of your own (git worktree add); or wait until they are committed (headgate diff --actor ${name} shows them).`;
  return {
    code: "LINES_HELD",
    path,
    message: `${by} would take away uncommitted lines of ${showText(edit.actor)} in ${showText(path)}${more}, written at ${isoTime(edit.at)}${left}`,
    remedy: state === "here" ? wait : keep,
  };
};
