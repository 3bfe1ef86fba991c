/** The one judgement: every rule over every file of a proposal, then the policy over what they found. */
import { hash } from "node:crypto";
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import {
  type Analyser,
  type Coverage,
  diffRegions,
  familyOf,
  introducedCalls,
  notAnalysed,
} from "../structure/index.ts";
import { countDeltas } from "./deltas.ts";
import { type CellCase, notebookCells } from "./notebook-cells.ts";
import { answered, askShape, type FileCase, lineMap, verdictOf } from "./file-case.ts";
import { isTrustedAt } from "./calibration.ts";
import { askedKey } from "./open-ends.ts";
import { applyPolicy, type Policy } from "./policy.ts";
import { arming } from "./rules/arming.ts";
import { dangling } from "./rules/dangling.ts";
import { duplicates } from "./rules/duplicates.ts";
import { judgeable } from "./rules/judgeable.ts";
import { bringUpToDate } from "./rules/freshness.ts";
import { unreadFinding } from "./rules/read-first.ts";
import { checkPath } from "./rules/path-policy.ts";
import { placeholders } from "./rules/placeholders.ts";
import { remarks } from "./rules/remarks.ts";
import type { Finding, Rule, RuleName } from "./rules/rule.ts";
import { syntax } from "./rules/syntax.ts";
import type { SessionReading } from "./seen-files.ts";
import { lookAtText, type RuleFinding, withoutSecrets } from "./text-rules.ts";
import type { Tree } from "./tree.ts";
import type { JudgedFile, Proposal, Reason, JudgeStage, Verdict, Write } from "./types.ts";

export interface JudgeContext {
  readonly analyser: Analyser;
  readonly tree: Tree;
  readonly policy: Policy;
  /** sha256 of what the writer last saw of a path, if it is known. */
  readonly seen?: (path: string) => Promise<string | undefined>;
  /** Whether the writer's session was shown anything of a path; only for sessions of agents. */
  readonly reading?: (path: string) => Promise<SessionReading>;
  /** Type checkers are asked about new calls (by the references rule). */
  readonly asksTypes?: boolean;
  /** Default: edit. */
  readonly stage?: JudgeStage;
  /** False: comments that allow a refused thing count only where they were there before, as of an agent. */
  readonly takesComments?: boolean;
  /** Slips that the writer was asked about before, as `askedKey` names them. */
  readonly asked?: () => Promise<ReadonlySet<string>>;
  /** Rules that need more than the file itself: references, signatures, claims. */
  readonly further?: readonly { readonly name: RuleName; readonly rule: ManyRule }[];
}

/** A rule that looks at all files of a proposal at once. */
export type ManyRule = (cases: readonly FileCase[]) => Promise<readonly Finding[]>;

const rulesAt = (
  stage: JudgeStage,
): readonly { readonly name: RuleName; readonly rule: Rule }[] => [
  { name: "path", rule: (one) => arming(one, stage) },
  { name: "judgeable", rule: judgeable },
  { name: "syntax", rule: syntax },
  { name: "duplicates", rule: duplicates },
  { name: "placeholders", rule: placeholders },
  { name: "imports", rule: dangling },
];

/** A file as it was judged; `isMerged` when the writer's base was older. */
export interface JudgedCase {
  readonly file: FileCase;
  readonly isMerged: boolean;
  /** Of a notebook: its changed cells, which are the code. */
  readonly cells?: readonly CellCase[] | undefined;
}

/** Throws NOT_JUDGED where a parser ran out of time or room, because that says nothing about a file. */
export const judge = async (proposal: Proposal, context: JudgeContext): Promise<Verdict> =>
  (await judgeFiles(proposal, context)).verdict;

