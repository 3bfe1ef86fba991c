import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inProse, type Labelled, readLabelled, readPairs } from "../../../eval/review/labelled.ts";
import { pairQuality } from "../../../eval/review/score.ts";
import { scaleFindings } from "../../../eval/review/scale.ts";
import {
  type Finding,
  problemsOf,
  reviewSarifText,
  rdjsonText,
  synthesize,
  toMarkdown,
  toText,
  type Verification,
} from "../../../src/review/index.ts";
import { missedBy } from "../../../src/review/conduct/shadows.ts";
import { resolvePlaces } from "../../../src/review/report/resolve-places.ts";

const finding = (
  id: string,
  reviewer: string,
  title: string,
  more: Partial<Finding> = {},
): Finding => ({
  ...{ id, review: "r", reviewer, title, severity: "P1" },
  ...more,
});
const injection = "SQL injection: user input concatenated into query";
const twice = [
  finding("a", "x", injection, { path: "src/db.ts", line: 10 }),
  finding("b", "x", injection, { path: "src/db.ts", line: 340 }),
  finding("c", "y", "Missing null check on user", { path: "src/a.ts", line: 5 }),
  finding("d", "z", "Missing null check on order", { path: "src/a.ts", line: 800 }),
];
const members = (findings: readonly Finding[]) =>
  synthesize(findings)
    .clusters.map((one) => one.members.join(" "))
    .toSorted();

describe("V-08 where a finding is decides with whom it is one", () => {
  it("V-08 the same words at two distant places of a file are two problems, each with its place", () => {
    expect(members(twice)).toEqual(["a", "b", "c", "d"]);
    const symbol = (name: string, line: number) => ({ path: "src/db.ts", line, symbol: name });
    const near = (one: string, two: string) =>
      members([
        finding("1", "x", injection, symbol(one, 10)),
        finding("2", "y", injection, symbol(two, 16)),
      ]).length;
    expect(near("getUser", "getUser")).toBe(1);
    expect(near("getUser", "dropUser")).toBe(2);
  });

  it("V-08 one rule at places of several files is one problem, and each place is in every output", () => {
    const lines = [3, 40, 340];
    const said = ["src/a.ts", "src/b.ts"].flatMap((path) =>
      lines.map((line) =>
        finding(`${path}${line}`, "ruff", "unused variable", { rule: "F841", path, line }),
      ),
    );
    const words = said.map(({ rule: _rule, ...one }) => one);
    expect(synthesize(words).clusters).toHaveLength(6);
    const synthesis = synthesize(said);
    expect(synthesis.clusters).toHaveLength(1);
    expect(synthesis.clusters[0]!.places).toHaveLength(6);
    const problems = problemsOf({ synthesis, findings: said });
    for (const text of [
      toText({ synthesis, findings: said }),
      toMarkdown({ synthesis, findings: said }),
    ]) {
      expect(text).toContain("src/a.ts:3, 40, 340; src/b.ts:3, 40, 340");
    }
    for (const text of [
      reviewSarifText({ version: "1", problems }),
      rdjsonText({ problems }),
      JSON.stringify(synthesis),
    ]) {
      expect(text.match(/340/g)?.length, text).toBeGreaterThanOrEqual(2);
    }
  });

  it("V-08 title, fix and place of a problem come from one member, and its other lines are shown", () => {
    const said = [
      finding("1", "x", "nobody waits for writeFile", { path: "a.ts", line: 9, fix: "await it" }),
      finding("2", "y", "writeFile is not awaited", { path: "a.ts", line: 11, severity: "P2" }),
    ];
    const synthesis = synthesize(said);
    expect(synthesis.clusters).toMatchObject([{ shown: "1", title: said[0]!.title, line: 9 }]);
    expect(toText({ synthesis, findings: said })).toMatch(/a\.ts:9, 11[^]*fix: await it/);
    const sarif = reviewSarifText({
      version: "1",
      problems: problemsOf({ synthesis, findings: said }),
    });
    expect(
      JSON.parse(sarif).runs[0].results[0].relatedLocations[0].physicalLocation.region,
    ).toEqual({ startLine: 11 });
  });

  it("V-08 a place that does not exist is found by the quoted code, or it is none and cannot block", () => {
    const text = "const a = 1;\nconst total = compute(a, 7);\nexport { total };\n";
    const files = [{ path: "src/pay.js", text, symbols: [] }];
    const textOf = (path: string) => (path === "src/other.js" ? "one\ntwo\n" : undefined);
    const place = (more: Partial<Finding>) =>
      resolvePlaces([finding("1", "x", "Broken", { severity: "P0", ...more })], {
        files,
        textOf,
      })[0]!;
    expect(place({ path: "src/pay.js", line: 2 })).toMatchObject({ path: "src/pay.js", line: 2 });
    expect(place({ path: "b/src/pay.js", line: 2 })).toMatchObject({ path: "src/pay.js", line: 2 });
    expect(place({ path: "src/other.js", line: 2 })).toMatchObject({
      path: "src/other.js",
      line: 2,
    });
    const quoted = { body: "**Evidence**: `const total = compute(a, 7)`" };
    expect(place({ path: "src/pay.js", line: 9999, ...quoted })).toMatchObject({ line: 2 });
    expect(place({ path: "src/no.js", line: 4, ...quoted })).toMatchObject({
      path: "src/pay.js",
      line: 2,
    });
    const lost = [
      place({ path: "src/doesnotexist.js", line: 999 }),
      { ...place({ path: "src/pay.js", line: 9999 }), id: "2", title: "Worse" },
    ];
    expect(lost.map(({ unplaced }) => unplaced)).toEqual([
      "src/doesnotexist.js does not exist in what was reviewed",
      "src/pay.js has 3 lines, not 9999",
    ]);
    const synthesis = synthesize(lost);
    expect(synthesis).toMatchObject({ verdict: "go", counts: { bySeverity: { P0: 2 } } });
    expect(synthesis.reasons).toContain(
      "2 severe problems at no place of what was reviewed: cannot block",
    );
    expect(toText({ synthesis, findings: lost })).toContain("no place: src/pay.js has 3 lines");
  });
});

