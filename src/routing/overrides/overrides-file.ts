/**
 * The file of overrides: version 1 of the source documents (`agent`, `action`, `reason`, `evidence_ids`,
 * `created`, `created_by`) plus our fields. What we do not know in it is kept. A file that cannot be
 * understood is told of and never written over.
 */
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { parseJsonText } from "../../state/index.ts";
import { checkReviewer, remark, severities } from "../evidence/check-evidence.ts";
import type { Action, Override, Severity } from "../types.ts";

export type ReadOverrides =
  | { readonly ok: true; readonly overrides: readonly Override[]; readonly source: Source }
  | { readonly ok: false; readonly code: "malformed" | "newer"; readonly message: string };

/** What the file says beyond the overrides we understand. */
export interface Source {
  readonly top: Readonly<Record<string, unknown>>;
  readonly entries: readonly Readonly<Record<string, unknown>>[];
}

export const actions: readonly Action[] = ["floor", "scope", "stage", "sample", "exclude"];

export const noOverrides: ReadOverrides & { readonly ok: true } = {
  ok: true,
  overrides: [],
  source: { top: { version: 1 }, entries: [] },
};

/** An absent file (undefined) is one without overrides. */
export const readOverrides = (bytes: Uint8Array | undefined): ReadOverrides => {
  if (bytes === undefined) return noOverrides;
  if (bytes.length > limits.overridesFileBytesMax) {
    return malformed(`larger than ${limits.overridesFileBytesMax} bytes`);
  }
  const parsed = parseJsonText(new TextDecoder().decode(bytes));
  if (!parsed.ok) {
    const { line, column, message } = parsed.problem;
    return malformed(line === undefined ? message : `line ${line}:${column ?? 1}: ${message}`);
  }
  if (!isRecord(parsed.value)) return malformed("must be an object");
  const top = parsed.value;
  const version = top["version"];
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    return malformed('needs "version": 1');
  }
  if (version > 1) {
    const message = `is of version ${version}; this Headgate knows version 1`;
    return { ok: false, code: "newer", message };
  }
  const entries = top["overrides"];
  if (!Array.isArray(entries)) return malformed('needs a list "overrides"');
  if (entries.length > limits.overridesMax) {
    return malformed(`holds more than ${limits.overridesMax} overrides`);
  }
  // The last word on a reviewer counts, as in every list that is appended to.
  const last = new Map<string, Override>();
  for (const [index, entry] of entries.entries()) {
    const read = readEntry(entry);
    if (typeof read === "string") return malformed(`overrides[${index}]: ${read}`);
    last.delete(read.reviewer);
    last.set(read.reviewer, read);
  }
  return { ok: true, overrides: [...last.values()], source: { top, entries } };
};

/** The file's new text with this override in the place of the reviewer's present one, or without it. */
export const writeOverrides = (
  { top, entries }: Source,
  reviewer: string,
  override: Override | undefined,
): string => {
  const own = entries.filter((entry) => entry["agent"] === reviewer);
  const entry = override && { ...own.at(-1), ...toEntry(override) };
  const rest: unknown[] = [];
  let isPlaced = false;
  for (const one of entries) {
    if (one["agent"] !== reviewer) rest.push(one);
    else if (!isPlaced) {
      isPlaced = true;
      if (entry) rest.push(dropUnset(entry, override));
    }
  }
  if (!isPlaced && entry) rest.push(entry);
  return `${JSON.stringify({ ...top, overrides: rest }, undefined, 2)}\n`;
};

/** Fields of another action must not stay behind when the action changes. */
const dropUnset = (
  entry: Readonly<Record<string, unknown>>,
  override: Override,
): Record<string, unknown> => {
  const result = { ...entry };
  for (const [field, key] of ownFields) if (override[field] === undefined) delete result[key];
  return result;
};

const ownFields = [
  ["floor", "floor"],
  ["except", "except"],
  ["every", "every"],
  ["proposal", "proposal"],
  ["evidence", "evidence_ids"],
  ["expires", "expires"],
] as const;

export const toEntry = (override: Override): Record<string, unknown> => ({
  agent: override.reviewer,
  action: override.action,
  reason: override.reason,
  ...Object.fromEntries(
    ownFields.flatMap(([field, key]) =>
      override[field] === undefined ? [] : [[key, override[field]]],
    ),
  ),
  created: override.created,
  created_by: override.createdBy,
});

/** Whether two overrides do the same; who made them when does not matter. */
export const isSameEffect = (a: Override, b: Override): boolean =>
  a.action === b.action &&
  a.floor === b.floor &&
  a.every === b.every &&
  a.expires === b.expires &&
  JSON.stringify(a.except ?? []) === JSON.stringify(b.except ?? []);

/** The entry, or what is wrong with it. */
const readEntry = (entry: unknown): Override | string => {
  if (!isRecord(entry)) return "must be an object";
  let reviewer: string;
  try {
    reviewer = checkReviewer(entry["agent"]);
  } catch {
    return `"agent" must be a reviewer's name`;
  }
  const action = entry["action"];
  if (!isAction(action)) return `"action" must be one of ${actions.join(", ")}`;
  const problem = detailProblem(action, entry);
  if (problem !== undefined) return problem;
  const { floor, except, every } = entry;
  const evidence = entry["evidence_ids"];
  return {
    reviewer,
    action,
    reason: textOf(entry["reason"]),
    ...(action === "floor" && { floor: floor as Severity }),
    ...(action === "scope" && { except: except as string[] }),
    ...(action === "sample" && { every: every as number }),
    created: textOf(entry["created"]),
    createdBy: textOf(entry["created_by"]),
    ...(typeof entry["proposal"] === "string" && { proposal: showText(entry["proposal"], 64) }),
    ...(Array.isArray(evidence) && {
      evidence: evidence.slice(0, 100).map((id) => showText(String(id), 64)),
    }),
    ...(typeof entry["expires"] === "string" && { expires: entry["expires"] }),
  };
};

export const detailProblem = (
  action: Action,
  { floor, except, every, expires }: Readonly<Record<string, unknown>>,
): string | undefined => {
  if (action === "floor" && !(severities as readonly unknown[]).includes(floor)) {
    return `a floor needs "floor": ${severities.join(", ")}`;
  }
  if (action === "scope" && !isGlobList(except)) {
    return `a scope needs "except": a list of 1 to ${limits.overrideGlobsMax} patterns`;
  }
  if (
    action === "sample" &&
    !(Number.isInteger(every) && Number(every) >= 2 && Number(every) <= 1000)
  ) {
    return `a sample needs "every": a whole number from 2 to 1000`;
  }
  if (expires !== undefined && !(typeof expires === "string" && Date.parse(expires) > 0)) {
    return `"expires" must be a time as ISO 8601 says it`;
  }
  return undefined;
};

const isGlobList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= limits.overrideGlobsMax &&
  value.every((glob) => typeof glob === "string" && glob !== "" && glob.length <= 1024);

const isAction = (value: unknown): value is Action => actions.includes(value as Action);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === "string" ? remark(value) : "");

const malformed = (message: string): ReadOverrides => ({ ok: false, code: "malformed", message });