/** The verdict together with what it was made from, for whoever goes on to write. */
export const judgeFiles = async (
  proposal: Proposal,
  context: JudgeContext,
): Promise<{ readonly verdict: Verdict; readonly cases: readonly JudgedCase[] }> => {
  checkShape(proposal);
  const found: RuleFinding[] = [];
  const cases: JudgedCase[] = [];
  for (const write of proposal.writes) {
    const outside = checkPath(write.path, context.tree, context.policy);
    if (outside) {
      found.push({ rule: "path", finding: outside });
      continue;
    }
    const { file, merged, findings } = await prepare(write, context);
    found.push(...findings.map((finding) => ({ rule: "freshness" as const, finding })));
    if (!file) continue;
    const cells = await notebookCells(file, context.analyser);
    cases.push({ file, isMerged: merged, cells });
  }
  const files = cases.map(({ file }) => file);
  found.push(...lookAtText(files));
  for (const { name, rule } of rulesAt(context.stage ?? "edit")) {
    const each = await Promise.all(cases.map((one) => applyRule(name, rule, one)));
    found.push(...each.flat().map((finding) => ({ rule: name, finding })));
  }
  for (const { name, rule } of context.further ?? []) {
    const findings = await rule(files);
    found.push(...findings.map((finding) => ({ rule: name, finding })));
  }
  const deltas = countDeltas(files);
  const deleted = new Set(files.filter(({ after }) => !after).map(({ path }) => path));
  found.push(...remarks(deltas, deleted));
  const open = withoutWeaker(withMoved(found, files));
  const sources = new Map(cases.map(({ file }) => [file.path, file.after?.source.text ?? ""]));
  const { stage = "edit" } = context;
  const isAsked = open.some(({ finding }) => finding.later?.slipOf !== undefined);
  const meant = (stage === "edit" && isAsked && (await context.asked?.())) || new Set<string>();
  const told = applyPolicy(open, context.policy, {
    overrides: proposal.overrides ?? [],
    textOf: (path) => sources.get(path) ?? "",
    ...(context.takesComments === false && {
      findOldText: (path: string) =>
        cases.find(({ file }) => file.path === path)?.file.before?.source.text ?? "",
    }),
    stage,
    isMeant: (path, missing) => meant.has(askedKey(path, missing)),
  });
  const [reasons, notes] = [withoutSecrets(told.reasons), withoutSecrets(told.notes)];
  const verdict: Verdict = {
    verdict: reasons.length === 0 ? "allow" : "deny",
    ...(reasons.length > 0 && reasons.every(({ confirm }) => confirm) && { confirm: true }),
    reasons,
    notes: [...notes, ...notLookedAt(cases, [...reasons, ...notes])],
    files: cases.map((one) => toJudged(one, context, notes)),
    deltas,
  };
  return { verdict, cases };
};

/** Rules about code look at a notebook's cells. */
const applyRule = async (
  name: RuleName,
  rule: Rule,
  { file, cells }: JudgedCase,
): Promise<readonly Finding[]> => {
  if (!cells || name === "path") return rule(file);
  const each = await Promise.all(
    cells.map(async (cell) => (await rule(cell.file)).map((finding) => cell.locate(finding))),
  );
  return each.flat();
};

/** A file that only moves was not judged at its old place either. */
const withMoved = (
  found: readonly RuleFinding[],
  files: readonly FileCase[],
): readonly RuleFinding[] => {
  if (!found.some(({ finding }) => finding.code === "NOT_JUDGEABLE")) return found;
  const gone = new Set(files.flatMap((one) => (one.after ? [] : [hashContent(one.beforeBytes)])));
  const moved = new Set(
    files.filter((one) => gone.has(hashContent(one.afterBytes))).map(({ path }) => path),
  );
  return found.map(({ rule, finding }) =>
    finding.code === "NOT_JUDGEABLE" && moved.has(finding.path)
      ? { rule, finding: { ...finding, level: "note" } }
      : { rule, finding },
  );
};

