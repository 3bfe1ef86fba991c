/**
 * Who wrote which line, from the agents' own logs, and what became of it, from git's history. Nothing here asks
 * the product. Lines are rows that know the task that wrote them and the task that removed them; a commit is
 * compared with the rows by file and text, own rows first.
 */
import type { ChangedFile } from "./git.ts";
import { compareLines, isTelling, toLines } from "./lines.ts";

export interface WrittenFile {
  readonly file: string;
  /** The whole text; null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface LoggedWrite extends WrittenFile {
  readonly at: number;
  readonly task: number;
  readonly agent: number;
  /** Which checkout; empty for the one that all share. */
  readonly space: string;
}

export type AgentLogEntry =
  | ({ readonly kind: "write" } & LoggedWrite)
  | {
      readonly kind: "refusal";
      readonly task: number;
      /** Which step of the task; -1 for its commit. */
      readonly step: number;
      readonly code: string;
      readonly place: string;
      readonly text: string;
    }
  | {
      readonly kind: "step";
      readonly task: number;
      readonly step: number;
      readonly result: "done" | "unfit" | "given-up";
    }
  | { readonly kind: "wait"; readonly task: number; readonly ms: number }
  | { readonly kind: "asked"; readonly task: number; readonly ms: number }
  | {
      readonly kind: "heard";
      readonly session: string;
      readonly isStart: boolean;
      readonly length: number;
    }
  | { readonly kind: "lock"; readonly task: number }
  | { readonly kind: "task"; readonly task: number; readonly agent: number };

export interface MadeCommit {
  readonly id: string;
  readonly isMerge: boolean;
  /** Undefined for commits of the harness. */
  readonly task: number | undefined;
  /** Agents that its trailers name. */
  readonly named: readonly number[];
  readonly files: readonly ChangedFile[];
}

interface RecordedRow {
  readonly text: string;
  readonly space: string;
  /** Absent: it was there at the start. */
  readonly writtenBy?: number;
  /** For rows that were there: the same row in all checkouts. */
  readonly place?: string;
  removedBy?: number;
}

/** One line that a task added or removed. */
interface LineFate {
  readonly task: number;
  readonly row: RecordedRow;
  /** "cancelled": one commit took it along with its opposite, so that it shows neither. */
  committed?: MadeCommit | "cancelled";
}

interface FileFates {
  readonly added: LineFate[];
  readonly removed: LineFate[];
}

export type TaskState = "landed" | "absorbed" | "stuck";

export interface JudgedTask {
  readonly state: TaskState;
  /** Lines in no commit, with the sign of a diff. */
  readonly missing: readonly string[];
}

export interface LineCount {
  readonly tasks: ReadonlyMap<number, JudgedTask>;
  /** Lines that should be on the branch and are not, by file. */
  readonly lost: readonly { readonly file: string; readonly text: string }[];
  readonly foreign: readonly {
    readonly commit: string;
    readonly file: string;
    readonly text: string;
    readonly task: number;
  }[];
}

export interface CountRequest {
  readonly writes: readonly LoggedWrite[];
  /** Oldest first. */
  readonly commits: readonly MadeCommit[];
  /** Tasks that wrote something or wanted to, and whether they gave up a part. */
  readonly tasks: readonly {
    readonly id: number;
    readonly agent: number;
    readonly hasGivenUp: boolean;
  }[];
  /** A file on the branch at the end; null where there is none. */
  readonly readFinal: (file: string) => string | null;
}

