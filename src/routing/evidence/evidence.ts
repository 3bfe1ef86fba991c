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
import { isAgentSession, sessionOf } from "../ports.ts";
import { checkEvidence } from "./check-evidence.ts";
import { type HeldReason, heldReasons, whyHeld } from "./held.ts";

/** As it is exported: one line each. */
export interface StoredEvidence extends Evidence {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  /** Why it does not count yet. */
  readonly held?: HeldReason;
}

export interface EvidenceFilter {
  readonly reviewer?: string;
  /** Only what waits to be confirmed. */
  readonly isHeld?: boolean;
  /** Newest first; default 50. */
  readonly limit?: number;
}

/** `held`: stored, and it counts when somebody else confirms it. `known`: nothing is new. */
export type Told = "counted" | "held" | "known";

/**
 * Adds what became of one finding, inside the caller's transaction, with its event. The same finding with
 * the same outcome is known; told by somebody else while it is held, that confirms it. Throws USAGE when a
 * field is not what it must be.
 */
export const recordEvidence = async (
  tx: Writer,
  scope: string,
  entry: Evidence,
  options: { readonly actor?: string } = {},
): Promise<Told> => {
  const actor = options.actor ?? entry.session ?? "";
  const checked = checkEvidence(entry);
  const { wallMs } = await tx.now();
  const held = await whyHeld(tx, scope, checked, { actor, atMs: wallMs });
  const told = { ...checked, id: newId("evidence"), actor, held, atMs: wallMs };
  if (!(await insert(tx, scope, told))) return "known";
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
      ...(held && { held }),
    },
  });
  // Also while it is held: an alarm too many costs less than one that waits.
  if (outcome === "escaped") {
    const note = checked.note ?? finding;
    await recordEscape(tx, scope, {
      reviewer,
      ...(severity && { severity }),
      ...(note !== undefined && { note }),
    });
  }
  return held === null ? "counted" : "held";
};

export interface Imported {
  readonly added: number;
  /** Of these, how many wait to be confirmed. */
  readonly held: number;
  /** Known before: the same id, or the same finding with the same outcome. */
  readonly known: number;
}

export interface EvidenceLine extends Evidence {
  readonly id?: string;
  readonly atMs?: number;
  readonly held?: HeldReason;
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
  const { id, at, held } = parsed.value as Readonly<Record<string, unknown>>;
  const atMs = typeof at === "string" ? Date.parse(at) : undefined;
  if (at !== undefined && !(atMs !== undefined && atMs > 0 && atMs < 8e15)) {
    throw new HeadgateError("USAGE", "at must be a time as ISO 8601 says it");
  }
  if (id !== undefined && !(typeof id === "string" && /^[\w-]{1,64}$/.test(id))) {
    throw new HeadgateError("USAGE", "id must be of letters, digits, _ and -");
  }
  // A copy of what was held stays held: a way through a file would be a way around.
  const why = heldReasons.find((one) => one === held);
  return {
    ...checked,
    ...(id !== undefined && { id }),
    ...(atMs !== undefined && { atMs }),
    ...(why !== undefined && { held: why }),
  };
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
  const isAgent = isAgentSession(sessionOf(actor));
  let added = 0;
  let waiting = 0;
  for (const line of entries) {
    // What claims to be from the future would count as recent for ever; an agent's past would be no flood.
    const atMs = isAgent ? wallMs : Math.min(line.atMs ?? wallMs, wallMs);
    const entry = isAgent ? { session: sessionOf(actor), ...line } : line;
    const held = line.held ?? (await whyHeld(tx, scope, entry, { actor, atMs }));
    const id = line.id ?? newId("evidence");
    if (!(await insert(tx, scope, { ...entry, id, actor, held, atMs }))) continue;
    added += 1;
    if (held !== null) waiting += 1;
  }
  if (added > 0) {
    const data = { count: added, ...(waiting > 0 && { held: waiting }) };
    tx.emit({ kind: "evidence.imported", actor, data });
  }
  return { added, held: waiting, known: entries.length - added };
};

export const listEvidence = async (
  tx: Reader,
  scope: string,
  { reviewer = "", isHeld = false, limit = 50 }: EvidenceFilter = {},
): Promise<StoredEvidence[]> => {
  const rows = await tx.all<EvidenceRow>(selectEvidence, {
    ...{ scope, reviewer, held: isHeld ? 1 : 0, count: limit },
  });
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
  ["held", "held"],
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
  entry: Evidence & {
    readonly id: string;
    readonly actor: string;
    readonly atMs: number;
    readonly held: HeldReason | null;
  },
): Promise<boolean> => {
  const { id, actor, reviewer, outcome, atMs } = entry;
  const rest = Object.fromEntries(
    optional.map(([field, column]) => [column, entry[field] ?? null]),
  );
  const { held, ...fields } = rest;
  const row = { ...{ scope, actor, reviewer, outcome }, at: Math.trunc(atMs), ...fields };
  if ((await tx.run(insertEvidence, { ...row, id, held: held ?? null })) > 0) return true;
  if (entry.held !== null || entry.finding === undefined) return false;
  return (await tx.run(replaceHeld, row)) > 0;
};

const columns = `id, at, actor, reviewer, outcome, reason, session, change_of, severity, path, domain,
  model, finding, note, held`;
const insertEvidence: Statement = {
  sql: `INSERT INTO evidence (scope_id, ${columns})
        VALUES (:scope, :id, :at, :actor, :reviewer, :outcome, :reason, :session, :change_of, :severity,
          :path, :domain, :model, :finding, :note, :held)
        ON CONFLICT DO NOTHING`,
};
/** Somebody whose word counts says the same of the same finding. */
const replaceHeld: Statement = {
  sql: `UPDATE evidence SET held = NULL, at = :at, actor = :actor, reason = :reason, session = :session,
          change_of = :change_of, severity = :severity, path = :path, domain = :domain, model = :model,
          note = :note
        WHERE scope_id = :scope AND reviewer = :reviewer AND finding = :finding AND outcome = :outcome
          AND held IS NOT NULL`,
};
const selectEvidence: Statement = {
  sql: `SELECT ${columns} FROM evidence WHERE scope_id = :scope
        AND (:reviewer = '' OR reviewer = :reviewer)
        AND (:held = 0 OR held IS NOT NULL) ORDER BY id DESC LIMIT :count`,
};