/** A removal that is proven says all that a note of the same symbol says, and a call that the name in it is gone. */
const withoutWeaker = <T extends { readonly finding: Finding }>(
  found: readonly T[],
): readonly T[] => {
  const key = ({ code, path, symbol }: Finding): string | undefined =>
    symbol && [code, path, symbol].join("\0");
  const proven = new Set(found.flatMap(({ finding }) => (finding.later ? [key(finding)] : [])));
  proven.delete(undefined);
  const call = ({ path, line }: Finding): string => `${path}:${line}`;
  const calls = new Set(
    found.flatMap(({ finding }) => (finding.code === "CALL_UNKNOWN" ? [call(finding)] : [])),
  );
  return found.filter(({ finding }) => {
    if (finding.code === "NAME_DANGLING" && calls.has(call(finding))) return false;
    return finding.level === "deny" || !proven.has(key(finding));
  });
};

const checkShape = ({ writes }: Proposal): void => {
  if (!Array.isArray(writes) || writes.length === 0) {
    throw new HeadgateError("USAGE", "a proposal needs at least one write");
  }
  if (writes.length > limits.proposalWritesMax) {
    throw new HeadgateError(
      "INPUT_TOO_LARGE",
      `${writes.length} writes in one proposal; ${limits.proposalWritesMax} are the most`,
    );
  }
  const paths = new Set<string>();
  for (const { path, after } of writes) {
    if (typeof path !== "string" || after === undefined) {
      throw new HeadgateError(
        "USAGE",
        'each write needs "path" and "after" (null deletes the file)',
      );
    }
    if (paths.has(path))
      throw new HeadgateError("USAGE", `${path} is written twice in one proposal`);
    paths.add(path);
  }
};

interface Prepared {
  readonly file?: FileCase;
  readonly merged: boolean;
  readonly findings: readonly Finding[];
}

const prepare = async (write: Write, context: JudgeContext): Promise<Prepared> => {
  const { analyser, tree, seen } = context;
  const { path } = write;
  const now = tree.read(path);
  let after = write.after === null ? undefined : toBytes(write.after);
  const findings: Finding[] = [];
  let merged = false;
  if (write.before !== undefined) {
    const base = write.before === null ? undefined : toBytes(write.before);
    const outcome = await compareBase(analyser, path, { base, now, after });
    findings.push(...outcome.findings);
    merged = outcome.merged;
    after = outcome.after;
  } else if (seen && now) {
    const known = await seen(path);
    const isSame = known === hash("sha256", now);
    if (known !== undefined && !isSame) findings.push(changedSince(path, "deny"));
    if (known === undefined) findings.push(...(await unreadFinding(write, now, context)));
  }
  const read = async (bytes: Buffer | undefined) => bytes && analyser.outline(bytes, path);
  // The new structure is what takes longest, so it is asked for first; every edit is asked for its syntax, and
  // that parser works at the same time.
  const afterReading = read(after);
  const beforeReading = read(now);
  const syntaxAfter = verdictOf(analyser, after, path);
  void syntaxAfter().catch(() => {});
  const [beforeRead, afterRead] = await Promise.all([beforeReading, afterReading]);
  for (const one of [beforeRead, afterRead]) if (one) answered(one, path);
  const file: FileCase = {
    path,
    before: beforeRead,
    after: afterRead,
    beforeBytes: now,
    afterBytes: after,
    regions: diffRegions(beforeRead, afterRead),
    syntaxBefore: verdictOf(analyser, now, path),
    syntaxAfter,
    shapeBefore: askShape(analyser, now, path),
    shapeAfter: askShape(analyser, after, path),
    judgeText: (text) => analyser.syntax(text, path),
    isTrusted: () => isTrustedAt(path, context),
    oldLine: lineMap(beforeRead?.source.text ?? "", afterRead?.source.text ?? ""),
  };
  return { file, merged, findings };
};

