/** Reading claims by what an index finds, so that a look costs no more where a scope has very many. */
import { isId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import type { Reader, Scope, Statement, StoreTime } from "../store/index.ts";
import { readLiveness } from "./blockers.ts";
import { claimColumns, type ClaimRow, isLive, readClaimsById } from "./claim-row.ts";
import { listParameters } from "./in-list.ts";
import type { ClaimHolder, Mode } from "./types.ts";

interface At {
  readonly scope: Scope;
  readonly now: StoreTime;
}

/** Live ones, the oldest first; at most `limit`. */
export const readLive = async (
  tx: Reader,
  { scope, now }: At,
  wanted: {
    readonly actor?: string | undefined;
    readonly mode?: Mode | undefined;
    readonly limit: number;
  },
): Promise<ClaimRow[]> => {
  const { actor, mode, limit } = wanted;
  const statement = oldestClaims(actor !== undefined, mode !== undefined);
  const live: ClaimRow[] = [];
  for (let after = ""; live.length < limit;) {
    const rows = await tx.all<ClaimRow>(statement, {
      ...{ scope: scope.id, after, limit },
      ...(actor !== undefined && { actor }),
      ...(mode !== undefined && { mode }),
    });
    live.push(...rows.filter((row) => isLive(row, now)));
    if (rows.length < limit) break;
    // An expired claim stays in the table until a sweep.
    after = rows.at(-1)?.id ?? after;
  }
  return live.slice(0, limit);
};

const oldestClaims = (isOfActor: boolean, isOfMode: boolean): Statement => {
  const select = (by: string): string =>
    `SELECT ${claimColumns} FROM claims${by} WHERE scope_id = :scope AND id > :after` +
    `${isOfActor ? " AND actor = :actor" : ""}${isOfMode ? " AND mode = :mode" : ""}` +
    " ORDER BY id LIMIT :limit";
  return {
    sqlite: select(isOfActor ? " INDEXED BY claims_by_holder" : ""),
    postgres: select(""),
  };
};

/** All of one holder, live or not. */
export const readHeld = (tx: Reader, scope: Scope, actor: string): Promise<ClaimRow[]> =>
  tx.all<ClaimRow>(heldBy, { scope: scope.id, actor });

export const readById = async (
  tx: Reader,
  scope: Scope,
  ids: readonly string[],
): Promise<ClaimRow[]> => {
  const found: ClaimRow[] = [];
  const known = ids.filter((id) => isId("claim", id));
  // In parts, because a statement takes only so many parameters.
  for (let start = 0; start < known.length; start += limits.endingsMax) {
    const part = known.slice(start, start + limits.endingsMax);
    const parameters = { scope: scope.id, ...listParameters("id", part) };
    found.push(...(await tx.all<ClaimRow>(readClaimsById(part), parameters)));
  }
  return found;
};

/** Claims past their end that are still in the table. */
export const readOver = async (tx: Reader, { scope, now }: At): Promise<ClaimRow[]> => {
  const { wallMs, monoMs = 0, bootId: boot = "" } = now;
  const found = await Promise.all([
    tx.all<ClaimRow>(overByWallClock, { scope: scope.id, wall: Math.ceil(wallMs) }),
    tx.all<ClaimRow>(overWithoutBoot, { scope: scope.id, wall: Math.ceil(wallMs) }),
    tx.all<ClaimRow>(overInThisBoot, {
      scope: scope.id,
      boot,
      mono: Math.ceil(monoMs),
    }),
    tx.all<ClaimRow>(ofBootsBefore, { scope: scope.id, boot }),
    tx.all<ClaimRow>(ofBootsAfter, { scope: scope.id, boot }),
  ]);
  const over = found.flat().filter((row) => !isLive(row, now));
  return over.toSorted((a, b) => (a.id < b.id ? -1 : 1));
};

/** Everybody who holds something that is not over, with how much; `over` as `readOver` found it. */
export const readHolders = async (
  tx: Reader,
  at: At,
  over: readonly ClaimRow[],
): Promise<ClaimHolder[]> => {
  const counted = await tx.all<{ actor: string; claims: number }>(counts, {
    scope: at.scope.id,
  });
  const ended = Map.groupBy(over, ({ actor }) => actor);
  const held = counted.flatMap(({ actor, claims }) => {
    const live = claims - (ended.get(actor)?.length ?? 0);
    return live > 0 ? [{ actor, claims: live }] : [];
  });
  const liveness = await readLiveness(
    tx,
    at,
    held.map(({ actor }) => actor),
  );
  return held.map((one) => ({ ...one, liveness: liveness(one.actor) }));
};

const byEnd = (test: string): Statement => {
  const select = (by: string): string =>
    `SELECT ${claimColumns} FROM claims${by} WHERE scope_id = :scope AND ${test}`;
  return { sqlite: select(" INDEXED BY claims_by_end"), postgres: select("") };
};
const overByWallClock = byEnd(
  "expires_boot IS NULL AND expires_mono IS NULL AND expires_at <= :wall",
);
/** Monotonic time of an unknown boot says nothing; the wall clock decides. */
const overWithoutBoot = byEnd(
  "expires_boot IS NULL AND expires_mono IS NOT NULL AND expires_at <= :wall",
);
const overInThisBoot = byEnd("expires_boot = :boot AND expires_mono <= :mono");
/** Sorted by id, which tells nothing about time. Their holders have all ended, so few are left. */
const ofBootsBefore = byEnd("expires_boot < :boot");
const ofBootsAfter = byEnd("expires_boot > :boot");
const heldBy: Statement = {
  sqlite: `SELECT ${claimColumns} FROM claims INDEXED BY claims_by_holder
           WHERE scope_id = :scope AND actor = :actor ORDER BY id`,
  postgres: `SELECT ${claimColumns} FROM claims WHERE scope_id = :scope AND actor = :actor ORDER BY id`,
};
const counts: Statement = {
  sql: "SELECT actor, claims FROM claim_counts WHERE scope_id = :scope ORDER BY actor",
};
