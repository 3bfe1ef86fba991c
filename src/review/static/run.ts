/**
 * The static reviewers over many files: deterministic, without a model. Same files, same findings, in the
 * same order. What could not be looked at is said with its reason.
 */
import { hash } from "node:crypto";
import { limits } from "../../base/limits.ts";
import { Analyser, languageOf } from "../../structure/index.ts";
import type { Finding } from "../types.ts";
import type { Hit, StaticRule } from "./rule.ts";
import { rules as allRules } from "./rules/index.ts";
import { familyOf, SourceFile } from "./source-file.ts";
import { isSuppressed, suppressionsOf } from "./suppressions.ts";

export interface StaticInput {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface StaticOptions {
  /** By path: only findings on these lines are told (counted from 1). A path that is absent: all lines. */
  readonly changedLines?: ReadonlyMap<string, ReadonlySet<number>>;
  readonly rules?: readonly StaticRule[];
  /** Files that no rule asks for are parsed as well, so that one that no parser can read is skipped and said. */
  readonly provesReadable?: boolean;
  /** Shared with others; without one an own one is started and closed. */
  readonly analyser?: Analyser;
  readonly review?: string;
  readonly signal?: AbortSignal;
}

export interface StaticReport {
  readonly findings: readonly Finding[];
  readonly files: number;
  /** Known languages whose files could not be looked at. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  /** Findings that were left out because a file, or the run, had too many. */
  readonly leftOut: number;
  /** Files with more findings than are in the list. */
  readonly cut: readonly string[];
  readonly suppressed: number;
}

export const staticReviewer = "static";

/** Larger files are generated or bundled; nobody reviews them line by line. */
const fileBytesMax = limits.reviewFileBytesMax;
/** One rule that fires more often in one file says nothing new. */
const perRuleAndFileMax = 20;
const findingsMax = 5000;
const filesMax = 50_000;

export const runStatic = async (
  files: AsyncIterable<StaticInput> | Iterable<StaticInput>,
  options: StaticOptions = {},
): Promise<StaticReport> => {
  const analyser = options.analyser ?? new Analyser();
  const found: Finding[] = [];
  const skipped: { path: string; why: string }[] = [];
  const cut = new Set<string>();
  const counts = { files: 0, leftOut: 0, suppressed: 0 };
  try {
    for await (const input of files) {
      options.signal?.throwIfAborted();
      const { path } = input;
      if (counts.files >= filesMax) {
        skipped.push({ path, why: `a run looks at ${filesMax} files` });
        continue;
      }
      const lines = options.changedLines?.get(path);
      if (lines?.size === 0) continue;
      counts.files++;
      const one = await reviewFile(input, { ...options, analyser });
      if (one.why !== undefined) skipped.push({ path, why: one.why });
      if (one.leftOut > 0) cut.add(path);
      counts.leftOut += one.leftOut;
      counts.suppressed += one.suppressed;
      found.push(...one.findings);
    }
  } finally {
    if (!options.analyser) analyser.close();
  }
  found.sort(inOrder);
  const over = found.slice(findingsMax);
  counts.leftOut += over.length;
  for (const { path = "" } of over) cut.add(path);
  return { findings: found.slice(0, findingsMax), skipped, ...counts, cut: [...cut].toSorted() };
};

interface FileReport {
  readonly findings: readonly Finding[];
  readonly leftOut: number;
  readonly suppressed: number;
  readonly why?: string;
}

const nothing: FileReport = { findings: [], leftOut: 0, suppressed: 0 };

const reviewFile = async (
  { path, content }: StaticInput,
  options: StaticOptions & { readonly analyser: Analyser },
): Promise<FileReport> => {
  if (content.length > fileBytesMax) {
    return { ...nothing, why: `it has ${content.length} bytes, the rules read ${fileBytesMax}` };
  }
  const text = typeof content === "string" ? content : new TextDecoder().decode(content);
  const why = options.provesReadable ? await whyUnread(options.analyser, content, path) : undefined;
  if (why !== undefined) return { ...nothing, why };
  const wanted = (options.rules ?? allRules).filter((rule) => rule.needs.test(text));
  if (wanted.length === 0 || saysGenerated(text)) return nothing;
  if (!hasRules(languageOf(path, text))) return nothing;
  if (hasEndlessLine(text)) {
    return {
      ...nothing,
      why: `a line of it has over ${lineLengthMax} characters, as bundles have`,
    };
  }
  const parsed = await options.analyser.tree(content, path);
  if (!parsed.ok) return { ...nothing, why: parsed.why };
  const family = familyOf(parsed.tree.language);
  if (!family) return nothing;
  const { source, tree } = parsed;
  const file = new SourceFile(path, source.text, { family, tree });
  const suppressions = suppressionsOf(source.text);
  const changed = options.changedLines?.get(path);
  const findings: Finding[] = [];
  let leftOut = 0;
  let suppressed = 0;
  for (const rule of wanted) {
    if (!rule.languages.includes(family) || (rule.skipsTests && file.isTest)) continue;
    const seen = new Set<number>();
    for (const hit of rule.check(file)) {
      const { line } = source.position(hit.node.from);
      if (seen.has(line) || (changed && !changed.has(line))) continue;
      seen.add(line);
      if (isSuppressed(suppressions, rule.name, line)) suppressed++;
      else if (seen.size > perRuleAndFileMax) leftOut++;
      else findings.push(findingOf(rule, hit, { path, line, review: options.review ?? "" }));
    }
  }
  return { findings, leftOut, suppressed };
};

const whyUnread = async (
  analyser: Analyser,
  content: StaticInput["content"],
  path: string,
): Promise<string | undefined> => {
  const { outline } = await analyser.outline(content, path);
  return (outline.unread ?? (await analyser.syntax(content, path)).unread)?.why;
};

/** Components hold a script of a language that has rules. */
export const hasRules = (language: string): boolean =>
  familyOf(language) !== undefined || language === "vue" || language === "svelte";

const saysGenerated = (text: string): boolean =>
  /^.{0,200}(Code generated .* DO NOT EDIT|@generated)/m.test(text.slice(0, 2000));

/** Bundles have lines that no person wrote; one such line is enough. */
const hasEndlessLine = (text: string): boolean => /[^\n]{5000}/.test(text);
const lineLengthMax = 5000;

const findingOf = (
  rule: StaticRule,
  hit: Hit,
  { path, line, review }: { path: string; line: number; review: string },
): Finding => ({
  id: `S-${hash("sha256", `${rule.name}\0${path}\0${line}`).slice(0, 12)}`,
  review,
  reviewer: staticReviewer,
  family: staticReviewer,
  title: hit.title,
  body: rule.why,
  fix: rule.fix,
  path,
  line,
  severity: hit.severity ?? rule.severity,
  rule: rule.name,
  kind: rule.kind,
});

const inOrder = (one: Finding, other: Finding): number =>
  compare(one.path ?? "", other.path ?? "") ||
  (one.line ?? 0) - (other.line ?? 0) ||
  compare(one.rule ?? "", other.rule ?? "");

/** By code units: no locale changes the order. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
