/**
 * What claims promise, as a small sequential machine: who holds what, and which fence was the last. It
 * does not foretell an outcome but judges it: which states may follow, none if it is wrong. So it copes
 * with what a history cannot tell: when exactly a claim ended, and whether an unanswered call happened.
 * Nothing here comes from src, so that a mistake there cannot be in both.
 */
import type { Operation, SequentialModel } from "./linearizability.ts";

/** Targets as sets of smallest parts: they overlap when they share one, and cover when they hold all. */
const parts = {
  a: ["a", "a/x", "a/b", "C", "C.m", "C.n", "a/b/y"],
  "a/b": ["a/b", "C", "C.m", "C.n", "a/b/y"],
  "a/*": ["a/x", "a/b", "C", "C.m", "C.n"],
  "a/b#C": ["C", "C.m", "C.n"],
  "a/b#C.m": ["C.m"],
  "a/b#C.n": ["C.n"],
  "d/e": ["d/e"],
  "**": ["a", "a/x", "a/b", "C", "C.m", "C.n", "a/b/y", "d/e", "elsewhere"],
  "name:x": ["x"],
  "name:y": ["y"],
} as const satisfies Record<string, readonly string[]>;

export type TargetText = keyof typeof parts;
export const targetTexts = Object.keys(parts) as TargetText[];

const partsOf = (target: string): readonly string[] => parts[target as TargetText];
export const overlaps = (a: string, b: string): boolean =>
  partsOf(a).some((part) => partsOf(b).includes(part));
export const covers = (outer: string, inner: string): boolean =>
  partsOf(inner).every((part) => partsOf(outer).includes(part));

export type Mode = "exclusive" | "shared" | "edit";

/** A claim as an answer shows it; `ends` in the history's clock. */
export interface Held {
  readonly id: string;
  readonly actor: string;
  readonly target: string;
  readonly mode: Mode;
  readonly fence: number;
  readonly forSession: boolean;
  readonly ends: number;
}

export type Call = { readonly actor: string } & (
  | {
      readonly kind: "claim";
      readonly targets: readonly TargetText[];
      readonly mode: Mode;
      readonly ttlMs: number;
      readonly partial: boolean;
      readonly forSession: boolean;
    }
  | { readonly kind: "renew"; readonly claim: Ref; readonly ttlMs: number }
  | { readonly kind: "release"; readonly claim: Ref }
  | { readonly kind: "narrow"; readonly claim: Ref; readonly keep: readonly TargetText[] }
  | { readonly kind: "transfer"; readonly claim: Ref; readonly to: string }
  /** Whether a write would be let through, and a write that is let through or not. */
  | {
      readonly kind: "verify" | "write";
      readonly fence: number;
      readonly targets: readonly TargetText[];
    }
  | { readonly kind: "check"; readonly targets: readonly TargetText[]; readonly mode: Mode }
  /** The actor's own claims, or everybody's. */
  | { readonly kind: "list"; readonly whose: "own" | "all" }
);

/** A claim with its target, so that a call's place in the history is known without its outcome. */
export interface Ref {
  readonly id: string;
  readonly target: string;
}

export interface Blocking {
  readonly id: string;
  readonly actor: string;
  readonly target: string;
  readonly mode: Mode;
}

export type Outcome =
  | {
      readonly kind: "claims";
      readonly claims: readonly Held[];
      /** What a partial claim did not get. */
      readonly refused: readonly {
        readonly target: string;
        readonly blockers: readonly Blocking[];
      }[];
    }
  /** Of a claim, a transfer or a check; a check that is clear has none. */
  | { readonly kind: "blocked"; readonly blockers: readonly Blocking[] }
  | { readonly kind: "verified"; readonly ok: boolean }
  | { readonly kind: "refused"; readonly code: "CLAIM_UNKNOWN" | "CLAIM_NOT_HELD" };

export type ClaimsOperation = Operation<Call, Outcome>;

/** A claim somebody holds. What an unknown outcome did not tell is undefined until it shows. */
export interface Holder {
  readonly id: string | undefined;
  readonly actor: string;
  readonly target: string;
  readonly mode: Mode;
  readonly fence: number | undefined;
  /** Then it counts for every actor whose name begins with the same session. */
  readonly forSession: boolean;
  /** Between these two moments it ends by itself. */
  readonly endsFrom: number;
  readonly endsTo: number;
}

export interface ClaimsState {
  readonly holders: readonly Holder[];
  readonly fence: number;
}

