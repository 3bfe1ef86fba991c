/** The end of a review: what was seen is brought together with what was known. */
import { newId } from "../../base/ids.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import { plainLine, plainText } from "../plain-text.ts";
import { normalise } from "../synthesis/normalise.ts";
import { isUsable, withDismissals } from "../synthesis/verdict.ts";
import type { Cluster, Finding } from "../types.ts";
import { bodyLengthMax, Change } from "./change.ts";
import { type Context, contextOf, hashLine, readSource, type Source } from "./context.ts";
import type { Finished, FinishInput, LedgerOptions } from "./ledger.ts";
import { type CitedPlace, lookedAt, renamesOf } from "./looked.ts";
import { type Known, matchFindings, type Seen, type SeenPlace } from "./match.ts";
import { requireReview, runsOf } from "./reviews.ts";
import {
  findingColumns,
  findingNames,
  type FindingRow,
  isOneOf,
  keptVerdict,
  toFinding,
} from "./rows.ts";
import type { FindingState, LedgerFinding } from "./types.ts";

/** A cluster with its members and where they point to; made before the transaction. */
export interface SeenCluster extends Seen {
  readonly cluster: Cluster;
  readonly members: readonly Finding[];
  readonly path?: string;
  readonly line?: number;
  /** Of the member that cites the place that the cluster is shown at. */
  readonly context: Context;
  readonly body: string;
}

export const readClusters = async (
  { synthesis, findings, subject }: FinishInput,
  outline: LedgerOptions["outline"],
): Promise<SeenCluster[]> => {
  // As the synthesis saw them: it may have given other ids to twins.
  const byId = new Map(
    normalise(findings).map(({ finding }) => [`${finding.review}\0${finding.id}`, finding]),
  );
  const cited = new Set(synthesis.clusters.flatMap(({ path }) => path ?? []));
  const sources = new Map<string, Source>();
  for (const { path, after } of subject.files) {
    if (after === undefined) continue;
    const symbols = cited.has(path) ? (await outline?.(after, path))?.symbols : undefined;
    sources.set(path, readSource(after, symbols));
  }
  const usual = subject.files.length === 1 ? subject.files[0]?.path : undefined;
  return synthesis.clusters.flatMap((cluster): SeenCluster[] => {
    const members = cluster.members.flatMap((id) => byId.get(`${cluster.review}\0${id}`) ?? []);
    // The findings of a rule are settled place by place: a decision about one must not hide the next.
    const isRule = members.every(({ rule }) => rule !== undefined);
    const groups = isRule
      ? [...Map.groupBy(members, ({ path, line }) => `${path ?? ""}\0${line ?? ""}`).values()]
      : [members];
    return groups.map((own): SeenCluster => {
      const places = own.map((member): SeenPlace & { readonly member: Finding } => ({
        ...contextOf(member, sources.get(member.path ?? usual ?? "")),
        path: member.path,
        line: member.line,
        member,
      }));
      const spoken = places.find(({ member }) => member.id === cluster.shown) ?? places[0];
      const { path, line, body = "" } = spoken?.member ?? {};
      const others = cluster.places.filter((one) => one.path !== path || one.line !== line);
      const also =
        isRule || others.length === 0
          ? ""
          : `\n\nAlso at: ${others.map((one) => `${one.path ?? ""}${one.line === undefined ? "" : `:${one.line}`}`).join(", ")}`;
      const said = plainText(`${body}${also}`, bodyLengthMax);
      return {
        ...{ cluster, members: own, places },
        ...(path !== undefined && { path }),
        ...(line !== undefined && { line }),
        kinds: new Set(own.flatMap(({ kind }) => kind ?? [])),
        text: `${cluster.title}\n${body}`,
        context: spoken ?? { keys: [], lineHash: null, symbol: null },
        body: said,
      };
    });
  });
};

