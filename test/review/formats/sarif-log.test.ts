import { describe, expect, it } from "vitest";
import { type SarifFinding, toSarif } from "../../../src/review/index.ts";

const rules = ["A_RULE", "B_RULE", "UNUSED"].map((id) => ({
  id,
  summary: `${id} is wrong.`,
  help: "Mend it.",
}));
const finding: SarifFinding = { rule: "B_RULE", level: "error", message: "bad", path: "a.ts" };

const runOf = (...findings: SarifFinding[]) =>
  toSarif({ version: "1.2.3", rules, findings }).runs[0]!;

describe("SARIF 2.1.0", () => {
  it("has version, schema, one run, and only the rules that are used, by index", () => {
    const log = toSarif({
      version: "1.2.3",
      rules,
      findings: [finding, { ...finding, rule: "A_RULE" }],
    });
    expect(Object.keys(log)).toEqual(["$schema", "version", "runs"]);
    expect(log.version).toBe("2.1.0");
    const { tool, results } = log.runs[0]!;
    expect(tool.driver).toMatchObject({ name: "Headgate", semanticVersion: "1.2.3" });
    expect(tool.driver.rules.map(({ id, name }) => [id, name])).toEqual([
      ["A_RULE", "ARule"],
      ["B_RULE", "BRule"],
    ]);
    for (const rule of tool.driver.rules) {
      expect(rule.shortDescription.text).toMatch(/\.$/);
      expect(rule.help.text).not.toBe("");
    }
    for (const result of results) {
      expect(tool.driver.rules[result.ruleIndex!]!.id).toBe(result.ruleId);
      expect(result.message.text).not.toBe("");
      expect(result.locations).toHaveLength(1);
    }
  });

  it("an empty list is a run without results, not without a run", () => {
    expect(runOf()).toMatchObject({ results: [], invocations: [{ executionSuccessful: true }] });
  });

  it.each([
    ["src/a b.ts", "src/a%20b.ts"],
    ["c:evil/x.ts", "c%3Aevil/x.ts"],
    ["ä/#1?.ts", "%C3%A4/%231%3F.ts"],
    ["a\\b.ts", "a%5Cb.ts"],
    ["half\ud800.ts", "half%EF%BF%BD.ts"],
  ])("writes the path %s as a relative reference", (path, uri) => {
    const [result] = runOf({ ...finding, path }).results;
    expect(result!.locations![0]!.physicalLocation.artifactLocation).toEqual({
      uri,
      uriBaseId: "SRCROOT",
    });
  });

  it("has a region only where a line is known, counted from 1", () => {
    const [without, withLine] = runOf(finding, { ...finding, line: 3, column: 7 }).results;
    expect(without!.locations![0]!.physicalLocation).not.toHaveProperty("region");
    expect(withLine!.locations![0]!.physicalLocation.region).toEqual({
      startLine: 3,
      startColumn: 7,
    });
  });

  it("fingerprints do not move with lines, and two equal findings are two", () => {
    const print = (one: SarifFinding) => runOf(one).results[0]!.partialFingerprints;
    expect(print({ ...finding, line: 3 })).toEqual(print({ ...finding, line: 30 }));
    expect(print(finding)).not.toEqual(print({ ...finding, path: "b.ts" }));
    expect(print(finding)).not.toEqual(print({ ...finding, symbol: "x" }));
    expect(print(finding)).not.toEqual(print({ ...finding, identity: "x" }));
    const [first, second] = runOf(finding, finding).results;
    expect(first!.partialFingerprints).not.toEqual(second!.partialFingerprints);
  });
});
