/** Linters as reviewers: what SARIF 2.1.0 and rdjson files say, as findings that join the convergence. */
import { HeadgateError } from "../../errors.ts";
import { plainLine, plainText } from "../plain-text.ts";
import { severities } from "../synthesis/normalise.ts";
import type { Finding, Severity } from "../types.ts";

export interface LinterOptions {
  /** Paths below it are the repository's: linters like to print them whole. */
  readonly root?: string;
  readonly run: string;
  /** Who was asked; the file's own tool name is not looked at. */
  readonly reviewer: string;
  readonly family?: string;
}

export const readSarif = (text: string, options: LinterOptions): Finding[] => {
  const log = asObject(parse(text, "SARIF"));
  if (!Array.isArray(log["runs"])) throw unfit("SARIF", "it has no runs");
  const found = asList(log["runs"]).flatMap((run) => {
    const rules = rulesOf(asObject(run));
    return asList(asObject(run)["results"]).flatMap((result) =>
      fromResult(asObject(result), { rules, options }),
    );
  });
  return toFindings(found, options);
};

/** rdjson, or rdjsonl with one diagnostic per line. */
export const readRdjson = (text: string, options: LinterOptions): Finding[] => {
  const found = diagnosticsOf(text).flatMap(({ diagnostic, usual, isOurs }): Found[] => {
    const message = asText(diagnostic["message"]);
    if (message === undefined) return [];
    const location = asObject(diagnostic["location"]);
    const start = asObject(asObject(location["range"])["start"]);
    const rule = asText(asObject(diagnostic["code"])["value"]);
    return [
      {
        message,
        severity:
          (isOurs ? ownGrade(diagnostic) : undefined) ??
          rdSeverities.get(asText(diagnostic["severity"]) ?? usual ?? "") ??
          "P2",
        ...placeOf(asText(location["path"]), start["line"]),
        ...(rule !== undefined && { rule }),
      },
    ];
  });
  return toFindings(found, options);
};

interface Found {
  readonly message: string;
  readonly severity: Severity;
  readonly rule?: string;
  readonly path?: string;
  readonly line?: number;
  readonly help?: string;
  readonly kind?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fromResult = (
  result: Fields,
  { rules, options }: { readonly rules: Rules; readonly options: LinterOptions },
): Found[] => {
  const kind = asText(result["kind"]) ?? "fail";
  const isOld = result["baselineState"] === "absent";
  const isSuppressed = asList(result["suppressions"]).some(
    (one) => (asText(asObject(one)["status"]) ?? "accepted") === "accepted",
  );
  if (kind !== "fail" || isOld || isSuppressed) return [];
  const id = asText(result["ruleId"]) ?? asText(asObject(result["rule"])["id"]);
  const index = result["ruleIndex"] ?? asObject(result["rule"])["index"];
  const rule =
    (typeof index === "number" ? rules.list[index] : undefined) ?? rules.byId.get(id ?? "");
  const name = id ?? asText(rule?.["id"]);
  const message = messageOf(asObject(result["message"]), rule ?? {});
  if (message === undefined) return [];
  const physical = asObject(asObject(asList(result["locations"])[0])["physicalLocation"]);
  const uri = asText(asObject(physical["artifactLocation"])["uri"]);
  const help = asText(asObject(rule?.["help"])["text"]);
  const grade = Number(asObject(rule?.["properties"])["security-severity"]);
  const isSecurity = Number.isFinite(grade) && grade > 0;
  // Ours says it itself: neither levels nor grades tell P0 from P1.
  const own = asText(asObject(result["properties"])["severity"]);
  const level =
    asText(result["level"]) ??
    asText(asObject(rule?.["defaultConfiguration"])["level"]) ??
    "warning";
  return [
    {
      message,
      severity:
        severities.find((one) => one === own) ??
        (isSecurity ? bySecurity(grade) : (levels.get(level) ?? "P2")),
      ...placeOf(
        // Biome prints whole paths, others addresses of files.
        uri === undefined
          ? undefined
          : inRoot(fromUri(uri).replace(/^file:\/\/(?=\/)/, ""), options),
        asObject(physical["region"])["startLine"],
      ),
      ...(name !== undefined && { rule: name }),
      ...(help !== undefined && { help }),
      ...(isSecurity && { kind: "security" }),
    },
  ];
};

interface Rules {
  readonly list: readonly Fields[];
  readonly byId: ReadonlyMap<string, Fields>;
}

const rulesOf = (run: Fields): Rules => {
  const tool = asObject(run["tool"]);
  const list = asList(asObject(tool["driver"])["rules"]).map(asObject);
  const others = asList(tool["extensions"]).flatMap((one) =>
    asList(asObject(one)["rules"]).map(asObject),
  );
  const byId = new Map([...others, ...list].map((rule) => [asText(rule["id"]) ?? "", rule]));
  return { list, byId };
};

/** The text itself, or the rule's message with the arguments put in. */
const messageOf = (message: Fields, rule: Fields): string | undefined => {
  const own = asText(message["text"]);
  const named = asObject(asObject(rule["messageStrings"])[asText(message["id"]) ?? ""]);
  const text = own ?? asText(named["text"]) ?? asText(asObject(rule["shortDescription"])["text"]);
  const given = asList(message["arguments"]);
  return text?.replace(/\{(\d{1,2})\}/g, (whole, at: string) => asText(given[Number(at)]) ?? whole);
};

const bySecurity = (grade: number): Severity =>
  grade >= 9 ? "P0" : grade >= 7 ? "P1" : grade >= 4 ? "P2" : "P3";

const levels: ReadonlyMap<string, Severity> = new Map([
  ["error", "P1"],
  ["warning", "P2"],
  ["note", "P3"],
  ["none", "P3"],
]);
const rdSeverities: ReadonlyMap<string, Severity> = new Map([
  ["ERROR", "P1"],
  ["WARNING", "P2"],
  ["INFO", "P3"],
]);

/** Our own output keeps the grade that rdjson has no word for. */
const ownGrade = (diagnostic: Fields): Severity | undefined => {
  const [, grade] = /^(P[0-3]) \| /.exec(asText(diagnostic["original_output"]) ?? "") ?? [];
  return severities.find((one) => one === grade);
};

interface Diagnostic {
  readonly diagnostic: Fields;
  readonly usual?: string | undefined;
  readonly isOurs?: boolean;
}

const diagnosticsOf = (text: string): Diagnostic[] => {
  const whole = tryParse(text);
  if (whole !== undefined) {
    const log = asObject(whole);
    if (!Array.isArray(log["diagnostics"])) {
      if (log["message"] !== undefined) return [{ diagnostic: log }];
      throw unfit("rdjson", "it has no diagnostics");
    }
    const usual = asText(log["severity"]);
    const isOurs = asObject(log["source"])["name"] === "headgate";
    return asList(log["diagnostics"]).map((one) => ({ diagnostic: asObject(one), usual, isOurs }));
  }
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ diagnostic: asObject(parse(line, "rdjson")) }));
};

