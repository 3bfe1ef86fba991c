import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { hookScripts } from "../../../src/base/hook-line.ts";
import { hookCommand, mcpCommand } from "../../../src/surfaces/setup/hook-tables.ts";
import { setupPlace, snapshot } from "../../helpers/setup-place.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const claudeSettings = `{
  // mine
  "permissions": { "allow": ["Bash(ls)"] },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo hi" }] }
    ]
  }
}
`;

/** Something of everybody's own in every file that Headgate has a part in. */
const everything = {
  ".claude/settings.json": claudeSettings,
  ".mcp.json": `{"mcpServers":{"other":{"command":"x"}}}`,
  ".codex/hooks.json": `{ "hooks": { "Stop": [] } }\n`,
  ".codex/config.toml": `model = "m" # mine\r\n[mcp_servers.other]\r\ncommand = "x"\r\n`,
  ".cursor/hooks.json": `{\n\t"version": 1,\n\t"hooks": {}\n}`,
  ".gemini/settings.json": `\uFEFF{ "theme": "x", }\n`,
  "opencode.jsonc": `{\n  "mcp": {}, // none yet\n}\n`,
  ".vscode/mcp.json": `{\n    "servers": {}\n}\n`,
  ".github/copilot-instructions.md": "Be brief.\n",
  "AGENTS.md": "# Agents\n\nBe kind.",
  "CLAUDE.md": "# Claude\n",
};

