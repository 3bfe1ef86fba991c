import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Finding,
  readReport,
  synthesize,
  synthesizeReports,
} from "../../../src/review/index.ts";

const finding = (
  id: string,
  reviewer: string,
  title: string,
  more: Partial<Finding> = {},
): Finding => ({
  id,
  review: "r",
  reviewer,
  title,
  ...more,
});
const race = [
  finding("1", "a", "Data race on buckets map", {
    body: "Allow writes the map without holding the mutex.",
    severity: "P0",
  }),
  finding("2", "b", "Concurrent map access in Allow", {
    body: "The buckets map is mutated by goroutines and no lock is held.",
    severity: "P1",
  }),
];
const typo = finding("3", "c", "Typo in the README", { body: "It says teh.", severity: "P3" });
const labelled = readFileSync(
  resolve(import.meta.dirname, "../../../eval/review/labelled.jsonl"),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Finding & { problem: string });

describe("V-04 clusters", () => {
  it("V-04 brings the same problem in other words together and leaves others apart", () => {
    const { clusters, counts } = synthesize([...race, typo]);
    expect(clusters.map(({ members }) => members)).toEqual([["1", "2"], ["3"]]);
    expect(counts).toMatchObject({ raw: 3, clusters: 2, converged: 1 });
  });

  it("V-04 never across reviews, files or kinds, however alike", () => {
    const apart = (left: Partial<Finding>, right: Partial<Finding>) =>
      synthesize([
        finding("1", "a", "Data race on buckets map", left),
        finding("2", "b", "Data race on buckets map", right),
      ]).clusters.length;
    expect(apart({}, {})).toBe(1);
    expect(apart({ path: "a.go" }, {})).toBe(1);
    expect(apart({ path: "a.go" }, { path: "b.go" })).toBe(2);
    expect(apart({ kind: "bug" }, { kind: "style" })).toBe(2);
    expect(apart({ review: "one" }, { review: "two" })).toBe(2);
  });

  it("V-08 one rule at three lines is one problem with three places, seen by two linters still one", () => {
    const at = (id: string, reviewer: string, line: number) =>
      finding(id, reviewer, "Swallowed error", { rule: "swallowed-error", path: "a.ts", line });
    const one = [at("1", "a", 3), at("2", "a", 40), at("3", "a", 41)];
    const lines = ({ places }: { places: readonly { line?: number }[] }) =>
      places.map(({ line }) => line);
    expect(synthesize(one).clusters.map(lines)).toEqual([[3, 40, 41]]);
    const two = synthesize([...one, at("4", "b", 40), at("5", "b", 3)]);
    expect(two.clusters.map(lines)).toEqual([[3, 40, 41]]);
    expect(two.clusters[0]).toMatchObject({
      members: ["1", "2", "3", "4", "5"],
      reviewers: ["a", "b"],
    });
  });

  it("V-04 a finding without a file does not tie two files together", () => {
    const title = "Data race on buckets map";
    const { clusters } = synthesize([
      finding("1", "a", title, { path: "a.go" }),
      finding("2", "b", title),
      finding("3", "c", title, { path: "b.go" }),
    ]);
    expect(clusters).toHaveLength(2);
  });

  it("V-04 what one reviewer says twice are two problems, unless it is the same text", () => {
    const [first, second] = race as [Finding, Finding];
    expect(synthesize([first, { ...second, reviewer: "a" }]).clusters).toHaveLength(2);
    expect(synthesize([first, { ...first, id: "9" }]).clusters).toMatchObject([
      { members: ["1", "9"], reviewers: ["a"] },
    ]);
  });

  it("V-04 similar but not the same is related, in both directions", () => {
    const { clusters } = synthesize(labelled);
    const byId = new Map(clusters.map((cluster) => [cluster.id, cluster]));
    const related = clusters.filter((cluster) => cluster.related.length > 0);
    expect(related.length).toBeGreaterThan(0);
    for (const { id, related: others } of related) {
      for (const other of others) expect(byId.get(other)?.related).toContain(id);
    }
  });

  it("V-04 holds its quality on the labelled set: pairwise F1 ≥ 0.85", () => {
    const { clusters } = synthesize(labelled);
    const clusterOf = new Map(
      clusters.flatMap(({ id, members }) => members.map((member) => [member, id])),
    );
    const counts = { both: 0, merged: 0, same: 0 };
    for (const [index, left] of labelled.entries()) {
      for (const right of labelled.slice(index + 1)) {
        if (left.review !== right.review || left.reviewer === right.reviewer) continue;
        const isMerged = clusterOf.get(left.id) === clusterOf.get(right.id);
        const isSame = left.problem === right.problem;
        counts.merged += Number(isMerged);
        counts.same += Number(isSame);
        counts.both += Number(isMerged && isSame);
      }
    }
    expect((2 * counts.both) / (counts.merged + counts.same)).toBeGreaterThan(0.85);
  });
});

