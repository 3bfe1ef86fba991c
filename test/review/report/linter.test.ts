import { describe, expect, it } from "vitest";
import { HeadgateError } from "../../../src/errors.ts";
import { readRdjson, readSarif, synthesize } from "../../../src/review/index.ts";

const asked = { run: "run-1", reviewer: "semgrep" };
const rules = [
  { id: "sql", properties: { "security-severity": "9.1" }, help: { text: "Bind values." } },
  {
    id: "style",
    defaultConfiguration: { level: "note" },
    messageStrings: { long: { text: "{0} is too long" } },
  },
];
const at = (uri: string, startLine: number) => [
  { physicalLocation: { artifactLocation: { uri }, region: { startLine } } },
];
const sarif = (results: readonly object[]) =>
  JSON.stringify({
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "Forged", rules } }, results }],
  });

describe("V-03 linters join the convergence", () => {
  it("V-03 reads SARIF: levels, security grades, rules by index, messages with arguments", () => {
    const text = sarif([
      {
        ruleId: "sql",
        message: { text: "SQL by concatenation" },
        locations: at("src/my%20db.ts", 7),
      },
      { ruleIndex: 1, message: { id: "long", arguments: ["main"] }, locations: at("./b.ts", 2) },
      { ruleId: "x", level: "error", message: { text: "Wrong" } },
    ]);
    expect(readSarif(text, asked)).toMatchObject([
      {
        severity: "P0",
        kind: "security",
        rule: "sql",
        path: "src/my db.ts",
        line: 7,
        reviewer: "semgrep",
      },
      { severity: "P3", rule: "style", title: "main is too long", path: "b.ts", line: 2 },
      { severity: "P1", rule: "x", title: "Wrong" },
    ]);
  });

  it("V-03 leaves out what is suppressed, gone, passed, and places outside the repository", () => {
    const message = { text: "m" };
    const text = sarif([
      { ruleId: "a", message, suppressions: [{ kind: "external" }] },
      { ruleId: "b", message, baselineState: "absent" },
      { ruleId: "c", message, kind: "pass" },
      { ruleId: "d", message, locations: at("file:///etc/passwd", 1) },
      { ruleId: "e", message, locations: at("../up.ts", 1) },
    ]);
    const found = readSarif(text, asked);
    expect(found.map(({ rule }) => rule)).toEqual(["d", "e"]);
    expect(found.every(({ path }) => path === undefined)).toBe(true);
  });

  it("V-03 reads rdjson and rdjsonl", () => {
    const diagnostic = {
      message: "unused variable",
      location: { path: "a.go", range: { start: { line: 3, column: 1 } } },
      code: { value: "U1000" },
    };
    const expected = { title: "unused variable", path: "a.go", line: 3, rule: "U1000" };
    const whole = JSON.stringify({
      source: { name: "x" },
      severity: "ERROR",
      diagnostics: [diagnostic],
    });
    expect(readRdjson(whole, asked)).toMatchObject([{ ...expected, severity: "P1" }]);
    const line = JSON.stringify({ ...diagnostic, severity: "INFO" });
    expect(readRdjson(`${line}\n${line}\n`, asked)).toMatchObject([
      { ...expected, severity: "P3" },
      { ...expected, severity: "P3" },
    ]);
  });

  it("V-03 refuses what is neither", () => {
    expect(() => readSarif("{", asked)).toThrow(HeadgateError);
    expect(() => readSarif("{}", asked)).toThrow(/no runs/);
    expect(() => readRdjson("[1", asked)).toThrow(HeadgateError);
  });

  it("V-04 one rule at one place by two tools is one problem, whatever the words", () => {
    const one = { review: "r", path: "a.ts", line: 3, rule: "no-eval" };
    const { clusters } = synthesize([
      { id: "1", reviewer: "x", title: "eval is evil", ...one },
      { id: "2", reviewer: "y", title: "Unexpected use", ...one },
    ]);
    expect(clusters.map(({ members }) => members)).toEqual([["1", "2"]]);
  });
});
