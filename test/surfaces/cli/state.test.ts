import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { contentHash } from "../../../src/state/index.ts";
import { newText, oldText, putOrphan } from "../../fault/state-operations.ts";
import { makeRepository } from "../../helpers/git-repository.ts";
import { runInside } from "../../helpers/inside.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const state = (cwd: string, args: readonly string[], input = "") =>
  runInside(["state", ...args], { cwd, input });
const stateJson = async (cwd: string, args: readonly string[], input = "") => {
  const { code, stdout } = await state(cwd, [...args, "--json"], input);
  return { exit: code, ...(JSON.parse(stdout) as Record<string, unknown>) };
};

describe("headgate state write", () => {
  it("S-01 writes standard input and prints path, hash and size", async () => {
    const cwd = temporaryFolder();
    const path = join(cwd, "a.json");
    const written = { exit: 0, ok: true, path, hash: contentHash("{}\n"), bytes: 3 };
    const ended = await run(["state", "write", "a.json", "--json"], { cwd, input: "{}\n" });
    expect({ exit: ended.code, ...JSON.parse(ended.stdout) }).toEqual(written);
    expect(readFileSync(path, "utf8")).toBe("{}\n");
    expect(readdirSync(cwd)).toEqual(["a.json"]);
  });

  it("S-02 refuses another version than the expected one with exit code 3", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "a.json"), "{}");
    const stale = { exit: 3, ok: false, code: "STATE_CHANGED" };
    expect(await stateJson(cwd, ["write", "a.json", "--expect", "absent"], "[]")).toMatchObject({
      ...stale,
      data: { present: contentHash("{}") },
    });
    const expected = ["write", "a.json", "--expect", contentHash("{}"), "--durability", "normal"];
    expect((await state(cwd, expected, "[]")).code).toBe(0);
    expect(await stateJson(cwd, expected, "[]")).toMatchObject(stale);
  });

  it("S-06 S-09 refuses bad content and bad places in one line, and changes nothing", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "a.json"), "{}");
    symlinkSync("a.json", join(cwd, "link.json"));
    mkdirSync(join(cwd, "folder.json"));
    const cases: [string[], string, number, RegExp][] = [
      [["a.json"], '{"a":', 1, /line 1, column 6.*\n.*STATE_INVALID/],
      [["a.json"], "", 2, /a\.json.*empty.*\n.*--allow-empty.*STATE_EMPTY/],
      [["no/a.json"], "{}", 4, /no: cannot open the folder: ENOENT.*\n.*STATE_PARENT_MISSING/],
      [["link.json"], "{}", 1, /is a link.*\n.*STATE_TARGET_KIND/],
      [["folder.json"], "{}", 1, /is a folder.*\n.*STATE_TARGET_KIND/],
      [["a.json", "--expect", "xyz"], "{}", 2, /--expect/],
      [["a.json", "--kind", "xml"], "{}", 2, /--kind/],
      [[], "{}", 2, /name the file/],
    ];
    for (const [args, input, code, message] of cases) {
      const ended = await state(cwd, ["write", ...args], input);
      expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(message) });
      expect(ended.stderr.trim().split("\n")).toHaveLength(2);
    }
    expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe("{}");
    expect((await state(cwd, ["write", "a.json", "--allow-empty"])).code).toBe(0);
  });
});

