/** Who was considered for a review, and why: kept with it, so that a choice can be explained later. */
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import type { Considered } from "../triage/types.ts";

interface Place {
  readonly scope: string;
  readonly review: string;
  readonly actor: string;
}

/** What does not fit goes without its terms: who was asked matters more than by how much. */
export const writeTriage = async (
  tx: Writer,
  { scope, review, actor }: Place,
  considered: readonly Considered[],
): Promise<boolean> => {
  const row = await tx.get<TriageRow>(selectTriage, { scope, review });
  if (!row || row.triage !== null) return false;
  const whole = JSON.stringify(considered);
  const triage =
    whole.length <= lengthMax
      ? whole
      : JSON.stringify(considered.slice(0, shortMax).map((one) => ({ ...one, terms: [] })));
  await tx.run(setTriage, { scope, review, triage: triage.toWellFormed() });
  const asked = considered.filter(({ decision }) => decision.state !== "left-out");
  const data = {
    considered: considered.length,
    asked: asked.slice(0, toldMax).map(({ reviewer }) => reviewer),
  };
  tx.emit({ kind: "review.triaged", actor, subject: review, data });
  return true;
};

export const readTriage = async (
  tx: Reader,
  scope: string,
  review: string,
): Promise<Considered[]> => {
  const row = await tx.get<TriageRow>(selectTriage, { scope, review });
  return row?.triage ? (JSON.parse(row.triage) as Considered[]) : [];
};

interface TriageRow extends Row {
  readonly triage: string | null;
}

const lengthMax = 256 * 1024;
const shortMax = 500;
const toldMax = 100;

const selectTriage: Statement = {
  sql: "SELECT triage FROM reviews WHERE scope_id = :scope AND id = :review",
};
const setTriage: Statement = {
  sql: "UPDATE reviews SET triage = :triage WHERE scope_id = :scope AND id = :review",
};
