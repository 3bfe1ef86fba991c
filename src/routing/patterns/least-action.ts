/**
 * The least that cures a pattern: severity floor, path scope, later stage, one review in k, exclusion. A
 * smaller action is taken when it removes most of what was dismissed and keeps nearly all that was right.
 */
import type { Reader, Row, Statement } from "../../store/index.ts";
import type { Action, Override, Severity } from "../types.ts";
import { type PatternClass, reasonOfClass } from "./patterns.ts";

export interface Remedy {
  readonly action: Action;
  readonly details: Details;
  readonly why: string;
}

/** The override's own fields. */
export type Details = Pick<Override, "floor" | "except" | "every">;

/** It must take away this share of what was dismissed … */
const curedShare = 0.8;
/** … and at most this share of what was right. */
const lostShare = 0.1;

export interface Finding {
  readonly severity: Severity | null;
  readonly path: string | null;
  readonly amount: number;
}

export const leastAction = async (
  tx: Reader,
  scope: string,
  reviewer: string,
  of: PatternClass,
): Promise<Remedy> => {
  const rows = await tx.all<FindingRow>(selectFindings, { scope, reviewer });
  const reason = reasonOfClass(of);
  const isMeant = (row: FindingRow): boolean =>
    row.outcome === "dismissed" &&
    (row.reason === reason || (row.reason === null && of === "noise"));
  const right = rows.filter(({ outcome }) => outcome !== "dismissed");
  return chooseAction(of, { wrong: rows.filter(isMeant), right });
};

export const chooseAction = (
  of: PatternClass,
  findings: { readonly wrong: readonly Finding[]; readonly right: readonly Finding[] },
): Remedy => {
  const floor = of === "out-of-scope" ? undefined : floorFor(findings);
  if (floor) {
    return { action: "floor", details: { floor }, why: `most of them are below ${floor}` };
  }
  // Without anything right elsewhere, a folder is only where the reviewer happened to look.
  const isSeparable = of === "out-of-scope" || countOf(findings.right) > 0;
  const folder = isSeparable ? folderFor(findings) : undefined;
  if (folder !== undefined) {
    const except = [`${folder}/**`];
    return { action: "scope", details: { except }, why: `most of them are in ${folder}/` };
  }
  // A linter says it already, or it is known too late anyway: ask it only when the first ones have spoken.
  if (of === "duplicate-of-linter" || of === "nit" || of === "mis-severity") {
    return { action: "stage", details: {}, why: "no floor or folder separates them" };
  }
  const share = countOf(findings.right) / (countOf(findings.right) + countOf(findings.wrong));
  if (of !== "noise" || share > lostShare) {
    return {
      action: "sample",
      details: { every: 4 },
      why: "no floor or folder separates them, and some of its findings are right",
    };
  }
  return { action: "exclude", details: {}, why: "nothing smaller separates wrong from right" };
};

type Findings = Parameters<typeof chooseAction>[1];

const countOf = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { amount }) => sum + amount, 0);

const share = (findings: readonly Finding[], isIn: (one: Finding) => boolean): number => {
  const total = countOf(findings);
  return total === 0 ? 0 : countOf(findings.filter(isIn)) / total;
};

const ranks: Record<Severity, number> = { P0: 0, P1: 1, P2: 2, P3: 3 };

/** The lowest floor that cures; P0 is none, because nearly everything would be below it. */
const floorFor = ({ wrong, right }: Findings): Severity | undefined =>
  (["P2", "P1"] as const).find((floor) => {
    const isBelow = ({ severity }: Finding) => severity !== null && ranks[severity] > ranks[floor];
    return share(wrong, isBelow) >= curedShare && share(right, isBelow) <= lostShare;
  });

/** The deepest folder that holds most of the wrong ones and hardly any right one. */
const folderFor = ({ wrong, right }: Findings): string | undefined => {
  const folders = new Set<string>();
  for (const { path } of wrong) {
    const names = path?.split("/").slice(0, -1) ?? [];
    for (let depth = names.length; depth > 0; depth -= 1) {
      folders.add(names.slice(0, depth).join("/"));
    }
  }
  const deepest = [...folders].toSorted(
    (a, b) => b.split("/").length - a.split("/").length || (a < b ? -1 : 1),
  );
  return deepest.find((folder) => {
    const isIn = ({ path }: Finding) => path !== null && path.startsWith(`${folder}/`);
    // A folder whose name reads as a pattern would leave out something else.
    if (/[*?[\]{}!\\]/.test(folder)) return false;
    return share(wrong, isIn) >= curedShare && share(right, isIn) <= lostShare;
  });
};

interface FindingRow extends Row {
  readonly outcome: string;
  readonly reason: string | null;
  readonly severity: Severity | null;
  readonly path: string | null;
  readonly amount: number;
}

const selectFindings: Statement = {
  sql: `SELECT outcome, reason, severity, path, COUNT(*) AS amount FROM evidence
        WHERE scope_id = :scope AND reviewer = :reviewer AND held IS NULL
        GROUP BY outcome, reason, severity, path ORDER BY outcome, reason, severity, path LIMIT 20000`,
};