describe("V-09 agreement and silence", () => {
  const title = "Data race on the buckets map";
  const probability = (seers: readonly string[], silent: readonly string[]): number => {
    const report = (reviewer: string, findings: readonly Finding[]) => ({
      ...{ reviewer, state: "strict" as const, findings },
      family: reviewer.split("-")[0] ?? "",
    });
    const said = seers.map((name) =>
      finding(name, name, title, { family: name.split("-")[0] ?? "" }),
    );
    return synthesize(said, {
      reports: [
        ...said.map((one) => report(one.reviewer, [one])),
        ...silent.map((name) => report(name, [])),
      ],
    }).clusters[0]!.probability;
  };
  const names = ["a-1", "a-2", "a-3", "a-4", "b-1", "b-2", "c-1", "d-1"];

  it("V-09 another voice never lowers it, another silence never raises it, whatever the families", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(names, { minLength: 8 }),
        fc.nat(5),
        fc.nat(6),
        (all, one, two) => {
          const seen = all.slice(0, one + 1);
          const silent = all.slice(one + 1, one + 1 + two);
          const [next] = all.slice(one + 1 + two);
          const before = probability(seen, silent);
          if (next !== undefined) {
            expect(probability([...seen, next], silent)).toBeGreaterThanOrEqual(before);
            expect(probability(seen, [...silent, next])).toBeLessThanOrEqual(before);
          }
          const [turned, ...rest] = silent;
          if (turned !== undefined) {
            expect(probability([...seen, turned], rest)).toBeGreaterThanOrEqual(before);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("V-09 copies of one model add something, and less than others", () => {
    const own = [1, 2, 3, 4].map((count) => probability(names.slice(0, count), []));
    expect(own).toEqual(own.toSorted((left, right) => left - right));
    expect(new Set(own).size).toBe(4);
    expect(probability(["a-1", "b-1"], [])).toBeGreaterThan(own[1]!);
    expect(probability(["a-1"], ["a-2", "a-3", "a-4"])).toBeLessThan(own[0]!);
  });

  it("V-05 a refutation by the model family that reported it clears no P0 or P1 alone", () => {
    const said = [finding("1", "safety", title, { family: "claude" })];
    const [cluster] = synthesize(said).clusters;
    const look = (family: string): Verification => ({
      ...{ review: "r", cluster: cluster!.id, outcome: "refuted", by: "second look", family },
      reason: "no",
    });
    const verdict = (...verifications: Verification[]) => synthesize(said, { verifications });
    expect(verdict(look("claude"))).toMatchObject({
      verdict: "needs-changes",
      counts: { refuted: 0 },
    });
    expect(verdict(look("claude")).clusters[0]!.verification?.reason).toContain(
      "only by the model family",
    );
    expect(verdict(look("gpt"))).toMatchObject({ verdict: "go" });
    expect(verdict({ ...look("claude"), by: "command" })).toMatchObject({ verdict: "go" });
  });

  it("R-11 a shadow's finding that is only like a shown one counts as missed", () => {
    const [one, two] = twice as [Finding, Finding];
    expect(missedBy([{ ...two, reviewer: "s" }], [one])).toHaveLength(1);
    expect(missedBy([{ ...one, reviewer: "s", id: "s" }], [one])).toEqual([]);
  });
});

describe("V-04 quality on the labelled data", () => {
  const groups = (some: readonly Labelled[]) => synthesize(some).clusters.map((one) => one.members);
  const labelled = readLabelled();

  it("V-04 pairwise F1 ≥ 0.95 in the report template and in prose", () => {
    expect(new Set(labelled.map(({ review }) => review)).size).toBeGreaterThanOrEqual(40);
    for (const some of [labelled, labelled.map(inProse)]) {
      expect(pairQuality(some, groups(some)).f1).toBeGreaterThanOrEqual(0.95);
    }
  });

  it("V-04 the same words about different problems stay apart, other words for one come together", () => {
    const right = (same: boolean): number => {
      const pairs = readPairs().filter((pair) => pair.same === same);
      expect(pairs.length).toBeGreaterThanOrEqual(50);
      const hits = pairs.filter(({ path, left, right: other }) => {
        const both = [
          { ...left, id: "l", reviewer: "x" },
          { ...other, id: "r", reviewer: "y" },
        ].map((one) => ({ ...one, review: "p", path }));
        return (synthesize(both).clusters.length === 1) === same;
      });
      return hits.length / pairs.length;
    };
    expect(right(false)).toBeGreaterThan(0.9);
    expect(right(true)).toBeGreaterThan(0.8);
  });

  it("V-04 thousands of findings with places keep a precision of 0.95", () => {
    const many = scaleFindings(3000, 3);
    expect(pairQuality(many, groups(many)).precision).toBeGreaterThanOrEqual(0.95);
  });
});
