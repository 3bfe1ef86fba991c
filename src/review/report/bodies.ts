/** What a report says about a finding below its index. */
import type { ReportLines } from "./lines.ts";

export interface Body {
  readonly text: string;
  readonly fix?: string;
}

/**
 * The part under the first heading (or bold line) that begins with the label: `### P0-1: …`,
 * `### P0 | RACE-01 | …`, `#### [ARCH-01] …`. It ends at the next heading of the same rank.
 */
export const findBodies = (
  lines: ReportLines,
  labels: readonly string[],
  from: number,
): ReadonlyMap<string, Body> => {
  const known = new Set(labels);
  const starts = findStarts(lines, known, from);
  const bodies = new Map<string, Body>();
  for (const [index, { label, at, level }] of starts.entries()) {
    if (bodies.has(label)) continue;
    const next = starts[index + 1]?.at ?? lines.all.length;
    const heading = lines.headings.find((one) => one.at > at && one.level <= level)?.at;
    const text = textBetween(lines, at + 1, Math.min(next, heading ?? lines.all.length));
    if (text !== "") bodies.set(label, toBody(text));
  }
  return bodies;
};

export const toBody = (text: string): Body => {
  const fix = fixOf(text);
  return fix === undefined ? { text } : { text, fix };
};

/** Without the rules and remarks around it. */
export const textBetween = ({ all }: ReportLines, from: number, to: number): string => {
  const lines = all.slice(from, to).map(({ text }) => text);
  const begin = lines.findIndex((line) => !isRule(line.trim()));
  const end = lines.findLastIndex((line) => !isRule(line.trim()) && !isRemark(line.trim()));
  return lines
    .slice(Math.max(0, begin), end + 1)
    .join("\n")
    .trim();
};

const isRule = (line: string): boolean => /^(?:-{3,}|\*{3,})?$/.test(line);
const isRemark = (line: string): boolean => line.startsWith("<!--") && line.endsWith("-->");

interface Start {
  readonly label: string;
  readonly at: number;
  readonly level: number;
}

const findStarts = (lines: ReportLines, known: ReadonlySet<string>, from: number): Start[] => {
  const starts: Start[] = [];
  for (const { text, at, level } of lines.headings) {
    if (at < from) continue;
    const label = leadingLabel(text, known);
    if (label !== undefined) starts.push({ label, at, level });
  }
  if (starts.length > 0) return starts;
  for (const [at, { text, isCode }] of lines.all.entries()) {
    if (isCode || at < from || !/^\s{0,3}(?:[-*+]\s+|\d+[.)]\s+)?\*\*/.test(text)) continue;
    const label = leadingLabel(text.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ""), known);
    // The line itself speaks too, when the label is only its beginning.
    if (label !== undefined) starts.push({ label, at: at - 1, level: 6 });
  }
  return starts;
};

/** The label within the first words; behind that it is a mention. */
const leadingLabel = (text: string, known: ReadonlySet<string>): string | undefined => {
  for (const [word] of text.slice(0, 60).matchAll(/[\w.-]*\w/g)) if (known.has(word)) return word;
  return undefined;
};

/** The paragraphs from "Fix" or its like up to the next bold label. */
const fixOf = (text: string): string | undefined => {
  const start =
    /^[ \t>*-]*\*\*(?:preferred |alternative |suggested |required )?(?:fix(?:es)?|recommendations?|suggestions?|mitigations?|remed(?:y|iation))(?: options?| required)?\s*:?\*\*\s*:?[ \t]*/im.exec(
      text,
    );
  if (!start) return undefined;
  const rest = text.slice(start.index + start[0].length);
  const next = /\n[ \t]*\*\*[A-Z][^*\n]{1,60}:?\*\*/.exec(rest);
  const fix = rest.slice(0, next?.index ?? rest.length).trim();
  return fix === "" ? undefined : fix.slice(0, fixLengthMax);
};

const fixLengthMax = 4000;
