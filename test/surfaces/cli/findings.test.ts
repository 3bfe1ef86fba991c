import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../../src/index.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { runInside } from "../../helpers/inside.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { hold, type Scene, wholeFiles } from "../../review/ledger/scene.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const code = "one();\ntwo();\nthree();\n";
const said = [
  {
    reviewer: "safety",
    title: "First call is unchecked \u001b[31m",
    path: "src/a.js",
    line: 1,
    severity: "P1" as const,
  },
  { reviewer: "safety", title: "Third thing leaks a handle", path: "src/a.js", line: 3 },
  {
    reviewer: "tests",
    title: "Nobody documents retries anywhere",
    path: "src/a.js",
    line: 2,
    severity: "P3" as const,
  },
];

const reviewed = async (scene: Partial<Scene> = {}) => {
  const cwd = makeRepository(join(temporaryFolder(), "app"));
  put(join(cwd, "src/a.js"), code);
  const review = async (again: Partial<Scene> = {}) => {
    await using headgate = await openHeadgate({ repo: cwd, actor: "alice" });
    return await hold(await headgate.ledger(), {
      subject: wholeFiles({ "src/a.js": code }),
      said,
      ...scene,
      ...again,
    });
  };
  const finished = await review();
  const findings = (...args: string[]) => runInside(["findings", ...args], { cwd });
  const json = async (...args: string[]) =>
    JSON.parse((await findings(...args, "--json")).stdout) as {
      findings: { id: string; title: string; state: string }[];
    };
  return { cwd, finished, findings, json, review };
};

