/** The findings index of a report: `- SEV | ID | "Section" | Title`, and what reviewers make of it. */
import type { Severity } from "../types.ts";
import { bare, type Heading, type ReportLines } from "./lines.ts";
import { type FoundPlace, readPlace } from "./place.ts";
import { readSeverity } from "./severity-words.ts";

export interface Entry {
  readonly severity: Severity;
  readonly label: string;
  readonly section?: string;
  readonly title: string;
  readonly place?: FoundPlace;
  readonly confidence?: number;
  /** Exactly as the contract has it. */
  readonly isStrict: boolean;
}

export interface FindingsIndex {
  readonly entries: readonly Entry[];
  /** Line after the last one that belongs to the index. */
  readonly end: number;
  readonly isStrict: boolean;
  /** It says that there is nothing to say. */
  readonly saysNone: boolean;
  readonly problems: readonly string[];
}

export const readIndex = (lines: ReportLines): FindingsIndex | undefined => {
  const starts = findStarts(lines);
  const all = starts.map((start) => readEntries(lines, start));
  const found = all.find(({ entries }) => entries.length > 0) ?? all[0];
  if (!found || starts.length === 1) return found;
  return { ...found, isStrict: false, problems: [...found.problems, "several findings indexes"] };
};

/** One line of the index; undefined when it is none. */
export const readEntry = (line: string): Entry | undefined => {
  const bullet = /^\s{0,3}(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/.exec(line)?.[1];
  const row = bullet === undefined ? /^\s{0,3}\|(.*)\|\s*$/.exec(line)?.[1] : undefined;
  const fields = splitFields(bullet ?? row ?? "");
  if (fields.length < 3) return undefined;
  const [grade = "", id = "", ...rest] = fields;
  const severity = readSeverity(grade);
  const label = bare(id).replace(/^\[|\]$/g, "");
  if (severity === undefined || !/^[\w.-]{1,60}$/.test(label)) return undefined;
  const extra = takeExtra(rest);
  const [first = "", ...others] = extra.fields;
  const hasSection = others.length > 0;
  const section = hasSection ? bare(unquote(first)) : "";
  // Our own contract puts the place where a document's section would be.
  const place = extra.place ?? (/:\d+/.test(section) ? readPlace(section) : undefined);
  const title = bare(unquote(hasSection ? others.join(" | ") : first));
  if (title === "") return undefined;
  return {
    severity,
    label,
    ...(section && { section }),
    title,
    ...(place && { place }),
    ...(extra.confidence !== undefined && { confidence: extra.confidence }),
    isStrict: strictEntry.test(line) && others.length === 1,
  };
};

const strictEntry = /^- P[0-3] \| [\w.-]+ \| "[^"|]+" \| \S.*$/;
const entriesMax = 2000;

const findStarts = ({ all, headings }: ReportLines): Heading[] => {
  const marked = headings.filter(({ level, text }) => level <= 4 && isTitle(text));
  if (marked.length > 0) return marked;
  // A bold line in place of a heading.
  return [...all.entries()]
    .filter(
      ([, { text, isCode }]) => !isCode && /^\s{0,3}\*\*.+\*\*:?\s*$/.test(text) && isTitle(text),
    )
    .map(([at, { text }]) => ({ level: 5, text, at }));
};

const isTitle = (text: string): boolean =>
  /^(?:\d+[.)]?\s*)?findings?\s+index$/i.test(text.replace(/[*_`:]/g, "").trim());

const readEntries = ({ all, headings }: ReportLines, start: Heading): FindingsIndex => {
  const next = headings.find(({ at }) => at > start.at)?.at ?? all.length;
  const entries: Entry[] = [];
  const problems: string[] = [];
  let end = start.at + 1;
  let saysNone = false;
  for (let at = start.at + 1; at < next && entries.length < entriesMax; at += 1) {
    const line = all[at];
    if (!line || line.isCode) continue;
    if (/^\s{0,3}(?:-{3,}|\*{3,})\s*$/.test(line.text) || isVerdict(line.text)) break;
    end = at + 1;
    const entry = readEntry(line.text);
    if (entry) entries.push(entry);
    else if (
      /^\s{0,3}(?:[-*+]\s+)?[*_(]*(?:none|no (?:findings|issues|problems))\b/i.test(line.text)
    )
      saysNone = true;
    else if (/^\s{0,3}[-*+]\s/.test(line.text)) problems.push(`not readable: line ${at + 1}`);
  }
  const isStrict =
    start.level === 3 && problems.length === 0 && entries.every((one) => one.isStrict);
  return { entries, end, isStrict, saysNone, problems };
};

export const isVerdict = (line: string): boolean =>
  /^\s{0,3}(?:[-*+]\s+)?[*_]{0,3}(?:overall\s+)?verdict[*_]{0,3}\s*:/i.test(line);

/** At `|`, but neither at `\|` nor inside `code`. */
const splitFields = (text: string): string[] => {
  const fields: string[] = [];
  let field = "";
  let isCode = false;
  const hasPairs = (text.match(/`/g)?.length ?? 0) % 2 === 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "\\" && text[at + 1] === "|") {
      field += "|";
      at += 1;
    } else if (char === "|" && !isCode) {
      fields.push(field.trim());
      field = "";
    } else {
      if (char === "`" && hasPairs) isCode = !isCode;
      field += char;
    }
  }
  return [...fields, field.trim()];
};

const unquote = (text: string): string =>
  /^["“„'«](.+)["”“'»]$/s.exec(bare(text))?.[1]?.trim() ?? text;

/** Place and confidence stand behind the title, in any order. */
const takeExtra = (fields: readonly string[]) => {
  const kept = [...fields];
  let place: FoundPlace | undefined;
  let confidence: number | undefined;
  while (kept.length > 1) {
    const last = kept.at(-1) ?? "";
    const sure = readConfidence(last);
    const here = /[:/#]/.test(last) ? readPlace(last) : undefined;
    if (sure !== undefined && confidence === undefined) confidence = sure;
    else if (here && !place) place = here;
    else if (last !== "") break;
    kept.pop();
  }
  return { fields: kept, place, confidence };
};

const readConfidence = (field: string): number | undefined => {
  const text = bare(field).toLowerCase();
  const [, number, percent] =
    /^(?:conf(?:idence)?\s*(?:[:=]\s*)?)?(\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})\s*(%)?$/.exec(text) ??
    [];
  if (number === undefined) {
    const word = /^conf(?:idence)?\s*(?:[:=]\s*)?(high|medium|low)$/.exec(text)?.[1];
    return word === undefined ? undefined : { high: 0.9, medium: 0.6, low: 0.3 }[word];
  }
  const value = percent ? Number(number) / 100 : Number(number);
  return value <= 1 ? value : undefined;
};
