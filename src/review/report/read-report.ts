/**
 * Reads what a reviewer wrote: lenient in, strict out. Nothing in the text has power: who wrote it and for which
 * run is said by whoever dispatched, the verdict is recorded and never believed, instructions are words.
 */
import { plainLine, plainText } from "../plain-text.ts";
import type { Finding, Report, ReportState } from "../types.ts";
import { type Body, findBodies } from "./bodies.ts";
import { type Entry, type FindingsIndex, isVerdict, readIndex } from "./findings-index.ts";
import { type ReportLines, readLines } from "./lines.ts";
import { hashOf, type Marker, readMarker } from "./marker.ts";
import { findPlace } from "./place.ts";
import { readProse } from "./prose.ts";

export interface ReadReportOptions {
  /** The review that the findings belong to. */
  readonly run: string;
  /** Who was asked. */
  readonly reviewer: string;
  readonly family?: string;
  /** What the marker must name as its run; then a report without our marker is not taken as complete. */
  readonly nonce?: string;
  /**
   * What the prompt gave the reviewer to copy as the marker's hash: models compute none. Without it the marker's
   * hash must be that of the text before it.
   */
  readonly hash?: string;
}

export const readReport = (text: string, options: ReadReportOptions): Report => {
  const base = {
    reviewer: options.reviewer,
    ...(options.family !== undefined && { family: options.family }),
  };
  if (text.length > reportLengthMax) {
    return {
      ...base,
      state: "error",
      findings: [],
      problems: [`over ${reportLengthMax} characters`],
    };
  }
  const marker = readMarker(readLines(text.replace(/\r\n?/g, "\n")));
  const lines = readLines(plainText(text, reportLengthMax));
  if (lines.all.every(({ text: line }) => line.trim() === "")) {
    return { ...base, state: "empty", findings: [], problems: ["the report is empty"] };
  }
  const index = readIndex(lines);
  const findings = index ? fromIndex(lines, index, options) : fromProse(lines, options);
  const verdict = readVerdict(lines);
  const judged = judge({ lines, index, findings, marker, verdict, options });
  return {
    ...base,
    state: judged.state,
    // Somebody else's report is not evidence in this review.
    findings: judged.state === "foreign" || judged.state === "error" ? [] : findings,
    ...(verdict !== undefined && { claimedVerdict: verdict }),
    problems: judged.problems,
  };
};

/** The largest report met has 60 kB. */
const reportLengthMax = 2_000_000;

interface Evidence {
  readonly lines: ReportLines;
  readonly index: FindingsIndex | undefined;
  readonly findings: readonly Finding[];
  readonly marker: Marker | undefined;
  readonly verdict: string | undefined;
  readonly options: ReadReportOptions;
}

const judge = (evidence: Evidence): { state: ReportState; problems: string[] } => {
  const { lines, index, findings, marker, verdict, options } = evidence;
  const problems = [...(index?.problems ?? [])];
  const told = (state: ReportState, problem?: string) => ({
    state,
    problems: problem === undefined ? problems : [...problems, problem],
  });
  const foreign = foreignSign(marker, options);
  if (foreign !== undefined) return told("foreign", foreign);
  if (!index && findings.length === 0 && isFailure(lines)) {
    return told("error", "the reviewer's tool reported a failure instead of an answer");
  }
  const cut = cutSign(evidence);
  if (cut !== undefined) return told("truncated", cut);
  if (!index) return told("prose", "no findings index");
  if (index.entries.length === 0 && !index.saysNone && verdict === undefined && !marker) {
    return told("empty", "the findings index is empty");
  }
  if (!marker) problems.push("no completion marker");
  if (verdict === undefined) problems.push("no verdict");
  const isStrict = index.isStrict && marker !== undefined && verdict !== undefined;
  return told(isStrict ? "strict" : "lenient");
};

