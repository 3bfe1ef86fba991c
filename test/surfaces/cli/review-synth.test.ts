import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Synthesis } from "../../../src/review/index.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const synth = (cwd: string, args: readonly string[], input = "") =>
  run(["review", "synth", ...args], { cwd, input });
const report = (...entries: string[]) =>
  `### Findings Index\n${entries.map((entry) => `- ${entry}\n`).join("")}\nVerdict: needs-changes\n`;
const race = 'P0 | RACE-1 | "src/a.js:3" | Check and act on the file are not atomic';
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");

describe("headgate review synth", () => {
  it("V-04 brings reports of reviewers and linters together, without a repository or store", async () => {
    const cwd = temporaryFolder();
    put(
      join(cwd, "fd-safety.md"),
      report(race, 'P2 | N-1 | "README" | The guide names a wrong flag'),
    );
    put(join(cwd, "fd-correctness.md"), report(race));
    put(
      join(cwd, "semgrep.sarif"),
      JSON.stringify({
        version: "2.1.0",
        runs: [
          {
            tool: { driver: { name: "x" } },
            results: [
              {
                ruleId: "toctou",
                level: "error",
                message: { text: "Check and act on the file are not atomic" },
                locations: [
                  {
                    physicalLocation: {
                      artifactLocation: { uri: "src/a.js" },
                      region: { startLine: 3 },
                    },
                  },
                ],
              },
            ],
          },
        ],
      }),
    );
    const files = ["fd-safety.md", "fd-correctness.md", "semgrep.sarif"];
    const { code, stdout, stderr } = await synth(cwd, [...files, "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { verdict, clusters, reports } = JSON.parse(stdout) as Synthesis;
    expect(verdict).toBe("blocked");
    expect(clusters[0]).toMatchObject({
      severity: "P0",
      path: "src/a.js",
      line: 3,
      reviewers: ["fd-correctness", "fd-safety", "semgrep"],
    });
    expect(reports.map(({ reviewer }) => reviewer)).toEqual([
      "fd-correctness",
      "fd-safety",
      "semgrep",
    ]);
    const other = await synth(cwd, [...files.toReversed(), "--json"]);
    expect(other.stdout).toBe(stdout);
    const named = await synth(cwd, ["someone=fd-safety.md", "--format", "md"]);
    expect(named.stdout).toContain("| someone | lenient | 2 |");
    for (const format of ["term", "sarif", "rdjson"]) {
      expect((await synth(cwd, [...files, "--format", format])).code).toBe(0);
    }
  });

  it("V-04 exits 1 at the threshold, and when there is no quorum", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "a.md"), report('P1 | X-1 | "a" | The lock is released before the write'));
    expect((await synth(cwd, ["a.md", "--fail-on", "P0"])).code).toBe(0);
    expect((await synth(cwd, ["a.md", "--fail-on", "P1"])).code).toBe(1);
    expect((await synth(cwd, ["a.md", "--fail-on", "P3"])).code).toBe(1);
    expect((await synth(cwd, ["a.md"])).code).toBe(0);
    put(join(cwd, "empty.md"), "\n");
    const none = await synth(cwd, ["empty.md", "--fail-on", "P0"]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("empty.md is empty") });
  });

  it("V-03 a report of another run is foreign when the run is named", async () => {
    const cwd = temporaryFolder();
    const marker = "<!-- headgate:complete run=r-1 agent=a n=1 -->\n";
    put(join(cwd, "a.md"), `${report(race)}\n${marker}`);
    const state = async (...args: string[]) =>
      (JSON.parse((await synth(cwd, ["a.md", "--json", ...args])).stdout) as Synthesis).reports[0]!
        .state;
    expect(await state()).toBe("strict");
    expect(await state("--run", "r-1")).toBe("strict");
    expect(await state("--run", "r-2")).toBe("foreign");
  });

  it("V-04 --from keeps reviews apart, takes null and numbers, and names missing ids by line", async () => {
    const cwd = temporaryFolder();
    const text = lines(
      { id: 7, review: 1, reviewer: "a", title: "Data race on the map", body: null, line: null },
      {
        id: 7,
        review: 2,
        reviewer: "a",
        title: "Data race on the map",
        severity: "critical",
        line: "12",
        path: "x.go",
      },
      { review: "1", reviewer: "b", title: "Data race on the map", extra: true },
    );
    const { code, stdout } = await synth(cwd, ["--from", "-", "--json"], `${text}\n\n`);
    expect(code).toBe(0);
    const { clusters } = JSON.parse(stdout) as Synthesis;
    expect(clusters.map(({ review, members, severity }) => [review, members, severity])).toEqual([
      ["1", ["7", "b/3"], "P2"],
      ["2", ["7"], "P0"],
    ]);
  });

  it.each([
    ["nope", "not JSON"],
    ["[1]", "not an object"],
    ['{"review":"r","title":"t"}', 'needs "reviewer"'],
    ['{"review":"r","reviewer":"a","title":"t","severity":"awful"}', '"severity" is none of P0'],
    ['{"review":"r","reviewer":"a","title":"t","path":3}', '"path" is not a text'],
    ['{"review":"r","reviewer":"a","title":"t","line":"x"}', '"line" is not a number'],
  ])("V-04 a bad line is one clear error with its number: %s", async (bad, why) => {
    const cwd = temporaryFolder();
    const good = { review: "r", reviewer: "a", title: "Something leaks" };
    put(join(cwd, "f.jsonl"), `${lines(good)}\n${bad}\n`);
    const refused = await synth(cwd, ["--from", "f.jsonl"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("f.jsonl, line 2: ");
    expect(refused.stderr).toContain(why);
    const skipped = await synth(cwd, ["--from", "f.jsonl", "--skip-bad", "--json"]);
    expect(skipped).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("1 bad line left out"),
    });
    expect((JSON.parse(skipped.stdout) as Synthesis).counts.raw).toBe(1);
  });

  it("V-04 refuses files that are not there, are no report of a linter, or too many sorts of input", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "x.json"), "{}");
    put(join(cwd, "y.json"), "{ not json");
    expect((await synth(cwd, ["gone.md"])).stderr).toContain("cannot read gone.md: no such file");
    expect((await synth(cwd, ["x.json"])).stderr).toContain(
      "x.json: The file cannot be read as rdjson",
    );
    expect((await synth(cwd, ["y.json"])).code).toBe(2);
    expect((await synth(cwd, ["x.json", "--from", "-"])).code).toBe(2);
    expect((await synth(cwd, [])).code).toBe(2);
  });

  it("V-06 hashes lines of cited files below the folder, and reads nothing outside of it", async () => {
    const cwd = join(temporaryFolder(), "inside");
    put(join(cwd, "in.js"), "one();\n");
    put(join(cwd, "../outside.js"), "secret();\n");
    const text = lines(
      { review: "r", reviewer: "a", title: "Inside problem here", path: "in.js", line: 1 },
      {
        review: "r",
        reviewer: "a",
        title: "Outside trick elsewhere",
        path: "../outside.js",
        line: 1,
      },
    );
    const { stdout } = await synth(cwd, ["--from", "-", "--format", "sarif"], text);
    const { results } = (
      JSON.parse(stdout) as { runs: { results: { partialFingerprints: object }[] }[] }
    ).runs[0]!;
    const withHash = results.filter((one) => "primaryLocationLineHash" in one.partialFingerprints);
    expect(withHash).toHaveLength(1);
  });

  it("V-04 the whole labelled set from the command line", async () => {
    const file = resolve(import.meta.dirname, "../../../eval/review/labelled.jsonl");
    const { stdout } = await synth(temporaryFolder(), ["--from", file, "--json"]);
    const { clusters, counts } = JSON.parse(stdout) as Synthesis;
    const count = readFileSync(file, "utf8").trim().split("\n").length;
    expect(counts.raw).toBe(count);
    expect(clusters.flatMap(({ members }) => members)).toHaveLength(count);
  });
});
