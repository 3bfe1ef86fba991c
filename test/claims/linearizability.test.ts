import { describe, expect, it } from "vitest";
import { defects, simulateHistory } from "../helpers/broken-claims.ts";
import { componentsOf, findProblems } from "../helpers/claims-history.ts";
import type {
  Blocking,
  Call,
  ClaimsOperation,
  Held,
  Mode,
  Outcome,
  TargetText,
} from "../helpers/claims-model.ts";
import { checkLinearizability, type Operation } from "../helpers/linearizability.ts";

/** The proof of the proof: what the checker accepts and what it must not. */
const ttlMs = 1000;

const held = (id: string, target: string, more: Partial<Held> = {}): Held => ({
  id,
  target,
  actor: "ann",
  mode: "exclusive",
  fence: Number(id.slice(1)),
  forSession: false,
  ends: ttlMs,
  ...more,
});
const shown = ({ id, actor, target, mode }: Held): Blocking => ({ id, actor, target, mode });
const gives = (...claims: Held[]): Outcome => ({ kind: "claims", claims, refused: [] });
const blockedBy = (...claims: Held[]): Outcome => ({
  kind: "blocked",
  blockers: claims.map(shown),
});
const unknownClaim: Outcome = { kind: "refused", code: "CLAIM_UNKNOWN" };
const notHeld: Outcome = { kind: "refused", code: "CLAIM_NOT_HELD" };
const verified = (ok: boolean): Outcome => ({ kind: "verified", ok });

const asked = (
  [from, to]: readonly [number, number],
  call: Call,
  outcome: Outcome | undefined,
): ClaimsOperation => ({ client: call.actor, call, outcome, from, to });

type Span = readonly [number, number];
const claims = (
  actor: string,
  span: Span,
  targets: TargetText | readonly TargetText[],
  outcome: Outcome | undefined,
  more: { readonly mode?: Mode; readonly partial?: boolean } = {},
) =>
  asked(
    span,
    {
      kind: "claim",
      actor,
      targets: typeof targets === "string" ? [targets] : targets,
      mode: more.mode ?? "exclusive",
      ttlMs,
      partial: more.partial ?? false,
      forSession: false,
    },
    outcome,
  );
const releases = (actor: string, span: Span, claim: Held, outcome: Outcome | undefined) =>
  asked(span, { kind: "release", actor, claim }, outcome);
const renews = (actor: string, span: Span, claim: Held, outcome: Outcome) =>
  asked(span, { kind: "renew", actor, claim, ttlMs }, outcome);
const writes = (actor: string, span: Span, claim: Held, ok: boolean, target = claim.target) =>
  asked(
    span,
    { kind: "write", actor, fence: claim.fence, targets: [target as TargetText] },
    verified(ok),
  );
const checks = (actor: string, span: Span, target: TargetText, outcome: Outcome) =>
  asked(span, { kind: "check", actor, targets: [target], mode: "exclusive" }, outcome);
const lists = (actor: string, span: Span, outcome: Outcome) =>
  asked(span, { kind: "list", actor, whose: "own" }, outcome);

/** Ann's claim on `a/b`, granted between 0 and 10, over between 1000 and 1010; here at 1005. */
const ann = held("c1", "a/b", { ends: 1005 });
const annClaims = claims("ann", [0, 10], "a/b", gives(ann));
const bob = held("c2", "a/b", { actor: "bob" });
const bobClaims = (span: Span, ends: number) => claims("bob", span, "a/b", gives({ ...bob, ends }));

const problemsOf = (
  history: readonly ClaimsOperation[],
  diedAt: (actor: string) => number | undefined = () => undefined,
) => findProblems(history, { slackMs: 0.5, diedAt });