describe("headgate findings", () => {
  it("V-04 lists what is open, most severe first, without escapes, and filters", async () => {
    const { findings, json, finished } = await reviewed();
    const { code: exit, stdout } = await findings("list");
    expect(exit).toBe(0);
    expect(stdout).not.toContain("\u001b");
    expect(stdout.split("\n").filter((line) => line.startsWith("fi_"))).toEqual([
      expect.stringMatching(/^fi_\w+ {2}P1 {2}new {2}First call is unchecked/),
      expect.stringMatching(/ {2}P2 {2}new {2}Third thing/),
      expect.stringMatching(/ {2}P3 {2}new {2}Nobody documents/),
    ]);
    const titles = async (...args: string[]) =>
      (await json("list", ...args)).findings.map(({ title }) => title.slice(0, 5));
    expect(await titles("--severity", "P1", "--severity", "P3")).toEqual(["First", "Nobod"]);
    expect(await titles("--reviewer", "tests")).toEqual(["Nobod"]);
    expect(await titles("--path", "./src/")).toHaveLength(3);
    expect(await titles("--path", "sr")).toEqual([]);
    expect(await titles("--state", "fixed")).toEqual([]);
    expect(await titles("--review", finished.review.id)).toHaveLength(3);
    expect((await findings("list", "--review", "re_zzz")).code).toBe(4);
    const one = await findings("list", "--limit", "1", "--json");
    expect(JSON.parse(one.stdout)).toMatchObject({ findings: [{}], more: true });
  });

  it("V-04 dismisses with a reason, accepts, shows; ids by unique prefix", async () => {
    const { findings, json, review } = await reviewed();
    const [first, second] = (await json("list")).findings;
    const bare = await findings("dismiss", first!.id);
    expect(bare).toMatchObject({ code: 2, stderr: expect.stringContaining("--reason wrong|") });
    expect((await findings("dismiss", first!.id, "--reason", "dull")).code).toBe(2);
    const unknown = await findings("dismiss", second!.id, "fi_zzz", "--reason", "wrong");
    expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining("FINDING_UNKNOWN") });
    expect((await json("list")).findings).toHaveLength(3);
    const done = await findings(
      "dismiss",
      first!.id,
      "--reason",
      "wrong",
      "--note",
      "held by caller",
    );
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("dismissed") });
    expect((await findings("accept", second!.id)).code).toBe(0);
    const several = await findings("show", first!.id.slice(0, 6));
    expect(several).toMatchObject({ code: 4, stderr: expect.stringContaining("several") });
    const { stdout } = await findings("show", first!.id.slice(3));
    expect(stdout).toContain("dismissed by");
    expect(stdout).toContain("(wrong: held by caller)");
    await review();
    expect((await json("list", "--state", "dismissed")).findings).toMatchObject([
      { id: first!.id },
    ]);
    expect((await json("list")).findings.map(({ state }) => state)).toEqual([
      "accepted",
      "persisting",
    ]);
  });

  it("V-06 exports SARIF with suppressions and rdjson without them", async () => {
    const { findings, json } = await reviewed();
    const [first] = (await json("list")).findings;
    await findings("dismiss", first!.id, "--reason", "stale");
    const { stdout, stderr } = await findings("export");
    expect(stderr).toContain("3 findings");
    const log = JSON.parse(stdout) as { runs: { results: Record<string, unknown>[] }[] };
    expect(log.runs[0]!.results).toMatchObject([
      {
        level: "warning",
        baselineState: "new",
        partialFingerprints: { primaryLocationLineHash: expect.any(String) },
      },
      { level: "note" },
      { level: "error", suppressions: [{ kind: "external", justification: "stale" }] },
    ]);
    const rdjson = await findings("export", "--format", "rdjson");
    expect((JSON.parse(rdjson.stdout) as { diagnostics: unknown[] }).diagnostics).toHaveLength(2);
  });

  it("V-05 says so where git cannot tell whether later commits changed what is cited", async () => {
    const { cwd, review } = await reviewed();
    git(cwd, "add", ".");
    git(cwd, "commit", "-q", "-m", "one");
    const head = git(cwd, "rev-parse", "HEAD").trim();
    await review({ subject: { ...wholeFiles({ "src/a.js": code }), head } });
    git(cwd, "commit", "-q", "--allow-empty", "-m", "two");
    const programs = join(temporaryFolder(), "bin");
    const real = (process.env["PATH"] ?? "").split(":").map((place) => join(place, "git"));
    const script = `#!/bin/sh\ncase "$*" in *rev-list*) echo 'fatal: bad object' >&2; exit 128;; esac\nexec ${real.find((path) => existsSync(path))} "$@"\n`;
    put(join(programs, "git"), script);
    chmodSync(join(programs, "git"), 0o755);
    // By the real program, which looks for git on its own path.
    const env = { PATH: `${programs}:${process.env["PATH"]}` };
    const listed = await run(["findings", "list", "--json"], { cwd, env });
    expect(JSON.parse(listed.stdout)).toMatchObject({
      findings: [{}, {}, {}],
      notJudged: [{ what: "later commits", why: expect.stringContaining("bad object") }],
    });
    const held = await run(["review", "src/a.js", "--json"], { cwd, env });
    expect(JSON.parse(held.stdout).notes.join()).toMatch(
      /later commits were not looked at: .*bad object/,
    );
  });

  it("V-04 says so where nothing was ever stored, and makes nothing", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "app"));
    const listed = await runInside(["findings", "list", "--json"], { cwd });
    expect(listed).toMatchObject({ code: 0, stdout: '{"findings":[],"more":false}\n' });
    expect((await runInside(["findings", "show", "fi_1"], { cwd })).code).toBe(4);
    expect(git(cwd, "status", "--porcelain", "--ignored")).toBe("");
  });

  it("A-03 reviewers list tells uses and last use; --unused those that were never asked", async () => {
    const { cwd, review } = await reviewed();
    await review({ asked: ["safety"], said: [] });
    const { stdout } = await runInside(["reviewers", "list"], { cwd });
    expect(stdout).toMatch(/^safety +built-in +2× +\d{4}-\d\d-\d\d$/m);
    expect(stdout).toMatch(/^tests +built-in +1× +\d{4}/m);
    expect(stdout).toMatch(/^concurrency +built-in +0× +never$/m);
    const unused = await runInside(["reviewers", "list", "--unused", "--json"], { cwd });
    const names = (JSON.parse(unused.stdout) as { reviewers: { name: string }[] }).reviewers.map(
      ({ name }) => name,
    );
    expect(names).toHaveLength(11);
    expect(names).not.toContain("safety");
    put(join(cwd, "config/headgate/config.jsonc"), "{}");
    writeFileSync(join(stateFolder(cwd), "store.db"), "no database");
    const broken = await runInside(["reviewers", "list"], { cwd });
    expect(broken).toMatchObject({ code: 0, stderr: expect.stringContaining("not known") });
  });
});
