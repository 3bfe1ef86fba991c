/** What comes from reviewers, people and files is made one plain, bounded line per field, or refused. */
import { limits } from "../../base/limits.ts";
import { characterProblem } from "../../base/path-spelling.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { DismissReason, Evidence, EvidenceOutcome, Severity } from "../types.ts";

export const outcomes = ["accepted", "dismissed", "addressed", "escaped"] as const;
export const reasons = [
  "wrong",
  "not-applicable",
  "deprioritized",
  "stale",
  "severity",
  "duplicate",
] as const;
export const severities = ["P0", "P1", "P2", "P3"] as const;

/** A name that is safe in rows, files, commit messages and on a terminal. Throws USAGE. */
export const checkReviewer = (name: unknown): string => {
  if (typeof name === "string" && reviewerForm.test(name)) return name;
  throw usage(`not a reviewer's name: ${shown(name)}; letters, digits, ".", "_", ":" and "-"`);
};

const reviewerForm = new RegExp(
  `^[\\p{L}\\p{N}][\\p{L}\\p{N}._:-]{0,${limits.reviewerNameLengthMax - 1}}$`,
  "u",
);

/** Throws USAGE with the field that is wrong. */
export const checkEvidence = (entry: unknown): Evidence => {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    throw usage("evidence must be an object");
  }
  const given = entry as Readonly<Record<string, unknown>>;
  const outcome = choice("outcome", given["outcome"], outcomes);
  if (outcome === undefined) throw usage(`outcome is missing: ${outcomes.join(", ")}`);
  const reason = choice("reason", given["reason"], reasons);
  if (reason !== undefined && outcome !== "dismissed") {
    throw usage(`a reason goes with dismissed, not with ${outcome}`);
  }
  const severity = choice("severity", given["severity"], severities);
  const path = pathOf(given["path"]);
  const note = given["note"] === undefined ? undefined : textOf("note", given["note"]);
  const ids = Object.fromEntries(
    (["session", "change", "domain", "model", "finding"] as const).flatMap((field) => {
      const value = given[field];
      return value === undefined || value === null ? [] : [[field, idOf(field, value)]];
    }),
  );
  return {
    reviewer: checkReviewer(given["reviewer"]),
    outcome: outcome as EvidenceOutcome,
    ...(reason !== undefined && { reason: reason as DismissReason }),
    ...(severity !== undefined && { severity: severity as Severity }),
    ...(path !== undefined && { path }),
    ...(note !== undefined && note !== "" && { note }),
    ...ids,
  };
};

/** Words for people: one line, escapes made visible, cut. */
export const remark = (text: string): string =>
  showText(text.trim().toWellFormed(), limits.routingTextLengthMax);

const choice = (field: string, value: unknown, known: readonly string[]): string | undefined => {
  if (value === undefined || value === null) return undefined;
  // The other spelling of the same word.
  const word = value === "deprioritised" ? "deprioritized" : value;
  if (typeof word === "string" && known.includes(word)) return word;
  throw usage(`${field} must be one of ${known.join(", ")}, not ${shown(value)}`);
};

const textOf = (field: string, value: unknown): string => {
  if (typeof value !== "string") throw usage(`${field} must be text, not ${shown(value)}`);
  return remark(value);
};

const idOf = (field: string, value: unknown): string => {
  if (typeof value !== "string" || value === "" || value.length > limits.evidenceIdLengthMax) {
    throw usage(
      `${field} must be a text of 1 to ${limits.evidenceIdLengthMax} characters, not ${shown(value)}`,
    );
  }
  return showText(value.toWellFormed(), limits.evidenceIdLengthMax);
};

/** Where it was found: within the repository, never opened. */
const pathOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  const isPlain =
    typeof value === "string" &&
    value !== "" &&
    Buffer.byteLength(value) <= limits.pathBytesMax &&
    characterProblem(value) === undefined &&
    !/^([\\/]|[a-z]:)/i.test(value) &&
    !value.split(/[\\/]/).includes("..");
  if (!isPlain) throw usage(`path must be relative to the repository, not ${shown(value)}`);
  return value.replace(/^(\.\/)+/, "");
};

const shown = (value: unknown): string =>
  value === undefined ? "nothing" : showText(JSON.stringify(value) ?? "nothing", 80);

const usage = (message: string): HeadgateError => new HeadgateError("USAGE", message);