/** ESLint's `--format json`. */
export const readEslint = (text: string, options: LinterOptions): Finding[] => {
  const files = parse(text, "ESLint JSON");
  if (!Array.isArray(files)) throw unfit("ESLint JSON", "it is not a list of files");
  const found = files.map(asObject).flatMap((file) =>
    asList(file["messages"]).flatMap((one): Found[] => {
      const { message, severity, ruleId, line } = asObject(one);
      const said = asText(message);
      const rule = asText(ruleId);
      if (said === undefined) return [];
      return [
        {
          message: said,
          // A parse error is graded like an error.
          severity: severity === 2 ? "P1" : "P2",
          ...placeOf(inRoot(asText(file["filePath"]), options), line),
          ...(rule !== undefined && { rule }),
        },
      ];
    }),
  );
  return toFindings(found, options);
};

/** Checkstyle's XML, which many linters print. */
export const readCheckstyle = (text: string, options: LinterOptions): Finding[] => {
  const found: Found[] = [];
  let path: string | undefined;
  let isRead = false;
  for (const { name, attributes } of xmlTags(text)) {
    if (name === "checkstyle") isRead = true;
    if (name === "file") path = inRoot(attributes.get("name"), options);
    const message = attributes.get("message");
    if (name !== "error" || message === undefined) continue;
    // Oxlint says `eslint(no-debugger)` for what ESLint calls `no-debugger`.
    const rule = attributes
      .get("source")
      ?.replace(/^.*[./]/, "")
      .replace(/^eslint\((.+)\)$/, "$1");
    found.push({
      message,
      severity: xmlSeverities.get(attributes.get("severity") ?? "") ?? "P2",
      ...placeOf(path, Number(attributes.get("line"))),
      ...(rule && { rule }),
    });
  }
  if (!isRead) throw unfit("checkstyle", "it has no checkstyle element");
  return toFindings(found, options);
};