describe("V-04 the same input gives the same bytes", () => {
  const bytes = (findings: readonly Finding[]) => JSON.stringify(synthesize(findings));
  const some = labelled.filter(({ review }) => /upload|rate|cache/.test(review));

  it("V-04 whatever the order of the findings", () => {
    const expected = bytes(some);
    fc.assert(
      fc.property(fc.shuffledSubarray(some, { minLength: some.length }), (shuffled) => {
        expect(bytes(shuffled)).toBe(expected);
      }),
      { numRuns: 25 },
    );
  });

  it("V-04 whatever the review and the findings are called: names decide nothing", () => {
    // Near-identical neighbours along a line: whom each joins is decided by ties.
    const words = "lock file rename cache token socket buffer queue timer parser".split(" ");
    const chain = Array.from({ length: 40 }, (_, at) =>
      finding(`f${at}`, `r${at % 8}`, `Handler ${words[at % 10]} ${words[(at + 1) % 10]} breaks`, {
        body: `The ${words[(at + 2) % 10]} is lost when ${words[(at + 3) % 10]} number ${at} ends.`,
        path: "a.ts",
        line: at + 1,
      }),
    );
    const together = (findings: readonly Finding[], review: string, name: (id: string) => string) =>
      synthesize(findings.map((one) => ({ ...one, review, id: name(one.id) })))
        .clusters.map(({ members, title }) => [title, ...members])
        .toSorted();
    for (const findings of [chain, some]) {
      const expected = together(findings, "r", (id) => id);
      for (let at = 0; at < 12; at += 1) {
        const back = new Map(
          findings.map(({ id }, index) => [`${(index * 7919) % 101}/${id}`, id]),
        );
        const given = new Map([...back].map(([renamed, id]) => [id, renamed]));
        expect(together(findings, `review-${at}`, (id) => id)).toEqual(expected);
        expect(
          together(findings, `review-${at}`, (id) => given.get(id) ?? id)
            .map(([title = "", ...ids]) => [
              title,
              ...ids.map((id) => back.get(id) ?? id).toSorted(),
            ])
            .toSorted(),
        ).toEqual(expected.map(([title = "", ...ids]) => [title, ...ids.toSorted()]).toSorted());
      }
    }
  });

  it("V-04 whatever the order of the reports, and of the keys", () => {
    const reports = ["a", "b", "c"].map((reviewer) =>
      readReport(
        `### Findings Index\n- P1 | X | "S" | Lock missing in ${reviewer}\nVerdict: safe\n`,
        { run: "r", reviewer },
      ),
    );
    const expected = JSON.stringify(synthesizeReports(reports));
    expect(JSON.stringify(synthesizeReports(reports.toReversed()))).toBe(expected);
    const turned = some.map(
      (one) => Object.fromEntries(Object.entries(one).toReversed()) as unknown as Finding,
    );
    expect(bytes(turned)).toBe(bytes(some));
  });

  it("V-04 an empty report changes neither clusters nor verdict", () => {
    const report = (reviewer: string, text: string) => readReport(text, { run: "r", reviewer });
    const full = report("a", '### Findings Index\n- P1 | X | "S" | Lock missing\nVerdict: safe\n');
    const before = synthesizeReports([full]);
    const after = synthesizeReports([full, report("b", "")]);
    expect(after.clusters).toEqual(before.clusters);
    expect(after).toMatchObject({ verdict: before.verdict, counts: before.counts });
  });

  it("V-05 duplicates of one reviewer count once", () => {
    fc.assert(
      fc.property(fc.subarray(some, { minLength: 1 }), (copied) => {
        const before = synthesize(some);
        const after = synthesize([
          ...some,
          ...copied.map((one) => ({ ...one, id: `${one.id}-again` })),
        ]);
        const told = ({ clusters }: typeof before) =>
          clusters.map(({ id, severity, reviewers, independent, probability }) => [
            id,
            severity,
            reviewers,
            independent,
            probability,
          ]);
        expect(told(after)).toEqual(told(before));
        expect(after.counts.raw).toBe(before.counts.raw + copied.length);
      }),
      { numRuns: 20 },
    );
  });

  it("V-04 the numbers cannot disagree", () => {
    fc.assert(
      fc.property(fc.subarray(labelled), (findings) => {
        const { counts, clusters } = synthesize(findings);
        const members = clusters.flatMap((cluster) => cluster.members);
        expect(members.toSorted()).toEqual(findings.map(({ id }) => id).toSorted());
        expect(Object.values(counts.bySeverity).reduce((sum, count) => sum + count, 0)).toBe(
          clusters.length,
        );
        expect(new Set(clusters.map(({ id }) => id)).size).toBe(clusters.length);
      }),
      { numRuns: 25 },
    );
  });

  it("V-04 an id used twice hides nothing", () => {
    const { counts } = synthesize([
      finding("1", "a", "Lock missing"),
      finding("1", "b", "Typo in docs"),
    ]);
    expect(counts.raw).toBe(2);
    expect(synthesize([typo, typo]).counts.raw).toBe(1);
  });

  it("V-04 the digest names the input", () => {
    const digest = synthesize(race).inputDigest;
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(synthesize([...race, typo]).inputDigest).not.toBe(digest);
  });
});