describe("histories that are right", () => {
  const good: Record<string, readonly ClaimsOperation[]> = {
    "nothing at all": [],
    "one after the other": [
      annClaims,
      claims("bob", [20, 30], "a/b#C.m", blockedBy(ann)),
      releases("ann", [40, 50], ann, gives(ann)),
      bobClaims([60, 70], 1065),
    ],
    "the loser is answered before the winner": [
      claims("bob", [2, 5], "a/b", blockedBy(ann)),
      annClaims,
    ],
    "granted while the release is under way": [
      annClaims,
      releases("ann", [20, 90], ann, gives(ann)),
      bobClaims([30, 40], 1035),
    ],
    "refused while the release is under way": [
      annClaims,
      claims("bob", [30, 80], "a/b", blockedBy(ann)),
      releases("ann", [20, 40], ann, gives(ann)),
    ],
    "taken after its end": [annClaims, bobClaims([1006, 1010], 2008)],
    "taken right at its end": [annClaims, bobClaims([990, 1010], 2006)],
    "still refused right at its end": [
      annClaims,
      claims("bob", [990, 1010], "a/b", blockedBy(ann)),
    ],
    "unanswered, but others see it": [
      claims("ann", [0, 10], "a/b", undefined),
      checks("bob", [20, 30], "a/b#C", blockedBy(ann)),
      checks("cid", [40, 50], "a", blockedBy(ann)),
      bobClaims([1011, 1012], 2012),
    ],
    "unanswered, and it never happened": [
      claims("ann", [0, 10], "a/b", undefined),
      bobClaims([20, 30], 1025),
    ],
    "an unanswered release that happens late": [
      annClaims,
      releases("ann", [20, Infinity], ann, undefined),
      claims("bob", [30, 40], "a/b", blockedBy(ann)),
      bobClaims([50, 60], 1055),
    ],
    "unanswered for two targets, all or nothing": [
      claims("ann", [0, 10], ["a/b", "name:x"], undefined),
      checks("bob", [20, 30], "name:x", blockedBy(held("c7", "name:x"))),
      checks("bob", [40, 50], "a/b", blockedBy(held("c6", "a/b"))),
    ],
    "sharers side by side, and one of them alone later": [
      claims("ann", [0, 10], "a", gives(held("c1", "a", { mode: "shared" })), { mode: "shared" }),
      claims(
        "bob",
        [20, 30],
        "a/*",
        gives(held("c2", "a/*", { actor: "bob", mode: "shared", ends: 1025 })),
        { mode: "shared" },
      ),
      releases(
        "bob",
        [40, 50],
        held("c2", "a/*", { actor: "bob", mode: "shared" }),
        gives(held("c2", "a/*", { actor: "bob", mode: "shared", ends: 1025 })),
      ),
      claims("ann", [60, 70], "a", gives(held("c1", "a", { fence: 3, ends: 1065 }))),
    ],
    "asked again, the same claim lasts longer": [
      annClaims,
      claims("ann", [500, 510], "a/b#C", gives({ ...ann, ends: 1505 })),
      checks("bob", [1200, 1210], "a/b", blockedBy(ann)),
    ],
    "renewed in time, or too late": [
      annClaims,
      renews("ann", [900, 1100], ann, gives({ ...ann, ends: 1950 })),
      renews("ann", [1900, 2000], ann, unknownClaim),
    ],
    "a look between its end and the late commit of its renewal": [
      annClaims,
      renews("ann", [900, 1300], ann, gives({ ...ann, ends: 1905 })),
      checks("bob", [1100, 1110], "a/b", blockedBy()),
      checks("bob", [1310, 1320], "a/b", blockedBy(ann)),
    ],
    "narrowed, the rest is free": [
      annClaims,
      asked(
        [20, 30],
        { kind: "narrow", actor: "ann", claim: ann, keep: ["a/b#C.m"] },
        gives({ ...ann, target: "a/b#C.m" }),
      ),
      claims(
        "bob",
        [40, 50],
        "a/b#C.n",
        gives(held("c2", "a/b#C.n", { actor: "bob", ends: 1045 })),
      ),
      claims("bob", [60, 70], "a/b#C", blockedBy({ ...ann, target: "a/b#C.m" })),
    ],
    "handed on, the giver writes no more": [
      annClaims,
      writes("ann", [12, 14], ann, true, "a/b#C"),
      asked(
        [20, 30],
        { kind: "transfer", actor: "ann", claim: ann, to: "bob" },
        gives({ ...ann, actor: "bob", fence: 2 }),
      ),
      writes("ann", [40, 50], ann, false),
      writes("bob", [40, 50], { ...ann, actor: "bob", fence: 2 }, true),
      renews("ann", [60, 70], ann, notHeld),
    ],
    "what is free of several targets": [
      annClaims,
      claims(
        "bob",
        [20, 30],
        ["a/*", "name:x"],
        {
          kind: "claims",
          claims: [held("c2", "name:x", { actor: "bob", ends: 1025 })],
          refused: [{ target: "a/*", blockers: [shown(ann)] }],
        },
        { partial: true },
      ),
      lists("bob", [40, 50], gives(held("c2", "name:x", { actor: "bob", ends: 1025 }))),
    ],
  };
  it.each(Object.entries(good))("%s", (_, history) => {
    expect(problemsOf(history)).toEqual([]);
  });

  it("C-03 a dead holder's claim is taken before its end, but not before its death", () => {
    const history = [annClaims, bobClaims([100, 110], 1105)];
    expect(problemsOf(history, (actor) => (actor === "ann" ? 90 : undefined))).toEqual([]);
    expect(problemsOf(history, (actor) => (actor === "ann" ? 120 : undefined))).toHaveLength(1);
  });
});

