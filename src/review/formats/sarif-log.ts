/** Findings as SARIF 2.1.0 (OASIS), which code hosts and editors show beside the code. */
import { sha256 } from "../../base/sha256.ts";

export interface SarifRule {
  readonly id: string;
  /** One sentence: what is wrong. */
  readonly summary: string;
  /** What to do about it. */
  readonly help: string;
  /** Of a result that says none; default error. */
  readonly level?: SarifLevel;
  readonly properties?: SarifProperties;
}

export type SarifLevel = "error" | "warning" | "note";
export type SarifProperties = Readonly<
  Record<string, string | number | boolean | readonly string[]>
>;

export interface SarifFinding {
  readonly rule: string;
  readonly level: SarifLevel;
  readonly message: string;
  /** Relative to the repository's root, with slashes. */
  readonly path?: string;
  /** From 1; a column counts UTF-16 units. */
  readonly line?: number;
  readonly column?: number;
  readonly symbol?: string;
  /** Where else the same thing is. */
  readonly others?: readonly Partial<Pick<SarifFinding, "path" | "line" | "symbol">>[];
  /** What tells this finding from others, besides rule, path and symbol; stable when lines move. */
  readonly identity?: string;
  /** Instead of the fingerprint that is made from rule, path, symbol and `identity`. */
  readonly fingerprints?: Readonly<Record<string, string>>;
  readonly baseline?: "new" | "unchanged" | "absent";
  /** Somebody decided against it: why. */
  readonly suppression?: string;
  /** 0 to 100: how much it deserves attention. */
  readonly rank?: number;
  readonly properties?: SarifProperties;
}

export interface SarifInput {
  readonly version: string;
  readonly rules: readonly SarifRule[];
  readonly findings: readonly SarifFinding[];
  /** False when something could not be looked at. */
  readonly isComplete?: boolean;
  /** What sort of run it is; code hosts keep the results of different sorts apart. */
  readonly category?: string;
}

/** Every rule that a finding names must be in `rules`. */
export const toSarif = ({ version, rules, findings, isComplete = true, category }: SarifInput) => {
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
            rules: told.map(({ id, summary, help, level = "error", properties }) => ({
              id,
              name: pascalCase(id),
              shortDescription: { text: summary },
              help: { text: help, markdown: `${summary}\n\n${help}` },
              defaultConfiguration: { level },
              ...(properties && { properties }),
            })),
          },
        },
        ...(category !== undefined && { automationDetails: { id: `${category}/` } }),
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
  const { rule, level, message, path, line, column, symbol, identity = "" } = finding;
  const { properties, fingerprints, baseline, suppression, rank, others = [] } = finding;
  const related = others.flatMap(({ path: file, line: at, symbol: name }, id) =>
    file === undefined
      ? []
      : [{ id, ...locationOf({ path: file, line: at, column: undefined, symbol: name }) }],
  );
  const index = indexes.get(rule);
  const base = [rule, path ?? "", symbol ?? "", identity].join("\0");
  // The same twice is two findings: the second has another number.
  const nth = seen.get(base) ?? 0;
  seen.set(base, nth + 1);
  return {
    ruleId: rule,
    ...(index !== undefined && { ruleIndex: index }),
    level,
    message: { text: message },
    ...(path !== undefined && { locations: [locationOf({ path, line, column, symbol })] }),
    ...(related.length > 0 && { relatedLocations: related }),
    partialFingerprints: fingerprints ?? {
      "headgateFinding/v1": sha256(`${base}\0${nth}`).slice(0, 32),
    },
    ...(baseline !== undefined && { baselineState: baseline }),
    ...(suppression !== undefined && {
      suppressions: [{ kind: "external", status: "accepted", justification: suppression }],
    }),
    ...(rank !== undefined && { rank }),
    ...(properties && { properties }),
  };
};

const locationOf = (place: {
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly symbol: string | undefined;
}) => {
  const { path, line, column, symbol } = place;
  return {
    physicalLocation: {
      artifactLocation: { uri: toUri(path), uriBaseId: "SRCROOT" },
      ...(line !== undefined && {
        region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
      }),
    },
    ...(symbol !== undefined && { logicalLocations: [{ fullyQualifiedName: symbol }] }),
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