export interface ClaimsModelOptions {
  /** How far the store's clock and the history's may be apart. */
  readonly slackMs: number;
  /** The earliest moment at which the actor's process may have died: its claims may be taken then. */
  readonly diedAt?: (actor: string) => number | undefined;
}

/** The machine: a state and one operation in, the states that may follow out. */
export const claimsModel = (
  options: ClaimsModelOptions,
): SequentialModel<ClaimsState, ClaimsOperation> => ({
  initial: { holders: [], fence: 0 },
  key: ({ holders, fence }) => `${fence} ${holders.map(keyOf).toSorted().join(" ")}`,
  mayMatterTo: mayMatter,
  step: (state, operation) => {
    const judge = new Judge(state, operation, options);
    try {
      return operation.outcome === undefined
        ? judge.unanswered(operation.call)
        : [judge.answered(operation.call, operation.outcome)];
    } catch (error) {
      if (error === illegal) return [];
      throw error;
    }
  },
});

/** Whether the unanswered call may be what made the other one go as it did. */
const mayMatter = ({ call: unanswered }: ClaimsOperation, other: ClaimsOperation): boolean => {
  const shown = shownIn(other.outcome);
  if (unanswered.kind === "claim") {
    const { actor, targets } = unanswered;
    return shown.some(
      (one) => one.actor === actor && targets.some((target) => covers(one.target, target)),
    );
  }
  if (!("claim" in unanswered)) return false;
  const { id, target } = unanswered.claim;
  if (shown.some((one) => one.id === id || overlaps(one.target, target))) return true;
  const { call } = other;
  if ("claim" in call) return call.claim.id === id;
  return "targets" in call ? call.targets.some((one) => overlaps(one, target)) : true;
};

const shownIn = (outcome: Outcome | undefined): readonly (Blocking | Held)[] => {
  if (outcome?.kind === "blocked") return outcome.blockers;
  if (outcome?.kind !== "claims") return [];
  return [...outcome.claims, ...outcome.refused.flatMap(({ blockers }) => blockers)];
};

const illegal = Symbol("illegal");
function must(condition: boolean): asserts condition {
  // oxlint-disable-next-line no-throw-literal -- thrown a million times; nobody reads its stack
  if (!condition) throw illegal;
}

class Judge {
  readonly #operation: ClaimsOperation;
  readonly #options: ClaimsModelOptions;
  #holders: readonly Holder[];
  #unseen: readonly Holder[];
  #fence: number;

  constructor(state: ClaimsState, operation: ClaimsOperation, options: ClaimsModelOptions) {
    const earliest = operation.from - options.slackMs;
    const isOver = ({ endsTo }: Holder) => endsTo < earliest;
    this.#operation = operation;
    this.#options = options;
    this.#holders = state.holders.filter((one) => !isOver(one));
    // A look ends nothing: a renewal decided before the end may be committed a little after it.
    this.#unseen = isLook(operation.call) ? state.holders.filter(isOver) : [];
    this.#fence = state.fence;
  }

