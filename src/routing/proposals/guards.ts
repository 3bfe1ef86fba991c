/** What stands between a proposal and an override. Each refusal says what would help. */
import { nearestName, plural } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Row, Statement } from "../../store/index.ts";
import { dayMs, revertDays, revertsMax, type RoutingSettings } from "../settings.ts";

/** nobody by this name can be asked. */
export const requireReviewer = (reviewer: string, roster: ReadonlySet<string>): void => {
  if (roster.has(reviewer)) return;
  const near = nearestName(reviewer, roster);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw new HeadgateError("ROUTING_UNKNOWN", `no reviewer is called ${reviewer}${hint}`, {
    data: { reviewer, ...(near !== undefined && { near }) },
  });
};

/** */
export const refuseBlacklisted = async (
  tx: Reader,
  scope: string,
  reviewer: string,
): Promise<void> => {
  const row = await tx.get<{ at: number; reason: string } & Row>(selectBlacklisted, {
    scope,
    pattern: reviewer,
  });
  if (!row) return;
  throw refusal(
    `${reviewer} is on the blacklist (${row.reason}); \`headgate routing unblock ${reviewer}\` takes it off`,
    { reviewer, guard: "blacklist" },
  );
};

export const refuseTripped = async (tx: Reader, scope: string, reviewer: string): Promise<void> => {
  const since = Math.trunc((await tx.now()).wallMs - revertDays * dayMs);
  const row = await tx.get<{ amount: number } & Row>(countReverts, { scope, reviewer, since });
  const reverts = row?.amount ?? 0;
  if (reverts < revertsMax) return;
  throw refusal(
    `overrides of ${reviewer} were taken back ${reverts} times within ${revertDays} days; ` +
      "nothing is changed for it until that is past",
    { reviewer, guard: "breaker", reverts },
  );
};

export const refuseTooMany = async (
  tx: Reader,
  scope: string,
  settings: RoutingSettings,
): Promise<void> => {
  const since = Math.trunc((await tx.now()).wallMs - dayMs);
  const row = await tx.get<{ amount: number } & Row>(countChanges, { scope, since });
  const changes = row?.amount ?? 0;
  if (changes < settings.changesPerDay) return;
  throw refusal(
    `${plural(changes, "override")} changed within 24 hours, and ${settings.changesPerDay} is the most; ` +
      "wait, or raise routing.changesPerDay in your own configuration",
    { guard: "rate", changes },
  );
};

export const refusal = (message: string, data: Readonly<Record<string, unknown>>): HeadgateError =>
  new HeadgateError("ROUTING_REFUSED", message, { data });

const selectBlacklisted: Statement = {
  sql: "SELECT at, reason FROM blacklist WHERE scope_id = :scope AND pattern = :pattern",
};
const countReverts: Statement = {
  sql: `SELECT COUNT(*) AS amount FROM modifications WHERE scope_id = :scope AND kind = 'revert'
        AND reviewer = :reviewer AND at >= :since`,
};
const countChanges: Statement = {
  sql: `SELECT COUNT(*) AS amount FROM modifications WHERE scope_id = :scope
        AND kind IN ('apply', 'update') AND at >= :since`,
};
