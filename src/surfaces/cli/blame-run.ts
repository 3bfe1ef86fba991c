/** `headgate blame`: whose each line of a file is, and which commit the others are from. */
import { isoTime, systemClock } from "../../base/clock.ts";
import { plural, showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { blameLines, type LineCommit } from "../../git/index.ts";
import { readContents } from "../../landing/index.ts";
import {
  committedLines,
  currentLines,
  goneLines,
  type LineEdit,
  lineSpans,
  toBytes,
  type Weave,
} from "../../lines/index.ts";
import { escapePath, spellSymbol } from "../../claims/index.ts";
import type { Headgate } from "../../compose.ts";
import { partsIn } from "../../gate/index.ts";
import { usageError } from "./arguments.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { showSpan } from "./duration.ts";
import { findLines, type LinesPlace, pathInWorktree } from "./lines-run.ts";
import { openFor } from "./open-for.ts";
import { alignedLines } from "./table.ts";

export const runBlame = async (context: CommandContext): Promise<ExitCode> => {
  const { positionals, output } = context;
  const [file] = positionals;
  if (file === undefined) throw usageError("name a file", "headgate blame");
  await using headgate = await openFor(context, {
    ...{ readOnly: true, evenIfMisconfigured: true, needsFiles: true },
  });
  const report = await blame(
    await findLines(headgate, context),
    pathInWorktree(headgate, context, file),
  );
  output.object(report);
  print(report, context);
  return 0;
};

interface Author {
  /** Empty: unknown. */
  readonly actor: string;
  readonly session: string;
  readonly task: string;
  readonly kind: LineEdit["kind"];
  readonly since: string;
}

/** The parts that the lines belong to, as targets that `claim` takes. */
interface Named {
  readonly parts: readonly string[];
}

interface BlameReport {
  readonly path: string;
  readonly spans: readonly ({ readonly from: number; readonly to: number } & Author & Named)[];
  /** Committed lines that were taken away with nothing in their place. */
  readonly removed: readonly ({ readonly after: number; readonly lines: number } & Author &
    Named)[];
  readonly committed: readonly {
    readonly commit: string;
    readonly actors: readonly string[];
    readonly author: string;
    readonly at: string;
    readonly summary: string;
    readonly lines: readonly { readonly from: number; readonly to: number }[];
  }[];
}

const blame = async ({ headgate, git, head }: LinesPlace, path: string): Promise<BlameReport> => {
  const records = await headgate.lines.view(await readContents(git, head, [path]));
  const weave = records.get(path)?.weave;
  if (!weave || (!weave.inTree && !weave.inCommit)) {
    throw new HeadgateError("FILE_ABSENT", `no such file: ${showText(path)}`);
  }
  const sessions = await headgate.lines.presence();
  const author = ({ actor, session, task, kind, at }: LineEdit): Author => ({
    ...{ actor, session, task: task ?? sessions.get(session)?.task ?? "", kind },
    since: isoTime(at),
  });
  const commits = head !== undefined && weave.inCommit ? await blameLines(git, head, path) : [];
  const [spans, gone] = [lineSpans(weave), goneLines(weave)];
  // A file that comes or goes is one part.
  const isThere = weave.inTree && weave.inCommit;
  const here = isThere && spans.length > 0 ? currentLines(weave) : undefined;
  const there = isThere && gone.length > 0 ? committedLines(weave) : undefined;
  const parts = await namesIn(headgate, path, here);
  const were = await namesIn(headgate, path, there);
  return {
    path,
    spans: spans.map(({ from, to, edit }) => ({
      ...{ from, to, ...author(edit) },
      parts: parts(from, to),
    })),
    removed: gone.map(({ after, count, was, edit }) => ({
      ...{ after, lines: count, ...author(edit) },
      parts: were(was, was + count - 1),
    })),
    committed: groupCommits(weave, commits),
  };
};

/** The names of lines in a content; the file's own where it has no lines. */
const namesIn = async (
  { structure }: Pick<Headgate, "structure">,
  path: string,
  lines: readonly string[] | undefined,
): Promise<(from: number, to: number) => string[]> => {
  const file = escapePath(path);
  if (!lines || lines.some((line) => line.includes("\0"))) return () => [file];
  const named = partsIn(await structure.outline(toBytes(lines), path));
  return (from, to) => {
    const spelled = named({ from, to }).map((names) => {
      const symbol = spellSymbol(names);
      return symbol === undefined ? file : `${file}#${symbol}`;
    });
    return [...new Set(spelled)];
  };
};

/** The newest commit first, with the lines of the file as it is. */
const groupCommits = (weave: Weave, commits: readonly LineCommit[]): BlameReport["committed"] => {
  const ground = weave.rows.filter(({ by }) => by === null);
  // Binary content is one row, whatever git calls its lines.
  if (ground.length !== commits.length) return [];
  const found = new Map<LineCommit, { from: number; to: number }[]>();
  let [line, at] = [0, 0];
  for (const { by, gone } of weave.rows) {
    if (gone === null) line += 1;
    const commit = by === null ? commits[at++] : undefined;
    if (!commit || gone !== null) continue;
    const lines = found.get(commit) ?? [];
    found.set(commit, lines);
    const last = lines.at(-1);
    if (last && last.to === line - 1) last.to = line;
    else lines.push({ from: line, to: line });
  }
  return [...found]
    .toSorted(([one], [other]) => other.at - one.at)
    .map(([{ commit, actors, author, at: time, summary }, lines]) => ({
      ...{ commit, actors, author, at: isoTime(time), summary, lines },
    }));
};

const print = (report: BlameReport, { output }: CommandContext): void => {
  const { style } = output;
  const { path, spans, removed, committed } = report;
  const nowMs = systemClock.wallMs();
  const ago = (at: string): string => `${showSpan(Math.max(1000, nowMs - Date.parse(at)))} ago`;
  const whose = ({ actor, kind, since, task }: Author): string => {
    const name = actor === "" ? "unknown" : `${showText(actor, 60)} (${kind})`;
    return `${name}, ${ago(since)}${task === "" ? "" : `: ${showText(task, 80)}`}`;
  };
  output.line(style.bold(showText(path)));
  const rows: string[][] = [
    ...spans.map((one) => [`  ${range(one)}`, whose(one), partsText(one)]),
    ...removed.map(({ after, lines, ...one }) => [
      `  after ${after}`,
      `${plural(lines, "line")} taken away by ${whose(one)}`,
      partsText(one),
    ]),
  ];
  for (const line of alignedLines(rows, (cell) => cell)) output.line(line);
  if (rows.length === 0) output.line(style.dim("  nothing uncommitted"));
  const summaries = committed.map(({ commit, actors, author, at, summary, lines }) => [
    `  ${commit.slice(0, 8)}`,
    `${showText(actors.join(", ") || author, 60)}, ${ago(at)}`,
    rangesText(lines),
    showText(summary, 60),
  ]);
  for (const line of alignedLines(summaries, style.dim)) output.line(line);
};

const partsText = ({ parts }: Named): string => {
  const shown = parts.slice(0, partsMax).map((one) => showText(one, 120));
  const more = parts.length > partsMax ? ` and ${parts.length - partsMax} more` : "";
  return `${shown.join(", ")}${more}`;
};

const partsMax = 3;

const range = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  from === to ? `${from}` : `${from}–${to}`;

const rangesText = (lines: BlameReport["committed"][number]["lines"]): string => {
  const shown = lines.slice(0, rangesMax).map(range).join(", ");
  return lines.length > rangesMax ? `${shown} and ${lines.length - rangesMax} more` : shown;
};

const rangesMax = 6;
