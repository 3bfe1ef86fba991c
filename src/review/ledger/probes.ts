/** How reviewers did on planted faults, when they were tried last. */
import { isoTime } from "../../base/clock.ts";
import type { Probed } from "../faults/index.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import type { KeptProbe, ProbeInput } from "./ledger.ts";

export const writeProbe = async (
  tx: Writer,
  { scope, actor }: { readonly scope: string; readonly actor: string },
  { probed, runner, family, instructions }: ProbeInput,
): Promise<void> => {
  const { reviewer, qualified, ...result } = probed;
  const { wallMs } = await tx.now();
  await tx.run(upsertProbe, {
    ...{ scope, reviewer, runner, family, instructions },
    at: Math.trunc(wallMs),
    qualified: qualified ? 1 : 0,
    result: JSON.stringify(result),
  });
  const { planted, found, alarms } = result;
  const data = { qualified, planted, found: found.length, alarms: alarms.length, runner };
  tx.emit({ kind: "reviewer.probed", actor, subject: reviewer, data });
};

export const readProbes = async (tx: Reader, scope: string): Promise<KeptProbe[]> => {
  const rows = await tx.all<ProbeRow>(selectProbes, { scope });
  return rows.map(({ reviewer, at, runner, family, instructions, qualified, result }) => ({
    ...(JSON.parse(result) as Omit<Probed, "reviewer" | "qualified">),
    ...{ reviewer, runner, family, instructions },
    at: isoTime(at),
    qualified: qualified === 1,
  }));
};

interface ProbeRow extends Row {
  readonly reviewer: string;
  readonly at: number;
  readonly runner: string;
  readonly family: string;
  readonly instructions: string;
  readonly qualified: number;
  readonly result: string;
}

const upsertProbe: Statement = {
  sql: `INSERT INTO reviewer_probes (scope_id, reviewer, at, runner, family, instructions, qualified, result)
        VALUES (:scope, :reviewer, :at, :runner, :family, :instructions, :qualified, :result)
        ON CONFLICT (scope_id, reviewer) DO UPDATE SET at = excluded.at, runner = excluded.runner,
        family = excluded.family, instructions = excluded.instructions,
        qualified = excluded.qualified, result = excluded.result`,
};
const selectProbes: Statement = {
  sql: `SELECT reviewer, at, runner, family, instructions, qualified, result FROM reviewer_probes
        WHERE scope_id = :scope ORDER BY reviewer`,
};