describe("histories that are wrong", () => {
  const bad: Record<string, readonly ClaimsOperation[]> = {
    "G1 two have it": [annClaims, bobClaims([20, 30], 1025)],
    "G1 two have it, asked at once": [annClaims, bobClaims([0, 10], 1005)],
    "G1 one has a part of what the other has": [
      annClaims,
      claims(
        "bob",
        [20, 30],
        "a/b#C.m",
        gives(held("c2", "a/b#C.m", { actor: "bob", ends: 1025 })),
      ),
    ],
    "G1 one shares what the other has alone": [
      annClaims,
      claims(
        "bob",
        [20, 30],
        "**",
        gives(held("c2", "**", { actor: "bob", mode: "shared", ends: 1025 })),
        { mode: "shared" },
      ),
    ],
    "G1 upgraded although another shares": [
      claims("ann", [0, 10], "a", gives(held("c1", "a", { mode: "shared" })), { mode: "shared" }),
      claims(
        "bob",
        [20, 30],
        "a/*",
        gives(held("c2", "a/*", { actor: "bob", mode: "shared", ends: 1025 })),
        { mode: "shared" },
      ),
      claims("ann", [60, 70], "a", gives(held("c1", "a", { fence: 3, ends: 1065 }))),
    ],
    "G4 taken before its end": [annClaims, bobClaims([900, 990], 1950)],
    "G4 granted for longer than asked": [
      claims("ann", [0, 10], "a/b", gives({ ...ann, ends: 1500 })),
    ],
    "G4 granted for less than asked": [claims("ann", [0, 10], "a/b", gives({ ...ann, ends: 500 }))],
    "refused by what was released before": [
      annClaims,
      releases("ann", [20, 30], ann, gives(ann)),
      claims("bob", [40, 50], "a/b", blockedBy(ann)),
    ],
    "refused by what is over": [annClaims, claims("bob", [1010, 1020], "a/b", blockedBy(ann))],
    "refused by what nobody ever had": [claims("bob", [1010, 1020], "a/b", blockedBy(ann))],
    "refused without a reason": [claims("bob", [0, 10], "a/b", blockedBy())],
    "C-15 refused without naming all": [
      annClaims,
      claims("cid", [0, 10], "name:x", gives(held("c2", "name:x", { actor: "cid" }))),
      claims("bob", [20, 30], ["a/b", "name:x"], blockedBy(ann)),
    ],
    "G2 the fence does not grow": [
      annClaims,
      claims("bob", [20, 30], "name:x", gives(held("c2", "name:x", { actor: "bob", fence: 1 }))),
    ],
    "G2 the fence goes back": [
      claims("ann", [0, 10], "a/b", gives({ ...ann, fence: 9 })),
      releases("ann", [20, 30], { ...ann, fence: 9 }, gives({ ...ann, fence: 9 })),
      bobClaims([40, 50], 1045),
    ],
    "G2 upgraded under the old fence": [
      claims("ann", [0, 10], "a", gives(held("c1", "a", { mode: "shared" })), { mode: "shared" }),
      claims("ann", [60, 70], "a", gives(held("c1", "a", { ends: 1065 }))),
    ],
    "C-08 the same again is a second claim": [
      annClaims,
      claims("ann", [20, 30], "a/b", gives(held("c2", "a/b", { ends: 1025 }))),
    ],
    "C-17 G3 written after another took it": [
      annClaims,
      bobClaims([1010, 1020], 2015),
      writes("ann", [1030, 1040], ann, true),
    ],
    "G3 written after its end": [annClaims, writes("ann", [1010, 1020], ann, true)],
    "G3 written under another's fence": [annClaims, writes("bob", [20, 30], ann, true)],
    "G3 written outside what is held": [annClaims, writes("ann", [20, 30], ann, true, "a")],
    "G3 refused although it is held": [annClaims, writes("ann", [20, 30], ann, false)],
    "renewed after its end": [
      annClaims,
      renews("ann", [1010, 1020], ann, gives({ ...ann, ends: 2015 })),
    ],
    "renewed late, after another took it": [
      annClaims,
      renews("ann", [900, 1300], ann, gives({ ...ann, ends: 1905 })),
      bobClaims([1100, 1110], 2105),
    ],
    "G5 renewed by another": [
      annClaims,
      renews("bob", [20, 30], ann, gives({ ...ann, ends: 1025 })),
    ],
    "G5 released by another": [
      annClaims,
      releases("bob", [20, 30], ann, notHeld),
      bobClaims([40, 50], 1045),
    ],
    "what was granted is not there": [annClaims, checks("bob", [20, 30], "a/b", blockedBy())],
    "what was granted is not in its holder's list": [annClaims, lists("ann", [20, 30], gives())],
    "G9 a refused call keeps a part": [
      annClaims,
      claims("bob", [20, 30], ["name:x", "a/b"], blockedBy(ann)),
      claims("cid", [40, 50], "name:x", blockedBy(held("c2", "name:x", { actor: "bob" }))),
    ],
    "a whole claim that grants a part": [
      annClaims,
      claims("bob", [20, 30], ["name:x", "a/b"], {
        kind: "claims",
        claims: [held("c2", "name:x", { actor: "bob", ends: 1025 })],
        refused: [{ target: "a/b", blockers: [shown(ann)] }],
      }),
    ],
    "a partial claim that is refused although a part is free": [
      annClaims,
      claims("bob", [20, 30], ["name:x", "a/b"], blockedBy(ann), { partial: true }),
    ],
    "narrowed, but the rest is not free": [
      annClaims,
      asked(
        [20, 30],
        { kind: "narrow", actor: "ann", claim: ann, keep: ["a/b#C.m"] },
        gives({ ...ann, target: "a/b#C.m" }),
      ),
      claims("bob", [40, 50], "a/b#C.n", blockedBy(ann)),
    ],
    "the giver still writes": [
      annClaims,
      asked(
        [20, 30],
        { kind: "transfer", actor: "ann", claim: ann, to: "bob" },
        gives({ ...ann, actor: "bob", fence: 2 }),
      ),
      writes("ann", [40, 50], ann, true),
    ],
    "unanswered, and it happens after the last moment at which it could": [
      claims("ann", [0, 10], "a/b", undefined),
      checks("bob", [20, 30], "a/b", blockedBy()),
      checks("bob", [40, 50], "a/b", blockedBy(ann)),
    ],
    "unanswered for two targets, half of it happened": [
      claims("ann", [0, 10], ["a/b", "name:x"], undefined),
      checks("bob", [20, 30], "name:x", blockedBy(held("c7", "name:x"))),
      checks("bob", [40, 50], "a/b", blockedBy()),
    ],
    "two see each other's claims the other way round": [
      claims("ann", [0, 100], "name:x", gives(held("c1", "name:x", { ends: 1050 }))),
      claims("bob", [0, 100], "name:y", gives(held("c2", "name:y", { actor: "bob", ends: 1050 }))),
      asked(
        [10, 90],
        { kind: "check", actor: "cid", targets: ["name:x", "name:y"], mode: "shared" },
        blockedBy(held("c1", "name:x")),
      ),
      asked(
        [10, 90],
        { kind: "check", actor: "dan", targets: ["name:x", "name:y"], mode: "shared" },
        blockedBy(held("c2", "name:y", { actor: "bob" })),
      ),
    ],
  };
  it.each(Object.entries(bad))("%s", (_, history) => {
    expect(problemsOf(history)).not.toEqual([]);
  });
});

