/** What becomes of findings: refused, noted or passed over, by path and by word of the writer. */
import type { Override, Reason, JudgeStage } from "./types.ts";
import type { PathPolicy } from "./rules/path-policy.ts";
import type { Finding, RuleName } from "./rules/rule.ts";

export type Level = "deny" | "warn" | "off";

export interface Policy extends PathPolicy {
  /** How a rule is applied to a path; undefined where no policy names it, which is deny for proof and warn for remarks. */
  readonly levelOf?: (rule: RuleName, path: string) => Level | undefined;
}

/** Never passed over by the word of the writer. */
const absolute = new Set<RuleName>(["path", "claims"]);

export const applyPolicy = (
  found: readonly { readonly rule: RuleName; readonly finding: Finding }[],
  policy: Policy,
  said: {
    readonly overrides: readonly Override[];
    readonly textOf: (path: string) => string;
    /** The old text; given where a comment must be older than the change to count. */
    readonly findOldText?: ((path: string) => string) | undefined;
    readonly stage: JudgeStage;
    /** The writer was asked about this slip before, and means it. */
    readonly isMeant: (path: string, missing: string) => boolean;
  },
): { reasons: Reason[]; notes: Reason[] } => {
  const reasons: Reason[] = [];
  const notes: Reason[] = [];
  for (const { rule, finding } of found) {
    const { level: own, later, ...told } = finding;
    const reason = { ...told };
    const level =
      policy.levelOf?.(rule, finding.path) ?? (own === "remark" ? "warn" : ("deny" as const));
    if (level === "off") continue;
    const word = absolute.has(rule) ? undefined : wordFor(finding, said);
    if (word?.isNew) reason.remedy += newComment;
    if (word && !word.isNew) {
      notes.push({ ...reason, message: `${reason.message} (passed: ${word.text})` });
    } else if (own === "note" || level === "warn") notes.push(reason);
    else if (later === undefined) reasons.push(reason);
    else if (said.stage === "commit") reasons.push({ ...reason, missing: later.missing });
    else if (later.slipOf === undefined || said.isMeant(finding.path, later.missing))
      notes.push(openEnd(reason, later.missing));
    else reasons.push(asked(reason, { missing: later.missing, slipOf: later.slipOf }));
  }
  // Few notes fit into one answer to an agent: first what its commit would be refused for.
  const isEnd = ({ missing }: Reason): boolean => missing !== undefined;
  const [ends, others] = [notes.filter(isEnd), notes.filter((note) => !isEnd(note))];
  return { reasons, notes: [...ends, ...others] };
};

const openEnd = (reason: Reason, missing: string): Reason => ({
  ...{ ...reason, missing },
  remedy: `${reason.remedy} Until then a commit with it is refused.`,
});

const asked = (
  reason: Reason,
  { missing, slipOf }: { readonly missing: string; readonly slipOf: string },
): Reason => ({
  ...{ ...reason, missing, confirm: true },
  remedy: `${reason.code === "IMPORT_UNKNOWN" ? "Import" : "Call"} ${slipOf} if that was meant. Repeat the same edit if you are about to add '${missing}'.`,
});

const newComment = " A comment that allows it counts once a person has committed it.";

/** The reason the writer gave: with the proposal, or in a comment on the line or the one above it. */
const wordFor = (
  { code, path, line }: Finding,
  {
    overrides,
    textOf,
    findOldText,
  }: {
    readonly overrides: readonly Override[];
    readonly textOf: (path: string) => string;
    readonly findOldText?: ((path: string) => string) | undefined;
  },
): { readonly text: string; readonly isNew: boolean } | undefined => {
  const given = overrides.find((one) => one.code === code && (one.path ?? path) === path);
  if (given && given.reason.trim() !== "") return { text: given.reason, isNew: false };
  if (line === undefined) return undefined;
  const lines = textOf(path).split(/\r\n|\r|\n/);
  const near = [lines[line - 2], lines[line - 1]].join("\n");
  const inline = /headgate-allow:\s*([A-Z_]+)\s+(\S[^\n]*)/.exec(near);
  if (inline?.[1] !== code) return undefined;
  const text = (inline[2] ?? "")
    .trim()
    .replace(/(?:\*\/|-->)$/, "")
    .trim();
  return { text, isNew: findOldText ? !findOldText(path).includes(inline[0]) : false };
};