describe("V-05 agreement, severity, verdict", () => {
  it("V-05 copies of one model are one opinion", () => {
    const of = (first: string, second: string) =>
      synthesize(
        race.map((one, index) => ({ ...one, family: index === 0 ? first : second })),
        { panel: 12 },
      ).clusters[0]!;
    const apart = of("x", "y");
    const copies = of("x", "x");
    expect(apart).toMatchObject({ independent: 2, needsVerification: false, probability: 0.2289 });
    expect(copies.independent).toBe(1.25);
    expect(copies.probability).toBeLessThan(apart.probability);
    expect(copies).toMatchObject({ families: ["x"], needsVerification: true });
    expect(synthesize(race.map((one) => ({ ...one, family: "x" }))).counts.converged).toBe(0);
  });

  it("V-05 a voice weighs more in a small panel", () => {
    const p = (panel: number) => synthesize(race, { panel }).clusters[0]!.probability;
    expect(p(4)).toBeCloseTo(0.48, 1);
    expect(p(12)).toBeLessThan(p(4));
  });

  it("V-04 severity is what half of the reviewers support; a lone P0 is verified, not voted away", () => {
    const seen = (...given: (Finding["severity"] | undefined)[]) =>
      synthesize(
        given.map((severity, index) =>
          finding(
            `${index}`,
            `r${index}`,
            "Data race on buckets map",
            severity ? { severity } : {},
          ),
        ),
      ).clusters[0]!;
    expect(seen("P0", "P2")).toMatchObject({
      severity: "P0",
      severities: { P0: 1, P2: 1 },
      needsVerification: false,
    });
    expect(seen("P0", "P2", "P2")).toMatchObject({ severity: "P2", needsVerification: true });
    expect(seen(undefined, undefined)).toMatchObject({ severity: "P2", severities: {} });
    expect(seen("P1")).toMatchObject({ severity: "P1", needsVerification: true });
    expect(seen("P3")).toMatchObject({ needsVerification: false });
  });

  it("V-04 most severe first, then most probable", () => {
    const { clusters } = synthesize(labelled.filter(({ review }) => review === "cache-layer"));
    const keys = clusters.map(
      ({ severity, probability }) => `${severity} ${(1 - probability).toFixed(4)}`,
    );
    expect(keys).toEqual(keys.toSorted());
  });

  it("V-05 the verdict needs a quorum and never what a report says", () => {
    const report = (reviewer: string, text: string) => readReport(text, { run: "r", reviewer });
    const good = report(
      "a",
      '### Findings Index\n- P0 | X | "S" | Lock missing\nVerdict: approved\n',
    );
    const clean = report("b", "### Findings Index\nNo findings.\nVerdict: blocked\n");
    expect(synthesizeReports([good, clean])).toMatchObject({ verdict: "blocked", go: false });
    expect(synthesizeReports([clean])).toMatchObject({ verdict: "go", go: true });
    expect(synthesizeReports([clean], { quorum: 2 })).toMatchObject({
      verdict: "no-quorum",
      go: false,
    });
    expect(synthesizeReports([])).toMatchObject({ verdict: "no-quorum", go: false });
    expect(synthesizeReports([clean, report("c", ""), report("d", "Words.")]).verdict).toBe(
      "no-quorum",
    );
  });

  it("C06 a foreign report has no voice", () => {
    const text =
      '### Findings Index\n- P0 | X | "S" | T\nVerdict: safe\n<!-- headgate:complete run=old agent=a n=1 -->';
    const { clusters, verdict } = synthesizeReports([
      readReport(text, { run: "r", reviewer: "a" }),
    ]);
    expect(clusters).toEqual([]);
    expect(verdict).toBe("no-quorum");
  });
});

describe("D07 large reviews", () => {
  it("V-04 finds the same problems among 1,200 findings as among twelve", () => {
    const many = labelled.flatMap((one) =>
      Array.from({ length: 6 }, (_, copy) => ({
        ...one,
        id: `${one.id}/${copy}`,
        review: "all",
        path: `${one.review}-${copy}.ts`,
      })),
    );
    const { clusters } = synthesize(many);
    const problems = new Map(many.map((one) => [one.id, `${one.problem}/${one.path}`]));
    const mixed = clusters.filter(
      ({ members }) => new Set(members.map((id) => problems.get(id))).size > 1,
    );
    expect(clusters.filter(({ reviewers }) => reviewers.length > 2).length).toBeGreaterThan(150);
    expect(mixed.length / clusters.length).toBeLessThan(0.1);
  });

  it("V-05 agreement is seen also where one mistake was made in 400 files", () => {
    const says = [
      "Error of the write is not checked",
      "The write's error is ignored",
      "Unchecked error when writing",
      "Write error ignored here",
    ];
    const { counts } = synthesize(
      Array.from({ length: 400 }, (_, file) =>
        says.map((title, at) =>
          finding(`${file}/${at}`, `r${at}`, title, {
            path: `src/${file}.ts`,
            line: 10 + (at % 2),
          }),
        ),
      ).flat(),
    );
    expect(counts).toMatchObject({ raw: 1600, clusters: 400, converged: 400 });
  });
});