const compareBase = async (
  analyser: Analyser,
  path: string,
  {
    base,
    now,
    after,
  }: {
    readonly base: Buffer | undefined;
    readonly now: Buffer | undefined;
    readonly after: Buffer | undefined;
  },
): Promise<{
  readonly after: Buffer | undefined;
  readonly merged: boolean;
  readonly findings: readonly Finding[];
}> => {
  const isSame = base === undefined ? now === undefined : now !== undefined && base.equals(now);
  if (isSame) return { after, merged: false, findings: [] };
  if (base && now && after) {
    const fresh = await bringUpToDate(analyser, path, { base, ours: after, theirs: now });
    return {
      after: fresh.after,
      merged: fresh.isMerged,
      findings: fresh.finding ? [fresh.finding] : [],
    };
  }
  const what = now === undefined ? "it is gone" : base === undefined ? "it exists already" : "";
  return { after, merged: false, findings: [changedSince(path, "deny", what)] };
};

export const changedSince = (path: string, level: Finding["level"], what = ""): Finding => ({
  level,
  code: "STALE_VIEW",
  path,
  message: `${path} has changed since it was read${what && `: ${what}`}`,
  remedy: "Read the file again and make the change on its present content.",
});

export const toBytes = (content: string | Uint8Array): Buffer =>
  typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);

/** "Allowed" must never mean "not looked at". */
const notLookedAt = (cases: readonly JudgedCase[], told: readonly Reason[]): readonly Reason[] => {
  const named = new Set(told.flatMap(({ code, path }) => (code === "NOT_JUDGEABLE" ? [path] : [])));
  return cases.flatMap(({ file: { path, after }, cells }) => {
    const outline = cells ? undefined : after?.outline.coverage.outline;
    if (!outline || outline.state !== "off" || named.has(path)) return [];
    return [
      {
        code: "NOT_ANALYSED",
        path,
        message: `${path}: ${outline.why ?? "structure not analysed"}`,
        remedy: "Only the rules about paths, claims and stale views were applied.",
      },
    ];
  });
};

export const hashContent = (bytes: Buffer | undefined): string | null =>
  bytes ? hash("sha256", bytes) : null;

/** Deleting what is not there. */
const nothingToLookAt = notAnalysed("", "text", "there is no content").coverage;

const noProject = { state: "off", why: "no project to look names up in" } as const;

const toJudged = (
  { file, isMerged, cells }: JudgedCase,
  { further = [], asksTypes = false }: JudgeContext,
  notes: readonly Reason[],
): JudgedFile => {
  const outline = cells?.[0]?.file.after?.outline ?? (file.after ?? file.before)?.outline;
  const coverage = outline?.coverage ?? nothingToLookAt;
  const isAsked = further.some(({ name }) => name === "references");
  return {
    path: file.path,
    language: outline?.language ?? "text",
    coverage: {
      ...coverage,
      ...(!isAsked && { calls: noProject }),
      ...(cells && {
        calls: { state: "off", why: "calls are not followed in notebooks" } as const,
      }),
      ...(asksTypes && { types: typesOf(file, notes) }),
    },
    before: hashContent(file.beforeBytes),
    after: hashContent(file.afterBytes),
    regions: file.regions,
    ...(isMerged && file.afterBytes && { merged: file.afterBytes }),
  };
};

/** Checkers are asked about new calls only, and an answer that did not come is not "clean". */
const typesOf = (
  { path, before, after }: FileCase,
  notes: readonly Reason[],
): Coverage["types"] => {
  const family = after ? familyOf(after.outline.language) : "other";
  if (family === "other") return { state: "off", why: "no type checker for this language" };
  const unproven = notes.find((note) => note.path === path && note.code === "TYPES_NOT_PROVEN");
  if (unproven) return { state: "off", why: unproven.message };
  if (introducedCalls(before, after).length === 0) return { state: "off", why: "no new calls" };
  return { state: "live", by: family === "python" ? "pyright" : "typescript 7" };
};
