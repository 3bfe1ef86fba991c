/** What was saved of dead holders, kept until the next holder of the same place was told. */
import { isoTime } from "../base/clock.ts";
import type { Row, Statement } from "../store/index.ts";
import { type ClaimRow, targetOf } from "./claim-row.ts";
import type { Ledger } from "./ledger.ts";
import { overlap } from "./targets/overlap.ts";
import type { Saved } from "./room.ts";
import type { Target } from "./targets/target.ts";
import type { Rescue } from "./types.ts";

interface Kept {
  readonly claim_id: string;
  readonly target: string;
  readonly extent: "file" | "tree";
  readonly folds: 0 | 1;
  readonly actor: string;
  readonly ref: string;
  readonly files: number;
  readonly at: number;
}
type RescueRow = Kept & Row;

export const keepRescue = (
  ledger: Ledger,
  row: ClaimRow,
  { ref, files, skipped }: Saved,
): Rescue => {
  const { id, target, extent, folds, actor } = row;
  const at = Math.round(ledger.now.wallMs);
  const kept = { claim_id: id, target, extent, folds, actor, ref, files, at };
  ledger.send(insertRescue, { scope: ledger.scope.id, ...kept });
  return { ...toRescue(kept), ...(skipped && { skipped }) };
};

/** The rescues at these targets; each is told once. */
export const tellRescues = async (
  ledger: Ledger,
  targets: readonly Target[],
): Promise<Rescue[]> => {
  if (!ledger.hasRescues) return [];
  const scope = ledger.scope.id;
  const rows = await ledger.tx.all<RescueRow>(readRescues, { scope });
  const concerned = rows.filter((row) => targets.some((one) => overlap(targetOf(row), one)));
  for (const { claim_id } of concerned) ledger.send(deleteRescue, { scope, claim: claim_id });
  return concerned.map(toRescue);
};

const toRescue = (row: Kept): Rescue => ({
  claim: row.claim_id,
  target: row.target,
  actor: row.actor,
  ref: row.ref,
  files: row.files,
  at: isoTime(row.at),
});

const insertRescue: Statement = {
  sql: `INSERT INTO rescues (scope_id, claim_id, target, extent, folds, actor, ref, files, at)
        VALUES (:scope, :claim_id, :target, :extent, :folds, :actor, :ref, :files, :at)
        ON CONFLICT (scope_id, claim_id) DO NOTHING`,
};
const readRescues: Statement = {
  sql: `SELECT claim_id, target, extent, folds, actor, ref, files, at FROM rescues
        WHERE scope_id = :scope ORDER BY at, claim_id`,
};
const deleteRescue: Statement = {
  sql: "DELETE FROM rescues WHERE scope_id = :scope AND claim_id = :claim",
};
