/** What one review changes in the ledger. */
import type { Json } from "../../base/json.ts";
import type { Statement, Writer } from "../../store/index.ts";
import { plainText } from "../plain-text.ts";
import { order } from "../synthesis/normalise.ts";
import type { KnownRow, SeenCluster } from "./finish.ts";
import { findingColumns, type FindingRow, insertMany } from "./rows.ts";
import type { FindingState } from "./types.ts";

interface ChangeContext {
  readonly review: string;
  readonly at: number;
  readonly ids: (kind: "finding") => string;
  readonly known: readonly KnownRow[];
}

type Sighted = Readonly<Record<string, string | number | null>> & {
  readonly cluster: string;
  readonly state: FindingState;
};

/** Gathered first and written in a few statements. */
export class Change {
  readonly #context: ChangeContext;
  readonly #known: ReadonlyMap<string, KnownRow>;
  readonly #rows = new Map<string, FindingRow>();
  readonly #keys: { key: string; finding_id: string }[] = [];
  readonly #sightings: Sighted[] = [];
  readonly #lists = new Map<FindingState, string[]>();
  readonly #ordinals = new Map<string, number>();

  constructor(context: ChangeContext) {
    this.#context = context;
    this.#known = new Map(context.known.map((one) => [one.row.id, one]));
    for (const { row } of context.known) this.#ordinal(row.identity.split("~")[0] ?? "");
  }

  see(one: SeenCluster, matches: readonly string[]): void {
    const { review, at, ids } = this.#context;
    const { cluster, members, context, body } = one;
    const reviewers = [...new Set(members.map(({ reviewer }) => reviewer))].toSorted(order);
    const shared = {
      severity: cluster.severity,
      title: cluster.title,
      body,
      path: one.path ?? null,
      line: one.line ?? null,
      line_hash: context.lineHash,
      symbol: context.symbol,
      rule: members.find(({ rule }) => rule !== undefined)?.rule ?? null,
      kind: members.find(({ kind }) => kind !== undefined)?.kind ?? null,
      last_reviewers: JSON.stringify(reviewers),
      last_review: review,
      last_seen_at: at,
      fixed_review: null,
    };
    const olds = matches.flatMap((id) => this.#known.get(id) ?? []);
    for (const { row } of olds) {
      const state = stateAgain(row.state);
      const ever = new Set([...(JSON.parse(row.reviewers) as string[]), ...reviewers]);
      const all = JSON.stringify([...ever].toSorted(order));
      this.#keep({ ...row, ...shared, state, reviewers: all }, one);
    }
    if (olds.length > 0) return;
    this.#keep(
      {
        ...shared,
        id: ids("finding"),
        identity: this.#identity(context.keys[0] ?? ""),
        state: "new",
        reviewers: JSON.stringify(reviewers),
        first_review: review,
        first_seen_at: at,
        decided_by: null,
        decided_at: null,
        reason: null,
        note: null,
        addressed_by: null,
      },
      one,
    );
  }

  notSeen(isLookedFor: (one: KnownRow) => boolean): void {
    for (const one of this.#context.known) {
      const { row } = one;
      if (this.#rows.has(row.id) || row.state === "fixed" || row.state === "dismissed") continue;
      if (!isLookedFor(one)) continue;
      this.#rows.set(row.id, { ...row, state: "fixed", fixed_review: this.#context.review });
      this.#tell("fixed", row.id);
    }
  }

  async write(tx: Writer, scope: string): Promise<void> {
    const rows = [...this.#rows.values()];
    await writeMany(tx, upsertFindings, { scope, rows });
    await writeMany(tx, insertKeys, { scope, rows: this.#keys });
    await writeMany(tx, insertSightings, { scope, rows: this.#sightings });
  }

  /** Those all of whose findings are. */
  dismissedClusters(): Set<string> {
    const isOpen = ({ state }: Sighted): boolean => state !== "dismissed";
    const open = new Set(this.#sightings.filter(isOpen).map(({ cluster }) => cluster));
    return new Set(this.#sightings.map(({ cluster }) => cluster).filter((id) => !open.has(id)));
  }

  /** For the event: how many of each, and the first of them by id. */
  told(): { [key: string]: Json } {
    return Object.fromEntries(
      [...this.#lists].map(([state, ids]): [string, Json] => [
        state,
        { count: ids.length, ids: ids.slice(0, idsToldMax) },
      ]),
    );
  }

  #keep(row: FindingRow, { cluster, members, places }: SeenCluster): void {
    this.#rows.set(row.id, row);
    this.#tell(row.state, row.id);
    const old = this.#known.get(row.id)?.known.keys;
    const keys = new Set(places.flatMap((place) => place.keys).filter((key) => !old?.has(key)));
    for (const key of keys) this.#keys.push({ key, finding_id: row.id });
    for (const [reviewer, own] of Map.groupBy(members, (member) => member.reviewer)) {
      const [first] = own;
      if (!first) continue;
      this.#sightings.push({
        review_id: this.#context.review,
        finding_id: row.id,
        reviewer,
        cluster: cluster.id,
        state: row.state,
        severity: first.severity ?? null,
        title: first.title,
        body: plainText(first.body ?? "", bodyLengthMax),
        path: first.path ?? null,
        line: first.line ?? null,
      });
    }
  }

  #tell(state: FindingState, id: string): void {
    const list = this.#lists.get(state);
    if (list) list.push(id);
    else this.#lists.set(state, [id]);
  }

  /** Twins get a number. */
  #identity(key: string): string {
    const hash = key.split(":")[1] ?? key;
    const nth = this.#ordinal(hash);
    return nth === 1 ? hash : `${hash}~${nth}`;
  }

  #ordinal(hash: string): number {
    const nth = (this.#ordinals.get(hash) ?? 0) + 1;
    this.#ordinals.set(hash, nth);
    return nth;
  }
}

/** A decision stands; whatever was fixed and is here again has come back. */
const stateAgain = (state: FindingState): FindingState => {
  if (state === "fixed") return "regressed";
  return state === "accepted" || state === "dismissed" ? state : "persisting";
};

const writeMany = async (
  tx: Writer,
  statement: Statement,
  { scope, rows }: { readonly scope: string; readonly rows: readonly object[] },
): Promise<void> => {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const part = JSON.stringify(rows.slice(from, from + rowsAtOnce));
    await tx.run(statement, { scope, rows: part });
  }
};

const rowsAtOnce = 500;
/** The beginning says what it is about; all of it is in the report. */
export const bodyLengthMax = 4_000;
const idsToldMax = 50;

const upsertFindings = insertMany(
  "findings",
  findingColumns,
  `ON CONFLICT (scope_id, id) DO UPDATE SET ${Object.keys(findingColumns)
    .filter((name) => name !== "id")
    .map((name) => `${name} = excluded.${name}`)
    .join(", ")}`,
);
const insertKeys = insertMany(
  "finding_keys",
  { key: "text", finding_id: "text" },
  "ON CONFLICT DO NOTHING",
);
const insertSightings = insertMany(
  "sightings",
  {
    ...{ review_id: "text", finding_id: "text", reviewer: "text", cluster: "text", state: "text" },
    ...{ severity: "text", title: "text", body: "text", path: "text", line: "bigint" },
  },
  "ON CONFLICT DO NOTHING",
);
