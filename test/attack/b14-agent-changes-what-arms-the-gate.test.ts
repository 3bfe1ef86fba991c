import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookScripts } from "../../src/base/hook-line.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { spellingProblem } from "../../src/base/path-spelling.ts";
import { openHeadgate } from "../../src/compose.ts";
import { answerAfter } from "../../src/surfaces/hooks/after-tool.ts";
import { dialectOf } from "../../src/surfaces/hooks/harness/index.ts";
import { hookParts } from "../../src/surfaces/hooks/parts.ts";
import type { HookDecision, ToolUse } from "../../src/surfaces/hooks/types.ts";
import { tools } from "../../src/surfaces/mcp/tools/index.ts";
import {
  claudeHooks,
  codexHooks,
  cursorHooks,
  geminiHooks,
} from "../../src/surfaces/setup/hook-tables.ts";
import { judge } from "../../src/without-repository.ts";
import { git } from "../helpers/git-repository.ts";
import { hookPlace } from "../helpers/hook-place.ts";
import { setupPlace } from "../helpers/setup-place.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { edits, refusedCommands, refusedFiles, usualCommands } from "./b14-cases.ts";

/** A repository, a home by `HOME` and another one by the password database; asked as the session claude:s1. */
const place = async () => {
  const folder = temporaryFolder();
  const there = await hookPlace(join(folder, "repo"));
  const [home, account] = [join(folder, "home"), join(folder, "account")];
  for (const one of [home, account]) mkdirSync(join(one, ".claude"), { recursive: true });
  const { root, file } = there;
  file("src/a.ts", "export const a = 1;\n");
  file("package.json", "{}\n");
  mkdirSync(join(folder, "other/.git"), { recursive: true });
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "One");
  const program = { node: join(folder, "node-v22/bin/node"), folder: join(folder, "lib/headgate") };
  const environment = { ...there.dependencies.environment, home, accountHome: account, program };
  const fill = (text: string) =>
    text
      .replaceAll("<HOME>", home)
      .replaceAll("<ACCOUNT>", account)
      .replaceAll("<ROOT>", root)
      .replaceAll("<FOLDER>", folder);
  const ask = (tool: ToolUse) => there.ask(there.call(tool), { ...hookParts, environment });
  return {
    ...{ ...there, home, account, folder, fill },
    shell: (command: string) =>
      ask({ kind: "shell", shell: "posix", command: fill(command), name: "Bash" }),
    write: (path: string, content = "x\n") =>
      ask({ kind: "write", file: fill(path), content, name: "Write" }),
    ask,
  };
};

const codeOf = (decision: HookDecision): string =>
  decision.kind === "refuse" ? decision.code : "pass";