describe("headgate init", () => {
  it("sets up the clients it finds, by program, home folder or repository, and no other", async () => {
    const place = setupPlace({ ".cursor/rules/a.md": "x\n" });
    place.install("claude", "2.1.325 (Claude Code)");
    mkdirSync(join(place.home, ".codex"));
    const { code, stdout } = await place.headgate("init", "--yes", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      changed: true,
      clients: ["claude", "codex", "cursor"],
    });
    expect(existsSync(join(place.root, ".gemini"))).toBe(false);
    const claude = JSON.parse(place.read(".claude/settings.json")) as Hooks;
    expect(Object.keys(claude.hooks)).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "Stop",
      "SubagentStop",
      "SessionEnd",
    ]);
    expect(claude.hooks["PreToolUse"]).toEqual([
      {
        matcher: "Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell|mcp__.*",
        hooks: [
          {
            type: "command",
            command: `/bin/sh -c '${hookScripts.git}' headgate claude "$CLAUDE_PROJECT_DIR"`,
            timeout: 60,
            onFailure: "block",
          },
        ],
      },
    ]);
    const cursor = JSON.parse(place.read(".cursor/hooks.json")) as Hooks & { version: number };
    expect(cursor.version).toBe(1);
    expect(cursor.hooks["preToolUse"]).toMatchObject([{ failClosed: true }]);
    const server = { command: "/bin/sh", args: ["-c", hookScripts.git, "headgate", "mcp"] };
    expect(parseToml(place.read(".codex/config.toml"))).toMatchObject({
      mcp_servers: { headgate: server },
    });
    expect(JSON.parse(place.read(".mcp.json"))).toEqual({ mcpServers: { headgate: server } });
  });

  it("says how Headgate is called where it is not on PATH, to people and to agents, and that is so", async () => {
    const place = setupPlace();
    const caller = join(stateFolder(place.root), "headgate");
    const sessionStart = (): string =>
      execFileSync("sh", [join(stateFolder(place.root), "hook"), "claude", place.root], {
        input: JSON.stringify({
          session_id: "s1",
          cwd: place.root,
          hook_event_name: "SessionStart",
        }),
        env: place.env,
        encoding: "utf8",
      });
    const armed = await place.headgate("init", "--yes", "--client", "claude");
    expect(armed.stdout).toContain(`headgate is not on PATH: write ${caller} for it`);
    expect((await place.headgate("doctor")).stdout).toContain(`here it is ${caller}`);
    expect(sessionStart()).toContain(`\`headgate\` is not on PATH: write ${caller} for it`);
    const listed = { cwd: place.root, env: place.env, encoding: "utf8" } as const;
    expect(execFileSync(caller, ["claims", "--json"], listed)).toContain('"claims":[]');

    place.install("headgate", "the one on PATH");
    expect((await place.headgate("doctor")).stdout).not.toContain(caller);
    expect(sessionStart()).not.toContain("not on PATH");
    await place.headgate("uninstall", "--yes");
    expect(existsSync(caller)).toBe(false);
  });

  it("arms the clone: an executable shim, and what it starts without a server", async () => {
    const place = setupPlace();
    expect((await place.headgate("init", "--yes")).code).toBe(0);
    expect(statSync(join(place.root, ".headgate/hook")).mode & 0o777).toBe(0o755);
    expect(place.read(".git/headgate/hook")).toBe(readFileSync("doors/hook.sh", "utf8"));
    expect(statSync(join(place.root, ".git/headgate/hook")).mode & 0o777).toBe(0o600);
    const [node, program, end] = place.read(".git/headgate/runtime").split("\n");
    expect([node, end]).toEqual([process.execPath, ""]);
    expect(existsSync(program!)).toBe(true);
    const ignored = execFileSync("git", ["status", "--short", "-uall"], { cwd: place.root });
    expect(ignored.toString()).not.toContain("local");
  });

  it("changes nothing the second time", async () => {
    const place = setupPlace(everything);
    expect((await place.headgate("init", "--yes")).code).toBe(0);
    const before = snapshot(place.root);
    const { code, stdout } = await place.headgate("init");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "nothing to change: everything is set up\n",
    });
    expect(snapshot(place.root)).toEqual(before);
  });

  it("keeps comments and foreign entries byte for byte", async () => {
    const place = setupPlace(everything);
    expect((await place.headgate("init", "--yes")).code).toBe(0);
    for (const [path, before] of Object.entries(everything)) {
      expect(withoutInsertions(before, place.read(path)), path).toBe(true);
    }
    expect(parse(place.read(".claude/settings.json"))).toMatchObject({
      permissions: { allow: ["Bash(ls)"] },
      hooks: { PreToolUse: [{ matcher: "Bash" }, { matcher: expect.stringContaining("Edit") }] },
    });
    expect(place.read(".codex/config.toml")).toContain(
      "# headgate:begin\r\n[mcp_servers.headgate]\r\n",
    );
    expect(existsSync(join(place.root, "opencode.json"))).toBe(false);
  });

  it("shows a diff and writes nothing with --dry-run, nor without a terminal", async () => {
    const place = setupPlace({ ".claude/settings.json": claudeSettings });
    const before = snapshot(place.root);
    const dry = await place.headgate("init", "--dry-run");
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain("+++ b/.claude/settings.json");
    expect(dry.stdout).toContain('+    "SessionStart": [');
    const asked = await place.headgate("init");
    const noTerminal =
      "headgate: there is no terminal to ask at: add --yes to write, or --dry-run to see what it would do";
    expect(asked.code).toBe(2);
    expect(asked.stderr).toBe(`${noTerminal}\n  → See \`headgate init --help\`. [USAGE]\n`);
    expect(snapshot(place.root)).toEqual(before);
  });

  it("skips a client whose file is broken, says where, and does the others", async () => {
    const place = setupPlace({
      ".claude/settings.json": `{\n  "hooks": {\n`,
      ".gemini/settings.json": "{}",
      ".codex/config.toml": "model = \n",
    });
    const { code, stderr, stdout } = await place.headgate("init", "--yes");
    expect(code).toBe(1);
    expect(stderr).toMatch(/skipped .*\.claude\/settings\.json: it is broken at line 3, column 1/);
    expect(stderr).toMatch(/skipped .*\.codex\/config\.toml: it is broken at line 1/);
    expect(stderr).toContain("Mend the file");
    expect(place.read(".claude/settings.json")).toBe(`{\n  "hooks": {\n`);
    expect(place.read(".gemini/settings.json")).toContain("headgate gemini");
    expect(stdout).toContain("done");
  });

  it("mends hooks that somebody changed, without adding them twice", async () => {
    const place = setupPlace({ ".claude/settings.json": claudeSettings });
    await place.headgate("init", "--yes");
    const whole = place.read(".claude/settings.json");
    writeFileSync(
      join(place.root, ".claude/settings.json"),
      whole.replace(`, "onFailure": "block"`, "").replace(`"allow"`, `"deny"`),
    );
    rmSync(join(place.root, ".headgate/hook"));
    expect((await place.headgate("init", "--yes")).code).toBe(0);
    expect(parse(place.read(".claude/settings.json"))).toEqual(
      parse(whole.replace(`"allow"`, `"deny"`)),
    );
    expect(existsSync(join(place.root, ".headgate/hook"))).toBe(true);
  });

  it("leaves an MCP entry of the user's own under our name alone", async () => {
    const own = `{ "mcpServers": { "headgate": { "command": "my-headgate" } } }`;
    const place = setupPlace({ ".mcp.json": own });
    await place.headgate("init", "--yes");
    expect(place.read(".mcp.json")).toBe(own);
  });

  it("writes the rules once: not into a file that imports AGENTS.md or is a link to it", async () => {
    const place = setupPlace({ "CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "# A\n" });
    symlinkSync("AGENTS.md", join(place.root, "GEMINI.md"));
    const { code } = await place.headgate("init", "--yes");
    expect(code).toBe(0);
    expect(place.read("CLAUDE.md")).toBe("@AGENTS.md\n");
    expect(place.read("AGENTS.md").match(/headgate:begin/g)).toHaveLength(1);
  });

  it("T-01 replaces the lines of an earlier release, and all say that two clients must trust them again", async () => {
    const place = setupPlace();
    const names = ["claude", "codex", "gemini", "cursor"];
    const init = () =>
      place.headgate("init", "--yes", ...names.flatMap((name) => ["--client", name]));
    expect((await init()).stdout).not.toContain("again");
    const files = [".claude/settings.json", ".mcp.json", ".codex/hooks.json", ".codex/config.toml"];
    files.push(".gemini/settings.json", ".cursor/hooks.json");
    const whole = files.map((path) => place.read(path));
    const top = '"$(git rev-parse --show-toplevel 2>/dev/null || pwd)';
    const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
    for (const [index, path] of files.entries()) {
      let text = whole[index]!;
      for (const name of names) {
        const root = { claude: '"${CLAUDE_PROJECT_DIR:-.}"/', codex: `${top}"/` }[name] ?? "";
        const line = hookCommand(name as "claude", "git");
        text = text.replaceAll(quoted(line), () => quoted(`${root}.headgate/hook ${name}`));
      }
      const { command, args } = mcpCommand("git");
      const old = quoted(`exec ${top}/.headgate/hook" mcp`);
      text = text.replaceAll(quoted(args[1]!), () => old).replaceAll(`"${command}"`, `"sh"`);
      text = text.replaceAll(/, "headgate", "mcp"\]/g, "]");
      expect(text).not.toBe(whole[index]);
      writeFileSync(join(place.root, path), text);
    }
    rmSync(join(place.root, ".git/headgate/hook"));
    const again = await init();
    expect(again.code).toBe(0);
    expect(files.map((path) => place.read(path))).toEqual(whole);
    for (const title of ["Codex", "Gemini CLI"]) {
      expect(again.stdout).toMatch(
        new RegExp(`${title}: its hooks have changed and must be trusted`),
      );
    }
    expect(again.stdout).not.toMatch(/(Claude Code|Cursor): its hooks/);
    const status = async () => (await place.headgate("status")).stdout;
    expect(await status()).toMatch(/Codex runs Headgate's changed hooks only after/);
    const commit = () => {
      const args = ["commit", "--quiet", "--allow-empty", "--message", "x"];
      const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
      return spawnSync("git", [...identity, ...args], { cwd: place.root, encoding: "utf8" }).stderr;
    };
    expect(commit()).toMatch(/note: Codex runs .*\n.*note: Gemini CLI runs/);
    expect(commit()).not.toContain("trust");
    // The client's own hook shows that it trusts it.
    const line = hookCommand("codex", "git");
    spawnSync("sh", ["-c", line], { cwd: place.root, input: '{"hook_event_name":"Stop"}' });
    expect(await status()).not.toContain("Codex runs");
    expect(await status()).toContain("Gemini CLI runs");
    expect((await place.headgate("uninstall", "--yes")).code).toBe(0);
    expect(existsSync(join(place.root, ".git/headgate/hook"))).toBe(false);
  });

  it("names the clients it was asked for, and refuses others", async () => {
    const place = setupPlace();
    expect(
      (await place.headgate("init", "--yes", "--client", "gemini", "--no-git-hooks")).code,
    ).toBe(0);
    expect(place.read(".gemini/settings.json")).toContain("headgate gemini");
    expect(existsSync(join(place.root, ".git/hooks/pre-commit"))).toBe(false);
    expect((await place.headgate("init", "--client", "emacs")).code).toBe(2);
  });

  it("wants a fixed port for --http", async () => {
    const place = setupPlace();
    const refused = await place.headgate("init", "--yes", "--client", "claude", "--http");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("server.port")]);
    put(join(place.home, ".config/headgate/config.jsonc"), `{ "server": { "port": 7411 } }`);
    expect((await place.headgate("init", "--yes", "--client", "claude", "--http")).code).toBe(0);
    const { hooks } = JSON.parse(place.read(".claude/settings.json")) as Hooks;
    expect(hooks["PreToolUse"]).toMatchObject([
      { hooks: [{ type: "http", url: "http://127.0.0.1:7411/hooks/claude", onFailure: "block" }] },
    ]);
    // It has happened already: nothing to block.
    expect(hooks["PostToolUse"]).toMatchObject([{ hooks: [{ type: "http" }] }]);
    expect(JSON.stringify(hooks["PostToolUse"])).not.toContain("onFailure");
    expect(hooks["SessionStart"]).toMatchObject([{ hooks: [{ type: "command" }] }]);
    const { code } = await place.headgate("uninstall", "--yes", "--purge");
    expect([code, existsSync(join(place.root, ".claude/settings.json"))]).toEqual([0, false]);
  });
});

