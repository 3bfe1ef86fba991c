/**
 * Claims and edits that were refused to an agent's session because of a claim. It does not wait, but it wants to know:
 * when the last claim in its way ends, the first that asked holds what it wanted for a moment, in the transaction that
 * frees it, and gets a notice. Those who wait in line come before.
 */
import { limits } from "../base/limits.ts";
import { withdrawIn } from "../notices/index.ts";
import type { Row, Statement } from "../store/index.ts";
import { readLiveness } from "./blockers.ts";
import { type ClaimRow, targetOf } from "./claim-row.ts";
import { apply, plan, type Wish } from "./decide.ts";
import type { Ledger } from "./ledger.ts";
import { Queue } from "./queue.ts";
import { overlap } from "./targets/overlap.ts";
import type { Actor } from "./types.ts";
import { storeTargets, waiterTargets } from "./waiter-row.ts";

interface WishRow extends Row {
  readonly id: string;
  readonly actor: string;
  readonly session: string;
  readonly for_session: 0 | 1;
  readonly targets: string;
  readonly mode: Wish["mode"];
  readonly reason: string;
  readonly at: number;
}

/** Only what a hook or a client's environment shows to be a session hears notices, and proves its grant by its name. */
export const mayWish = ({ harness, proof }: Actor): boolean =>
  harness !== undefined && (proof === undefined || proof.isShown);

/** It was refused; a repeated wish keeps its place. False: nothing was written down. */
export const keepWish = async (
  ledger: Ledger,
  { actor, targets, mode, reason = "", forSession }: Wish,
): Promise<boolean> => {
  if (!mayWish(actor)) return false;
  const scope = ledger.scope.id;
  const now = Math.trunc(ledger.now.wallMs);
  await ledger.tx.run(deleteOld, { scope, before: now - limits.claimWishMs });
  const text = storeTargets(targets);
  const own = await ledger.tx.all<WishRow>(readOwn, { scope, session: actor.session });
  const known = own.find((row) => row.actor === actor.id && row.targets === text);
  if (own.length - Number(known !== undefined) >= limits.claimWishesMax) return false;
  if (known) await ledger.tx.run(deleteWish, { scope, id: known.id });
  await ledger.touchActor(actor);
  await ledger.tx.run(insertWish, {
    ...{ scope, id: known?.id ?? ledger.newId("waiter"), actor: actor.id, session: actor.session },
    ...{ forSession: forSession ? 1 : 0, targets: text, mode, reason, at: now },
  });
  ledger.tx.emit({
    kind: "claim.wanted",
    actor: actor.id,
    data: { targets: targets.map((one) => one.text), mode },
  });
  return true;
};

/** It has what it wanted, or some of it: it will ask for the rest. */
export const dropWishes = async (ledger: Ledger, { actor, targets }: Wish): Promise<void> => {
  if (!ledger.hasWishes) return;
  const scope = ledger.scope.id;
  for (const row of await ledger.tx.all<WishRow>(readOwn, { scope, session: actor.session })) {
    const isMet = waiterTargets(row).some((one) => targets.some((other) => overlap(one, other)));
    if (row.actor === actor.id && isMet) ledger.send(deleteWish, { scope, id: row.id });
  }
};

/** It gives back all it holds, so it wants nothing any more. */
export const dropAllWishes = async (ledger: Ledger, actor: string): Promise<void> => {
  if (!ledger.hasWishes) return;
  const count = await ledger.tx.run(deleteByActor, { scope: ledger.scope.id, actor });
  if (count > 0) ledger.tx.emit({ kind: "claim.unwanted", actor, data: { count } });
};

export const serveWishes = async (ledger: Ledger): Promise<void> => {
  if (!ledger.hasWishes || ledger.endings.length === 0) return;
  const scope = ledger.scope.id;
  const since = Math.trunc(ledger.now.wallMs) - limits.claimWishMs;
  const rows = (await ledger.tx.all<WishRow>(readAll, { scope, since })).filter((row) =>
    waiterTargets(row).some((target) =>
      ledger.endings.some((ended) => overlap(targetOf(ended.row), target)),
    ),
  );
  if (rows.length === 0) return;
  const liveness = await readLiveness(
    ledger.tx,
    ledger,
    rows.map(({ actor }) => actor),
  );
  const queue = new Queue(ledger);
  for (const row of rows) {
    const wish = toWish(row);
    const isGone = liveness(row.actor).state === "dead";
    const steps = isGone ? [] : await plan(ledger, wish, queue.aheadOfRank(wish, Infinity, ""));
    if (steps.some(({ kind }) => kind === "blocked")) continue;
    ledger.send(deleteWish, { scope, id: row.id });
    const [first] = apply(ledger, wish, steps);
    if (!first) continue;
    const again = row.mode === "edit" ? "edit" : "claim";
    ledger.notices.push({
      ...{ to: row.actor, kind: "claim", target: first.row.target, about: freeKey(first.row.id) },
      text: `what you wanted is free, and held for you for a moment: repeat your ${again} now`,
    });
  }
};

/** It holds it by its own word now. */
export const tookTurn = (ledger: Ledger, { id, ttl_ms }: ClaimRow): Promise<void> | undefined =>
  ttl_ms === limits.claimTurnMs ? withdrawIn(ledger.tx, ledger.scope, freeKey(id)) : undefined;

const freeKey = (claim: string): string => `free:${claim}`;

const toWish = (row: WishRow): Wish => ({
  targets: waiterTargets(row),
  mode: row.mode,
  actor: { id: row.actor, session: row.session },
  ttlMs: limits.claimTurnMs,
  reason: row.reason,
  forSession: row.for_session === 1,
});

const columns = "id, actor, session, for_session, targets, mode, reason, at";
const readAll: Statement = {
  sql: `SELECT ${columns} FROM claim_wishes WHERE scope_id = :scope AND at > :since ORDER BY id`,
};
const readOwn: Statement = {
  sql: `SELECT ${columns} FROM claim_wishes WHERE scope_id = :scope AND session = :session`,
};
const insertWish: Statement = {
  sql: `INSERT INTO claim_wishes (scope_id, ${columns})
        VALUES (:scope, :id, :actor, :session, :forSession, :targets, :mode, :reason, :at)`,
};
const deleteWish: Statement = {
  sql: "DELETE FROM claim_wishes WHERE scope_id = :scope AND id = :id",
};
const deleteByActor: Statement = {
  sql: "DELETE FROM claim_wishes WHERE scope_id = :scope AND actor = :actor",
};
const deleteOld: Statement = {
  sql: "DELETE FROM claim_wishes WHERE scope_id = :scope AND at < :before",
};
