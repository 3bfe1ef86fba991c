import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hookCommand } from "../../../src/surfaces/setup/hook-tables.ts";
import { runInside } from "../../helpers/inside.ts";
import { run } from "../../helpers/program.ts";
import { type SetupTestPlace, setupPlace, snapshot } from "../../helpers/setup-place.ts";
import { put } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

interface Check {
  readonly group: string;
  readonly state: "ok" | "warning" | "problem";
  readonly text: string;
  readonly remedy?: string;
}

const pass = (path: string): void => writeFileSync(path, "#!/bin/sh\nexit 0\n");

const doctor = async (place: SetupTestPlace, ...args: string[]) => {
  const { code, stdout, stderr } = await place.headgate("doctor", "--json", "--quiet", ...args);
  expect(stderr).toBe("");
  const report = JSON.parse(stdout) as {
    ok: boolean;
    checks: Check[];
    proofs?: Proof[];
    mcp?: object;
  };
  expect(report.ok).toBe(code === 0);
  for (const { state, remedy, text } of report.checks) {
    expect(remedy !== undefined, text).toBe(state !== "ok");
  }
  return {
    ...report,
    code,
    found: (group: string) => report.checks.filter((one) => one.group === group),
  };
};

interface Proof {
  readonly client: string;
  readonly ok: boolean;
  readonly claimed: { readonly ok: boolean; readonly text: string };
  readonly free: { readonly ok: boolean; readonly text: string };
}

const armed = async (...clients: string[]): Promise<SetupTestPlace> => {
  const place = setupPlace({}, runInside);
  const chosen = clients.flatMap((name) => ["--client", name]);
  expect((await place.headgate("init", "--yes", ...chosen)).code).toBe(0);
  return place;
};

describe("headgate doctor", () => {
  it("finds nothing wrong in a fresh set-up, and changes nothing", async () => {
    const place = await armed("claude", "cursor");
    const before = snapshot(place.root);
    const { code, checks } = await doctor(place);
    expect(checks.filter(({ state }) => state === "problem")).toEqual([]);
    expect(code).toBe(0);
    expect(snapshot(place.root)).toEqual(before);
    const { stdout } = await place.headgate("doctor");
    expect(stdout).toContain("all good");
    const real = await run(["doctor"], { cwd: place.root, env: { HOME: place.home } });
    expect(real).toMatchObject({ code: 0, stdout: expect.stringContaining("all good") });
  });

  it("a server that gives no answer in time is not judged, and not taken for one that is not running", async () => {
    const place = await armed("claude");
    const local = stateFolder(place.root);
    const mute = createServer(() => {});
    await new Promise<void>((resolve) => mute.listen(join(local, "socket"), resolve));
    onTestFinished(() => void mute.close());
    writeFileSync(join(local, "socket-path"), `${join(local, "socket")}\n`);
    // At the same time: each waits for its two seconds.
    const [found, shown, { stdout }] = await Promise.all([
      doctor(place),
      place.headgate("status"),
      place.headgate("status", "--json"),
    ]);
    const [server] = found.found("server");
    expect(server).toMatchObject({ state: "warning" });
    expect(server?.text).toBe("not judged: no answer within 2 s; hooks wait for it");
    expect(shown.stdout).toContain("not judged: no answer within 2 s");
    expect(JSON.parse(stdout)).toMatchObject({ server: { running: false, silent: true } });
  });

  it("says so where nothing was set up", async () => {
    const place = setupPlace({}, runInside);
    mkdirSync(join(place.home, ".codex"));
    const { code, found } = await doctor(place);
    expect(code).toBe(1);
    expect(found("Headgate")).toMatchObject([{ state: "problem", remedy: "Run `headgate init`." }]);
    expect(found("Codex")).toMatchObject([
      { state: "warning", text: expect.stringContaining("not set up here") },
    ]);
  });

  it("B11 fails when hooks were taken out of a client's settings", async () => {
    const place = await armed("claude", "codex");
    writeFileSync(join(place.root, ".claude/settings.json"), "{}\n");
    const { code, found } = await doctor(place);
    expect(code).toBe(1);
    expect(found("Claude Code")).toContainEqual(
      expect.objectContaining({ state: "problem", text: expect.stringContaining("are gone") }),
    );
  });

  it.each([
    ["hook is missing", ".git/headgate/hook", rmSync, /is missing/],
    ["hook is another", ".git/headgate/hook", pass, /hook, which clients start, is not this/],
    ["file in the tree is another", ".headgate/hook", pass, /^\.headgate\/hook is not this/],
  ])("B11 T-01 fails when the %s", async (_, path, change, text) => {
    const place = await armed("claude");
    change(join(place.root, path));
    const { code, found } = await doctor(place);
    expect(code).toBe(1);
    expect(found("Headgate")).toContainEqual(
      expect.objectContaining({ state: "problem", text: expect.stringMatching(text) }),
    );
  });

  it("B11 fails when what the shim starts is gone, and when git's hooks are", async () => {
    const place = await armed("claude");
    writeFileSync(join(stateFolder(place.root), "runtime"), "/no/node\n/no/headgate.js\n");
    rmSync(join(place.root, ".git/hooks/pre-commit"));
    const { code, found } = await doctor(place);
    expect(code).toBe(1);
    expect(found("Headgate")).toContainEqual(
      expect.objectContaining({ state: "problem", text: expect.stringContaining("/no/node") }),
    );
    expect(found("git hooks")).toContainEqual(
      expect.objectContaining({ state: "problem", text: "pre-commit is gone" }),
    );
  });

  it("tells whether Codex and Gemini CLI trust the hooks", async () => {
    const place = await armed("codex", "gemini");
    const states = async () => {
      const { found } = await doctor(place);
      return [found("Codex").at(-1)?.state, found("Gemini CLI").at(-1)?.state];
    };
    expect(await states()).toEqual(["problem", "warning"]);
    const key = `${place.root}/.codex/hooks.json:pre_tool_use:0:0`;
    put(
      join(place.home, ".codex/config.toml"),
      `[hooks.state."${key}"]\ntrusted_hash = "sha256:00"\n`,
    );
    const folders = join(place.home, ".gemini/trustedFolders.json");
    put(folders, JSON.stringify({ [join(place.root, "..")]: "TRUST_FOLDER" }));
    expect(await states()).toEqual(["ok", "ok"]);
    put(folders, JSON.stringify({ [place.root]: "DO_NOT_TRUST" }));
    expect(await states()).toEqual(["ok", "problem"]);
  });

  it("sees hooks that are switched off altogether", async () => {
    const place = await armed("claude");
    put(join(place.home, ".claude/settings.json"), `{ "disableAllHooks": true }`);
    const { code, found } = await doctor(place);
    expect([code, found("Claude Code").at(-1)?.text]).toEqual([
      1,
      expect.stringContaining("switches all hooks off"),
    ]);
  });

  it("asks an installed client for its version, but never a program of the repository", async () => {
    const place = await armed("claude", "gemini");
    place.install("claude", "1.0.3 (Claude Code)");
    place.install("gemini", "0.99.0");
    const { found } = await doctor(place);
    expect(found("Claude Code").at(-1)).toMatchObject({
      state: "warning",
      text: expect.stringContaining("version 1.0.3 is older"),
    });
    expect(found("Gemini CLI").at(-1)).toMatchObject({ state: "ok" });
    const planted = put(
      join(place.root, "node_modules/.bin/claude"),
      `#!/bin/sh\ntouch ${join(place.root, "evil")}\necho 9.9.9\n`,
    );
    chmodSync(planted, 0o755);
    expect((await doctor(place)).found("Claude Code").at(-1)?.text).toContain("version 1.0.3");
    expect(existsSync(join(place.root, "evil"))).toBe(false);
  });

  it("reports a broken settings file with its place", async () => {
    const place = await armed("claude");
    writeFileSync(join(place.root, ".claude/settings.json"), `{ "hooks": \n`);
    const { code, found } = await doctor(place);
    expect(code).toBe(1);
    expect(found("Claude Code")[0]).toMatchObject({
      state: "problem",
      text: expect.stringContaining("broken at line 2"),
    });
  });
});

