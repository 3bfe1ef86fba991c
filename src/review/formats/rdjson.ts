/** Problems as rdjson (Reviewdog Diagnostic Format). What is fixed or dismissed is left out: it has no word for it. */
import { plainLine, plainText } from "../plain-text.ts";
import type { Severity } from "../types.ts";
import type { Problem, Sources } from "./problems.ts";

export interface RdjsonInput {
  readonly problems: readonly Problem[];
  /** Where the cited line is known, its whole text is the range. */
  readonly sources?: Sources;
}

export const toRdjson = ({ problems, sources }: RdjsonInput) => {
  const read = new Map<string, readonly string[]>();
  const lineOf = (path: string, line: number): string | undefined => {
    let lines = read.get(path);
    if (!lines) read.set(path, (lines = (sources?.get(path) ?? "").split(/\r\n?|\n/)));
    return sources?.has(path) ? lines[line - 1] : undefined;
  };
  return {
    source: { name: "headgate" },
    severity: "WARNING",
    diagnostics: problems
      .filter(({ state }) => state !== "fixed" && state !== "dismissed")
      .map(({ title, body, path, line, severity, rule, others = [] }) => ({
        message: plainText(body === undefined ? title : `${title}\n\n${body}`, messageLengthMax),
        ...(path !== undefined && {
          location: {
            path,
            ...(line !== undefined && { range: rangeOf(line, lineOf(path, line)) }),
          },
        }),
        ...(others.length > 0 && {
          related_locations: others.map((other) => ({
            message: "the same problem",
            location: {
              path: other.path,
              ...(other.line !== undefined && { range: { start: { line: other.line } } }),
            },
          })),
        }),
        severity: severities[severity],
        ...(rule !== undefined && { code: { value: rule } }),
        // The format has three grades and we have four: the line of a findings index keeps ours.
        original_output: plainLine(
          [severity, ...(rule === undefined ? [] : [rule]), title].join(" | "),
        ),
      })),
  };
};

export const rdjsonText = (input: RdjsonInput): string =>
  `${JSON.stringify(toRdjson(input), undefined, 2)}\n`;

const messageLengthMax = 4_000;

const severities = {
  P0: "ERROR",
  P1: "ERROR",
  P2: "WARNING",
  P3: "INFO",
} as const satisfies Record<Severity, string>;

/** From the first letter to behind the last one, in bytes of UTF-8 from 1; the end is not part of it. */
const rangeOf = (line: number, text: string | undefined) => {
  if (text === undefined) return { start: { line } };
  const indent = text.length - text.trimStart().length;
  const start = 1 + bytesOf(text.slice(0, indent));
  const end = 1 + bytesOf(text.trimEnd());
  return end <= start
    ? { start: { line, column: 1 } }
    : { start: { line, column: start }, end: { line, column: end } };
};

const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");
