/**
 * Findings as they are compared: text made plain, values in range, each id once in its review, in an order that
 * depends on content only. Whatever order the reports came in and whatever they and their review are called, from
 * here on everything is the same: ties go by this order, and no name may decide who is merged with whom.
 */
import { sha256 } from "../../base/sha256.ts";
import { plainLine, plainText } from "../plain-text.ts";
import type { Finding, Severity } from "../types.ts";

export interface Normalised {
  readonly finding: Finding;
  /** Hash of what it says, without who says it and in which review. */
  readonly content: string;
}

export const normalise = (findings: readonly Finding[]): Normalised[] => {
  const all = findings
    .map((finding) => ({ finding: cleanFinding(finding) }))
    .map(({ finding }) => ({
      ...{ finding, content: contentOf(finding), key: canonical(finding) },
      nameless: canonical({ ...finding, id: undefined, review: undefined }),
    }))
    .toSorted(
      (left, right) =>
        order(left.content, right.content) ||
        order(left.nameless, right.nameless) ||
        order(left.key, right.key),
    );
  const seen = new Map<string, string>();
  const kept: Normalised[] = [];
  for (const { finding, content, key } of all) {
    const nameOf = (id: string): string => `${finding.review}\0${id}`;
    const before = seen.get(nameOf(finding.id));
    // The same line twice in the input is one finding; the same id on another one must not hide it.
    if (before === key) continue;
    const id = before === undefined ? finding.id : `${finding.id}~${sha256(key).slice(0, 8)}`;
    if (seen.get(nameOf(id)) === key) continue;
    seen.set(nameOf(id), key);
    kept.push({ finding: id === finding.id ? finding : { ...finding, id }, content });
  }
  return kept;
};

/** JSON with sorted keys and without absent values: equal values have equal text. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([left], [right]) => order(left, right));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
};

/** By code units: the same on every machine, unlike collation. */
export const order = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0;

const cleanFinding = (finding: Finding): Finding => {
  const { id, review, reviewer, family, title, body, path, line, severity } = finding;
  const { confidence, rule, kind, label, section, fix, symbol, unplaced } = finding;
  const cleanTitle = plainLine(title ?? "");
  const cleanBody = plainText(body ?? "").trim();
  return {
    id: plainLine(String(id)),
    review: plainLine(String(review ?? "")),
    reviewer: plainLine(String(reviewer ?? "")),
    ...(family !== undefined && { family: plainLine(family) }),
    title: cleanTitle || plainLine(cleanBody.split("\n")[0] ?? "", 120) || "(no title)",
    ...(cleanBody && { body: cleanBody }),
    ...(path && { path: cleanPath(path) }),
    ...(line !== undefined && Number.isSafeInteger(line) && line > 0 && { line }),
    ...(severity !== undefined && severities.includes(severity) && { severity }),
    ...(confidence !== undefined &&
      Number.isFinite(confidence) && { confidence: Math.min(1, Math.max(0, confidence)) }),
    ...(rule && { rule: plainLine(rule) }),
    ...(kind && { kind: plainLine(kind).toLowerCase() }),
    ...(label && { label: plainLine(label) }),
    ...(section && { section: plainLine(section) }),
    ...(symbol && path && { symbol: plainLine(symbol) }),
    ...(unplaced && { unplaced: plainLine(unplaced) }),
    ...(fix && { fix: plainText(fix) }),
  };
};

export const severities: readonly Severity[] = ["P0", "P1", "P2", "P3"];

const cleanPath = (path: string): string =>
  plainLine(path, 4096)
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .normalize("NFC");

const contentOf = ({ title, body, path, kind, rule }: Finding): string =>
  sha256(canonical([path ?? null, kind ?? null, rule ?? null, fold(title), fold(body ?? "")]));

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
