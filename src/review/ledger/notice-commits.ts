/** Later commits that changed the cited lines: the finding was addressed, whatever anybody said about it. */
import { commitOf, type Git } from "../../git/index.ts";
import type { Reader, Statement, Writer } from "../../store/index.ts";
import { tellOutcomes } from "./decide.ts";
import { type CitedLine, followLines } from "./follow-lines.ts";
import type { LedgerOptions, Noticed } from "./ledger.ts";
import { findingColumns, type FindingRow } from "./rows.ts";

export const noticeCommits = async (
  options: LedgerOptions,
  git: Git,
  to = "HEAD",
): Promise<Noticed> => {
  const there = await options.place.look();
  if (!there) return { addressed: [], followed: 0 };
  const rows = await there.store.read((tx) => loadOpen(tx, there.scope.id));
  if (rows.length === 0) return { addressed: [], followed: 0 };
  const target = await commitOf(git, to);
  if (target === undefined) return { addressed: [], followed: 0 };
  const changed = new Map<string, string>();
  const starts = [...Map.groupBy(rows, ({ head, base }) => head ?? base ?? "")];
  let followed = 0;
  for (const [start, cited] of starts.slice(0, startsMax)) {
    followed += cited.length;
    for (const isBelow of [true, false]) {
      const own = cited.filter(({ head }) => (head === null) === isBelow);
      const lines = own.flatMap(toCited);
      if (lines.length === 0) continue;
      const found = await followLines(git, {
        start: { commit: start, isBelow },
        to: target,
        cited: lines,
      });
      for (const [id, commit] of found) changed.set(id, commit);
    }
  }
  const addressed = await markAddressed(options, changed);
  return { addressed, followed };
};

interface OpenRow extends FindingRow {
  readonly head: string | null;
  readonly base: string | null;
}

const toCited = ({ id, path, line, line_hash: lineHash }: OpenRow): CitedLine[] =>
  path === null || line === null ? [] : [{ id, path, line, lineHash }];

const loadOpen = (tx: Reader, scope: string): Promise<OpenRow[]> =>
  tx.all<OpenRow>(selectOpen, { scope });

const markAddressed = async (
  options: LedgerOptions,
  changed: ReadonlyMap<string, string>,
): Promise<{ id: string; commit: string }[]> => {
  if (changed.size === 0) return [];
  const { store, scope } = await options.place.open();
  const done: { id: string; commit: string }[] = [];
  for (const [id, commit] of [...changed].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const isNew = await store.write({ scope }, async (tx: Writer) => {
      const row = await tx.get<FindingRow>(selectOne, { scope: scope.id, id });
      if (!row || row.addressed_by !== null) return false;
      await tx.run(setAddressed, { scope: scope.id, id, commit });
      const data = { commit, title: row.title, severity: row.severity };
      tx.emit({ kind: "finding.addressed", actor: options.actor, subject: id, data });
      await tellOutcomes(tx, { scope, row, options }, { outcome: "addressed", change: commit });
      return true;
    });
    if (isNew) done.push({ id, commit });
  }
  return done;
};

/** The newest are followed, so that looking stays cheap however old a ledger is. */
const findingsMax = 500;
const startsMax = 20;

const qualified = Object.keys(findingColumns)
  .map((name) => `f.${name}`)
  .join(", ");
const selectOpen: Statement = {
  sql: `SELECT ${qualified}, r.head AS head, r.base AS base FROM findings f
        JOIN reviews r ON r.scope_id = f.scope_id AND r.id = f.last_review
        WHERE f.scope_id = :scope AND f.addressed_by IS NULL AND f.state <> 'dismissed'
        AND f.path IS NOT NULL AND f.line IS NOT NULL
        AND (r.head IS NOT NULL OR r.base IS NOT NULL)
        ORDER BY f.last_seen_at DESC, f.id LIMIT ${findingsMax}`,
};
const selectOne: Statement = {
  sql: `SELECT ${qualified} FROM findings f WHERE f.scope_id = :scope AND f.id = :id`,
};
const setAddressed: Statement = {
  sql: "UPDATE findings SET addressed_by = :commit WHERE scope_id = :scope AND id = :id",
};
