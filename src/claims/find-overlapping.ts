/**
 * The stored claims that overlap a target. The index by literal start and end narrows them down, the
 * exact decision follows; nothing scans all claims unless the target itself is that broad.
 */
import type { Reader, Scope, Statement } from "../store/index.ts";
import { whereToLook } from "./targets/candidates.ts";
import { claimColumns, type ClaimRow, targetOf } from "./claim-row.ts";
import { inList, listParameters, listSize } from "./in-list.ts";
import { overlap } from "./targets/overlap.ts";
import type { Target } from "./targets/target.ts";

export const findOverlapping = async (
  tx: Reader,
  scope: Scope,
  target: Target,
): Promise<ClaimRow[]> => {
  const look = whereToLook(target);
  const { places, below, tails, tailRange } = look;
  const rows = await tx.all<ClaimRow>(statementFor(look), {
    scope: scope.id,
    ...listParameters("place", places),
    ...(below && { from: below.from, to: below.to }),
    ...(tails && listParameters("tail", tails)),
    ...(tailRange && { tailFrom: tailRange.from, tailTo: tailRange.to }),
  });
  return rows.filter((row) => overlap(targetOf(row), target));
};

const statements = new Map<string, Statement>();

const statementFor = ({
  places,
  below,
  tails,
  tailRange,
}: ReturnType<typeof whereToLook>): Statement => {
  const placeCount = listSize(places);
  const tailCount = tails ? listSize(tails) : 0;
  const key = `${placeCount} ${tailCount} ${tailRange ? 1 : 0} ${below ? 1 : 0}`;
  let statement = statements.get(key);
  if (statement === undefined) {
    const at = inList("place", "place", placeCount);
    const tail = tailTest(tailCount, tailRange !== undefined);
    // Two searches, so that each can use the index; what the first finds is left out of the second.
    const lower = select(`place >= :from AND place < :to AND NOT (${at})`, tail);
    const sql = `${select(at, tail)}${below ? ` UNION ALL ${lower}` : ""}`;
    // Without statistics SQLite takes a list for many values and reads the whole scope instead.
    const sqlite = sql.replaceAll("FROM claims", "FROM claims INDEXED BY claims_by_place");
    statement = { sqlite, postgres: sql };
    statements.set(key, statement);
  }
  return statement;
};

const tailTest = (count: number, hasRange: boolean): string => {
  if (count === 0) return "";
  const listed = inList("tail", "tail", count);
  return hasRange ? ` AND (${listed} OR (tail >= :tailFrom AND tail < :tailTo))` : ` AND ${listed}`;
};

const select = (placeTest: string, tail: string): string =>
  `SELECT ${claimColumns} FROM claims WHERE scope_id = :scope AND ${placeTest}${tail}`;