describe("the search", () => {
  type Register = Operation<{ write?: number }, { read?: number }>;
  const register = {
    initial: 0,
    key: String,
    step: (value: number, { call, outcome }: Register) => {
      if (call.write !== undefined) return [call.write];
      return outcome?.read === value ? [value] : [];
    },
  };
  const write = (value: number, from: number, to: number, isKnown = true): Register => ({
    client: "",
    call: { write: value },
    outcome: isKnown ? {} : undefined,
    from,
    to,
  });
  const read = (value: number, from: number, to: number): Register => ({
    client: "",
    call: {},
    outcome: { read: value },
    from,
    to,
  });

  it("orders overlapping calls as it must, and only those", () => {
    const both = [write(1, 0, 100), write(2, 0, 100)];
    const kindOf = (history: readonly Register[]) => checkLinearizability(history, register).kind;
    expect(kindOf([...both, read(1, 10, 50), read(2, 60, 90)])).toBe("linearizable");
    expect(kindOf([...both, read(2, 10, 50), read(1, 60, 90)])).toBe("linearizable");
    expect(kindOf([...both, read(2, 10, 50), read(1, 60, 90), read(2, 110, 120)])).toBe("illegal");
    expect(kindOf([write(1, 0, 10), read(0, 11, 20)])).toBe("illegal");
    expect(kindOf([write(1, 0, 10, false), read(0, 5, 6), read(1, 7, 8)])).toBe("linearizable");
    expect(kindOf([write(1, 0, 10, false), read(0, 11, 12), read(1, 13, 14)])).toBe("illegal");
    expect(kindOf([write(1, 0, Infinity, false), read(0, 11, 12), read(1, 13, 14)])).toBe(
      "linearizable",
    );
  });

  it("returns an order that respects time, and names where a wrong history gets stuck", () => {
    const right = checkLinearizability([read(1, 5, 9), write(1, 0, 8)], register);
    expect(right).toMatchObject({ kind: "linearizable", order: [{ from: 0 }, { from: 5 }] });
    const wrong = checkLinearizability([write(1, 0, 1), read(1, 2, 3), read(7, 4, 5)], register);
    expect(wrong).toMatchObject({
      kind: "illegal",
      placed: 2,
      last: [{ from: 0 }, { from: 2 }],
      stuck: [{ from: 4 }],
    });
  });

  it("says that it is undecided when the work gets too much, which is a problem", () => {
    const hard = Array.from({ length: 12 }, (_, index) => write(index, 0, 1000));
    const history = [...hard, read(99, 0, 1000)];
    expect(checkLinearizability(history, register, { stepsMax: 1000 })).toMatchObject({
      kind: "undecided",
      steps: 1000,
    });
    const problems = findProblems([annClaims], { slackMs: 0.5, stepsMax: 0 });
    expect(problems).toEqual([expect.stringMatching(/^undecided \(0 steps\)/)]);
  });

  it("looks at targets apart only when nothing joins them", () => {
    const history = [
      claims("ann", [0, 1], "a/b#C.m", gives()),
      claims("ann", [0, 1], "a/b#C.n", gives()),
      claims("ann", [0, 1], "d/e", gives()),
      claims("ann", [0, 1], "name:x", gives()),
    ];
    const parts = () => componentsOf(history).map((part) => part.length);
    expect(parts()).toEqual([1, 1, 1, 1]);
    history.push(claims("bob", [0, 1], "a/b", gives()));
    expect(parts()).toEqual([3, 1, 1]);
    history.push(claims("bob", [0, 1], ["name:x", "d/e"], gives()));
    expect(parts()).toEqual([3, 3]);
    history.push(claims("bob", [0, 1], "**", gives()));
    expect(parts()).toEqual([7]);
  });
});

describe("claims in memory", () => {
  it("without a defect pass, whoever is stopped or killed", () => {
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const bad = seeds.flatMap((seed) => {
      const { history, diedAt } = simulateHistory({ seed, operations: 800 });
      return findProblems(history, { slackMs: 0.001, diedAt }).map((text) => `${seed}: ${text}`);
    });
    expect(bad).toEqual([]);
  });

  it.each(defects)("with the defect %s are found out", (defect) => {
    const isFound = (seed: number): boolean => {
      const { history, diedAt } = simulateHistory({ seed, defect, operations: 800 });
      const problems = findProblems(history, { slackMs: 0.001, diedAt, stepsMax: 500_000 });
      return problems.some((text) => /^(G2|G3|not linearizable)/.test(text));
    };
    expect([1, 2, 3].some(isFound)).toBe(true);
  });
});