describe("headgate uninstall", () => {
  it.each([
    ["an empty repository", {}],
    ["files of every client", everything],
  ])("restores %s byte for byte", async (_, files) => {
    const place = setupPlace(files);
    const before = snapshot(place.root);
    const clients = ["claude", "codex", "cursor", "gemini", "opencode", "vscode"];
    const chosen = clients.flatMap((name) => ["--client", name]);
    expect((await place.headgate("init", "--yes", ...chosen)).code).toBe(0);
    expect(Object.keys(snapshot(place.root)).length).toBeGreaterThan(Object.keys(before).length);
    const { code, stderr } = await place.headgate("uninstall", "--yes", "--purge");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(snapshot(place.root)).toEqual(before);
  });

  it("keeps what was written into the files since", async () => {
    const place = setupPlace(everything);
    await place.headgate("init", "--yes");
    const edit = (path: string, from: string, to: string): void => {
      const text = place.read(path);
      expect(text).toContain(from);
      writeFileSync(join(place.root, path), text.replace(from, to));
    };
    edit(".claude/settings.json", "// mine", "// mine, later");
    edit("AGENTS.md", "Be kind.", "Be kind and quick.");
    edit(".codex/config.toml", `"m"`, `"n"`);
    edit(".vscode/mcp.json", `"servers"`, `"inputs": [],\n    "servers"`);
    expect((await place.headgate("uninstall", "--yes")).code).toBe(0);
    expect(place.read(".claude/settings.json")).toBe(claudeSettings.replace("mine", "mine, later"));
    expect(place.read("AGENTS.md").trimEnd()).toBe("# Agents\n\nBe kind and quick.");
    expect(place.read(".codex/config.toml")).toBe(
      everything[".codex/config.toml"].replace(`"m"`, `"n"`),
    );
    expect(place.read(".vscode/mcp.json")).toBe(`{\n    "inputs": [],\n    "servers": {}\n}\n`);
  });

  it("finds our parts without the manifest, as in a colleague's clone", async () => {
    const place = setupPlace({ ".claude/settings.json": claudeSettings });
    await place.headgate("init", "--yes", "--client", "claude", "--client", "cursor");
    rmSync(stateFolder(place.root), { recursive: true });
    expect((await place.headgate("uninstall", "--yes")).code).toBe(0);
    expect(place.read(".claude/settings.json")).toBe(claudeSettings);
    expect(existsSync(join(place.root, ".cursor"))).toBe(false);
    expect(existsSync(join(place.root, ".headgate"))).toBe(false);
  });

  it("keeps claims and history without --purge, and asks before anything", async () => {
    const place = setupPlace();
    await place.headgate("init", "--yes");
    await place.headgate("claim", "a.txt", "--as", "ada");
    expect((await place.headgate("uninstall")).code).toBe(2);
    expect(existsSync(join(place.root, ".headgate/hook"))).toBe(true);
    expect((await place.headgate("uninstall", "--dry-run")).code).toBe(0);
    expect(existsSync(join(place.root, ".headgate/hook"))).toBe(true);
    expect((await place.headgate("uninstall", "--yes")).code).toBe(0);
    expect((await place.headgate("claims", "--json")).stdout).toContain("a.txt");
    expect((await place.headgate("uninstall", "--yes")).stdout).toBe("nothing to take back\n");
  });

  it.each([{ words: [] }, { words: ["--purge"] }])(
    "D12 uninstall $words stops the server of the repository, and says so",
    async ({ words }) => {
      const place = setupPlace();
      await place.headgate("init", "--yes");
      expect((await place.headgate("up", "--detach")).code).toBe(0);
      const { code, stdout } = await place.headgate("uninstall", "--yes", ...words);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^stopped the server \(process \d+\)$/m),
      ]);
      expect(existsSync(join(place.root, ".headgate"))).toBe(false);
      expect((await place.headgate("up", "--stop")).stderr).toContain("SERVER_NOT_RUNNING");
    },
  );

  it("restores a file that this Headgate would not write today", async () => {
    const place = setupPlace();
    await place.headgate("init", "--yes", "--client", "opencode");
    expect(existsSync(join(place.root, "opencode.json"))).toBe(true);
    put(join(place.root, "opencode.jsonc"), "{}\n");
    expect((await place.headgate("uninstall", "--yes")).code).toBe(0);
    expect(existsSync(join(place.root, "opencode.json"))).toBe(false);
    expect(place.read("opencode.jsonc")).toBe("{}\n");
  });

  it("does not touch a broken file in which we have no part", async () => {
    const place = setupPlace({ ".gemini/settings.json": "{ broken" });
    const { code, stderr } = await place.headgate("uninstall", "--yes");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("A02 links", () => {
  it("are not followed: neither a linked file nor a linked folder is written through", async () => {
    const outside = temporaryFolder();
    const target = put(join(outside, "settings.json"), "{}\n");
    const place = setupPlace({ ".claude/x": "" });
    symlinkSync(target, join(place.root, ".claude/settings.json"));
    symlinkSync(outside, join(place.root, ".cursor"));
    const { code, stderr } = await place.headgate("init", "--yes");
    expect(code).toBe(1);
    expect(stderr).toMatch(/skipped \.claude\/settings\.json: .* is a link/);
    expect(stderr).toMatch(/skipped \.cursor\/hooks\.json: \.cursor is a link/);
    expect(readFileSync(target, "utf8")).toBe("{}\n");
    expect(Object.keys(snapshot(outside))).toEqual(["settings.json"]);
  });
});

interface Hooks {
  readonly hooks: Readonly<Record<string, unknown>>;
}

/** Whether `after` is `before` with nothing but insertions. */
const withoutInsertions = (before: string, after: string): boolean => {
  let at = 0;
  for (const char of after) if (char === before[at]) at += 1;
  return at === before.length;
};
