/** The policy as the configuration says it. Patterns are those of claims. */
import { escapePath, parseTarget, type Target, targetCovers } from "../claims/index.ts";
import type { Level, Policy } from "./policy.ts";
import type { RuleName } from "./rules/rule.ts";

export interface GateConfig {
  readonly protect: readonly string[];
  readonly policies: readonly {
    readonly paths: readonly string[];
    readonly rules: Readonly<Partial<Record<string, Level | undefined>>>;
  }[];
}

/** One word for all paths, or words for some of them: the last that fits counts. */
export type WordByPath<Word extends string> =
  | Word
  | readonly { readonly paths: readonly string[]; readonly rule: Word }[];

/** How edits of several sessions get on with each other. */
export interface EditRules {
  /** Which uncommitted lines of others an edit waits for. */
  edits(path: string): "lines" | "symbols" | "files";
  /** Whether edits in other worktrees are noted or exclude. */
  across(path: string): "warn" | "exclude";
}

export const configuredEdits = (config: {
  readonly edits: WordByPath<"lines" | "symbols" | "files">;
  readonly across: WordByPath<"warn" | "exclude">;
}): EditRules => ({
  edits: wordByPath(config.edits, "lines"),
  across: wordByPath(config.across, "warn"),
});

/** As for paths: the last that fits the branch counts. */
export const configuredOpenEnds = (
  setting: "refuse" | "note" | readonly { branches: readonly string[]; rule: "refuse" | "note" }[],
  otherwise: "refuse" | "note",
): ((branch: string) => "refuse" | "note") =>
  wordByPath(
    typeof setting === "string"
      ? setting
      : setting.map(({ branches, rule }) => ({ paths: branches, rule })),
    otherwise,
  );

const wordByPath = <Word extends string>(
  setting: WordByPath<Word>,
  otherwise: Word,
): ((path: string) => Word) => {
  if (typeof setting === "string") return () => setting;
  const rules = setting.map(({ paths, rule }) => ({
    targets: paths.map((pattern) => parseTarget(pattern)),
    rule,
  }));
  return (path) => {
    const file = fileTarget(path);
    const fitting = rules.findLast(({ targets }) =>
      targets.some((target) => targetCovers(target, file)),
    );
    return fitting?.rule ?? otherwise;
  };
};

/** Throws TARGET_INVALID or TARGET_COMPLEX for a pattern that cannot be used. */
export const configuredPolicy = (config: GateConfig, platform: NodeJS.Platform): Policy => {
  const protect = config.protect.map((pattern) => ({ pattern, target: parseTarget(pattern) }));
  const policies = config.policies.map(({ paths, rules }) => ({
    targets: paths.map((pattern) => parseTarget(pattern)),
    rules,
  }));
  return {
    platform,
    protectedBy: (path) => {
      const file = fileTarget(path);
      return protect.find(({ target }) => targetCovers(target, file))?.pattern;
    },
    levelOf: (rule, path) => levelOf(policies, rule, path),
  };
};

const levelOf = (
  policies: readonly {
    readonly targets: readonly Target[];
    readonly rules: GateConfig["policies"][number]["rules"];
  }[],
  rule: RuleName,
  path: string,
): Level | undefined => {
  if (policies.length === 0) return undefined;
  const file = fileTarget(path);
  const fitting = policies.filter(
    ({ targets, rules }) =>
      rules[rule] !== undefined && targets.some((target) => targetCovers(target, file)),
  );
  return fitting.at(-1)?.rules[rule];
};

const fileTarget = (path: string): Target => parseTarget(escapePath(path), { extent: "file" });
