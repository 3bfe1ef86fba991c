import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Finding,
  type LedgerFinding,
  lineHashes,
  problemsOf,
  readRdjson,
  readSarif,
  reviewSarifText,
  synthesize,
  toRdjson,
  toReviewSarif,
  toSarif,
} from "../../../src/review/index.ts";
import { schemaProblems } from "../../helpers/json-schema.ts";

// The schema of OASIS (oasis-tcs/sarif-spec, sarif-2.1/schema), unchanged.
const schema = JSON.parse(
  readFileSync(
    resolve(import.meta.dirname, "../../fixtures/review/sarif-schema-2.1.0.json"),
    "utf8",
  ),
) as Record<string, unknown>;

const source = "import os\n\ndef run(cmd):\n\tnäme = '🙂'; os.system(cmd)  \n\treturn 1\n";
const sources = new Map([["src/ä b.py", source]]);
const finding = (id: string, more: Partial<Finding>): Finding => ({
  id,
  review: "r",
  reviewer: "fd-safety",
  title: `Problem ${id}`,
  ...more,
});
const findings = [
  finding("1", {
    title: "Shell command from input",
    body: "`cmd` reaches the shell.",
    fix: "Use a list.",
    path: "src/ä b.py",
    line: 4,
    severity: "P0",
    kind: "security",
  }),
  finding("2", {
    title: "Missing timeout on the call",
    reviewer: "semgrep",
    rule: "py.missing-timeout",
    path: "src/ä b.py",
    line: 5,
    severity: "P1",
  }),
  finding("3", { title: "The plan names nobody who decides", severity: "P3", kind: "style" }),
  finding("4", {
    title: "Swallowed error hides a failure",
    rule: "swallowed-error",
    severity: "P2",
    path: "gone.py",
    line: 9,
  }),
];
const synthesis = synthesize(findings);

const known = (more: Partial<LedgerFinding>): LedgerFinding => ({
  id: "fi_1",
  identity: "abc",
  state: "persisting",
  severity: "P0",
  title: "t",
  path: null,
  line: null,
  rule: null,
  reviewers: ["fd-safety"],
  firstReview: "re_1",
  lastReview: "re_2",
  firstSeenAt: "2026-01-01T00:00:00.000Z",
  lastSeenAt: "2026-01-02T00:00:00.000Z",
  decision: null,
  addressedBy: null,
  ...more,
});

const resultsOf = (input: Parameters<typeof toReviewSarif>[0]) =>
  toReviewSarif(input).runs[0]!.results;

