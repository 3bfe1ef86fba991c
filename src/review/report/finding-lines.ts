/** Findings as JSON lines, one per line: how any corpus can be synthesised. */
import { HeadgateError } from "../../errors.ts";
import { showText } from "../../base/text.ts";
import type { Finding } from "../types.ts";
import { readSeverity } from "./severity-words.ts";

export interface FindingLines {
  readonly findings: readonly Finding[];
  /** Lines that are none; only with `skipBad`. */
  readonly bad: readonly { readonly line: number; readonly why: string }[];
}

/** Throws USAGE with the number of the first line that is no finding, unless bad lines are to be skipped. */
export const readFindingLines = (
  text: string,
  { name, skipBad = false }: { readonly name: string; readonly skipBad?: boolean },
): FindingLines => {
  const findings: Finding[] = [];
  const bad: { line: number; why: string }[] = [];
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const read = readLine(line, index + 1);
    if (typeof read !== "string") findings.push(read);
    else if (skipBad) bad.push({ line: index + 1, why: read });
    else {
      const message = `${showText(name, 100)}, line ${index + 1}: ${read}`;
      throw new HeadgateError("USAGE", message, { data: { line: index + 1 } });
    }
  }
  return { findings, bad };
};

const readLine = (text: string, number: number): Finding | string => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `not JSON (${(error as Error).message})`;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "not an object";
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of ["review", "reviewer", "title"]) {
    const given = nameOf(fields[key]);
    if (given === undefined || given.trim() === "") return `needs "${key}", a text`;
  }
  for (const key of texts) {
    const given = fields[key] ?? undefined;
    if (given !== undefined && typeof given !== "string") return `"${key}" is not a text`;
  }
  const line = numberOf(fields["line"]);
  if (line === "bad") return `"line" is not a number`;
  const confidence = numberOf(fields["confidence"]);
  if (confidence === "bad") return `"confidence" is not a number`;
  const said = fields["severity"] ?? undefined;
  const severity = typeof said === "string" ? readSeverity(said) : undefined;
  if (said !== undefined && said !== "" && severity === undefined) {
    return `"severity" is none of P0, P1, P2, P3: ${showText(JSON.stringify(said), 40)}`;
  }
  const reviewer = nameOf(fields["reviewer"]) ?? "";
  return {
    id: nameOf(fields["id"]) ?? `${reviewer}/${number}`,
    review: nameOf(fields["review"]) ?? "",
    reviewer,
    title: nameOf(fields["title"]) ?? "",
    ...Object.fromEntries(texts.flatMap((key) => (fields[key] ? [[key, fields[key]]] : []))),
    ...(severity !== undefined && { severity }),
    ...(line !== undefined && Number.isSafeInteger(line) && line > 0 && { line }),
    ...(confidence !== undefined && { confidence }),
  };
};

const texts = ["family", "body", "path", "rule", "kind", "label", "section", "fix"] as const;

/** Numbers are fine as names: corpora number their reviews. */
const nameOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
};

const numberOf = (value: unknown): number | undefined | "bad" => {
  if (value === undefined || value === null || value === "") return undefined;
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : "bad";
};