describe("what arms the gate", () => {
  it("T-07 W5 the real hook program refuses it, whatever HOME the call has", async () => {
    const there = setupPlace();
    expect((await there.headgate("init", "--yes", "--client", "claude")).code).toBe(0);
    const [node = "", program = ""] = there.read(".git/headgate/runtime").split("\n");
    const hook = (client: string, name: string, input: object) => {
      const { status, stderr } = spawnSync(join(there.root, ".headgate/hook"), [client], {
        cwd: there.root,
        env: { PATH: "/usr/bin:/bin", HOME: there.home },
        encoding: "utf8",
        input: JSON.stringify({
          ...{ session_id: "s1", cwd: there.root, hook_event_name: "PreToolUse" },
          ...{ tool_name: name, tool_input: input, tool_use_id: JSON.stringify(input) },
        }),
      });
      return [status, stderr.split("\n")[0]?.split(" ")[4] ?? ""];
    };
    const write = (file_path: string) => hook("claude", "Write", { file_path, content: "{}\n" });
    const bash = (command: string) => hook("claude", "Bash", { command });
    const account = userInfo().homedir;
    expect(write(`${there.home}/.config/headgate/config.jsonc`)).toEqual([2, "PATH_OWN"]);
    expect(write(`${account}/.config/headgate/config.jsonc`)).toEqual([2, "PATH_OWN"]);
    expect(write(`${there.home}/.claude/settings.json`)).toEqual([2, "PATH_PROTECTED"]);
    expect(write(`${there.root}/.claude/settings.local.json`)).toEqual([2, "PATH_PROTECTED"]);
    expect(write(program)).toEqual([2, "PATH_OWN"]);
    expect(write(node)).toEqual([2, "PATH_PROTECTED"]);
    expect(write("/proc/self/cwd/src/a.ts")).toEqual([2, "PATH_SPECIAL"]);
    expect(bash("echo '{}' > ~/.config/headgate/config.jsonc")).toEqual([2, "PATH_OWN"]);
    expect(bash("HEADGATE_BYPASS=x git commit -m y")).toEqual([2, "PERSON_NEEDED"]);
    expect(bash("headgate uninstall --yes")).toEqual([2, "PERSON_NEEDED"]);
    const foreign = { path: `${there.root}/.git/config`, content: "" };
    expect(hook("claude", "mcp__fs__write_file", foreign)).toEqual([2, "PATH_GIT"]);
    expect(hook("codex", "Bash", { command: "sh" })).toEqual([2, "HOOKS_SKIPPED"]);
    expect(bash("git status && npm test > /dev/null")[0]).toBe(0);
    expect(write(`${there.root}/notes.txt`)[0]).toBe(0);
  });

  it("T-07 no edit tool writes a person's settings, git's files, the programs or the system's", async () => {
    const there = await place();
    put(join(there.folder, "lib/headgate/package.json"), "{}");
    symlinkSync(there.home, join(there.folder, "way"));
    symlinkSync(join(there.root, ".git"), join(there.folder, "gitway"));
    symlinkSync("/proc/self/cwd", join(there.folder, "odd"));
    put(join(there.home, ".codex/config.toml"), "");
    linkSync(join(there.home, ".codex/config.toml"), join(there.folder, "twin.toml"));
    for (const [path, code] of refusedFiles) {
      const decision = await there.write(path);
      expect(codeOf(decision), path).toBe(code);
      expect(decision.kind === "refuse" && decision.text, path).not.toMatch(wayAround);
    }
    const moved = { file: there.fill("<HOME>/.claude"), to: there.fill("<ROOT>/old") };
    put(join(there.home, ".claude/settings.json"), "{}");
    expect(codeOf(await there.ask({ kind: "move", ...moved, name: "move" }))).toBe(
      "PATH_PROTECTED",
    );
  });

  it("T-07 no shell command does, and none does what is for a person", async () => {
    const there = await place();
    put(join(there.home, ".claude/settings.json"), "{}");
    put(join(there.home, ".config/headgate/config.jsonc"), "{}");
    put(join(there.root, "evil.json"), "{}");
    for (const [command, code] of refusedCommands) {
      const decision = await there.shell(command);
      expect(codeOf(decision), command).toBe(code);
      expect(decision.kind === "refuse" && decision.text, command).not.toMatch(wayAround);
    }
  });

  it("T-07 everyday commands pass", async () => {
    const there = await place();
    put(join(there.root, "node_modules/x/index.js"), "");
    mkdirSync(join(there.root, "dist"));
    expect(usualCommands.length).toBeGreaterThanOrEqual(80);
    for (const command of usualCommands) {
      const decision = await there.shell(command);
      const told = decision.kind === "refuse" ? decision.text : "";
      expect([command, told]).toEqual([command, ""]);
    }
  });

  it("T-07 everyday edits pass, beside and outside the repository", async () => {
    const there = await place();
    expect(edits.length).toBeGreaterThanOrEqual(20);
    for (const [path, content] of edits) {
      const decision = await there.write(path, content);
      const told = decision.kind === "refuse" ? decision.text : "";
      expect([path, told]).toEqual([path, ""]);
    }
  });

  it("T-07 the editor and MCP refuse it, too, where the repository is the home folder", async () => {
    const root = temporaryFolder();
    git(root, "init", "--quiet");
    const environment = {
      ...systemEnvironment(),
      home: root,
      variables: { PATH: "/usr/bin:/bin" },
    };
    const headgate = await openHeadgate({ repo: root, environment, actor: "claude:s1" });
    try {
      for (const path of [".gitconfig", ".config/headgate/config.jsonc", ".codex/hooks.json"]) {
        const { reasons } = await headgate.gate.judge({ writes: [{ path, after: "x\n" }] });
        expect(reasons[0]?.code, path).toMatch(/^PATH_(?:GIT|OWN|PROTECTED)$/);
      }
      const { verdict } = await headgate.gate.judge({
        writes: [{ path: ".bashrc", after: "x\n" }],
      });
      expect(verdict).toBe("allow");
    } finally {
      await headgate.close();
    }
  });
});