  answered(call: Call, outcome: Outcome): ClaimsState {
    if (outcome.kind === "refused") this.#refuse(call, outcome.code);
    else this.#done(call, outcome);
    return { holders: [...this.#holders, ...this.#unseen], fence: this.#fence };
  }

  #done(call: Call, outcome: Outcome): void {
    switch (call.kind) {
      case "claim":
        return this.#claim(call, outcome);
      case "transfer":
        return this.#transfer(call, outcome);
      case "release":
        return this.#release(call, claimsOf(outcome));
      case "renew":
        return this.#renew(call, claimsOf(outcome));
      case "narrow":
        return this.#narrow(call, claimsOf(outcome));
      case "list":
        return this.#list(call, claimsOf(outcome));
      case "check":
        return this.#check(call, outcome);
      case "verify":
      case "write":
        return this.#verify(call, outcome);
    }
  }

  #claim(call: Call & { kind: "claim" }, outcome: Outcome): void {
    const { actor, mode, targets, partial } = call;
    if (outcome.kind === "blocked") {
      const { blockers } = outcome;
      const isBlocked = (target: string) => blockers.some((one) => overlaps(one.target, target));
      must(partial ? targets.every(isBlocked) : targets.some(isBlocked));
      this.#meet(this.#conflicts(actor, targets, mode), blockers);
      return;
    }
    must(outcome.kind === "claims" && (partial || outcome.refused.length === 0));
    for (const target of targets) {
      // What one has already is not asked of anybody else.
      if (this.#isHeld(actor, outcome.claims, { target, mode })) continue;
      const refusal = outcome.refused.find((one) => one.target === target);
      must(refusal?.blockers.length !== 0);
      this.#meet(this.#conflicts(actor, [target], mode), refusal?.blockers ?? []);
    }
    const granted = targets.filter((one) => !outcome.refused.some(({ target }) => target === one));
    must(granted.length === outcome.claims.length);
    const before = this.#holders;
    const lastFence = this.#fence;
    for (const [at, held] of outcome.claims.entries()) {
      must(suffices(held, { target: granted[at]!, mode }));
      if (outcome.claims.findIndex(({ id }) => id === held.id) < at) continue;
      const known = before.find(({ id }) => id === held.id);
      if (known === undefined) {
        must(held.actor === actor && held.mode === mode && held.forSession === call.forSession);
        must(granted.includes(held.target as TargetText));
        // No stacking: whoever has it already is given the same claim again.
        const own = before.filter((one) => isHeldBy(one, actor));
        this.#end(own.filter((one) => suffices(one, held) || one.target === held.target));
      } else {
        must(isHeldBy(known, actor) && known.actor === held.actor && known.target === held.target);
        // Asked for itself it takes the mode that was asked for; under a broader claim that stays.
        const isAsked = granted.includes(known.target as TargetText);
        must(held.mode === (isAsked ? mode : known.mode));
        must(held.forSession === (known.forSession || (call.forSession && known.actor === actor)));
      }
      // A right that grows takes a new fence; all others keep theirs.
      const isGrown = known === undefined || (known.mode === "shared" && held.mode === "exclusive");
      must(isGrown ? held.fence > lastFence : held.fence === (known.fence ?? held.fence));
      this.#extend(known, held, call.ttlMs);
    }
  }

  #transfer({ actor, to, claim }: Call & { kind: "transfer" }, outcome: Outcome): void {
    const holder = this.#ownById(claim.id, actor);
    const inTheWay = this.#inTheWayOf(holder, to);
    if (outcome.kind === "blocked") {
      must(outcome.blockers.length > 0);
      this.#meet(inTheWay, outcome.blockers);
      return;
    }
    must(outcome.kind === "claims" && outcome.claims.length === 1);
    const held = outcome.claims[0]!;
    must(held.fence > this.#fence);
    must(isShownBy({ ...holder, actor: to, fence: undefined, forSession: false }, held));
    this.#end(inTheWay);
    this.#replace(holder, [this.#learn(holder, held)]);
  }

  #release({ actor, claim }: Call & { kind: "release" }, claims: readonly Held[]): void {
    if (claims.length === 0) {
      this.#end(this.#holders.filter(({ id }) => id === claim.id));
      return;
    }
    const holder = this.#ownById(claim.id, actor);
    must(claims.length === 1 && isShownBy(holder, claims[0]!));
    this.#replace(holder, []);
  }