export const finishReview = async (
  tx: Writer,
  place: { readonly scope: string; readonly review: string; readonly options: LedgerOptions },
  { input, seen }: { readonly input: FinishInput; readonly seen: readonly SeenCluster[] },
): Promise<void> => {
  const { scope, review, options } = place;
  const row = await requireReview(tx, scope, review);
  if (row.state === "done") return;
  const at = Math.trunc((await tx.now()).wallMs);
  const known = await loadKnown(tx, scope, { input, seen });
  const matched = matchFindings(
    seen,
    known.map((one) => one.known),
    { renames: renamesOf(input.subject), mayStay: stayTest(input, options) },
  );
  const change = new Change({ review, at, ids: options.ids ?? newId, known });
  for (const [index, one] of seen.entries()) change.see(one, matched[index] ?? []);
  const usable = await usableReviewers(tx, scope, review);
  change.notSeen(lookTest(input, usable));
  await change.write(tx, scope);
  const synthesis = withDismissals(input.synthesis, change.dismissedClusters());
  await tx.run(endReview, {
    ...{ scope, review, at },
    ...keptVerdict(synthesis),
    digest: synthesis.inputDigest,
  });
  emitMissed(tx, { review, actor: options.actor }, input);
  const data = { verdict: synthesis.verdict, total: synthesis.counts.clusters, ...change.told() };
  tx.emit({ kind: "review.finished", actor: options.actor, subject: review, data });
};

/** One for each gap, so that it can be seen and looked at later; of very many the first. */
const emitMissed = (
  tx: Writer,
  { review, actor }: { readonly review: string; readonly actor: string },
  { synthesis: { notJudged = [] }, missed = [] }: FinishInput,
): void => {
  const all = new Map([...notJudged, ...missed].map((one) => [JSON.stringify(one), one]));
  const first = [...all.values()].slice(0, missedEventsMax);
  const more = all.size - first.length;
  for (const { what, where, why } of first) {
    const data = { what, where: plainLine(where), why: plainLine(why) };
    tx.emit({ kind: "judgement.missed", actor, subject: review, data });
  }
  if (more === 0) return;
  const data = { what: "review", where: review, why: `${more} more were not judged` };
  tx.emit({ kind: "judgement.missed", actor, subject: review, data });
};

const missedEventsMax = 50;

/** Also for a review that was finished before. */
export const finishedOf = async (
  tx: Reader,
  scope: string,
  review: string,
): Promise<Pick<Finished, "byCluster" | "states" | "fixed">> => {
  const rows = await tx.all<FindingRow & SightRow>(selectSeen, { scope, review });
  const fixed = await tx.all<FindingRow>(selectFixed, { scope, review });
  return {
    byCluster: new Map(
      // The oldest speaks for a cluster that was reported as several before; what is open before what is dismissed.
      [
        ...rows.filter((row) => row.state_then === "dismissed").toReversed(),
        ...rows.filter((row) => row.state_then !== "dismissed").toReversed(),
      ].map((row): [string, LedgerFinding] => [row.cluster, toFinding(row)]),
    ),
    states: new Map([
      ...fixed.map(({ id }): [string, FindingState] => [id, "fixed"]),
      ...rows.map((row): [string, FindingState] => [row.id, row.state_then]),
    ]),
    fixed: fixed.map(toFinding),
  };
};

/** Ids of the clusters that are dismissed for this review. */
export const dismissedIn = ({
  byCluster,
  states,
}: Pick<Finished, "byCluster" | "states">): Set<string> =>
  new Set(
    [...byCluster].flatMap(([cluster, { id }]) =>
      states.get(id) === "dismissed" ? [cluster] : [],
    ),
  );

export interface SightRow extends Row {
  readonly cluster: string;
  readonly state_then: FindingState;
}

export interface KnownRow {
  readonly row: FindingRow;
  readonly known: Known;
  readonly cited: CitedPlace;
}

const loadKnown = async (
  tx: Reader,
  scope: string,
  { input, seen }: { readonly input: FinishInput; readonly seen: readonly SeenCluster[] },
): Promise<KnownRow[]> => {
  const keys = seen.flatMap(({ places }) => places.flatMap((place) => place.keys));
  const paths = [
    ...input.subject.files.flatMap(({ path, oldPath }) => [path, ...(oldPath ? [oldPath] : [])]),
    ...seen.flatMap(({ places }) => places.flatMap(({ path }) => path ?? [])),
  ];
  const lists = { keys: listText(keys), paths: listText(paths) };
  const rows = await tx.all<FindingRow & { subject: string | null }>(selectKnown, {
    scope,
    ...lists,
  });
  const ids = listText(rows.map(({ id }) => id));
  const byFinding = Map.groupBy(
    await tx.all<Row & { finding_id: string; key: string }>(selectKeys, { scope, ids }),
    (one) => one.finding_id,
  );
  return rows.map((row): KnownRow => {
    const { id, path, line, line_hash: lineHash, symbol, kind, title, body, state } = row;
    return {
      row,
      known: {
        ...{ id, path, line, lineHash, symbol, kind },
        keys: new Set((byFinding.get(id) ?? []).map(({ key }) => key)),
        text: `${title}\n${body}`,
        isDismissed: state === "dismissed",
      },
      cited: { path, line, lineHash, subjectName: row.subject ?? "" },
    };
  });
};

