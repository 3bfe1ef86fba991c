/** A report in whatever form it comes: Markdown of a reviewer, SARIF or rdjson of a linter. */
import type { Report } from "../types.ts";
import { readRdjson, readSarif } from "./linter.ts";
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
  options: { readonly review: string; readonly reviewer: string; readonly run?: string },
): AnyReport => {
  const { review, reviewer } = options;
  const start = text.replace(/^\uFEFF/, "").trimStart();
  if (start.startsWith("{")) {
    const read = /"runs"\s*:/.test(start) ? readSarif : readRdjson;
    const findings = read(start, { run: review, reviewer, family: reviewer });
    return { report: { reviewer, family: reviewer, state: "strict", findings, problems: [] } };
  }
  const marked = readMarker(readLines(text.replace(/\r\n?/g, "\n")))?.run;
  const report = readReport(text, { run: options.run ?? marked ?? review, reviewer });
  const findings = report.findings.map((finding) => ({ ...finding, review }));
  return { report: { ...report, findings }, ...(marked !== undefined && { run: marked }) };
};
