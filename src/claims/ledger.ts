/**
 * The claims of one scope inside one write transaction: looked at, ended, granted. Everything that ends
 * a claim goes through `end`, so each ending has exactly one event whatever caused it (C-07).
 */
import { assert } from "../base/assert.ts";
import type { IdSource } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import type { NewNotice } from "../notices/index.ts";
import type { Row, Scope, Statement, StoreTime, Writer } from "../store/index.ts";
import {
  actorRowOf,
  type ActorRow,
  actorColumns,
  changesProcess,
  isSameActorRow,
  upsertActor,
  withProvenProcess,
} from "./actors/actor-row.ts";
import {
  claimColumns,
  type ClaimRow,
  deleteClaim,
  insertClaim,
  isLive,
  readClaimsById,
  targetOf,
  updateClaim,
} from "./claim-row.ts";
import { agoMs, deadlineAfter, endWallMs } from "./deadline.ts";
import type { FenceMark } from "./fence-mark.ts";
import { hashSecret } from "./holder-proof.ts";
import { findOverlapping } from "./find-overlapping.ts";
import { listParameters } from "./in-list.ts";
import { overlap } from "./targets/overlap.ts";
import type { Target } from "./targets/target.ts";
import type { Actor, Mode } from "./types.ts";
import { readQueue, type WaiterRow } from "./waiter-row.ts";

export interface LedgerPorts {
  readonly scope: Scope;
  readonly ids: IdSource;
  readonly fences: FenceMark;
}

/** How a claim ended; also the last word of its event's kind. */
export type Ending = "released" | "expired" | "reclaimed";

export interface NewClaim {
  readonly target: Target;
  readonly mode: Mode;
  readonly actor: Pick<Actor, "id" | "session" | "proof">;
  readonly ttlMs: number;
  readonly reason: string;
  readonly forSession: boolean;
}

/** What a transaction will ask for first. */
export interface Wanted {
  readonly actor?: string;
  readonly targets?: readonly Target[];
  readonly ids?: readonly string[];
  /** How many claims there are before anything is changed. */
  readonly isCounted?: boolean;
}

interface ScopeState extends Row {
  readonly fence: number;
  readonly rescues: number;
  readonly requests: number;
  readonly wishes: number;
}

