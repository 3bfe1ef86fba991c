import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Candidate,
  explainTriage,
  sliceSubject,
  triage,
  type Triage,
  type TriageInput,
} from "../../../src/review/index.ts";
import { affinities } from "../../../src/review/triage/affinity/index.ts";
import { pathMatcher } from "../../../src/review/path-glob.ts";
import { rosterNames } from "../../../src/reviewers/index.ts";
import type { Override, RoutingView } from "../../../src/routing/index.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";
import { candidatesFor, noRouting, subjectOf } from "./scenario.ts";

/** Shared by all tests here; nothing in it is changed. */
const root = realpathSync(mkdtempSync(join(tmpdir(), "headgate-test-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let base: TriageInput;
let subjects: TriageInput["subject"][];

beforeAll(async () => {
  const domains = [{ name: "web-api", confidence: 0.9 }];
  subjects = await Promise.all(
    ["secrets-handling", "sql-migration", "docs-only", "refactoring", "tests-only"].map((name) =>
      subjectOf(name, root),
    ),
  );
  const candidates = await candidatesFor(["web-api"], root);
  base = { subject: subjects[0]!, candidates, domains, routing: noRouting, seed: "r1" };
});

const override = (
  reviewer: string,
  rest: Partial<Override> & Pick<Override, "action">,
): Override => ({
  ...{ reviewer, reason: "said so", created: "2026-01-01T00:00:00Z", createdBy: "ada" },
  ...rest,
});
const routed = (...overrides: Override[]): RoutingView => ({ ...noRouting, overrides });
const canary = (reviewer: string, shadowProbability: number) =>
  ({ reviewer, state: "MONITORING", shadows: 0, losses: 0, needed: 9, shadowProbability }) as const;
const one = ({ considered }: Triage, reviewer: string) => {
  const found = considered.find((each) => each.reviewer === reviewer);
  expect(found, reviewer).toBeDefined();
  return found!;
};
const chosenIn = ({ considered }: Triage): string[] =>
  considered.filter(({ decision }) => decision.state === "chosen").map(({ reviewer }) => reviewer);

describe("V-01 who is asked", () => {
  it("every reviewer of the roster has a table, and every table a reviewer", () => {
    expect(Object.keys(affinities).toSorted()).toEqual([...rosterNames].toSorted());
  });

  it("every term is in the score, and every candidate in the list", () => {
    const result = triage(base);
    expect(result.considered.map(({ reviewer }) => reviewer).toSorted()).toEqual(
      base.candidates.map(({ name }) => name).toSorted(),
    );
    for (const { score, terms } of result.considered) {
      const sum = terms.reduce((all, { value }) => all + value, 0);
      expect(Math.abs(sum - score)).toBeLessThan(1e-9);
    }
    const scores = result.considered.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it("slots grow with size and domains and end at ten; what is told counts", async () => {
    expect(triage({ ...base, domains: [] }).slots).toBe(4);
    expect(triage(base).slots).toBe(5);
    const large = { ...base, subject: subjects[3]! };
    expect(triage({ ...large, domains: [] }).slots).toBe(6);
    const many = ["a", "b", "c"].map((name) => ({ name, confidence: 0.9 }));
    expect(triage({ ...large, domains: many }).slots).toBe(8);
    const two = triage({ ...base, slots: 2 });
    expect(chosenIn(two)).toEqual(["safety", "correctness"]);
    expect(chosenIn(triage({ ...base, slots: 1 }))).toEqual(["safety"]);
  });

  it("stage 1 has the best 40 %, at least two", () => {
    const first = triage(base).considered.filter(
      ({ decision }) => decision.state === "chosen" && decision.stage === 1,
    );
    expect(first.map(({ reviewer }) => reviewer)).toEqual(["safety", "correctness"]);
  });

  it("those named are asked, in that order, and no others", () => {
    const chosen = ["game-design", "dependency", "safty", "game-design"];
    const routing = routed(override("dependency", { action: "exclude" }));
    const result = triage({ ...base, chosen, routing });
    expect(chosenIn(result)).toEqual(["game-design", "dependency"]);
    expect(result.notes).toEqual([
      "no reviewer safty; nearest: safety",
      "dependency: excluded by override: said so; asked nevertheless, by name",
    ]);
  });

  it("the static reviewer takes no slot and looks only where it can", () => {
    const after = "x = 1\n";
    const file = { path: "a.py", status: "whole", language: "python", hunks: [], after } as const;
    const subject = { ...base.subject, kind: "files", files: [file] } as const;
    expect(one(triage({ ...base, subject, slots: 1 }), "static").decision).toEqual({
      ...{ state: "chosen", stage: 1 },
    });
    expect(one(triage(base), "static").decision.state).toBe("left-out");
  });

  it("an agent of the user's is asked when it says that it reviews and has something to say", () => {
    const own = (name: string, description: string): Candidate => {
      return { name, kind: "own", description, instructions: "" };
    };
    const candidates = [
      own("token-auditor", "Reviews tokens, passwords, secrets, signing and logger calls."),
      own("deployer", "Deploys tokens and secrets and passwords to the server."),
      own("poet", "Reviews rhymes."),
    ];
    const result = triage({ ...base, candidates });
    expect(chosenIn(result)).toEqual(["token-auditor"]);
    expect(one(result, "deployer").decision).toMatchObject({ why: /does not say that it reviews/ });
    expect(one(result, "poet").decision).toMatchObject({ why: "its score is under 1" });
  });

  it("a generated one takes no slot when it failed or when the project is of another kind", () => {
    const name = "fd-endpoint-contract";
    const candidates = base.candidates.map((each) =>
      each.name === name ? { ...each, qualified: false } : each,
    );
    expect(one(triage({ ...base, candidates }), name).decision).toMatchObject({
      why: "it did not find the faults that were planted to try it",
    });
    const domains = [{ name: "cli-tool", confidence: 1 }];
    expect(one(triage({ ...base, domains }), name).decision).toMatchObject({
      why: "the project is no web-api",
    });
  });

  it("safety and correctness look at every change of code, however they did before", () => {
    const precision = [
      { reviewer: "correctness", right: 0, wrong: 90 },
      { reviewer: "safety", right: 0, wrong: 90 },
    ];
    const subject = subjects[4]!;
    const result = triage({
      ...base,
      subject,
      slots: 2,
      routing: { ...noRouting, precision },
      seed: "r9",
    });
    expect(result.considered[0]?.reviewer).toBe("tests");
    expect(chosenIn(result).toSorted()).toEqual(["correctness", "safety"]);
  });

  it("two of one name are one, and which does not depend on their order", () => {
    const twin: Candidate = {
      name: "safety",
      kind: "own",
      description: "Reviews.",
      instructions: "x",
    };
    const candidates = [twin, ...base.candidates, { ...twin, description: "Reviews too." }];
    const result = triage({ ...base, candidates });
    expect(result).toEqual(triage(base));
    expect(triage({ ...base, candidates: candidates.toReversed() })).toEqual(result);
  });

  it("nothing changed, nobody is asked", () => {
    const subject = { ...base.subject, files: [] };
    expect(chosenIn(triage({ ...base, subject }))).toEqual([]);
  });
});

describe("V-01 routing in triage", () => {
  const decided = (reviewer: string, routing: RoutingView, seed = "r1") =>
    one(triage({ ...base, routing, seed }), reviewer).decision;

  it("a floor, a later stage and paths narrow what a reviewer does", () => {
    const routing = routed(
      override("safety", { action: "floor", floor: "P1" }),
      override("safety", { action: "floor", floor: "P0" }),
      override("correctness", { action: "stage" }),
    );
    expect(decided("safety", routing)).toEqual({ state: "chosen", stage: 1, floor: "P0" });
    expect(decided("correctness", routing)).toEqual({ state: "chosen", stage: 2 });
    const scoped = routed(override("safety", { action: "scope", except: ["src/auth/**"] }));
    expect(decided("safety", scoped)).toMatchObject({
      why: "it looks at none of the changed paths",
    });
    const narrowed = triage({
      ...{ ...base, subject: subjects[1]! },
      routing: routed(override("data-migration", { action: "scope", except: ["**/*.sql"] })),
    });
    const told = one(narrowed, "data-migration");
    expect(told.except).toEqual(["**/*.sql"]);
    expect(told.terms.some(({ term }) => term === "language")).toBe(false);
  });

  it("a sample is one review in so many, by the seed", () => {
    const routing = routed(override("safety", { action: "sample", every: 5 }));
    const asked = Array.from({ length: 500 }, (_, at) => decided("safety", routing, `s${at}`));
    const count = asked.filter(({ state }) => state === "chosen").length;
    expect(count).toBeGreaterThan(70);
    expect(count).toBeLessThan(130);
    expect(asked.find(({ state }) => state !== "chosen")).toEqual({
      ...{ state: "left-out", why: "asked in one review of 5, and not in this one" },
    });
  });

  it("an excluded one runs in shadow as often as its canary says", () => {
    const overrides = [override("safety", { action: "exclude", reason: "noise" })];
    const routing = { ...noRouting, overrides, canaries: [canary("safety", 0.3)] };
    const all = Array.from({ length: 500 }, (_, at) => decided("safety", routing, `s${at}`));
    const shadows = all.filter(({ state }) => state === "shadow");
    expect(shadows.length).toBeGreaterThan(110);
    expect(shadows.length).toBeLessThan(190);
    expect(shadows[0]).toEqual({ state: "shadow", probability: 0.3 });
    expect(all.find(({ state }) => state === "left-out")).toMatchObject({
      why: "excluded by routing: noise",
    });
    expect(all.some(({ state }) => state === "chosen")).toBe(false);
  });

  it("precision moves the score a little with little evidence, and a bad one gets its chance again", () => {
    const scoreWith = (right: number, wrong: number, seed: string) => {
      const precision = [{ reviewer: "tests", right, wrong }];
      return one(triage({ ...base, routing: { ...noRouting, precision }, seed }), "tests");
    };
    const plain = one(triage(base), "tests").score;
    const seed = "r1";
    const values = [
      [0, 40],
      [0, 1],
      [1, 0],
      [40, 0],
    ].map(([right, wrong]) => scoreWith(right!, wrong!, seed).score - plain);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values[0]).toBeLessThan(-0.7);
    expect(Math.abs(values[1]!)).toBeLessThan(0.4);
    expect(values[3]).toBeGreaterThan(0.8);
    const again = Array.from({ length: 400 }, (_, at) => scoreWith(1, 30, `s${at}`)).filter(
      ({ terms }) => terms.some(({ term }) => term === "exploration"),
    );
    expect(again.length).toBeGreaterThan(30);
    expect(again.length).toBeLessThan(75);
    for (const { score } of again) expect(score).toBeGreaterThan(plain);
  });

  it("names that nobody has are told", () => {
    const result = triage({ ...base, routing: routed(override("nobody", { action: "exclude" })) });
    expect(result.notes).toEqual(["an override names nobody, which nobody is called"]);
  });
});

describe("V-01 properties of triage", () => {
  const names = () => base.candidates.map(({ name }) => name);
  const arbitrary = () => {
    const reviewer = fc.constantFrom(...names(), "nobody");
    const overrides = fc.array(
      fc.record({
        reviewer,
        action: fc.constantFrom("floor", "scope", "stage", "sample", "exclude"),
        floor: fc.constantFrom("P0", "P1", "P2"),
        except: fc.constantFrom(["**"], ["*.py"], ["src/**"]),
        every: fc.integer({ min: 1, max: 5 }),
        reason: fc.constantFrom("noise", "nit"),
        created: fc.constant("2026-01-01T00:00:00Z"),
        createdBy: fc.constant("ada"),
      }),
      { maxLength: 6 },
    ) as fc.Arbitrary<Override[]>;
    const precision = fc.uniqueArray(
      fc.record({ reviewer, right: fc.nat(50), wrong: fc.nat(50) }),
      { selector: (each) => each.reviewer, maxLength: 5 },
    );
    const canaries = fc.uniqueArray(
      fc
        .tuple(reviewer, fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([who, p]) => canary(who, p)),
      { selector: (each) => each.reviewer, maxLength: 5 },
    );
    return fc.record({
      subject: fc.constantFrom(...subjects),
      routing: fc.record({ overrides, precision, canaries }),
      seed: fc.string(),
      candidates: fc.shuffledSubarray([...base.candidates]),
    });
  };

  it("the order of candidates never matters, and the same seed gives the same bytes", () => {
    fc.assert(
      fc.property(arbitrary(), ({ candidates, ...rest }) => {
        const first = triage({ ...base, ...rest, candidates });
        const second = triage({ ...base, ...rest, candidates: candidates.toReversed() });
        expect(JSON.stringify(second)).toBe(JSON.stringify(first));
        expect(explainTriage(second)).toEqual(explainTriage(first));
      }),
      { numRuns: 60 },
    );
  });

  it("excluded ones are never asked, slots are kept, and everybody is decided on", () => {
    fc.assert(
      fc.property(arbitrary(), (given) => {
        const result = triage({ ...base, ...given });
        const excluded = given.routing.overrides
          .filter(({ action }) => action === "exclude")
          .map(({ reviewer }) => reviewer);
        const chosen = chosenIn(result);
        for (const name of excluded) expect(chosen).not.toContain(name);
        expect(chosen.filter((name) => name !== "static").length).toBeLessThanOrEqual(result.slots);
        expect(result.considered).toHaveLength(given.candidates.length);
        const isCode = given.subject !== subjects[2];
        for (const name of isCode ? ["safety", "correctness"] : []) {
          const isFree = !given.routing.overrides.some(({ reviewer }) => reviewer === name);
          const isThere = given.candidates.some((each) => each.name === name);
          if (isFree && isThere) expect(chosen).toContain(name);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("a broken overrides file changes the notes and nothing else", () => {
    fc.assert(
      fc.property(arbitrary(), (given) => {
        const { precision, canaries } = given.routing;
        const without = triage({
          ...base,
          ...given,
          routing: { ...noRouting, precision, canaries },
        });
        const problem = "line 3: not JSON";
        const broken = triage({ ...base, ...given, routing: { ...given.routing, problem } });
        expect({ ...broken, notes: [] }).toEqual({ ...without, notes: [] });
        expect(broken.notes).toEqual([
          `routing overrides are ignored: ${problem}`,
          ...without.notes,
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it("is quick on a large change", async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, at) => `+const retry${at} = await lock(query, ${at});`,
    );
    const hunk = {
      oldStart: 0,
      oldLines: 0,
      newStart: 1,
      newLines: lines.length,
      section: "",
      lines,
    };
    const file = { path: "src/large.ts", status: "added", hunks: [hunk] } as const;
    const subject = { ...base.subject, files: [file] };
    const work = () => {
      triage({ ...base, subject });
      sliceSubject(subject, { charactersMax: 60_000 });
    };
    expect(await cpuMs(work)).toBeLessThan(15_000);
  });
});

describe("V-01 globs over paths", () => {
  it.each([
    ["*.sql", "a/b.sql", true],
    ["*.sql", "a.sql", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["src/**", "src/a/b.ts", true],
    ["src/", "src/a/b.ts", true],
    ["**/test/**", "test/a.ts", true],
    ["**/{a,b}/*.{ts,js}", "x/b/c.js", true],
    ["**/{a,b}/*.{ts,js}", "x/c/c.js", false],
    ["a?c", "abc", true],
    ["docs/**/*.md", "docs/x.md", true],
    ["./src/a.ts", "src/a.ts", true],
    ["[abc].ts", "a.ts", false],
    ["", "a", false],
  ])("%s on %s: %s", (glob, path, expected) => {
    expect(pathMatcher(glob)(path)).toBe(expected);
  });

  it("takes no time for globs made to take long", async () => {
    const work = () => {
      pathMatcher(`${"**/a*".repeat(30)}/b`)(`${"a/".repeat(300)}c`);
      pathMatcher("*a*a*a*a*a*a*a*a*a*b")("a".repeat(5000));
      pathMatcher("{a,b}".repeat(40))("x");
    };
    expect(await cpuMs(work)).toBeLessThan(5_000);
  });
});