describe("V-06 SARIF 2.1.0 of a review", () => {
  const problems = problemsOf({
    synthesis,
    findings,
    sources,
    models: new Map([["fd-safety", "model-1"]]),
  });
  const log = toReviewSarif({ version: "1.2.3", problems, sources });
  const { results, tool } = log.runs[0]!;

  it("V-06 is valid against the official schema, and so is the gate's", () => {
    expect(schemaProblems(schema, JSON.parse(JSON.stringify(log)))).toEqual([]);
    const gate = toSarif({
      version: "1.2.3",
      rules: [{ id: "A_RULE", summary: "A.", help: "B." }],
      findings: [
        { rule: "A_RULE", level: "error", message: "m", path: "a.ts", line: 1, column: 2 },
      ],
    });
    expect(schemaProblems(schema, JSON.parse(JSON.stringify(gate)))).toEqual([]);
    // The check can fail.
    const broken = { ...log, runs: [{ ...log.runs[0], results: [{ level: "fatal", more: 1 }] }] };
    expect(schemaProblems(schema, broken)).toEqual([
      "$.runs[0].results[0]: has no message",
      expect.stringContaining('"fatal" is none of'),
      "$.runs[0].results[0]: may not have more",
    ]);
  });

  it("V-06 says severity by level, and grades security rules only", () => {
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["review/security-p0", "error"],
      ["py.missing-timeout", "error"],
      ["swallowed-error", "warning"],
      ["review/style", "note"],
    ]);
    expect(tool.driver.rules.map(({ id, properties }) => [id, properties])).toEqual([
      ["review/security-p0", { tags: ["security"], "security-severity": "9.5" }],
      ["py.missing-timeout", { "problem.severity": "error" }],
      ["swallowed-error", { "problem.severity": "warning" }],
      ["review/style", { "problem.severity": "recommendation" }],
    ]);
    for (const { ruleId, ruleIndex } of results)
      expect(tool.driver.rules[ruleIndex!]!.id).toBe(ruleId);
  });

  it("V-06 carries the host's line hash where the source is known, and always our own", () => {
    expect(results[0]!.partialFingerprints).toEqual({
      primaryLocationLineHash: lineHashes(source)[3],
      "headgate/v1": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(Object.keys(results[2]!.partialFingerprints)).toEqual(["headgate/v1"]);
    expect(results[0]!.properties).toMatchObject({
      severity: "P0",
      reviewers: ["fd-safety"],
      models: ["model-1"],
      convergence: 1,
      needsVerification: true,
    });
    expect(results[3]).not.toHaveProperty("locations");
  });

  it("V-06 our fingerprint does not move with lines or names of files", () => {
    const moved = findings.map((one) =>
      one.id === "1" ? { ...one, path: "lib/x.py", line: 6 } : one,
    );
    const other = resultsOf({
      version: "1",
      problems: problemsOf({
        synthesis: synthesize(moved),
        findings: moved,
        sources: new Map([["lib/x.py", `# a\n# b\n${source}`]]),
      }),
    });
    expect(other[0]!.partialFingerprints["headgate/v1"]).toBe(
      results[0]!.partialFingerprints["headgate/v1"],
    );
  });

  it("V-06 tells what the ledger knows: baseline, suppressions, what is gone", () => {
    const [first, second, third] = synthesis.clusters;
    const decision = { by: "a", at: "2026-01-01", reason: "wrong", note: "no shell here" };
    const ledger = {
      byCluster: new Map([
        [first!.id, known({ id: "fi_1", identity: "one", state: "dismissed", decision })],
        [second!.id, known({ id: "fi_2", identity: "two", state: "persisting" })],
        [third!.id, known({ id: "fi_3", identity: "three", state: "regressed" })],
      ]),
      states: new Map([["fi_3", "regressed" as const]]),
      fixed: [known({ id: "fi_4", state: "fixed", path: "old.py", line: 1 })],
    };
    const told = problemsOf({ synthesis, findings, sources, ledger });
    const all = toReviewSarif({ version: "1", problems: told, sources });
    expect(schemaProblems(schema, JSON.parse(JSON.stringify(all)))).toEqual([]);
    const summary = all.runs[0]!.results.map(
      ({ partialFingerprints, baselineState, suppressions }) => [
        partialFingerprints["headgate/v1"],
        baselineState,
        suppressions?.[0]?.justification,
      ],
    );
    expect(summary).toEqual([
      ["two", "unchanged", undefined],
      ["three", "new", undefined],
      [expect.any(String), undefined, undefined],
      ["one", "unchanged", "wrong: no shell here"],
      ["abc", "absent", undefined],
    ]);
    // What is settled does not come back as a finding.
    const back = readSarif(JSON.stringify(all), { run: "r", reviewer: "headgate" });
    expect(back).toHaveLength(3);
    expect(toRdjson({ problems: told }).diagnostics).toHaveLength(3);
  });

  it("V-06 our own reader reads it back: title, place, rule and severity", () => {
    const back = readSarif(reviewSarifText({ version: "1", problems, sources }), {
      run: "r",
      reviewer: "headgate",
    });
    expect(back.map(({ title, path, line, severity }) => [title, path, line, severity])).toEqual([
      ["Shell command from input", "src/ä b.py", 4, "P0"],
      ["Missing timeout on the call", "src/ä b.py", 5, "P1"],
      ["Swallowed error hides a failure", "gone.py", 9, "P2"],
      ["The plan names nobody who decides", undefined, undefined, "P3"],
    ]);
    expect(back[1]!.rule).toBe("py.missing-timeout");
    expect(back[0]!.kind).toBe("security");
  });

  it("V-06 keeps the 5,000 most severe, open ones first", () => {
    const many = Array.from({ length: 5_100 }, (_, at) => ({
      severity: at < 5_050 ? ("P3" as const) : ("P1" as const),
      title: `p${at}`,
      identity: String(at),
      reviewers: ["a"],
    }));
    const kept = resultsOf({ version: "1", problems: many });
    expect(kept).toHaveLength(5_000);
    expect(kept.filter(({ level }) => level === "error")).toHaveLength(50);
    expect(kept[0]!.level).toBe("error");
  });

  it("V-07 escapes in reports do not get into it", () => {
    const evil = [
      finding("1", { title: "a\u001b[31mred\u202e", rule: "x\u001b[2J", path: "a.py", line: 1 }),
    ];
    const text = reviewSarifText({
      version: "1",
      problems: problemsOf({ synthesis: synthesize(evil), findings: evil }),
    });
    for (const sign of ["\\u001b", "\u001b", "\u202e"]) expect(text).not.toContain(sign);
  });
});

describe("V-06 rdjson of a review", () => {
  it("V-06 counts columns in bytes of UTF-8, the end exclusive", () => {
    const { diagnostics } = toRdjson({ problems: problemsOf({ synthesis, findings }), sources });
    expect(diagnostics.map(({ severity }) => severity)).toEqual([
      "ERROR",
      "ERROR",
      "WARNING",
      "INFO",
    ]);
    const line = Buffer.from(source.split("\n")[3]!);
    const range = diagnostics[0]!.location!.range!;
    expect(range).toEqual({ start: { line: 4, column: 2 }, end: { line: 4, column: 32 } });
    const cited = line.subarray(range.start.column! - 1, range.end!.column - 1).toString("utf8");
    expect(cited).toBe("näme = '🙂'; os.system(cmd)");
    expect(diagnostics[2]!.location).toEqual({ path: "gone.py", range: { start: { line: 9 } } });
    expect(diagnostics[1]!.code).toEqual({ value: "py.missing-timeout" });
  });

  it("V-06 our own reader reads it back", () => {
    const text = JSON.stringify(
      toRdjson({ problems: problemsOf({ synthesis, findings }), sources }),
    );
    const back = readRdjson(text, { run: "r", reviewer: "headgate" });
    expect(back.map(({ title, line, severity }) => [title, line, severity])).toEqual([
      ["Shell command from input", 4, "P0"],
      ["Missing timeout on the call", 5, "P1"],
      ["Swallowed error hides a failure", 9, "P2"],
      ["The plan names nobody who decides", undefined, "P3"],
    ]);
  });

  it("V-06 P0 comes back as P0, and only from our own output", () => {
    const blocking = findings.map((one) => ({ ...one, severity: "P0" as const }));
    const log = toRdjson({
      problems: problemsOf({ synthesis: synthesize(blocking), findings: blocking }),
    });
    const grades = (of: unknown) =>
      new Set(
        readRdjson(JSON.stringify(of), { run: "r", reviewer: "x" }).map(({ severity }) => severity),
      );
    expect(grades(log)).toEqual(new Set(["P0"]));
    expect(grades({ ...log, source: { name: "other" } })).toEqual(new Set(["P1"]));
  });
});
