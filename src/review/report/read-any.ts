/** A report in whatever form it comes: Markdown of a reviewer, SARIF or rdjson of a linter. */
import type { Report } from "../types.ts";
import { readCheckstyle, readEslint, readJunit, readRdjson, readSarif } from "./linter.ts";
import { readLines } from "./lines.ts";
import { readMarker } from "./marker.ts";
import { readReport } from "./read-report.ts";

export interface AnyReport {
  readonly report: Report;
  /** The run that its marker names. */
  readonly run?: string;
}

/** All findings get `review`; with `run`, a report whose marker names another one is foreign. */
export const readAnyReport = (
  text: string,
  options: {
    readonly review: string;
    readonly reviewer: string;
    readonly run?: string;
    readonly root?: string;
  },
): AnyReport => {
  const { review, reviewer } = options;
  const start = text.replace(/^\uFEFF/, "").trimStart();
  const read = linterReader(start);
  if (read) {
    const { root } = options;
    const findings = read(start, {
      ...{ run: review, reviewer, family: reviewer, ...(root !== undefined && { root }) },
    });
    return { report: { reviewer, family: reviewer, state: "strict", findings, problems: [] } };
  }
  const marked = readMarker(readLines(text.replace(/\r\n?/g, "\n")))?.run;
  const report = readReport(text, { run: options.run ?? marked ?? review, reviewer });
  const findings = report.findings.map((finding) => ({ ...finding, review }));
  return { report: { ...report, findings }, ...(marked !== undefined && { run: marked }) };
};

/** By how it begins; undefined: it is Markdown or prose. */
const linterReader = (start: string) => {
  if (start.startsWith("{")) return /"runs"\s*:/.test(start) ? readSarif : readRdjson;
  if (/^\[\s*(?:\]|\{\s*"(?:filePath|messages)")/.test(start)) return readEslint;
  if (!start.startsWith("<")) return undefined;
  const root = /<(checkstyle|testsuites?)[\s>]/.exec(start.slice(0, 4000))?.[1];
  return root === undefined ? undefined : root === "checkstyle" ? readCheckstyle : readJunit;
};
