import { chmodSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRunner, type RunnerSpec } from "../../src/runners/index.ts";
import { type RunnerPlace, runnerPlace, unaborted } from "../helpers/runner-place.ts";
import { put } from "../helpers/temporary-folder.ts";

/** Stands where the client would: says how it was started. The clients themselves are in test/clients. */
const fake = (place: RunnerPlace, print: string): string => {
  const path = join(place.folder, "fake-client");
  const source = `import { readFileSync } from "node:fs";
const told = { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), input: readFileSync(0, "utf8") };
const file = (path) => { try { return readFileSync(path, "utf8"); } catch { return null; } };
const say = (text) => ${print};
say(JSON.stringify({ ...told, login: file(process.env.HOME + "/.codex/auth.json") }));
`;
  writeFileSync(`${path}.mjs`, source);
  writeFileSync(path, `#!/bin/sh\nexec ${process.execPath} ${path}.mjs "$@"\n`);
  chmodSync(path, 0o755);
  return path;
};

const printed = {
  claude: `console.log(JSON.stringify({ type: "result", result: text, total_cost_usd: 0.5, usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 3 }, is_error: false }))`,
  codex: `console.log(JSON.stringify({ type: "item.completed", item: { type: "agent_message", text } }) + "\\n" + JSON.stringify({ type: "turn.completed", usage: { input_tokens: 1, output_tokens: 2 } }))`,
};

interface Told {
  readonly argv: string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
  readonly input: string;
  readonly login: string | null;
}

const ask = async (
  place: RunnerPlace,
  preset: keyof typeof printed,
  more: { spec?: Partial<Extract<RunnerSpec, { kind: "preset" }>>; request?: object } = {},
) => {
  const program = fake(place, printed[preset]);
  const runner = await openRunner({ kind: "preset", preset, program, ...more.spec }, place.ports);
  const answer = await runner.run(place.request(more.request), unaborted());
  return { answer, told: JSON.parse(answer.text) as Told };
};

describe("V-02 presets", () => {
  it("give a client its own variables and no other's", async () => {
    const place = runnerPlace({
      ANTHROPIC_API_KEY: "anthropic-REDACTED",
      OPENAI_API_KEY: "openai-REDACTED",
      GITHUB_TOKEN: "github-REDACTED",
    });
    const claude = (await ask(place, "claude")).told.env;
    expect(claude).toMatchObject({ ANTHROPIC_API_KEY: "[secret]", DISABLE_TELEMETRY: "1" });
    expect(Object.keys(claude)).not.toContain("OPENAI_API_KEY");
    const codex = (await ask(place, "codex")).told.env;
    expect(codex).toMatchObject({ CODEX_API_KEY: "[secret]" });
    expect(codex["CODEX_HOME"]).toContain(join(place.folder, "tmp"));
    for (const name of ["ANTHROPIC_API_KEY", "GITHUB_TOKEN"]) {
      expect(Object.keys(codex)).not.toContain(name);
    }
  });

  it("a login of the client is linked into its home, stays the user's, and can be withheld", async () => {
    const place = runnerPlace();
    const own = put(join(place.folder, "home/.codex/auth.json"), "the login");
    expect((await ask(place, "codex")).told.login).toBe("the login");
    expect(readFileSync(own, "utf8")).toBe("the login");
    expect(lstatSync(own).isFile()).toBe(true);
    expect((await ask(place, "codex", { spec: { login: false } })).told.login).toBeNull();
    const keyed = runnerPlace({ CODEX_API_KEY: "codex-REDACTED" });
    put(join(keyed.folder, "home/.codex/auth.json"), "the login");
    expect((await ask(keyed, "codex")).told.login).toBeNull();
    expect(place.leftOvers()).toEqual([]);
  });

  it("Claude Code is told its budget, model and system text; tokens and cost are what it says", async () => {
    const place = runnerPlace();
    const { answer, told } = await ask(place, "claude", {
      spec: { model: "opus", args: ["--effort", "low"] },
      request: {
        system: "Be strict.",
        budgetUsd: 0.25,
        schema: { type: "object" },
        prompt: "p".repeat(300_000),
      },
    });
    const behind = (flag: string) => told.argv[told.argv.indexOf(flag) + 1];
    expect(told.argv).toContain("--bare");
    expect(behind("--tools")).toBe("Read,Grep,Glob");
    expect(behind("--max-budget-usd")).toBe("0.25");
    expect(behind("--model")).toBe("opus");
    expect(behind("--json-schema")).toBe('{"type":"object"}');
    expect(behind("--effort")).toBe("low");
    expect(told.input.length).toBe(300_000);
    expect(answer).toMatchObject({ costUsd: 0.5, usage: { inputTokens: 12, outputTokens: 3 } });
    expect(answer.structured).toMatchObject({ cwd: place.repo });
  });

  it("to write, the repository's hooks stay, and commands are allowed only where the user says so", async () => {
    const place = runnerPlace();
    const request = { readOnly: false };
    const { told } = await ask(place, "claude", { request });
    expect(told.argv).not.toContain("--bare");
    expect(told.argv).not.toContain("--setting-sources");
    expect(told.argv.join(" ")).toMatch(/--tools Read,Grep,Glob,Edit,Write,MultiEdit /);
    const withShell = await ask(place, "claude", { request, spec: { shell: true } });
    expect(withShell.told.argv.join(" ")).toMatch(/--tools \S*,Bash /);
    const codex = await ask(place, "codex", { request });
    expect(codex.told.argv).toContain("workspace-write");
    expect(codex.told.argv).toContain("--dangerously-bypass-hook-trust");
  });

  it("one that is not installed is said before anything is asked", async () => {
    const place = runnerPlace({ PATH: "/nowhere:." });
    put(join(place.repo, "claude"), "#!/bin/sh\n");
    chmodSync(join(place.repo, "claude"), 0o755);
    await expect(openRunner("claude", place.ports)).rejects.toMatchObject({
      code: "RUNNER_NOT_READY",
      message: "runner claude: its program claude is not on PATH",
    });
  });
});
