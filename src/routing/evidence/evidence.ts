/** What became of findings, as rows. */
import { isoTime } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { parseJsonText } from "../../state/index.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import { recordEscape } from "../canary/record.ts";
import type { Evidence } from "../types.ts";
import { checkEvidence } from "./check-evidence.ts";

/** As it is exported: one line each. */
export interface StoredEvidence extends Evidence {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
}

export interface EvidenceFilter {
  readonly reviewer?: string;
  /** Newest first; default 50. */
  readonly limit?: number;
}

/**
 * Adds what became of one finding, inside the caller's transaction, with its event. False when the same
 * finding with the same outcome was known. Throws USAGE when a field is not what it must be.
 */
export const recordEvidence = async (
  tx: Writer,
  scope: string,
  entry: Evidence,
  options: { readonly actor?: string } = {},
): Promise<boolean> => {
  const actor = options.actor ?? entry.session ?? "";
  const checked = checkEvidence(entry);
  const { wallMs } = await tx.now();
  if (!(await insert(tx, scope, { ...checked, id: newId("evidence"), actor, atMs: wallMs }))) {
    return false;
  }
  const { reviewer, outcome, reason, severity, finding } = checked;
  tx.emit({
    kind: "evidence.recorded",
    ...(actor !== "" && { actor }),
    subject: reviewer,
    data: {
      outcome,
      ...(reason && { reason }),
      ...(severity && { severity }),
      ...(finding && { finding }),
    },
  });
  if (outcome === "escaped") {
    const note = checked.note ?? finding;
    await recordEscape(tx, scope, {
      reviewer,
      ...(severity && { severity }),
      ...(note !== undefined && { note }),
    });
  }
  return true;
};

export interface Imported {
  readonly added: number;
  /** Known before: the same id, or the same finding with the same outcome. */
  readonly known: number;
}

export interface EvidenceLine extends Evidence {
  readonly id?: string;
  readonly atMs?: number;
}

/** JSON lines, checked as a whole before anything is stored. Throws USAGE with the line. */
export const readEvidenceLines = (text: string): EvidenceLine[] => {
  const lines = text.split("\n");
  const found: EvidenceLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    if (found.length >= limits.evidenceLinesMax) {
      throw new HeadgateError(
        "INPUT_TOO_LARGE",
        `more than ${limits.evidenceLinesMax} lines of evidence; import it in parts`,
      );
    }
    found.push(atLine(index + 1, () => readLine(line)));
  }
  return found;
};

const readLine = (line: string): EvidenceLine => {
  const parsed = parseJsonText(line);
  if (!parsed.ok) throw new HeadgateError("USAGE", parsed.problem.message);
  const checked = checkEvidence(parsed.value);
  const { id, at } = parsed.value as { readonly id?: unknown; readonly at?: unknown };
  const atMs = typeof at === "string" ? Date.parse(at) : undefined;
  if (at !== undefined && !(atMs !== undefined && atMs > 0 && atMs < 8e15)) {
    throw new HeadgateError("USAGE", "at must be a time as ISO 8601 says it");
  }
  if (id !== undefined && !(typeof id === "string" && /^[\w-]{1,64}$/.test(id))) {
    throw new HeadgateError("USAGE", "id must be of letters, digits, _ and -");
  }
  return { ...checked, ...(id !== undefined && { id }), ...(atMs !== undefined && { atMs }) };
};

const atLine = <T>(number: number, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code !== "USAGE") throw error;
    throw new HeadgateError("USAGE", `line ${number}: ${error.message}`, {
      data: { line: number },
    });
  }
};

export const importEvidence = async (
  tx: Writer,
  scope: string,
  entries: readonly EvidenceLine[],
  actor: string,
): Promise<Imported> => {
  const { wallMs } = await tx.now();
  let added = 0;
  for (const entry of entries) {
    // What claims to be from the future would count as recent for ever.
    const atMs = Math.min(entry.atMs ?? wallMs, wallMs);
    const isNew = await insert(tx, scope, {
      ...entry,
      id: entry.id ?? newId("evidence"),
      actor,
      atMs,
    });
    if (isNew) added += 1;
  }
  if (added > 0) tx.emit({ kind: "evidence.imported", actor, data: { count: added } });
  return { added, known: entries.length - added };
};

export const listEvidence = async (
  tx: Reader,
  scope: string,
  { reviewer = "", limit = 50 }: EvidenceFilter = {},
): Promise<StoredEvidence[]> => {
  const rows = await tx.all<EvidenceRow>(selectEvidence, { scope, reviewer, count: limit });
  return rows.map(toEvidence);
};

interface EvidenceRow extends Row {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly reviewer: string;
  readonly outcome: Evidence["outcome"];
}

const optional = [
  ["reason", "reason"],
  ["session", "session"],
  ["change", "change_of"],
  ["severity", "severity"],
  ["path", "path"],
  ["domain", "domain"],
  ["model", "model"],
  ["finding", "finding"],
  ["note", "note"],
] as const;

const toEvidence = (row: EvidenceRow): StoredEvidence => ({
  id: row.id,
  at: isoTime(row.at),
  actor: showText(row.actor),
  reviewer: row.reviewer,
  outcome: row.outcome,
  ...Object.fromEntries(
    optional.flatMap(([field, column]) => (row[column] === null ? [] : [[field, row[column]]])),
  ),
});

const insert = async (
  tx: Writer,
  scope: string,
  entry: Evidence & { readonly id: string; readonly actor: string; readonly atMs: number },
): Promise<boolean> => {
  const { id, actor, reviewer, outcome, atMs } = entry;
  const rest = Object.fromEntries(
    optional.map(([field, column]) => [column, entry[field] ?? null]),
  );
  const count = await tx.run(insertEvidence, {
    ...{ scope, id, actor, reviewer, outcome },
    at: Math.trunc(atMs),
    ...rest,
  });
  return count > 0;
};

const columns = `id, at, actor, reviewer, outcome, reason, session, change_of, severity, path, domain,
  model, finding, note`;
const insertEvidence: Statement = {
  sql: `INSERT INTO evidence (scope_id, ${columns})
        VALUES (:scope, :id, :at, :actor, :reviewer, :outcome, :reason, :session, :change_of, :severity,
          :path, :domain, :model, :finding, :note)
        ON CONFLICT DO NOTHING`,
};
const selectEvidence: Statement = {
  sql: `SELECT ${columns} FROM evidence WHERE scope_id = :scope
        AND (:reviewer = '' OR reviewer = :reviewer) ORDER BY id DESC LIMIT :count`,
};