/** A refusal names no other way to do the same. */
const wayAround = /HEADGATE_BYPASS=|--no-verify|act as the holder|uninstall. change/;

describe("hook entries in the project's settings", () => {
  const claude = {
    permissions: { allow: [] as string[] },
    hooks: {
      PreToolUse: [
        {
          matcher: "Edit|Bash",
          hooks: [
            {
              type: "command",
              command: '"$CLAUDE_PROJECT_DIR"/.headgate/hook claude',
              timeout: 60,
            },
            { type: "command", command: "./lint.sh" },
          ],
        },
      ],
      Stop: [{ hooks: [{ type: "command", command: ".headgate/hook claude" }] }],
    },
  };
  const text = (value: unknown) => JSON.stringify(value, undefined, 2);
  const verdictOn = async (path: string, before: string, after: string | null) =>
    (await judge({ writes: [{ path, after }] }, { files: { [path]: before } })).reasons[0]?.code;
  const [group] = claude.hooks.PreToolUse;
  const withGroup = (changed: object) => ({
    ...claude,
    hooks: { ...claude.hooks, PreToolUse: [{ ...group, ...changed }] },
  });

  it.each([
    ["an event is renamed", text(claude).replace("PreToolUse", "PreToolUseX")],
    ["the list moves under another key", text({ ...claude, hooks: { old: claude.hooks } })],
    ["hooks is renamed", text(claude).replace('"hooks": {', '"hook": {')],
    ["the matcher is narrowed", text(withGroup({ matcher: "Edit" }))],
    ["the matcher becomes nonsense", text(withGroup({ matcher: "Edit|Bash|(" }))],
    ["a condition is added", text(withGroup({ if: "Edit(*.md)" }))],
    ["the time is taken", text(claude).replace("60", "0")],
    ["the call becomes a comment", text(claude).replace(/("command": "\.headgate.*)/, "// $1")],
    ["hooks are switched off", text({ ...claude, disableAllHooks: true })],
    ["the bypass is set", text({ ...claude, env: { HEADGATE_BYPASS: "x" } })],
    ["git is led elsewhere", text({ ...claude, env: { GIT_CONFIG_GLOBAL: "/tmp/x" } })],
    ["it is no JSON any more", text(claude).slice(1)],
    ["a later key of the same name wins", text(claude).replace(/\}$/, ', "hooks": {}}')],
  ])("T-07 D9 %s: refused", async (_, after) => {
    expect(await verdictOn(".claude/settings.json", text(claude), after)).toMatch(
      /PATH_PROTECTED|SYNTAX_ERROR|DUPLICATE_KEY/,
    );
  });

  it("T-07 what a newer release writes passes: more tools, more time", async () => {
    const after = text(withGroup({ matcher: "Edit|Bash|mcp__.*" })).replace("60", "90");
    expect(await verdictOn(".claude/settings.json", text(claude), after)).toBeUndefined();
  });

  it("T-07 D9 what does not touch them passes: order, form, other people's entries", async () => {
    const path = ".claude/settings.json";
    const reordered = { hooks: { Stop: claude.hooks.Stop, PreToolUse: claude.hooks.PreToolUse } };
    for (const after of [
      JSON.stringify(claude),
      text({ ...claude, ...reordered }),
      text({ ...claude, permissions: { allow: ["Bash(npm test)"] } }),
      text({ ...claude, env: { NODE_ENV: "test" } }),
      text(claude).replace("./lint.sh", "./lint-all.sh"),
      text({ ...claude, hooks: { ...claude.hooks, Notification: [{ hooks: [] }] } }),
    ]) {
      expect(await verdictOn(path, text(claude), after), after).toBeUndefined();
    }
  });

  it("T-07 D2 settings.local.json is a person's own, whatever is in it", async () => {
    const path = ".claude/settings.local.json";
    expect(await verdictOn(path, "", '{"env":{"HEADGATE_BYPASS":"x"}}')).toBe("PATH_PROTECTED");
    expect(await verdictOn(path, "{}", '{"permissions":{"allow":["Bash(ls)"]}}')).toBe(
      "PATH_PROTECTED",
    );
    expect(await verdictOn(path, "{}", null)).toBe("PATH_PROTECTED");
  });

  it("T-07 D9 the servers of other clients are compared as structure, TOML included", async () => {
    const toml = '[mcp_servers.headgate]\ncommand = "sh"\nargs = ["-c", "x"]\n';
    const config = ".codex/config.toml";
    const gone = toml.replace("headgate", "other");
    expect(await verdictOn(config, toml, gone)).toBe("PATH_PROTECTED");
    expect(await verdictOn(config, toml, toml.replace('"sh"', '"true"'))).toBe("PATH_PROTECTED");
    expect(await verdictOn(config, toml, `${toml}\n[features]\nhooks = false\n`)).toBe(
      "PATH_PROTECTED",
    );
    expect(await verdictOn(config, toml, `model = "x"\n${toml}`)).toBeUndefined();
    const gemini = { hooks: { BeforeTool: [{ hooks: [{ command: ".headgate/hook gemini" }] }] } };
    const off = { ...gemini, hooksConfig: { enabled: false } };
    expect(await verdictOn(".gemini/settings.json", text(gemini), text(off))).toBe(
      "PATH_PROTECTED",
    );
  });

  it("T-07 a server's entry of an earlier release and this one's stand for each other, in every form", async () => {
    const old = 'exec "$(git rev-parse --show-toplevel 2>/dev/null || pwd)/.headgate/hook" mcp';
    const before = ["sh", "-c", old];
    const after = ["/bin/sh", "-c", hookScripts.git, "headgate", "mcp"];
    const forms: readonly (readonly [string, (words: readonly string[]) => string])[] = [
      [".mcp.json", (words) => asServer("mcpServers", { command: words[0], args: words.slice(1) })],
      [".codex/config.toml", (words) => asToml(words)],
      ["opencode.json", (words) => asServer("mcp", { type: "local", command: words })],
    ];
    for (const [path, write] of forms) {
      expect(await verdictOn(path, write(before), write(after)), path).toBeUndefined();
      const other = [...after.slice(0, 2), `true; ${hookScripts.git}`, ...after.slice(3)];
      expect(await verdictOn(path, write(before), write(other)), path).toBe("PATH_PROTECTED");
      expect(await verdictOn(path, write(after), write(["true"])), path).toBe("PATH_PROTECTED");
    }
  });
});

const asServer = (place: string, server: object): string =>
  JSON.stringify({ [place]: { headgate: server } });

const asToml = ([command = "", ...args]: readonly string[]): string =>
  `[mcp_servers.headgate]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;

describe("tools of other MCP servers", () => {
  const read = (harness: string, payload: object) =>
    dialectOf(harness, payload as never, { variables: {}, cwd: "/r" }).read(payload as never, {
      variables: {},
      cwd: "/r",
    }).tool;
  const claudeTool = (tool_name: string, tool_input: object) =>
    read("claude", {
      session_id: "s",
      hook_event_name: "PreToolUse",
      cwd: "/r",
      tool_name,
      tool_input,
    });

  it("T-07 D10 are called before and after by every client's table", () => {
    const matchers = (table: object, event: string): string[] =>
      ((table as Record<string, { matcher?: string }[]>)[event] ?? []).flatMap(
        ({ matcher }) => matcher ?? [],
      );
    const isMatched = (table: object, event: string, name: string) =>
      matchers(table, event).some((one) => new RegExp(`^(?:${one})$`).test(name));
    for (const event of ["PreToolUse", "PostToolUse", "PostToolUseFailure"]) {
      expect(isMatched(claudeHooks("x"), event, "mcp__fs__write_file"), event).toBe(true);
    }
    for (const event of ["PreToolUse", "PostToolUse"]) {
      expect(isMatched(codexHooks("x"), event, "mcp__fs__write_file"), event).toBe(true);
    }
    for (const event of ["preToolUse", "postToolUse", "postToolUseFailure"]) {
      expect(isMatched(cursorHooks("x"), event, "MCP:write_file"), event).toBe(true);
    }
    for (const event of ["BeforeTool", "AfterTool"]) {
      expect(isMatched(geminiHooks("x"), event, "mcp_fs_write_file"), event).toBe(true);
    }
  });

  it("T-07 D10 are understood by what they are given", () => {
    const fs = (tool: string, input: object) => claudeTool(`mcp__fs__${tool}`, input);
    expect(fs("write_file", { path: "a.ts", content: "x" })).toMatchObject({
      ...{ kind: "write", file: "/r/a.ts", content: "x" },
    });
    expect(
      fs("edit_file", { path: "/r/a.ts", edits: [{ oldText: "a", newText: "b" }] }),
    ).toMatchObject({ kind: "replace", edits: [{ old: "a", new: "b" }] });
    expect(fs("move_file", { source: "a", destination: "b" })).toMatchObject({
      ...{ kind: "move", file: "/r/a", to: "/r/b" },
    });
    expect(fs("read_text_file", { path: "a.ts" })).toMatchObject({ kind: "read" });
    expect(fs("append_file", { path: "a.ts", content: "x" })).toMatchObject({
      kind: "unknown-write",
    });
    expect(claudeTool("mcp__term__execute_command", { command: "rm x" })).toMatchObject({
      ...{ kind: "shell", command: "rm x" },
    });
    expect(
      read("opencode", {
        ...{ event: "tool.execute.before", sessionID: "s", callID: "c", directory: "/r" },
        ...{ tool: "fs_write_file", args: { path: "a.ts", content: "x" } },
      }),
    ).toMatchObject({ kind: "write", file: "/r/a.ts" });
    const elsewhere = { owner: "o", repo: "r", path: "a.ts", content: "x" };
    for (const [name, input] of [
      ["mcp__github__create_or_update_file", elsewhere],
      ["mcp__notes__add", { path: "a/b", content: "x" }],
      ["mcp__fs__create_directory", { path: "src" }],
      ["mcp__x__do", { path: 7, content: {} }],
      ["mcp__browser__click", {}],
    ] as const) {
      expect(claudeTool(name, input), name).toEqual({ kind: "other", name, isForeign: true });
    }
  });

  it("T-07 D10 our own are left alone, by every client's name for them", () => {
    for (const { name } of tools) {
      const input = { path: "a.ts", content: "x", edits: [] };
      expect(claudeTool(`mcp__headgate__${name}`, input)).toEqual({
        ...{ kind: "other", name: `mcp__headgate__${name}` },
      });
      const payload = {
        ...{ conversation_id: "s", hook_event_name: "preToolUse", workspace_roots: ["/r"] },
        ...{ tool_name: `MCP:${name}`, tool_input: input },
      };
      expect(read("cursor", payload)).toEqual({ kind: "other", name: `MCP:${name}` });
    }
  });

  it("T-07 D10 a claimed file is refused before, and what was not understood is noticed after", async () => {
    const there = await place();
    await there.headgate.claims.as("codex:bob").claim({ targets: ["src/a.ts"], reason: "mine" });
    const content = "export const a = 2;\n";
    const call = (name: string, input: object) => there.call(claudeTool(name, input) as ToolUse);
    const known = call("mcp__fs__write_file", { path: join(there.root, "src/a.ts"), content });
    expect(codeOf(await there.ask(known.tool as ToolUse))).toBe("CLAIM_CONFLICT");
    const unknown = call("mcp__x__do", { where: "src/a.ts" });
    const parts = { ...there.dependencies, ...hookParts };
    expect(codeOf(await there.ask(unknown.tool as ToolUse))).toBe("pass");
    put(join(there.root, "src/a.ts"), content);
    await answerAfter({ ...unknown, event: "after-tool" }, there.headgate, parts);
    expect(await there.events("write.ungated")).toMatchObject([{ actor: "claude:s1" }]);
  });
});

it("T-07 W8 a character without width in a path is refused, a script that needs joiners is not", async () => {
  for (const path of [".g\u200cit/config", "src/a\u200b.ts", "\u200dx", "a\u2060b", "\ufeffa"]) {
    const { reasons } = await judge({ writes: [{ path, after: "x\n" }] }, { files: {} });
    expect(reasons[0]?.code, path).toBe("PATH_OUTSIDE");
  }
  for (const path of ["docs/می\u200cخواهم.md", "👨\u200d👩\u200d👧.png", "src/é.ts"]) {
    expect(spellingProblem(path, "linux"), path).toBeUndefined();
  }
});