export const countLines = ({ writes, commits, tasks, readFinal }: CountRequest): LineCount => {
  const files = replayWrites(writes);
  const fates = new Map([...files].map(([file, rows]) => [file, toFates(rows)]));
  const agents = new Map(tasks.map(({ id, agent }) => [id, agent]));
  const foreign: { commit: string; file: string; text: string; task: number }[] = [];
  for (const commit of commits.filter(({ isMerge }) => !isMerge)) {
    for (const change of commit.files) {
      for (const { task, row } of matchCommit(commit, change, fates.get(change.path), agents)) {
        const agent = agents.get(task) ?? -1;
        const isOwn = commit.task !== undefined && agents.get(commit.task) === agent;
        if (isOwn || commit.named.includes(agent)) continue;
        foreign.push({ commit: commit.id, file: change.path, text: row.text, task });
      }
    }
  }
  for (const file of fates.values()) cancelOpposites(file);
  return {
    tasks: new Map(tasks.map((task) => [task.id, judgeTask(task, fates)])),
    lost: [...files].flatMap(([file, rows]) => findLost(file, rows, readFinal(file))),
    foreign,
  };
};

/** Every row that ever was in a file, of all checkouts. */
const replayWrites = (writes: readonly LoggedWrite[]): Map<string, RecordedRow[]> => {
  const every = new Map<string, RecordedRow[]>();
  const present = new Map<string, RecordedRow[]>();
  const gone = new Map<string, RecordedRow[]>();
  for (const { file, space, task, before, after } of writes.toSorted((a, b) => a.at - b.at)) {
    const key = `${space}\0${file}`;
    const all = every.get(file) ?? [];
    every.set(file, all);
    const away = gone.get(key) ?? [];
    gone.set(key, away);
    let rows = present.get(key);
    if (!rows) {
      rows = splitText(before).map((text, index) => ({ text, space, place: `${index}` }));
      all.push(...rows);
    }
    // Something else changed the file: rows that vanish have no author for it, so they are still expected.
    rows = updateRows(rows, before, {
      remove: (row) => away.push(row),
      add: (text) => {
        const back = away.findIndex((row) => row.text === text);
        const [known] = back < 0 ? [] : away.splice(back, 1);
        return known ?? { text, space };
      },
    });
    rows = updateRows(rows, after, {
      remove: (row) => {
        row.removedBy = task;
      },
      add: (text) => {
        const row = { text, space, writtenBy: task };
        all.push(row);
        return row;
      },
    });
    present.set(key, rows);
  }
  return every;
};

const splitText = (text: string | null): string[] => (text === null ? [] : toLines(text));

const updateRows = (
  rows: readonly RecordedRow[],
  text: string | null,
  on: { remove: (row: RecordedRow) => void; add: (text: string) => RecordedRow },
): RecordedRow[] => {
  const old = rows.map((row) => row.text);
  const result = [...rows];
  for (const change of compareLines(old, splitText(text)).toReversed()) {
    const added = change.newLines.map((line) => on.add(line));
    for (const row of result.splice(change.oldAt, change.oldLines.length, ...added)) on.remove(row);
  }
  return result;
};

/** Lines that a task removed and wrote again are no change: a commit does not show them either. */
const toFates = (rows: readonly RecordedRow[]): FileFates => {
  const added: LineFate[] = [];
  const removed: LineFate[] = [];
  for (const row of rows.filter(({ text }) => isTelling(text))) {
    if (row.writtenBy !== undefined) added.push({ task: row.writtenBy, row });
    if (row.removedBy !== undefined) removed.push({ task: row.removedBy, row });
  }
  const kept = new Set<LineFate>();
  for (const one of removed) {
    const again = added.find(
      (other) => other.task === one.task && other.row.text === one.row.text && !kept.has(other),
    );
    if (again) kept.add(one).add(again);
  }
  return {
    added: added.filter((one) => !kept.has(one)),
    removed: removed.filter((one) => !kept.has(one)),
  };
};