  #renew({ actor, claim, ttlMs }: Call & { kind: "renew" }, claims: readonly Held[]): void {
    const holder = this.#ownById(claim.id, actor);
    must(claims.length === 1 && isShownBy(holder, claims[0]!));
    this.#extend(holder, claims[0]!, ttlMs);
  }

  #narrow({ actor, claim, keep }: Call & { kind: "narrow" }, claims: readonly Held[]): void {
    const holder = this.#ownById(claim.id, actor);
    must(claims.length === keep.length);
    const parts = claims.map((held, at) => {
      must(isShownBy({ ...holder, id: undefined, target: keep[at]! }, held));
      return this.#learn(holder, held);
    });
    this.#replace(holder, parts);
  }

  #verify(call: Call & { kind: "verify" | "write" }, outcome: Outcome): void {
    must(outcome.kind === "verified");
    const holding = this.#holders.filter(
      (one) =>
        isHeldBy(one, call.actor) &&
        one.mode === "exclusive" &&
        one.fence === call.fence &&
        call.targets.every((target) => covers(one.target, target)),
    );
    if (outcome.ok) must(holding.length > 0);
    else this.#end(holding);
  }

  #check({ actor, targets, mode }: Call & { kind: "check" }, outcome: Outcome): void {
    must(outcome.kind === "blocked");
    this.#meet(this.#conflicts(actor, targets, mode), outcome.blockers);
  }

  #list(call: Call & { kind: "list" }, claims: readonly Held[]): void {
    const wanted = call.whose === "all" ? this.#holders : this.#ofActor(call.actor);
    this.#meet(wanted, claims);
  }

  #refuse(call: Call, code: "CLAIM_UNKNOWN" | "CLAIM_NOT_HELD"): void {
    must("claim" in call);
    const holders = this.#holders.filter(({ id }) => id === call.claim.id);
    if (code === "CLAIM_UNKNOWN") this.#end(holders);
    else must(holders.length === 1 && !isHeldBy(holders[0]!, call.actor));
  }

  /** What it would have done. That it did nothing is covered by not placing it at all. */
  unanswered(call: Call): ClaimsState[] {
    if (call.kind === "claim") return this.#claimUnseen(call);
    must("claim" in call);
    const holder = this.#ownById(call.claim.id, call.actor);
    const unseen = { ...holder, id: undefined };
    if (call.kind === "release") this.#replace(holder, []);
    else if (call.kind === "renew") this.#replace(holder, [this.#extended(holder, call.ttlMs)]);
    else if (call.kind === "narrow") {
      this.#replace(
        holder,
        call.keep.map((target) => ({ ...unseen, target })),
      );
    } else {
      this.#end(this.#inTheWayOf(holder, call.to));
      const moved = { ...holder, actor: call.to, fence: undefined, forSession: false };
      this.#replace(holder, [moved]);
    }
    return [{ holders: this.#holders, fence: this.#fence }];
  }

  /** For each target: new, or more of what there is, or with `partial` not granted. */
  #claimUnseen(call: Call & { kind: "claim" }): ClaimsState[] {
    const { actor, mode, ttlMs, forSession } = call;
    const { from, to } = this.#operation;
    const span = { endsFrom: from + ttlMs, endsTo: to + ttlMs };
    const fresh = { id: undefined, fence: undefined, actor, mode, forSession, ...span };
    // What this very call raised does not count as held before it.
    const raised = new Set<Holder>();
    let states: (readonly Holder[])[] = [this.#holders];
    for (const target of call.targets) {
      states = states.flatMap((holders) => {
        const owns = holders.filter((one) => isHeldBy(one, actor) && !raised.has(one));
        const same = owns.find((one) => one.target === target);
        const enough = owns.filter((one) => suffices(one, { target, mode }));
        const more = (one: Holder): Holder => ({
          ...this.#extended(one, ttlMs),
          forSession: one.forSession || (forSession && one.actor === actor),
        });
        const next = enough.map((one) =>
          swap(holders, [one], [one === same ? { ...more(one), mode } : more(one)]),
        );
        const others = conflictsIn(holders, actor, [target], mode);
        // Something broader that this very call brought is no reason not to raise what is held by its own name.
        const isBrought = (one: Holder): boolean =>
          one.id === undefined && one.fence === undefined && one.endsFrom === span.endsFrom;
        if (same && !enough.includes(same) && enough.length > 0 && enough.every(isBrought)) {
          const higher = { ...more(same), mode, fence: undefined };
          raised.add(higher);
          next.push(swap(holders, [same], [higher]));
        }
        if (call.partial && others.length > 0) next.push(holders);
        if (![...others, ...enough].every((one) => this.#mayBeOver(one))) return next;
        const free = swap(holders, [...others, ...enough], []);
        if (same && !enough.includes(same)) {
          const higher = { ...more(same), mode, fence: undefined };
          raised.add(higher);
          next.push(swap(free, [same], [higher]));
        }
        if (!same || this.#mayBeOver(same)) {
          next.push(swap(free, same ? [same] : [], [{ ...fresh, target }]));
        }
        return next;
      });
    }
    return states.map((holders) => ({ holders, fence: this.#fence }));
  }

  /** Whoever of `among` is not shown must have ended meanwhile; whatever is shown must be among them. */
  #meet(among: readonly Holder[], shown: readonly (Blocking | Held)[]): void {
    const met = new Map<Holder, Holder>();
    for (const one of shown) {
      const holder = among.find((other) => !met.has(other) && isShownBy(other, one));
      must(holder !== undefined);
      met.set(holder, "fence" in one ? this.#learn(holder, one) : { ...holder, id: one.id });
    }
    this.#end(among.filter((holder) => !met.has(holder)));
    this.#holders = this.#holders.map((holder) => met.get(holder) ?? holder);
  }

  #end(holders: readonly Holder[]): void {
    must(holders.every((holder) => this.#mayBeOver(holder)));
    if (isLook(this.#operation.call)) this.#unseen = [...this.#unseen, ...holders];
    this.#holders = swap(this.#holders, holders, []);
  }

  /** Asking again never shortens what one has. */
  #extend(before: Holder | undefined, { ends, ...rest }: Held, ttlMs: number): void {
    const { from, to } = this.#operation;
    const { slackMs } = this.#options;
    must(ends >= from + ttlMs - slackMs);
    must(ends <= Math.max(to + ttlMs, before?.endsTo ?? 0) + slackMs);
    this.#replace(before, [{ ...rest, endsFrom: ends, endsTo: ends }]);
  }

  #extended(holder: Holder, ttlMs: number): Holder {
    return { ...holder, endsTo: Math.max(holder.endsTo, this.#operation.to + ttlMs) };
  }

  #learn({ endsFrom, endsTo }: Holder, { ends, ...rest }: Held): Holder {
    const { slackMs } = this.#options;
    must(ends >= endsFrom - slackMs && ends <= endsTo + slackMs);
    return { ...rest, endsFrom: ends, endsTo: ends };
  }

  #replace(before: Holder | undefined, next: readonly Holder[]): void {
    this.#holders = swap(this.#holders, before ? [before] : [], next);
    this.#fence = Math.max(this.#fence, ...next.map(({ fence = 0 }) => fence));
  }

  #mayBeOver({ endsFrom, actor }: Holder): boolean {
    const { to } = this.#operation;
    const { slackMs, diedAt } = this.#options;
    return to + slackMs >= endsFrom || (diedAt?.(actor) ?? Infinity) <= to;
  }

  #isHeld(actor: string, claims: readonly Held[], wanted: { target: string; mode: Mode }): boolean {
    return this.#holders.some(
      (one) =>
        isHeldBy(one, actor) && suffices(one, wanted) && claims.some(({ id }) => id === one.id),
    );
  }

  #conflicts(actor: string, targets: readonly string[], mode: Mode): Holder[] {
    return conflictsIn(this.#holders, actor, targets, mode);
  }

  /** The receiver's own claims nearby, and whatever could not stand beside what it is given. */
  #inTheWayOf(moved: Holder, receiver: string): Holder[] {
    const conflicts = conflictsIn(this.#holders, receiver, [moved.target], moved.mode);
    return this.#holders.filter(
      (one) =>
        one !== moved &&
        overlaps(one.target, moved.target) &&
        (one.actor === receiver || conflicts.includes(one)),
    );
  }

  #ofActor(actor: string): Holder[] {
    return this.#holders.filter((one) => one.actor === actor);
  }

  #ownById(id: string, actor: string): Holder {
    const holder = this.#holders.find((one) => one.id === id);
    must(holder !== undefined && isHeldBy(holder, actor));
    return holder;
  }
}

