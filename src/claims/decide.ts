/** Whether a wish for targets can be granted now, and doing it. */
import type { Blocking } from "./blockers.ts";
import { type ClaimRow, isHeldBy, modesConflict, targetOf } from "./claim-row.ts";
import type { Ledger } from "./ledger.ts";
import { covers } from "./targets/overlap.ts";
import type { Target } from "./targets/target.ts";
import type { Actor, Mode } from "./types.ts";

export interface Wish {
  readonly targets: readonly Target[];
  readonly mode: Mode;
  readonly actor: Actor;
  readonly ttlMs: number;
  /** Undefined keeps the reason of a claim that is renewed. */
  readonly reason: string | undefined;
  readonly forSession: boolean;
}

/** What would be done for one target. */
export type Step =
  | { readonly kind: "insert"; readonly target: Target }
  | {
      readonly kind: "renew" | "upgrade" | "downgrade";
      readonly target: Target;
      readonly row: ClaimRow;
    }
  /** An earlier step of the same wish gives this target, too. */
  | { readonly kind: "same"; readonly target: Target; readonly as: Step }
  | { readonly kind: "blocked"; readonly target: Target; readonly by: readonly Blocking[] };

/** Which waiters stand in the way of a target; none for those who may pass them. */
export type Ahead = (target: Target) => readonly Blocking[];

export const plan = async (ledger: Ledger, wish: Wish, ahead: Ahead): Promise<Step[]> => {
  const steps: Step[] = [];
  for (const target of wish.targets) {
    const before = steps.find((step) => step.kind === "insert" && isInside(target, step.target));
    // What is held under its own name takes the mode that is asked for, also beside a broader new one.
    const isNew = before && !(await holdsItself(ledger, wish.actor, target));
    if (isNew) steps.push({ kind: "same", target, as: before });
    else steps.push(await planOne(ledger, wish, target, ahead));
  }
  return steps;
};

const holdsItself = async (ledger: Ledger, actor: Actor, target: Target): Promise<boolean> =>
  (await ledger.overlapping(target)).some(
    (row) => isHeldBy(row, actor) && isSameTarget(row, target),
  );

const planOne = async (
  ledger: Ledger,
  { mode, actor }: Wish,
  target: Target,
  ahead: Ahead,
): Promise<Step> => {
  const rows = await ledger.overlapping(target);
  const own = rows.filter((row) => isHeldBy(row, actor));
  const same = own.find((row) => isSameTarget(row, target));
  if (same && same.mode === mode) return { kind: "renew", target, row: same };
  if (same?.mode === "exclusive" && mode === "shared") {
    return { kind: "downgrade", target, row: same };
  }
  const broader = own.find(
    (row) => (row.mode === "exclusive" || row.mode === mode) && isInside(target, targetOf(row)),
  );
  if (broader) return { kind: "renew", target, row: broader };
  const by: Blocking[] = rows
    .filter((row) => !isHeldBy(row, actor) && modesConflict(row.mode, mode))
    .map((claim) => ({ claim, blocks: target.text }));
  by.push(...ahead(target));
  if (by.length > 0) return { kind: "blocked", target, by };
  return same ? { kind: "upgrade", target, row: same } : { kind: "insert", target };
};

/** Cheap tests first: of many targets in one call each is compared with those before it. */
const isInside = (inner: Target, outer: Target): boolean =>
  inner.place.startsWith(outer.place) && inner.tail.startsWith(outer.tail) && covers(outer, inner);

const isSameTarget = (row: ClaimRow, target: Target): boolean =>
  row.target === target.text && row.extent === target.extent && (row.folds === 1) === target.folds;

/** Carries out what is not blocked; the rows are in the order of the steps. */
export const apply = (
  ledger: Ledger,
  wish: Wish,
  steps: readonly Step[],
  data: { readonly [key: string]: string } = {},
): { readonly step: Step; readonly row: ClaimRow }[] => {
  const { ttlMs, actor, reason, forSession, mode } = wish;
  const needed = steps.filter((step) => step.kind === "insert" || step.kind === "upgrade").length;
  let fence = needed === 0 ? 0 : ledger.takeFences(needed, ttlMs);
  const done = new Map<Step, ClaimRow>();
  const renewed = new Map<string, ClaimRow>();
  const changes = changesByClaim(steps);
  for (const step of steps) {
    if (step.kind === "blocked" || step.kind === "same") continue;
    if (step.kind === "insert") {
      const { target } = step;
      const claim = { target, mode, actor, ttlMs, reason: reason ?? "", forSession };
      done.set(step, ledger.grant(claim, fence, data));
      fence += 1;
      continue;
    }
    const { row } = step;
    // Several targets under one claim change it once.
    const known = renewed.get(row.id);
    if (known) {
      done.set(step, known);
      continue;
    }
    const { kind, target } = changes.get(row.id) ?? step;
    const next = {
      ...ledger.extended(row, ttlMs),
      ...(reason !== undefined && isSameTarget(row, target) && { reason }),
      ...(forSession && row.actor === actor.id && { for_session: 1 as const }),
      ...(kind === "upgrade" && { mode, fence: fence++ }),
      ...(kind === "downgrade" && { mode: "shared" as const }),
    };
    const changed = ledger.change(row, next, words[kind], actor.id);
    if (kind === "downgrade") ledger.freed.push(target);
    renewed.set(row.id, changed);
    done.set(step, changed);
  }
  return steps.flatMap((step) => {
    const row = done.get(step.kind === "same" ? step.as : step);
    return row ? [{ step, row }] : [];
  });
};

type Change = Extract<Step, { readonly row: ClaimRow }>;

/** The step that counts for each claim: the one that names its very target, if there is one. */
const changesByClaim = (steps: readonly Step[]): Map<string, Change> => {
  const changes = new Map<string, Change>();
  for (const step of steps) {
    if (!("row" in step)) continue;
    if (!changes.has(step.row.id) || isSameTarget(step.row, step.target)) {
      changes.set(step.row.id, step);
    }
  }
  return changes;
};

/** Last words of event kinds. */
const words = { renew: "renewed", upgrade: "upgraded", downgrade: "downgraded" } as const;