const foreignSign = (marker: Marker | undefined, options: ReadReportOptions) => {
  if (!marker || marker.isPlain) return undefined;
  const run = options.nonce ?? options.run;
  if (marker.run !== undefined && marker.run !== run) return "the marker names another run";
  if (marker.agent !== undefined && marker.agent !== options.reviewer) {
    return "the marker names another reviewer";
  }
  const { hash } = options;
  if (hash === undefined || marker.sha256 === undefined || marker.sha256 === hash) return undefined;
  return marker.sha256 === hashOf(marker.before) ? undefined : "the marker answers another prompt";
};

const cutSign = ({ lines, findings, marker, options }: Evidence): string | undefined => {
  if (lines.isOpen && !marker) return "ends inside a code block";
  const { nonce, hash } = options;
  if (nonce !== undefined && (!marker || marker.isPlain || marker.run !== nonce)) {
    return "no completion marker of this run";
  }
  if (marker?.count !== undefined && marker.count !== findings.length) {
    return `the marker counts ${marker.count} findings, the report holds ${findings.length}`;
  }
  if (hash !== undefined) return marker?.sha256 === undefined ? "no hash in the marker" : undefined;
  if (marker?.sha256 !== undefined && marker.sha256 !== hashOf(marker.before)) {
    return "the text is not the one that was marked complete";
  }
  return undefined;
};

const isFailure = ({ all }: ReportLines): boolean => {
  const said = all.filter(({ text }) => text.trim() !== "");
  return (
    said.length <= 3 &&
    /^\s*(?:api )?(?:error|fatal|exception|traceback)\b|overloaded|rate.?limit/i.test(
      said[0]?.text ?? "",
    )
  );
};

/** `Needs changes`, `NEEDS_ATTENTION — do not proceed` → `needs-changes`, `needs-attention`. */
const readVerdict = ({ all }: ReportLines): string | undefined => {
  for (const { text, isCode } of all) {
    if (isCode || !isVerdict(text)) continue;
    const said = text
      .replace(/^[^:]*:/, "")
      .replace(/[*`]/g, "")
      .split(/\s[—–-]\s|[.;,(]/)[0];
    const verdict = plainLine(said ?? "", 60)
      .toLowerCase()
      .replace(/[\s_]+/g, "-");
    if (verdict !== "") return verdict;
  }
  return undefined;
};

const fromIndex = (
  lines: ReportLines,
  index: FindingsIndex,
  options: ReadReportOptions,
): Finding[] => {
  const labels = index.entries.map(({ label }) => label);
  const bodies = findBodies(lines, labels, index.end);
  return toFindings(
    index.entries.map((entry) => ({ entry, body: bodies.get(entry.label) })),
    options,
  );
};

const fromProse = (lines: ReportLines, options: ReadReportOptions): Finding[] =>
  toFindings(
    readProse(lines).map(({ entry, body }) => ({ entry, body })),
    options,
  );

const toFindings = (
  found: readonly { readonly entry: Entry; readonly body: Body | undefined }[],
  { run, reviewer, family }: ReadReportOptions,
): Finding[] => {
  const used = new Map<string, number>();
  return found.map(({ entry, body }, position): Finding => {
    const { severity, label, section, title, confidence } = entry;
    const place = entry.place ?? findPlace(`${title}\n${body?.text ?? ""}`);
    const base = `${reviewer}/${label || position + 1}`;
    const nth = (used.get(base) ?? 0) + 1;
    used.set(base, nth);
    return {
      id: nth === 1 ? base : `${base}~${nth}`,
      review: run,
      reviewer,
      ...(family !== undefined && { family }),
      title: plainLine(title),
      severity,
      ...(body && { body: plainText(body.text) }),
      ...(body?.fix !== undefined && { fix: plainText(body.fix) }),
      ...(label && { label }),
      ...(section !== undefined && { section: plainLine(section) }),
      ...(confidence !== undefined && { confidence }),
      ...place,
    };
  });
};
