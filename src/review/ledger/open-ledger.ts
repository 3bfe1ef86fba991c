/**
 * The ledger of reviews: what was asked and answered, and each problem over all reviews that saw it. Every change
 * is one transaction with its event; repeating a call changes nothing, so a lost answer can be asked for again.
 */
import { isoTime } from "../../base/clock.ts";
import type { Json } from "../../base/json.ts";
import type { Reader, Row, Scope, Statement, Writer } from "../../store/index.ts";
import { decide, type Decision, findFinding, listFindings, sightingsOf } from "./decide.ts";
import { finishedOf, finishReview, readClusters, selectSeen, type SightRow } from "./finish.ts";
import type { Decider, Ledger, LedgerOptions, SeenFinding } from "./ledger.ts";
import { noticeCommits } from "./notice-commits.ts";
import { readProbes, writeProbe } from "./probes.ts";
import { readTriage, writeTriage } from "./kept-triage.ts";
import {
  beginReview,
  findReview,
  interruptReview,
  listReviews,
  noteReviewer,
  recordOf,
  requireReview,
  resumedOf,
  resumeReview,
  saveAnswer,
} from "./reviews.ts";
import { type FindingRow, toFinding } from "./rows.ts";
import type { LedgerFinding } from "./types.ts";

export const openLedger = (options: LedgerOptions): Ledger => {
  const { place, actor } = options;
  const write = async <T extends Json>(
    work: (tx: Writer, scope: Scope) => Promise<T>,
  ): Promise<T> => {
    const { store, scope } = await place.open();
    return store.write({ scope }, (tx) => work(tx, scope));
  };
  const change = (work: (tx: Writer, scope: Scope) => Promise<void>): Promise<null> =>
    write(async (tx, scope) => {
      await work(tx, scope);
      return null;
    });
  const read = async <T>(
    nothing: T,
    work: (tx: Reader, scope: string) => Promise<T>,
  ): Promise<T> => {
    const there = await place.look();
    return there ? there.store.read((tx) => work(tx, there.scope.id)) : nothing;
  };
  /** For what must be there: an empty store is as good as none. */
  const mustRead = async <T>(work: (tx: Reader, scope: string) => Promise<T>): Promise<T> => {
    const there = await place.look();
    return there ? there.store.read((tx) => work(tx, there.scope.id)) : work(emptyReader, "");
  };
  const recordById = (id: string) =>
    mustRead(async (tx, scope) => recordOf(tx, scope, await requireReview(tx, scope, id)));
  const decideFor = async (
    id: string,
    decision: Decision,
    as: Decider | undefined,
  ): Promise<LedgerFinding> => {
    const { session: _own, ...rest } = options;
    const own = as
      ? { ...rest, actor: as.actor, ...(as.session !== undefined && { session: as.session }) }
      : options;
    await change((tx, scope) => decide(tx, { scope, id, options: own }, decision));
    return mustRead(async (tx, scope) => toFinding(await findFinding(tx, scope, id)));
  };

  return {
    begin: async (start) => {
      const id = await write((tx, scope) => beginReview(tx, scope.id, { start, options }));
      return recordById(id);
    },
    keepTriage: (review, considered) =>
      write((tx, scope) => writeTriage(tx, { scope: scope.id, review, actor }, considered)),
    note: (review, note) =>
      write((tx, scope) => noteReviewer(tx, { scope: scope.id, review, actor }, note)),
    saveReport: (review, answer) =>
      write((tx, scope) => saveAnswer(tx, { scope: scope.id, review, actor }, answer)),
    finish: async (review, input) => {
      const seen = await readClusters(input, options.outline);
      await change((tx, scope) =>
        finishReview(tx, { scope: scope.id, review, options }, { input, seen }),
      );
      const rest = await mustRead((tx, scope) => finishedOf(tx, scope, review));
      return { review: await recordById(review), ...rest };
    },
    interrupt: (review, why = {}) =>
      write((tx, scope) => interruptReview(tx, { scope: scope.id, review, actor }, why)),
    resume: async (wanted) => {
      const { id } = await mustRead((tx, scope) => findReview(tx, scope, wanted));
      await change((tx, scope) => resumeReview(tx, { scope: scope.id, review: id, options }));
      return mustRead((tx, scope) => resumedOf(tx, scope, id));
    },
    list: (filter = {}) => read([], (tx, scope) => listReviews(tx, scope, filter)),
    show: (wanted) =>
      mustRead(async (tx, scope) => {
        const row = await findReview(tx, scope, wanted);
        const { review, answers } = await resumedOf(tx, scope, row.id);
        const findings = await seenBy(tx, scope, row.id);
        const considered = await readTriage(tx, scope, row.id);
        return { ...review, considered, reports: answers.map(({ report }) => report), findings };
      }),
    diff: (from, to) =>
      mustRead(async (tx, scope) => {
        const [one, two] = [await findReview(tx, scope, from), await findReview(tx, scope, to)];
        const before = await seenBy(tx, scope, one.id);
        const after = await seenBy(tx, scope, two.id);
        const [old, now] = [idsOf(before), idsOf(after)];
        return {
          from: await recordOf(tx, scope, one),
          to: await recordOf(tx, scope, two),
          added: after.filter(({ id }) => !old.has(id)),
          gone: before.filter(({ id }) => !now.has(id)),
          kept: after.filter(({ id }) => old.has(id)),
        };
      }),
    findings: (filter = {}) =>
      read([], async (tx, scope) => {
        const { review } = filter;
        if (review === undefined) return listFindings(tx, scope, filter);
        const { id } = await findReview(tx, scope, review);
        return listFindings(tx, scope, { ...filter, review: id });
      }),
    finding: (wanted) =>
      mustRead(async (tx, scope) => {
        const row = await findFinding(tx, scope, wanted);
        return { finding: toFinding(row), sightings: await sightingsOf(tx, scope, row.id) };
      }),
    accept: (id, { note, as } = {}) =>
      decideFor(id, { state: "accepted", ...(note !== undefined && { note }) }, as),
    dismiss: (id, { reason, note, as }) =>
      decideFor(id, { state: "dismissed", reason, ...(note !== undefined && { note }) }, as),
    noticeCommits: (git, to) => noticeCommits(options, git, to),
    recordProbe: async (probe) => {
      await change((tx, scope) => writeProbe(tx, { scope: scope.id, actor }, probe));
    },
    probes: () => read([], readProbes),
    uses: () =>
      read(new Map(), async (tx, scope) => {
        const rows = await tx.all<UseRow>(selectUses, { scope });
        return new Map(
          rows.map(({ reviewer, uses, last_used_at: at }) => [
            reviewer,
            { uses, lastUsedAt: isoTime(at) },
          ]),
        );
      }),
  };
};

interface UseRow extends Row {
  readonly reviewer: string;
  readonly uses: number;
  readonly last_used_at: number;
}

const seenBy = async (tx: Reader, scope: string, review: string): Promise<SeenFinding[]> => {
  const rows = await tx.all<FindingRow & SightRow>(selectSeen, { scope, review });
  return rows.map((row) => ({
    ...toFinding(row),
    cluster: row.cluster,
    stateThen: row.state_then,
  }));
};

const idsOf = (findings: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(findings.map(({ id }) => id));

const emptyReader: Reader = {
  now: async () => ({ wallMs: 0 }),
  all: async () => [],
  get: async () => undefined,
};

const selectUses: Statement = {
  sql: "SELECT reviewer, uses, last_used_at FROM reviewer_uses WHERE scope_id = :scope ORDER BY reviewer",
};