/** Decides by what it finds, without the store's write turn. */
export const isLook = ({ kind }: Call): boolean =>
  kind === "verify" || kind === "check" || kind === "list";

const claimsOf = (outcome: Outcome): readonly Held[] => {
  must(outcome.kind === "claims");
  return outcome.claims;
};

const swap = (
  holders: readonly Holder[],
  out: readonly Holder[],
  into: readonly Holder[],
): readonly Holder[] => [...holders.filter((one) => !out.includes(one)), ...into];

const sessionOf = (actor: string): string => actor.split("/")[0]!;

export const isHeldBy = (holder: Pick<Holder, "actor" | "forSession">, actor: string): boolean =>
  holder.actor === actor || (holder.forSession && sessionOf(holder.actor) === sessionOf(actor));

const conflictsIn = (
  holders: readonly Holder[],
  actor: string,
  targets: readonly string[],
  mode: Mode,
): Holder[] =>
  holders.filter(
    (one) =>
      !isHeldBy(one, actor) &&
      (mode === "exclusive" || one.mode === "exclusive") &&
      targets.some((target) => overlaps(one.target, target)),
  );

/** What is held gives at least what is wanted. */
const suffices = (
  held: { readonly target: string; readonly mode: Mode },
  wanted: { readonly target: string; readonly mode: Mode },
): boolean =>
  covers(held.target, wanted.target) && (held.mode === "exclusive" || wanted.mode === "shared");

const isShownBy = (holder: Holder, shown: Blocking | Held): boolean =>
  (holder.id ?? shown.id) === shown.id &&
  holder.actor === shown.actor &&
  holder.target === shown.target &&
  holder.mode === shown.mode &&
  (!("fence" in shown) ||
    ((holder.fence ?? shown.fence) === shown.fence && holder.forSession === shown.forSession));

const keyOf = ({ id, actor, target, mode, fence, forSession, endsFrom, endsTo }: Holder): string =>
  `${id}|${actor}|${target}|${mode}|${fence}|${forSession}|${endsFrom}|${endsTo}`;
