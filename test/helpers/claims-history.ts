/** Random calls on claims, what was answered to them, and whether the whole can be true. */
import type { Blocker, Claim, Claims, ClaimResult } from "../../src/claims/index.ts";
import { HeadgateError } from "../../src/errors.ts";
import {
  type Blocking,
  type Call,
  type ClaimsModelOptions,
  claimsModel,
  type ClaimsOperation,
  covers,
  type Held,
  isLook,
  type Mode,
  type Outcome,
  overlaps,
  type Ref,
  type TargetText,
  targetTexts,
} from "./claims-model.ts";
import { checkLinearizability, splitByKeys, type Verdict } from "./linearizability.ts";

/** Numbers from 0 up to 1, the same ones for the same seed. */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** An actor that makes random calls, and what it believes. It may believe in claims it has lost. */
export class RandomClient {
  readonly actor: string;
  readonly #random: () => number;
  readonly #ttlsMs: readonly number[];
  #own: readonly Held[] = [];
  #past: readonly Held[] = [];
  #foreign: readonly Blocking[] = [];

  constructor(actor: string, random: () => number, ttlsMs: readonly number[]) {
    this.actor = actor;
    this.#random = random;
    this.#ttlsMs = ttlsMs;
  }

  next(otherActors: readonly string[]): Call {
    const { actor } = this;
    const own = this.#pick(this.#own);
    const foreign = this.#pick(this.#foreign);
    const ttlMs = this.#pick(this.#ttlsMs)!;
    const mode: Mode = this.#random() < 0.65 ? "exclusive" : "shared";
    const dice = this.#random();
    if (own !== undefined && dice < 0.1) return { actor, kind: "renew", claim: own, ttlMs };
    if (own !== undefined && dice < 0.26) return { actor, kind: "release", claim: own };
    if (own !== undefined && dice < 0.4) {
      const alone = this.#pick(this.#own.filter((one) => one.mode === "exclusive")) ?? own;
      const inside = targetTexts.filter((target) => covers(alone.target, target));
      return {
        actor,
        kind: this.#random() < 0.5 ? "verify" : "write",
        fence: alone.fence,
        targets: [this.#pick(inside)!],
      };
    }
    if (own !== undefined && dice < 0.44) {
      const keep = disjoint(this.#some(targetTexts, 2), own.target);
      if (keep.length > 0) return { actor, kind: "narrow", claim: own, keep };
    }
    const to = this.#pick(otherActors);
    if (own !== undefined && to !== undefined && dice < 0.48) {
      return { actor, kind: "transfer", claim: own, to };
    }
    if (dice < 0.53) return { actor, kind: "check", targets: this.#some(targetTexts, 2), mode };
    if (dice < 0.57) return { actor, kind: "list", whose: "own" };
    // Under a fence of the past, perhaps while holding the same anew; by somebody who does not hold it.
    const past = this.#pick(this.#past);
    if (past !== undefined && dice < 0.61) {
      return { actor, kind: "write", fence: past.fence, targets: [past.target as TargetText] };
    }
    if (foreign !== undefined && dice < 0.64) return { actor, kind: "release", claim: foreign };
    if (foreign !== undefined && dice < 0.63)
      return { actor, kind: "renew", claim: foreign, ttlMs };
    const targets = this.#some(targetTexts, this.#random() < 0.3 ? 2 : 1);
    return {
      actor,
      kind: "claim",
      targets,
      mode,
      ttlMs,
      partial: this.#random() < 0.2,
      forSession: false,
    };
  }

  learn(call: Call, outcome: Outcome | undefined): void {
    const before = this.#own;
    this.#own = ownAfter(before, call, outcome);
    const lost = before.filter(({ fence }) => !this.#own.some((one) => one.fence === fence));
    this.#past = [...lost, ...this.#past].slice(0, 4);
    if ("claim" in call) this.#foreign = this.#foreign.filter(({ id }) => id !== call.claim.id);
    if (outcome?.kind === "blocked") this.#foreign = outcome.blockers.slice(0, 4);
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  #some(targets: readonly TargetText[], countMax: number): TargetText[] {
    const count = 1 + Math.floor(this.#random() * countMax);
    return [...new Set(Array.from({ length: count }, () => this.#pick(targets)!))];
  }
}

const ownAfter = (
  own: readonly Held[],
  call: Call,
  outcome: Outcome | undefined,
): readonly Held[] => {
  if (outcome?.kind === "refused" && "claim" in call) {
    return own.filter(({ id }) => id !== call.claim.id);
  }
  if (outcome?.kind === "verified" && !outcome.ok && "fence" in call) {
    return own.filter(({ fence, mode }) => fence !== call.fence || mode === "shared");
  }
  if (outcome?.kind !== "claims") return own;
  if (call.kind === "release" || call.kind === "transfer") {
    return own.filter(({ id }) => id !== call.claim.id);
  }
  if (call.kind === "list") return outcome.claims;
  return [
    ...own.filter(({ id }) => !outcome.claims.some((one) => one.id === id)),
    ...outcome.claims,
  ];
};

const disjoint = (targets: readonly TargetText[], inside: string): TargetText[] => {
  const kept: TargetText[] = [];
  for (const target of targets) {
    if (target === inside || !covers(inside, target)) continue;
    if (!kept.some((other) => overlaps(other, target))) kept.push(target);
  }
  return kept;
};

/** What the claims said; undefined when the outcome is unknown, "nothing" when nothing was done. */
export const perform = async (
  claims: Claims,
  call: Call,
  /** Wall clock minus the history's clock. */
  offsetMs: number,
): Promise<Outcome | "nothing" | undefined> => {
  const held = (claim: Claim): Held => ({
    id: claim.id,
    actor: claim.actor,
    target: claim.target,
    mode: claim.mode,
    fence: claim.fence,
    forSession: claim.forSession === true,
    ends: Date.parse(claim.expiresAt) - offsetMs,
  });
  const ofClaims = (list: readonly Claim[]): Outcome => ({
    kind: "claims",
    claims: list.map(held),
    refused: [],
  });
  const ofResult = (result: ClaimResult): Outcome => {
    if (!result.ok) return { kind: "blocked", blockers: result.blockers.map(blocking) };
    const refused = (result.refused ?? []).map(({ target, blockers }) => ({
      target,
      blockers: blockers.map(blocking),
    }));
    return { kind: "claims", claims: result.claims.map(held), refused };
  };
  const me = claims.actor.id === call.actor ? claims : claims.as(call.actor);
  try {
    switch (call.kind) {
      case "claim": {
        const { targets, mode, ttlMs, partial, forSession } = call;
        return ofResult(await me.claim({ targets, mode, ttlMs, partial, forSession }));
      }
      case "renew":
        return ofClaims((await me.renew(only(call.claim), { ttlMs: call.ttlMs })).claims);
      case "release":
        return ofClaims((await me.release(only(call.claim))).released);
      case "narrow":
        return ofClaims((await me.narrow(call.claim.id, call.keep)).claims);
      case "transfer":
        return ofResult(await me.transfer(only(call.claim), { to: call.to }));
      case "verify":
        return { kind: "verified", ok: (await me.verify(call.fence, call.targets)).ok };
      case "write": {
        const { ok } = await me.whileHeld(call.fence, call.targets, () => null);
        return { kind: "verified", ok };
      }
      case "check": {
        const { blockers } = await me.check(call.targets, { mode: call.mode });
        return { kind: "blocked", blockers: blockers.map(blocking) };
      }
      case "list":
        return ofClaims((await me.list(call.whose === "all" ? {} : { actor: call.actor })).claims);
    }
  } catch (error) {
    if (!HeadgateError.isInstance(error)) throw error;
    const { code } = error;
    if (code === "CLAIM_UNKNOWN" || code === "CLAIM_NOT_HELD") return { kind: "refused", code };
    if (error.entry.mayHaveTakenEffect && code !== "INTERNAL") return undefined;
    if (code === "STORE_BUSY") return "nothing";
    throw error;
  }
};

const only = ({ id }: Ref) => ({ claims: [id] });

const blocking = ({ id, actor, target, mode }: Blocker): Blocking => ({ id, actor, target, mode });

/** The parts of a history that have nothing to do with each other. */
export const componentsOf = (history: readonly ClaimsOperation[]): ClaimsOperation[][] => {
  const lists = history.filter(({ call }) => call.kind === "list");
  const others = history.filter(({ call }) => call.kind !== "list");
  const components = splitByKeys(others, ({ call }) => targetsOf(call), overlaps);
  // A list shows something of every part; each part gets its share of it.
  return components.map((component) => {
    const targets = new Set(component.flatMap(({ call }) => targetsOf(call)));
    const shares = lists.map((operation) => {
      if (operation.outcome?.kind !== "claims") return operation;
      const claims = operation.outcome.claims.filter(({ target }) => targets.has(target));
      return { ...operation, outcome: { ...operation.outcome, claims } };
    });
    return [...component, ...shares];
  });
};

const targetsOf = (call: Call): readonly string[] => {
  if (call.kind === "narrow") return [call.claim.target, ...call.keep];
  if ("claim" in call) return [call.claim.target];
  return "targets" in call ? call.targets : [];
};

/** Everything that is wrong with a history, in words; empty when it is linearizable. */
export const findProblems = (
  history: readonly ClaimsOperation[],
  options: ClaimsModelOptions & { readonly stepsMax?: number },
): string[] => {
  // Nobody can tell when an unanswered question would have been answered.
  const told = history.filter(
    ({ call, outcome }) => outcome !== undefined || !(isLook(call) || call.kind === "write"),
  );
  const problems = [...fenceProblems(told), ...verifyProblems(told)];
  for (const component of componentsOf(told)) {
    const verdict = checkLinearizability(component, claimsModel(options), options);
    if (verdict.kind !== "linearizable") problems.push(describe(verdict));
  }
  return problems;
};

/** Claims that an operation shows to their owner. */
const shown = ({ call, outcome }: ClaimsOperation): readonly Held[] =>
  outcome?.kind === "claims" && call.kind !== "release" ? outcome.claims : [];

/** A fence belongs to one actor for ever, and later grants have higher ones (G2). */
const fenceProblems = (history: readonly ClaimsOperation[]): string[] => {
  const problems: string[] = [];
  const owners = new Map<number, string>();
  // The answer to an unanswered transfer shows up late, as something old.
  const surprised = new Set(
    history.flatMap(({ call, outcome }) =>
      call.kind === "transfer" && outcome === undefined ? [call.to] : [],
    ),
  );
  const answered = history.filter((operation) => shown(operation).length > 0);
  const byEnd = answered.toSorted((a, b) => a.to - b.to);
  let at = 0;
  let highest = { fence: 0, text: "" };
  for (const operation of answered.toSorted((a, b) => a.from - b.from)) {
    for (; byEnd[at] !== undefined && byEnd[at]!.to < operation.from; at += 1) {
      const fence = Math.max(...shown(byEnd[at]!).map((held) => held.fence));
      if (fence > highest.fence) highest = { fence, text: describeOperation(byEnd[at]!) };
    }
    for (const { fence, actor } of shown(operation)) {
      const owner = owners.get(fence);
      if (owner !== undefined && owner !== actor) {
        problems.push(`G2 fence ${fence} was given to ${owner} and to ${actor}`);
      }
      const isNew = owner === undefined && ["claim", "transfer"].includes(operation.call.kind);
      owners.set(fence, actor);
      if (isNew && fence < highest.fence && !surprised.has(actor)) {
        const text = describeOperation(operation);
        problems.push(`G2 fence ${fence} came after ${highest.fence}: ${highest.text}, ${text}`);
      }
    }
  }
  return problems;
};

/** Writes under one fence are one actor's, and it was given that fence. */
const verifyProblems = (history: readonly ClaimsOperation[]): string[] => {
  const givenTo = new Map<number, string>();
  for (const operation of history) {
    for (const { fence, actor } of shown(operation)) givenTo.set(fence, actor);
  }
  return history.flatMap((operation) => {
    const { call, outcome } = operation;
    if (!("fence" in call) || outcome?.kind !== "verified" || !outcome.ok) return [];
    const owner = givenTo.get(call.fence);
    if (owner === call.actor) return [];
    return [`G3 fence ${call.fence} is of ${owner ?? "nobody"}: ${describeOperation(operation)}`];
  });
};

const describe = (verdict: Exclude<Verdict<ClaimsOperation>, { kind: "linearizable" }>): string => {
  const { kind, placed, last, stuck, steps } = verdict;
  return [
    `${kind === "illegal" ? "not linearizable" : kind} (${steps} steps): after ${placed} operations, the last of them`,
    ...last.map((operation) => `  ${describeOperation(operation)}`),
    "none of these can come next:",
    ...stuck.map((operation) => `  ${describeOperation(operation)}`),
  ].join("\n");
};

export const describeOperation = ({ call, outcome, from, to }: ClaimsOperation): string => {
  const { kind, actor, ...rest } = call;
  const answer = outcome === undefined ? "unknown" : JSON.stringify(outcome);
  return `${from.toFixed(1)}–${to.toFixed(1)} ${actor} ${kind} ${JSON.stringify(rest)} → ${answer}`;
};
