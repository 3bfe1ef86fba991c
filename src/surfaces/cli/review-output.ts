/** A synthesis in the format that was asked for, and whether it is bad enough to fail. */
import { isAbsolute, join, sep } from "node:path";
import { errnoOf, systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { packageVersion } from "../../base/version.ts";
import {
  isStanding,
  type Problem,
  problemsOf,
  type ProblemsInput,
  rdjsonText,
  reviewSarifText,
  type Severity,
  type Sources,
  type Synthesis,
  toMarkdown,
  toText,
} from "../../review/index.ts";
import type { Option } from "./command.ts";
import type { Output } from "./output.ts";

export const formats = ["term", "md", "json", "sarif", "rdjson"] as const;
export type Format = (typeof formats)[number];

export const formatOption: Option = {
  type: "string",
  value: "FORMAT",
  choices: formats,
  description: "What is printed (default: term; json with --json)",
};

export const failOption: Option = {
  type: "string",
  value: "SEVERITY",
  choices: ["P0", "P1", "P2", "P3"],
  description: "Exit 1 for a problem at least this severe, or when not everything was judged",
};

export const formatOf = (given: string | undefined, output: Output): Format =>
  formats.find((one) => one === given) ?? (output.json ? "json" : "term");

export interface ShownSynthesis extends ProblemsInput {
  readonly format: Format;
  readonly title?: string;
}

export const synthesisText = (input: ShownSynthesis): string => {
  const { synthesis, findings, sources, format, title } = input;
  const told = { synthesis, findings, ...(title !== undefined && { title }) };
  if (format === "term") return toText(told);
  if (format === "md") return toMarkdown(told);
  if (format === "json") return `${JSON.stringify(synthesis)}\n`;
  const problems = problemsOf(input);
  const known = sources && { sources };
  if (format === "rdjson") return rdjsonText({ problems, ...known });
  const { quorum, notJudged } = synthesis;
  const isComplete = notJudged === undefined && (quorum?.usable ?? 0) === (quorum?.asked ?? 0);
  return reviewSarifText({ version: packageVersion(), problems, isComplete, ...known });
};

/** A file that could not be judged does not pass either; what was refuted or dismissed, or is at no place of what was reviewed, does not stop. */
export const isOver = (synthesis: Synthesis, threshold: string | undefined): boolean =>
  threshold !== undefined &&
  (synthesis.verdict === "no-quorum" ||
    // Rules alone may pass: what they read, they read.
    (synthesis.verdict === "not-reviewed" && synthesis.notJudged !== undefined) ||
    synthesis.clusters.some(
      (cluster) =>
        isStanding(cluster) &&
        cluster.unplaced === undefined &&
        cluster.severity <= (threshold as Severity),
    ));

/** The files that are cited, as they lie below `root` now; whatever leads out of it is not read. */
export const citedSources = (cited: readonly Pick<Problem, "path">[], root: string): Sources => {
  const sources = new Map<string, string>();
  for (const path of new Set(cited.flatMap((one) => one.path ?? []))) {
    const text = readInside(root, path);
    if (text !== undefined) sources.set(path, text);
  }
  return sources;
};

const readInside = (root: string, path: string): string | undefined => {
  if (isAbsolute(path) || path.split(/[\\/]/).includes("..") || path.includes("\0"))
    return undefined;
  try {
    const real = systemFiles.realPath(join(root, path));
    if (!real.startsWith(`${systemFiles.realPath(root)}${sep}`)) return undefined;
    const stat = systemFiles.stat(real);
    if (!stat?.isFile() || stat.size > limits.structureBytesMax) return undefined;
    return systemFiles.readFile(real).toString("utf8");
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};