export class Ledger {
  readonly tx: Writer;
  readonly scope: Scope;
  readonly now: StoreTime;
  /** Who was in line when the transaction began, in order. */
  readonly waiting: readonly WaiterRow[];
  /** What became free here; waiters for it are to be looked at. */
  readonly freed: Target[] = [];
  /** Claims whose time turned out to be over. */
  readonly expired: ClaimRow[] = [];
  /** Claims that ended here. */
  readonly endings: { readonly row: ClaimRow; readonly ending: Ending }[] = [];
  /** To be sent with this transaction. */
  readonly notices: NewNotice[] = [];
  /** Claims in the scope at the beginning, if that was asked for; not counted on above what one call names. */
  count = 0;
  /** The actor may hold more claims than were read. */
  hasMore = false;
  readonly #ports: LedgerPorts;
  readonly #state: ScopeState;
  readonly #actor: ActorRow | undefined;
  readonly #found = new Map<Target, readonly ClaimRow[]>();
  readonly #changed = new Map<string, ClaimRow>();
  readonly #ended = new Set<string>();
  readonly #replaced = new Set<string>();
  #added: ClaimRow[] = [];
  #byIds: { readonly ids: readonly string[]; readonly rows: readonly ClaimRow[] } = {
    ids: [],
    rows: [],
  };
  #fence: number;

  private constructor(
    tx: Writer,
    ports: LedgerPorts,
    read: {
      now: StoreTime;
      state: ScopeState;
      actor: ActorRow | undefined;
      queue: readonly WaiterRow[];
    },
  ) {
    this.waiting = read.queue;
    this.tx = tx;
    this.scope = ports.scope;
    this.#ports = ports;
    this.now = read.now;
    this.#state = read.state;
    this.#actor = read.actor;
    this.#fence = read.state.fence;
  }

  /** Reads at once what is needed for `targets`, because each trip to a server counts. */
  static async open(tx: Writer, ports: LedgerPorts, wanted: Wanted = {}): Promise<Ledger> {
    const { scope } = ports;
    const { targets = [], ids = [] } = wanted;
    const [now, state, queue, found, rows, counted] = await Promise.all([
      tx.now(),
      tx.get<ScopeState & ActorRow>(readState, { scope: scope.id, actor: wanted.actor ?? null }),
      tx.all<WaiterRow>(readQueue, { scope: scope.id }),
      Promise.all(targets.map((target) => findOverlapping(tx, scope, target))),
      ids.length === 0 ? [] : readRows(tx, scope, ids),
      wanted.isCounted ? tx.get<{ count: number }>(countClaims, { scope: scope.id }) : undefined,
    ]);
    assert(state, `the scope ${scope.id} is not in the store`);
    const actor = state.id === null ? undefined : state;
    const ledger = new Ledger(tx, ports, { now, state, actor, queue });
    for (const [index, target] of targets.entries()) {
      ledger.#found.set(target, found[index] ?? []);
    }
    ledger.#byIds = { ids, rows };
    ledger.count = counted?.count ?? 0;
    return ledger;
  }

  /** No claim is left; false when they were not counted, or too many to count. */
  get isEmpty(): boolean {
    const isCounted = this.count > 0 && this.count <= limits.claimTargetsMax;
    return isCounted && this.count === this.#ended.size && this.#added.length === 0;
  }

  get hasRequests(): boolean {
    return this.#state.requests === 1;
  }

  get hasRescues(): boolean {
    return this.#state.rescues === 1;
  }

  get hasWishes(): boolean {
    return this.#state.wishes === 1;
  }

  newId(kind: "claim" | "waiter" | "request" | "notice"): string {
    return this.#ports.ids(kind);
  }

  /** Live claims that overlap the target. Expired ones that are met are ended on the way. */
  async overlapping(target: Target): Promise<ClaimRow[]> {
    const found = this.#found.get(target) ?? (await findOverlapping(this.tx, this.scope, target));
    this.#found.set(target, found);
    const stored = found.filter((row) => !this.#replaced.has(row.id));
    const known = new Set(stored.map((row) => row.id));
    const added = this.#added.filter((row) => !known.has(row.id) && overlap(targetOf(row), target));
    return [...stored, ...added]
      .filter((row) => !this.#ended.has(row.id))
      .map((row) => this.#changed.get(row.id) ?? row)
      .filter((row) => this.keepIfLive(row));
  }

  /** False after ending a claim whose time is over. */
  keepIfLive(row: ClaimRow): boolean {
    if (isLive(row, this.now)) return true;
    // Beyond what one transaction can tell, a claim that ran out stays for the sweep; it blocks nobody.
    if (this.#ended.size >= limits.endingsMax) return false;
    if (!this.#ended.has(row.id)) this.expired.push(row);
    this.end(row, "expired", { actor: row.actor });
    return false;
  }

  /** Live claims by id, in the given order; ended and unknown ones are left out. */
  async byIds(ids: readonly string[]): Promise<ClaimRow[]> {
    const known = this.#byIds;
    const isKnown = ids === known.ids;
    const rows = isKnown ? known.rows : await readRows(this.tx, this.scope, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []).filter((row) => this.keepIfLive(row));
  }

  /** In the order of their ids, behind `after`; as many as one transaction can tell of. */
  async ofActor(actor: string, after = ""): Promise<ClaimRow[]> {
    const parameters = { scope: this.scope.id, actor, after, limit: limits.endingsMax };
    const rows = await this.tx.all<ClaimRow>(readByActor, parameters);
    this.hasMore = rows.length === limits.endingsMax;
    return rows.filter((row) => this.keepIfLive(row));
  }

  end(
    row: ClaimRow,
    ending: Ending,
    by: { readonly actor: string; readonly [key: string]: unknown },
  ) {
    if (this.#ended.has(row.id)) return;
    this.#ended.add(row.id);
    this.endings.push({ row, ending });
    this.send(deleteClaim, { scope: this.scope.id, id: row.id });
    if (this.#state.requests === 1) {
      this.send(settleRequests, { scope: this.scope.id, claim: row.id, answer: answers[ending] });
    }
    const { actor, ...data } = by;
    this.tx.emit({
      kind: `claim.${ending}`,
      actor,
      subject: row.id,
      data: {
        target: row.target,
        mode: row.mode,
        holder: row.actor,
        fence: row.fence,
        ...(data as object),
      },
    });
    this.freed.push(targetOf(row));
  }

  /** Takes `count` fences, durable with this transaction; returns the first. */
  takeFences(count: number, ttlMs: number): number {
    const first = this.#ports.fences.take(count, this.#fence, {
      nowWallMs: this.now.wallMs,
      untilWallMs: Math.ceil(this.now.wallMs + ttlMs),
    });
    if (first > this.#fence + 1 && this.#fence > 0) {
      // Either the machine or a writer stopped in the middle of a grant, or an old copy was put back.
      this.tx.emit({ kind: "fence.skipped", data: { store: this.#fence, next: first } });
    }
    this.#fence = first + count - 1;
    this.send(setFence, { scope: this.scope.id, fence: this.#fence });
    return first;
  }

  grant(claim: NewClaim, fence: number, data: { readonly [key: string]: string } = {}): ClaimRow {
    const row = newRow(claim, { id: this.newId("claim"), fence, now: this.now });
    this.add(row);
    this.tx.emit({
      kind: "claim.granted",
      actor: row.actor,
      subject: row.id,
      data: { fence, ...grantData(claim), ...data },
    });
    return row;
  }

  /** Stores a row as it is; the caller emits what it means. */
  add(row: ClaimRow): void {
    this.send(insertClaim, { scope: this.scope.id, ...row });
    this.#added.push(row);
  }

  /** Puts others in a claim's place; the caller emits what it means. */
  replace(row: ClaimRow, parts: readonly ClaimRow[]): void {
    this.#replaced.add(row.id);
    this.#added = this.#added.filter((one) => one.id !== row.id);
    this.send(deleteClaim, { scope: this.scope.id, id: row.id });
    for (const part of parts) this.add(part);
  }

  /** A new state of a live claim, with the event that says so. */
  change(row: ClaimRow, next: Partial<ClaimRow>, kind: string, actor: string): ClaimRow {
    const changed: ClaimRow = { ...row, ...next } as ClaimRow;
    const { id, mode, fence, reason, ttl_ms, for_session } = changed;
    const { expires_at, expires_mono, expires_boot } = changed;
    this.send(updateClaim, {
      scope: this.scope.id,
      ...{ id, mode, fence, reason, ttl_ms, for_session },
      ...{ expires_at, expires_mono, expires_boot },
    });
    this.#changed.set(id, changed);
    this.tx.emit({
      kind: `claim.${kind}`,
      actor,
      subject: id,
      data: { target: changed.target, mode, fence, ttlMs: ttl_ms },
    });
    return changed;
  }

  /** The later of the present end and `ttlMs` from now: asking again never shortens. */
  extended(row: ClaimRow, ttlMs: number): Partial<ClaimRow> {
    const next = deadlineAfter(this.now, ttlMs);
    return endWallMs(next, this.now, ttlMs) >= endWallMs(row, this.now, row.ttl_ms)
      ? { ...next, ttl_ms: ttlMs }
      : {};
  }

  /** The earlier of the present end and `ttlMs` from now; undefined when it ends sooner anyway. */
  shortened(row: ClaimRow, ttlMs: number): Partial<ClaimRow> | undefined {
    const next = deadlineAfter(this.now, ttlMs);
    const isEarlier = endWallMs(next, this.now, ttlMs) < endWallMs(row, this.now, row.ttl_ms);
    return isEarlier ? { ...next, ttl_ms: ttlMs } : undefined;
  }

  /** Remembers the actor and this sign of life; not with every call, because each costs a write. */
  async touchActor(actor: Actor): Promise<void> {
    const known = this.#actor?.id === actor.id ? this.#actor : undefined;
    let present = actor;
    if (known && changesProcess(actor, known)) {
      const held = await this.tx.get(holdsClaims, { scope: this.scope.id, actor: actor.id });
      present = withProvenProcess(actor, known, held !== undefined);
    }
    const row = actorRowOf(present, this.now);
    const isFresh = known && Math.abs(agoMs(known, this.now)) < limits.heartbeatWriteMs;
    if (known && isFresh && isSameActorRow(known, row)) return;
    this.send(upsertActor, { scope: this.scope.id, ...row });
  }

  /** Not awaited: on a server all of them travel with the commit. A failure rolls the whole back. */
  send(statement: Statement, parameters: Row): void {
    this.tx.run(statement, parameters).catch(() => {});
  }
}

const readRows = (tx: Writer, scope: Scope, ids: readonly string[]): Promise<ClaimRow[]> =>
  tx.all<ClaimRow>(readClaimsById(ids), { scope: scope.id, ...listParameters("id", ids) });

export const newRow = (
  { target, mode, actor, ttlMs, reason, forSession }: NewClaim,
  { id, fence, now }: { readonly id: string; readonly fence: number; readonly now: StoreTime },
): ClaimRow => ({
  id,
  target: target.text,
  extent: target.extent,
  folds: target.folds ? 1 : 0,
  place: target.place,
  tail: target.tail,
  mode,
  actor: actor.id,
  session: actor.session,
  for_session: forSession ? 1 : 0,
  fence,
  reason,
  granted_at: Math.round(now.wallMs),
  ttl_ms: ttlMs,
  ...deadlineAfter(now, ttlMs),
  holder: holderHash(actor),
});

/** A grant is bound to it; of those in line it is known already. */
export const holderHash = ({ proof }: Pick<Actor, "proof">): string | null => {
  if (!proof) return null;
  return proof.secret ? hashSecret(proof.secret()) : (proof.hashes()[0] ?? null);
};

/** What the event of a grant says besides the fence. */
export const grantData = ({ target, mode, ttlMs, reason }: NewClaim) => ({
  target: target.text,
  mode,
  ttlMs,
  reason,
});

const exists = (table: string): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM ${table} WHERE scope_id = :scope) THEN 1 ELSE 0 END`;
/** The scope with its actor beside it, if that is known. */
const readState: Statement = {
  sql: `SELECT scopes.fence, ${exists("rescues")} AS rescues,
          ${exists("release_requests")} AS requests, ${exists("claim_wishes")} AS wishes,
          ${actorColumns.replaceAll(/\w+/g, "actors.$&")}
        FROM scopes LEFT JOIN actors ON actors.scope_id = scopes.id AND actors.id = :actor
        WHERE scopes.id = :scope`,
};
const countClaims: Statement = {
  sql: `SELECT count(*) AS count
        FROM (SELECT 1 FROM claims WHERE scope_id = :scope LIMIT ${limits.claimTargetsMax + 1}) AS counted`,
};
const holdsClaims: Statement = {
  sql: "SELECT 1 AS held FROM claims WHERE scope_id = :scope AND actor = :actor LIMIT 1",
};
const answers = { released: "released", expired: "expired", reclaimed: "taken-over" } as const;
const settleRequests: Statement = {
  sql: `UPDATE release_requests SET answer = :answer
        WHERE scope_id = :scope AND claim_id = :claim AND answer IN ('none', 'deferred')`,
};
const setFence: Statement = { sql: "UPDATE scopes SET fence = :fence WHERE id = :scope" };
const readByActor: Statement = {
  sql: `SELECT ${claimColumns} FROM claims
        WHERE scope_id = :scope AND actor = :actor AND id > :after ORDER BY id LIMIT :limit`,
};