describe("headgate state set", () => {
  it("S-03 changes one value in Markdown, JSON and YAML", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "S.md"), "---\nStatus: a\n---\n# T\n\n## Next\n\nold\n");
    put(join(cwd, "a.json"), '{"a": {"b": 1}}');
    put(join(cwd, "a.yaml"), "a: 1 # c\n");
    const lines = [
      ["S.md", "Status", "x/y & $1"],
      ["S.md", "Next", "one\ntwo", "--heading"],
      ["a.json", "a.b", "[1, 2]", "--json-value"],
      ["a.yaml", "a", "two"],
      ["a.yaml", "new", "3", "--json-value", "--create"],
    ];
    for (const args of lines) expect((await state(cwd, ["set", ...args])).code).toBe(0);
    expect(readFileSync(join(cwd, "S.md"), "utf8")).toBe(
      '---\nStatus: "x/y & $1"\n---\n# T\n\n## Next\n\none\ntwo\n',
    );
    expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe('{"a": {"b": [1,2]}}');
    expect(readFileSync(join(cwd, "a.yaml"), "utf8")).toBe("a: two # c\nnew: 3\n");
  });

  it("S-03 says what is missing or wrong", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "a.json"), "{}");
    put(join(cwd, "bad.json"), "{");
    const cases: [string[], number][] = [
      [["a.json", "x", "1"], 4],
      [["none.json", "x", "1"], 4],
      [["bad.json", "x", "1"], 1],
      [["a.json", "x", "{", "--json-value"], 2],
      [["a.json", "x", "1", "--heading"], 2],
      [["a.txt", "x", "1"], 2],
      [["a.json", "x"], 2],
    ];
    for (const [args, code] of cases) {
      const ended = await state(cwd, ["set", ...args]);
      expect({ args, code: ended.code, lines: ended.stderr.trim().split("\n").length }).toEqual({
        args,
        code,
        lines: 2,
      });
    }
  });
});

describe("headgate state set on lists and absent keys", () => {
  it.each([
    ["log.json", '{"entries": ["a"]}\n', '{"entries": ["a", "b"]}\n'],
    ["log.json", '{\n  "entries": []\n}\n', '{\n  "entries": ["b"]\n}\n'],
    ["log.yaml", "entries:\n  - a\nnext: 1\n", "entries:\n  - a\n  - b\nnext: 1\n"],
    ["log.yaml", "entries: [a]\n", "entries: [a, b]\n"],
  ])("S-03 entries/- appends to the list in %s: %j", async (file, before, after) => {
    const cwd = temporaryFolder();
    put(join(cwd, file), before);
    for (const key of ["entries/-", "/entries/-"]) {
      put(join(cwd, file), before);
      expect(await state(cwd, ["set", file, key, "b"])).toMatchObject({ code: 0, stderr: "" });
      expect(readFileSync(join(cwd, file), "utf8")).toBe(after);
    }
  });

  it.each(["a.json", "a.yaml"])("S-03 a way through %s makes no key of that name", async (file) => {
    const cwd = temporaryFolder();
    put(join(cwd, file), '{"deep": {"x": 1}}');
    const ended = await state(cwd, ["set", file, "deep/y", "2", "--create"]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("/deep~1y") });
    expect(readFileSync(join(cwd, file), "utf8")).toBe('{"deep": {"x": 1}}');
    expect((await state(cwd, ["set", file, "/deep/y", "2", "--create"])).code).toBe(0);
  });
});