/** JUnit's XML: each case that failed or broke. */
export const readJunit = (text: string, options: LinterOptions): Finding[] => {
  const found: Found[] = [];
  let [isRead, test] = [false, new Map<string, string>()];
  for (const { name, attributes, inner } of xmlTags(text)) {
    if (name === "testsuite" || name === "testsuites") isRead = true;
    if (name === "testcase") test = attributes;
    if (name !== "failure" && name !== "error") continue;
    const label = test.get("name") ?? "a test";
    const said = attributes.get("message") ?? inner.split("\n")[0] ?? "";
    found.push({
      message: `${label}: ${said || "failed"}`,
      severity: "P1",
      ...placeOf(inRoot(test.get("file"), options), Number(test.get("line"))),
      ...(inner && { help: inner.slice(0, 4000) }),
      kind: "test",
    });
  }
  if (!isRead) throw unfit("JUnit", "it has no test suite");
  return toFindings(found, options);
};

const xmlSeverities: ReadonlyMap<string, Severity> = new Map([
  ["error", "P1"],
  ["warning", "P2"],
  ["info", "P3"],
  ["ignore", "P3"],
]);

interface Tag {
  readonly name: string;
  readonly attributes: Map<string, string>;
  /** The text up to the next tag. */
  readonly inner: string;
}

/** Opening tags in order; comments, declarations and entities of the file's own are never looked at. */
const xmlTags = function* (text: string): Generator<Tag> {
  const plain = text.replaceAll(/<!--[^]*?-->/g, "");
  for (let at = plain.indexOf("<"); at >= 0; at = plain.indexOf("<", at + 1)) {
    const [, name = ""] = /^<([A-Za-z][\w.-]*)/.exec(plain.slice(at, at + 80)) ?? [];
    if (name === "") continue;
    const attributes = new Map<string, string>();
    const pattern = /\s*([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
    pattern.lastIndex = at + 1 + name.length;
    let end = pattern.lastIndex;
    for (let found = pattern.exec(plain); found; found = pattern.exec(plain)) {
      attributes.set(found[1] ?? "", decoded(found[2] ?? found[3] ?? ""));
      end = pattern.lastIndex;
    }
    const close = plain.indexOf(">", end);
    if (close < 0) return;
    const next = plain.indexOf("<", close);
    const inner = plain.slice(close + 1, next < 0 ? undefined : next);
    const data = /^<!\[CDATA\[([^]*?)\]\]>/.exec(
      plain.slice(close + 1, close + 20_000).trimStart(),
    );
    yield { name, attributes, inner: (data?.[1] ?? decoded(inner)).trim() };
  }
};

const entities: Readonly<Record<string, string>> = {
  ...{ lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" },
};

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|quot|apos|amp));/g,
    (whole, ten, hex, name) => {
      if (name !== undefined) return entities[name as string] ?? whole;
      const code = ten === undefined ? parseInt(hex as string, 16) : Number(ten);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );

const inRoot = (path: string | undefined, { root }: LinterOptions): string | undefined =>
  root !== undefined && path?.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** Inside the repository only. */
const placeOf = (path: string | undefined, line: unknown): { path?: string; line?: number } => {
  const clean = path?.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  if (
    !clean ||
    /^(?:\/|[A-Za-z]:|[a-z][a-z0-9+.-]*:)/.test(clean) ||
    clean.split("/").includes("..")
  ) {
    return {};
  }
  return typeof line === "number" && Number.isSafeInteger(line) && line > 0
    ? { path: clean, line }
    : { path: clean };
};

const fromUri = (uri: string): string => {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
};

const toFindings = (
  found: readonly Found[],
  { run, reviewer, family }: LinterOptions,
): Finding[] => {
  const used = new Map<string, number>();
  return found.map(({ message, severity, rule, path, line, help, kind }): Finding => {
    const base = [reviewer, rule, path, line].filter((part) => part !== undefined).join("/");
    const nth = (used.get(base) ?? 0) + 1;
    used.set(base, nth);
    const [first = "", ...rest] = message.split("\n");
    const body = [rest.join("\n").trim(), help].filter(Boolean).join("\n\n");
    return {
      id: plainLine(nth === 1 ? base : `${base}~${nth}`),
      review: run,
      reviewer,
      ...(family !== undefined && { family }),
      title: plainLine(first),
      ...(body && { body: plainText(body) }),
      severity,
      ...(path !== undefined && { path }),
      ...(line !== undefined && { line }),
      ...(rule !== undefined && { rule: plainLine(rule) }),
      ...(kind !== undefined && { kind }),
    };
  });
};

const tryParse = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const parse = (text: string, format: string): unknown => {
  const value = tryParse(text);
  if (value === undefined) throw unfit(format, "it is not JSON");
  return value;
};

const unfit = (format: string, why: string) =>
  new HeadgateError("USAGE", `The file cannot be read as ${format}: ${why}.`, { data: { format } });

const asObject = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