const listText = (values: readonly string[]): string => JSON.stringify([...new Set(values)]);

/** Whether the cited text can still be where it was known: then the same text elsewhere is a copy. */
const stayTest = ({ subject }: FinishInput, { exists }: LedgerOptions) => {
  const files = new Map(subject.files.map((file) => [file.path, file]));
  const lines = new Map<string, ReadonlySet<string>>();
  const hasLine = (path: string, text: string, hash: string): boolean => {
    let own = lines.get(path);
    if (!own) lines.set(path, (own = new Set(readSource(text).lines.map(hashLine))));
    return own.has(hash);
  };
  return ({ path, lineHash }: Known): boolean => {
    if (path === null) return true;
    const file = files.get(path);
    // Code that went from one file to another within this change takes its findings along.
    if (file?.after !== undefined && lineHash !== null) return hasLine(path, file.after, lineHash);
    if (file) return file.status !== "deleted";
    if (subject.files.some(({ oldPath, status }) => oldPath === path && status === "renamed")) {
      return false;
    }
    return exists?.(path) ?? true;
  };
};

const usableReviewers = async (
  tx: Reader,
  scope: string,
  review: string,
): Promise<ReadonlySet<string>> => {
  const runs = await runsOf(tx, scope, review);
  return new Set(
    runs.flatMap(({ reviewer, state, report, findings, shadow }) =>
      state === "done" &&
      shadow === 0 &&
      report !== null &&
      isUsable({ reviewer, state: report, findings })
        ? [reviewer]
        : [],
    ),
  );
};

/** Silence counts only from somebody who reported it last time, answered in full and was shown the place. */
const lookTest = ({ subject, skips }: FinishInput, usable: ReadonlySet<string>) => {
  const looked = lookedAt(subject);
  return ({ row, cited }: KnownRow): boolean =>
    looked(cited) &&
    (JSON.parse(row.last_reviewers) as string[]).some(
      (reviewer) => usable.has(reviewer) && !(cited.path !== null && skips?.(reviewer, cited.path)),
    );
};

const qualified = Object.keys(findingColumns)
  .map((name) => `f.${name}`)
  .join(", ");
const knownBy = (dialect: "sqlite" | "postgres"): string =>
  `SELECT ${qualified}, r.subject AS subject FROM findings f
   LEFT JOIN reviews r ON r.scope_id = f.scope_id AND r.id = f.last_review
   WHERE f.scope_id = :scope AND (f.path IS NULL OR ${isOneOf("f.path", "paths")[dialect]}
     OR f.id IN (SELECT finding_id FROM finding_keys
       WHERE scope_id = :scope AND ${isOneOf("key", "keys")[dialect]}))
   ORDER BY f.id`;
const selectKnown: Statement = { sqlite: knownBy("sqlite"), postgres: knownBy("postgres") };
const keysBy = (dialect: "sqlite" | "postgres"): string =>
  `SELECT finding_id, key FROM finding_keys
   WHERE scope_id = :scope AND ${isOneOf("finding_id", "ids")[dialect]}`;
const selectKeys: Statement = { sqlite: keysBy("sqlite"), postgres: keysBy("postgres") };
export const selectSeen: Statement = {
  sql: `SELECT DISTINCT ${qualified}, s.cluster AS cluster, s.state AS state_then FROM findings f
        JOIN sightings s ON s.scope_id = f.scope_id AND s.finding_id = f.id
        WHERE f.scope_id = :scope AND s.review_id = :review ORDER BY f.id`,
};
const selectFixed: Statement = {
  sql: `SELECT ${findingNames} FROM findings
        WHERE scope_id = :scope AND fixed_review = :review ORDER BY id`,
};
const endReview: Statement = {
  sql: `UPDATE reviews SET state = 'done', verdict = :verdict, counts = :counts,
        input_digest = :digest, ended_at = :at, problem = NULL
        WHERE scope_id = :scope AND id = :review`,
};