describe("headgate state check and recover", () => {
  it("S-04 without a path looks in the whole repository, for temporaries of other programs, too", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "shop"));
    mkdirSync(join(cwd, ".headgate"));
    put(join(cwd, "src/deep/plan.json"), "{}");
    expect(await stateJson(cwd, ["check"])).toMatchObject({ exit: 0, clean: true });
    put(join(cwd, "src/deep/plan.json.tmp.4711"), "{");
    put(join(cwd, "src/deep/program.tmp.4711"), "of no state file");
    putOrphan(join(cwd, "src"), {});
    const found: Record<string, unknown> = await stateJson(cwd, ["check"]);
    expect(found).toMatchObject({ exit: 1, clean: false });
    const listed = found["temporaries"] as { path: string; decision: { action: string } }[];
    const decisions = listed.map(({ path, decision }) => [
      relative(cwd, path).replace(/\.hg1-.*/, ""),
      decision.action,
    ]);
    expect(decisions.toSorted()).toEqual([
      ["src/.state.json", "promote"],
      ["src/deep/plan.json.tmp.4711", "leave"],
    ]);
    expect((await state(cwd, ["recover"])).code).toBe(1);
    expect(readFileSync(join(cwd, "src/state.json"), "utf8")).toBe(newText);
  });

  it("S-04 a write tidies what a killed write of the same file left", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "a.json"), "[1]");
    putOrphan(cwd, { target: "a.json", written: newText.slice(0, 9) });
    expect(readdirSync(cwd)).toHaveLength(2);
    expect((await state(cwd, ["write", "a.json"], "[3]")).code).toBe(0);
    expect(readdirSync(cwd)).toEqual(["a.json"]);
    expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe("[3]");
  });

  it("S-04 S-05 lists, explains and recovers interrupted writes", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "state.json"), oldText);
    const path = putOrphan(cwd, { base: oldText });
    const checked = await stateJson(cwd, ["check"]);
    const temporary = {
      path,
      target: join(cwd, "state.json"),
      owner: { pid: 1, state: "dead", evidence: expect.any(Array) },
      ageMs: expect.any(Number),
      bytes: newText.length,
      complete: true,
      valid: true,
      problem: null,
      decision: { action: "promote", reason: expect.any(String) },
    };
    expect(checked).toEqual({
      exit: 1,
      clean: false,
      temporaries: [temporary],
      corrupt: [],
      failures: [],
    });
    const dry = await state(cwd, ["recover", "--dry-run"]);
    expect(dry).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/promote: it is complete/),
    });
    expect(readFileSync(join(cwd, "state.json"), "utf8")).toBe(oldText);
    const done = await state(cwd, ["recover", "--explain"]);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/promoted: it is compl/) });
    expect(readFileSync(join(cwd, "state.json"), "utf8")).toBe(newText);
    expect(await stateJson(cwd, ["recover"])).toMatchObject({ exit: 0, ok: true, steps: [] });
    expect(await state(cwd, ["check"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("S-10 sets a corrupt file aside, prints the next steps and exits with 1 once", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, ".headgate/state.json"), "{");
    const recovered = await state(cwd, ["recover"]);
    expect(recovered.code).toBe(1);
    expect(recovered.stdout).toMatch(/corrupt {4}\.headgate\/state\.json:1:2/);
    expect(recovered.stdout).toMatch(/→ then write it back: headgate state write/);
    const [name] = readdirSync(join(cwd, ".headgate"));
    expect(name).toMatch(/^state\.json\.corrupt-/);
    expect((await state(cwd, ["recover"])).code).toBe(0);
  });

  it("S-04 a path that does not exist is exit code 4", async () => {
    const ended = await state(temporaryFolder(), ["check", "nope"]);
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringMatching(/nope does not exist/) });
  });
});

describe("the setting state.files", () => {
  const settings = JSON.stringify({
    state: {
      files: [
        { path: "STATE.md", kind: "markdown", required: ["status"] },
        { path: "history", kind: "json", required: ["version"] },
        { path: "not-made-yet.json", kind: "json" },
      ],
    },
  });

  it("S-06 names what state check looks at without a path, and what each file must be", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, ".headgate/config.jsonc"), settings);
    put(join(cwd, "STATE.md"), "---\nstatus: planning\n---\n# Plan\n");
    put(join(cwd, "history"), '{"version": 1}');
    put(join(cwd, "tsconfig.json"), "{ /* not ours */ }");
    expect(await stateJson(cwd, ["check"])).toMatchObject({ exit: 0, clean: true });
    put(join(cwd, "STATE.md"), "---\nowner: ada\n---\n# Plan\n");
    put(join(cwd, "history"), "{}");
    expect(await stateJson(cwd, ["check"])).toMatchObject({
      exit: 1,
      corrupt: [
        { path: join(cwd, "STATE.md"), problem: { message: "the front matter has no status" } },
        { path: join(cwd, "history"), problem: { message: "the key version is missing" } },
      ],
    });
  });

  it("S-10 a named file is recovered although the settings are broken", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, ".headgate/config.jsonc"), "{ broken");
    put(join(cwd, "a.json"), "{");
    expect((await state(cwd, ["check"])).code).toBe(2);
    const { code, stdout, stderr } = await state(cwd, ["recover", "a.json"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("set aside as a.json.corrupt-")]);
    expect(stderr).toContain("CONFIG_UNREADABLE");
  });
});
