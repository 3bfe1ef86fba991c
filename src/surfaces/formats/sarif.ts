/** Findings as SARIF 2.1.0 (OASIS), which code hosts and editors show beside the code. */
import { hash } from "node:crypto";

export interface SarifRule {
  readonly id: string;
  /** One sentence: what is wrong. */
  readonly summary: string;
  /** What to do about it. */
  readonly help: string;
}

export interface SarifFinding {
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  /** Relative to the repository's root, with slashes. */
  readonly path: string;
  /** From 1; a column counts UTF-16 units. */
  readonly line?: number;
  readonly column?: number;
  readonly symbol?: string;
  /** What tells this finding from others, besides rule, path and symbol; stable when lines move. */
  readonly identity?: string;
  readonly properties?: Readonly<Record<string, string | number | boolean>>;
}

export interface SarifInput {
  readonly version: string;
  readonly rules: readonly SarifRule[];
  readonly findings: readonly SarifFinding[];
  /** False when something could not be looked at. */
  readonly isComplete?: boolean;
}

/** Every rule that a finding names must be in `rules`. */
export const toSarif = ({ version, rules, findings, isComplete = true }: SarifInput) => {
  const used = new Set(findings.map(({ rule }) => rule));
  const told = rules.filter(({ id }) => used.has(id));
  const indexes = new Map(told.map(({ id }, index) => [id, index]));
  const seen = new Map<string, number>();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Headgate",
            semanticVersion: version,
            rules: told.map(({ id, summary, help }) => ({
              id,
              name: pascalCase(id),
              shortDescription: { text: summary },
              help: { text: help, markdown: `${summary}\n\n${help}` },
              defaultConfiguration: { level: "error" },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The repository's root" } } },
        invocations: [{ executionSuccessful: isComplete }],
        results: findings.map((finding) => toResult(finding, indexes, seen)),
      },
    ],
  };
};

const toResult = (
  finding: SarifFinding,
  indexes: ReadonlyMap<string, number>,
  seen: Map<string, number>,
) => {
  const { rule, level, message, path, line, column, symbol, identity = "", properties } = finding;
  const index = indexes.get(rule);
  const base = [rule, path, symbol ?? "", identity].join("\0");
  // The same twice is two findings: the second has another number.
  const nth = seen.get(base) ?? 0;
  seen.set(base, nth + 1);
  return {
    ruleId: rule,
    ...(index !== undefined && { ruleIndex: index }),
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(path), uriBaseId: "SRCROOT" },
          ...(line !== undefined && {
            region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
          }),
        },
        ...(symbol !== undefined && { logicalLocations: [{ fullyQualifiedName: symbol }] }),
      },
    ],
    partialFingerprints: { "headgateFinding/v1": hash("sha256", `${base}\0${nth}`).slice(0, 32) },
    ...(properties && { properties }),
  };
};

/** A relative reference whose first part holds no colon: that would be read as a scheme. */
const toUri = (path: string): string =>
  path
    .toWellFormed()
    .split("/")
    .map((name) => encodeURIComponent(name))
    .join("/");

const pascalCase = (id: string): string =>
  id
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
