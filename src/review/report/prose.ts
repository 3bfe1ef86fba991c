/**
 * Findings in a report without an index: headings that begin with a severity (`### P1-2: …`, `### [P0] …`), and
 * headings, table rows and bold bullets under a heading that names one (`## High-Priority (P1 — …)`).
 */
import type { Severity } from "../types.ts";
import type { Body } from "./bodies.ts";
import { textBetween, toBody } from "./bodies.ts";
import type { Entry } from "./findings-index.ts";
import { bare, type Heading, type ReportLines } from "./lines.ts";
import { findPlace } from "./place.ts";

export interface ProseFinding {
  readonly entry: Entry;
  readonly body?: Body;
}

export const readProse = (lines: ReportLines): ProseFinding[] => {
  const found: ProseFinding[] = [];
  let section: (Heading & { severity: Severity }) | undefined;
  for (const heading of lines.headings) {
    const own = ownSeverity(heading.text);
    if (section && heading.level <= section.level) section = undefined;
    if (own) {
      found.push(fromHeading(lines, heading, own));
      continue;
    }
    const named = sectionSeverity(heading.text);
    if (section) found.push(fromHeading(lines, heading, section.severity));
    else if (named) {
      section = { ...heading, severity: named };
      found.push(...fromLines(lines, section));
    }
  }
  return found;
};

/** `P1-2: Title`, `[P0] Title`, `P2 | X-1 | …`: the heading is a finding. */
const ownSeverity = (text: string): Severity | undefined => {
  const [, severity] =
    /^[*[(`]{0,4}(P[0-3])(?:[-.]\d+)?[\])*`]{0,4}\s*[:|—–-]\s*\S/.exec(text) ?? [];
  return severity as Severity | undefined;
};

/** `Critical Blockers (P0 — must fix)`: what stands below it are findings. */
const sectionSeverity = (text: string): Severity | undefined => {
  if (/summary|convergence|recommend|process|verdict|validation/i.test(text)) return undefined;
  return /(?<![\w-])(P[0-3])(?![\w-])/.exec(text)?.[1] as Severity | undefined;
};

const fromHeading = (lines: ReportLines, heading: Heading, severity: Severity): ProseFinding => {
  const { label, title } = splitTitle(heading.text);
  const next = lines.headings.find(({ at, level }) => at > heading.at && level <= heading.level);
  const text = textBetween(lines, heading.at + 1, next?.at ?? lines.all.length);
  return toFinding({ severity, label, title }, text);
};

const fromLines = (
  lines: ReportLines,
  section: Heading & { severity: Severity },
): ProseFinding[] => {
  const end = lines.headings.find(({ at }) => at > section.at)?.at ?? lines.all.length;
  const found: ProseFinding[] = [];
  let columns: string[] | undefined;
  for (const { text, isCode } of lines.all.slice(section.at + 1, end)) {
    if (isCode) continue;
    const cells = /^\s{0,3}\|(.+)\|\s*$/
      .exec(text)?.[1]
      ?.split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    const { severity } = section;
    if (cells) {
      if (!columns) columns = cells.map((cell) => bare(cell).toLowerCase());
      else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) {
        const row = fromRow(columns, cells, severity);
        if (row) found.push(row);
      }
      continue;
    }
    const bullet = /^\s{0,3}(?:[-*+]|\d+[.)])\s+(\*\*.+)$/.exec(text)?.[1];
    if (bullet === undefined) continue;
    const { label, title } = splitTitle(bullet);
    if (title) found.push(toFinding({ severity, label, title }, ""));
  }
  return found;
};

const fromRow = (
  columns: readonly string[],
  cells: readonly string[],
  severity: Severity,
): ProseFinding | undefined => {
  const cell = (pattern: RegExp): string =>
    cells[columns.findIndex((name) => pattern.test(name))] ?? "";
  const title = cell(/issue|finding|problem|title|description/).replaceAll("\\|", "|");
  if (title === "") return undefined;
  const fix = cell(/fix|suggest|recommend|remedy|action/);
  const label = bare(cell(/^(?:id|#|no\.?|nr)$/));
  const finding = toFinding({ severity, label, title }, "");
  return fix ? { ...finding, body: { text: fix, fix } } : finding;
};

const toFinding = (
  { severity, label, title }: { severity: Severity; label: string; title: string },
  text: string,
): ProseFinding => {
  const place = findPlace(`${title}\n${text}`);
  return {
    entry: { severity, label, title, isStrict: false, ...(place && { place }) },
    ...(text && { body: toBody(text) }),
  };
};

/** `1. **Title** (C1, ARCH-1)`, `H1: Title`, `P0 | X-1 | "Part" | Title`, `**L1:** Title`. */
const splitTitle = (text: string): { label: string; title: string } => {
  const plain = text
    .replace(/^\d+[.)]\s+/, "")
    .replace(/\*\*/g, "")
    .trim();
  if (plain.length > titleMax) return { label: "", title: plain };
  const fields = plain.split(/(?<!\\)\|/).map((one) => one.trim());
  if (fields.length >= 3) return { label: bare(fields[1] ?? ""), title: fields.at(-1) ?? plain };
  const [, label, title] =
    /^\[?([A-Z][A-Za-z]*[-.]?\d[\w.-]*)\]?(?:\s*\([^)]{1,60}\))?\s*[:—–-]\s*(.+)$/.exec(plain) ??
    [];
  if (label && title) return { label, title: title.trim() };
  const [, before, first] =
    /^(.+?)\s*\(([A-Z][A-Z]*-?\d+)(?:,\s*[A-Z]+-?\d+)*\)$/.exec(plain) ?? [];
  return before && first ? { label: first, title: before } : { label: "", title: plain };
};

/** A longer one is text. */
const titleMax = 1_000;