/** Marks the lines that the commit holds, and returns the added ones. */
const matchCommit = (
  commit: MadeCommit,
  { before, after }: ChangedFile,
  fates: FileFates | undefined,
  agents: ReadonlyMap<number, number>,
): LineFate[] => {
  if (!fates) return [];
  const agent = commit.task === undefined ? undefined : agents.get(commit.task);
  const rank = ({ task, row }: LineFate): number =>
    (task === commit.task ? 0 : agents.get(task) === agent ? 2 : 4) +
    (row.removedBy === undefined ? 0 : 1);
  const take = (all: readonly LineFate[], text: string): LineFate | undefined => {
    const [best] = all
      .filter((one) => !one.committed && one.row.text === text)
      .toSorted((a, b) => rank(a) - rank(b));
    if (best) best.committed = commit;
    return best;
  };
  const [added, removed] = netLines(before, after);
  for (const text of removed) take(fates.removed, text);
  return added.flatMap((text) => take(fates.added, text) ?? []);
};

/** One task removed a line, another wrote the same again, and no commit has either: it had both. */
const cancelOpposites = ({ added, removed }: FileFates): void => {
  const isDue = ({ committed, row }: LineFate): boolean =>
    !committed && row.removedBy === undefined;
  for (const one of removed.filter(({ committed }) => !committed)) {
    const other = added.find((each) => isDue(each) && each.row.text === one.row.text);
    if (!other) continue;
    one.committed = "cancelled";
    other.committed = "cancelled";
  }
};

/** Added and removed lines without those that only moved. */
const netLines = (before: string | null, after: string | null): [string[], string[]] => {
  const changes = compareLines(splitText(before), splitText(after));
  const removed = changes.flatMap(({ oldLines }) => oldLines.filter(isTelling));
  const added = changes
    .flatMap(({ newLines }) => newLines.filter(isTelling))
    .filter((text) => {
      const moved = removed.indexOf(text);
      if (moved >= 0) removed.splice(moved, 1);
      return moved < 0;
    });
  return [added, removed];
};

const judgeTask = (
  { id, hasGivenUp }: CountRequest["tasks"][number],
  fates: ReadonlyMap<string, FileFates>,
): JudgedTask => {
  const all = [...fates.values()];
  const added = all.flatMap((file) => file.added);
  // A line that another task removed before it was committed need not be in a commit, nor its removal.
  const committedRows = new Set(added.filter(({ committed }) => committed).map(({ row }) => row));
  const plus = added.filter(({ task, row }) => task === id && row.removedBy === undefined);
  const minus = all
    .flatMap((file) => file.removed)
    .filter(
      ({ task, row }) => task === id && (row.writtenBy === undefined || committedRows.has(row)),
    );
  const missing = [
    ...plus.filter(({ committed }) => !committed).map(({ row }) => `+${row.text}`),
    ...minus.filter(({ committed }) => !committed).map(({ row }) => `-${row.text}`),
  ];
  const isOwn = [...plus, ...minus].every(
    ({ committed }) => typeof committed === "object" && committed.task === id,
  );
  const isStuck = hasGivenUp || missing.length > 0;
  return { missing, state: isStuck ? "stuck" : isOwn ? "landed" : "absorbed" };
};

/**
 * Rows that no agent removed must be in the file at the end. Each checkout is compared alone: git merges a line that
 * two branches wrote at one place into one.
 */
const findLost = (
  file: string,
  rows: readonly RecordedRow[],
  final: string | null,
): { file: string; text: string }[] => {
  // A row that was there before is one row in all checkouts, and one removal is enough.
  const over = new Set(
    rows.filter(({ removedBy }) => removedBy !== undefined).flatMap(({ place }) => place ?? []),
  );
  const lost: { file: string; text: string }[] = [];
  for (const space of new Set(rows.map((row) => row.space))) {
    const there = new Map<string, number>();
    for (const line of splitText(final)) there.set(line, (there.get(line) ?? 0) + 1);
    for (const { text, place, removedBy } of rows.filter((row) => row.space === space)) {
      if (removedBy !== undefined || !isTelling(text)) continue;
      if (place !== undefined && over.has(place)) continue;
      const count = there.get(text) ?? 0;
      there.set(text, count - 1);
      if (count > 0) continue;
      lost.push({ file, text });
      if (place !== undefined) over.add(place);
    }
  }
  return lost;
};
