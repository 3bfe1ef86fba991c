import { describe, expect, it } from "vitest";
import { runInside } from "../../helpers/inside.ts";
import { type Place, report, says, scriptedPlace } from "../../review/conduct/scripted.ts";

interface Missed {
  readonly what: string;
  readonly where: string;
  readonly why: string;
}

/** Models that are not asked. */
const silent = [says("tests", "")];

const missedEvents = async ({ run }: Place): Promise<Missed[]> => {
  const { stdout } = await run(["events", "--kind", "judgement.missed", "--json"]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { data: Missed }).data);
};

describe("a review that was not held in full is never go", () => {
  it("V-05 a reviewer that times out leaves the verdict not-reviewed, with its name, reason and limit", async () => {
    const place = await scriptedPlace([
      says("safety", { delayMs: 600_000, text: "late" }),
      says("tests", report("tests", [])),
    ]);
    const args = ["review", "--reviewers", "safety,tests", "--timeout", "3s"];
    const found = await place.json([...args, "--fail-on", "P1"]);
    expect(found).toMatchObject({
      ...{ exit: 1, verdict: "not-reviewed", go: false },
      quorum: { asked: 2, usable: 1, needed: 1 },
      notJudged: [{ what: "report", where: "safety", why: "error: did not finish in 3 s" }],
    });
    expect(found.reasons.join()).toContain("not judged: safety (error: did not finish in 3 s)");
    const kept = await place.json(["review", "show"]);
    expect(kept).toMatchObject({ verdict: "not-reviewed", notJudged: found.notJudged });
    const { stdout } = await place.run(["review", "show"]);
    expect(stdout).toContain("not judged: safety: error: did not finish in 3 s");
    expect(await missedEvents(place)).toEqual(found.notJudged);
    expect(await place.json(["status"])).toMatchObject({ missed: found.notJudged });
    expect((await place.run(["status"])).stdout).toMatch(
      /not judged +report safety: error: did not finish in 3 s {2}\(.* ago\)\n +→ headgate events --kind judgement\.missed/,
    );
  });

  it("static rules that could not look at a file say so, and what they knew of it is not fixed", async () => {
    const place = await scriptedPlace(silent, { review: { runner: "none" }, call: runInside });
    const call = `import { exec } from "node:child_process";\nexport const run = (a) => exec(\`ls \${a}\`);\n`;
    place.edit("src/store.js", call);
    const first = await place.json(["review", "src/store.js", "--fail-on", "P1"]);
    expect(first).toMatchObject({
      exit: 0,
      verdict: "not-reviewed",
      go: false,
      counts: { clusters: 1 },
    });
    place.edit("src/store.js", `${call}export const line = "${"x".repeat(6000)}";\n`);
    const second = await place.json(["review", "src/store.js", "--fail-on", "P1"]);
    const why = "static rules: a line of it has over 5000 characters, as bundles have";
    const notJudged = [{ what: "file", where: "src/store.js", why }];
    expect(second).toMatchObject({ exit: 1, verdict: "not-reviewed", notJudged, fixed: [] });
    place.edit("src/store.js", `${call}//${"y".repeat(1024 * 1024)}\n`);
    const third = await place.json(["review", "src/store.js", "--fail-on", "P1"]);
    expect(third).toMatchObject({ exit: 1, verdict: "not-reviewed", fixed: [] });
    expect(third.notJudged[0].why).toMatch(/too large: a review reads 1048576 bytes/);
    expect(await missedEvents(place)).toEqual([...notJudged, ...third.notJudged]);
  });

  it("V-10 where no static rule reads any of the code the rules alone say not judged; some of it is a note", async () => {
    const place = await scriptedPlace(silent, { review: { runner: "none" }, call: runInside });
    place.edit("src/copy.c", "void copy(char *to, char *from) { strcpy(to, from); }\n");
    const { stdout, code } = await place.run(["review", "src/copy.c", "--fail-on", "P1"]);
    expect(stdout).toContain("Verdict: not reviewed — no go");
    expect(stdout).toContain("not judged: src/copy.c (no static rule reads c)");
    expect(code).toBe(1);
    const both = await place.json(["review", "--fail-on", "P1"]);
    expect(both).toMatchObject({ exit: 0, verdict: "not-reviewed" });
    expect(both.notes).toContain("1 file not judged: no static rule reads c");
    place.edit("docs/plan.md", "# Plan\n");
    place.edit("data.json", "{}\n");
    for (const path of ["docs/plan.md", "data.json"]) {
      expect(await place.json(["review", path])).toMatchObject({
        verdict: "not-reviewed",
        go: false,
      });
    }
  });

  it("T-06 V-10 source that nobody could read is not reviewed, whatever hides it", async () => {
    const place = await scriptedPlace(silent, { review: { runner: "none" }, call: runInside });
    const deep = `x = ${"(".repeat(100_000)}1${")".repeat(100_000)}\n`;
    const cases: readonly (readonly [string, string, string])[] = [
      ["src/nul.py", "# \0\ndef a(:\n", "holds NUL"],
      ["src/deep.py", deep, "the parser broke down"],
      ["src/big.py", "a = 1\n".repeat(400_000), "too large"],
    ];
    for (const [path, text, why] of cases) {
      place.edit(path, text);
      const found = await place.json(["review", path, "--fail-on", "P1"]);
      expect(found, path).toMatchObject({ exit: 1, verdict: "not-reviewed", go: false });
      expect(found.notJudged, path).toMatchObject([{ what: "file", where: path }]);
      expect(found.notJudged[0].why).toContain(why);
    }
    const { stdout } = await place.run(["review"]);
    expect(stdout).toContain("Verdict: not reviewed — no go");
    // WebAssembly is no source, whatever its name is.
    place.edit("src/module.py", "\0asm\x01\0\0\0");
    expect(await place.json(["review", "src/module.py"])).toMatchObject({
      verdict: "not-reviewed",
    });
  });
});