describe("headgate doctor --prove", () => {
  it("drives a canary through every installed hook: refused where claimed, passed where free", async () => {
    const clients = [
      ...["claude", "codex", "copilot", "cursor", "gemini", "opencode", "qwen", "vscode"],
    ];
    const place = await armed(...clients);
    const { proofs } = await doctor(place, "--prove");
    expect(proofs!.map(({ client, ok }) => [client, ok])).toEqual(
      clients.map((name) => [name, true]),
    );
    for (const { claimed, free } of proofs!) {
      expect(claimed.text).toMatch(/^Headgate refused this \w+: CLAIM_CONFLICT headgate-canary-/);
      expect(free.text).toBe("no objection");
    }
    const { stdout } = await place.headgate("claims", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ claims: [] });
    const left = Object.keys(snapshot(place.root)).filter((path) => path.includes("canary"));
    expect(left).toEqual([]);
    const status = JSON.parse((await place.headgate("status", "--json")).stdout) as object;
    expect(status).toMatchObject({ refusals: [], sessions: [] });
  });

  it("starts the MCP server as the clients do, and hears it answer", async () => {
    const place = await armed("claude");
    const { mcp } = await doctor(place, "--prove");
    expect(mcp).toMatchObject({ ok: true, text: "answers" });
  });

  it("B11 shows a hook that lets everything pass", async () => {
    const place = await armed("claude");
    pass(join(place.root, ".git/headgate/hook"));
    const { code, proofs } = await doctor(place, "--prove");
    expect(code).toBe(1);
    expect(proofs).toMatchObject([
      { ok: false, claimed: { ok: false, text: "exit 0" }, free: { ok: true } },
    ]);
  });

  it("B01 runs no command that somebody else put into the settings", async () => {
    const place = await armed("claude");
    const settings = place.read(".claude/settings.json");
    const evil = `touch ${join(place.root, "evil")}; .headgate/hook claude`;
    writeFileSync(
      join(place.root, ".claude/settings.json"),
      settings.replaceAll(JSON.stringify(hookCommand("claude", "git")), JSON.stringify(evil)),
    );
    const { code, proofs } = await doctor(place, "--prove");
    expect([code, proofs]).toEqual([1, []]);
    expect(existsSync(join(place.root, "evil"))).toBe(false);
  });
});
