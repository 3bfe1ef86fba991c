import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Json } from "../../../src/base/json.ts";
import type { Client, ClientName, Place } from "./client.ts";

/** Put there by scripts/setup/clients.mjs. */
const packages = resolve(import.meta.dirname, "../../../.tools/clients/node_modules");
const cpu = process.arch;

const versionOf = (name: string): string => {
  try {
    const manifest = readFileSync(join(packages, name, "package.json"), "utf8");
    return (JSON.parse(manifest) as { version: string }).version;
  } catch {
    return "not installed";
  }
};

const putJson = (path: string, value: unknown): void => put(path, JSON.stringify(value, null, 2));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const baseEnv = ({ home }: Place): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: home,
  TERM: "dumb",
  LC_ALL: "C.UTF-8",
});

const claudePackage = `@anthropic-ai/claude-code-linux-${cpu}`;

const claude: Client = {
  name: "claude",
  version: versionOf(claudePackage),
  program: join(packages, claudePackage, "claude"),
  prepare: () => {},
  argv: (prompt) => [
    claude.program,
    ...["-p", prompt],
    ...["--output-format", "stream-json", "--verbose"],
    ...["--permission-mode", "acceptEdits"],
    ...["--allowedTools", "mcp__headgate", "Bash"],
  ],
  env: (place) => ({
    ...baseEnv(place),
    IS_SANDBOX: "1",
    ANTHROPIC_BASE_URL: place.address,
    ANTHROPIC_API_KEY: "sk-ant-dummy",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // Otherwise MCP tools hide behind a search tool and are not in the request.
    ENABLE_TOOL_SEARCH: "false",
  }),
  write: ({ repo }, file, content) => ({
    name: "Write",
    input: { file_path: join(repo, file), content },
  }),
  replace: ({ repo }, file, before, after) => ({
    name: "Edit",
    input: { file_path: join(repo, file), old_string: before, new_string: after },
  }),
  read: ({ repo }, file) => ({ name: "Read", input: { file_path: join(repo, file) } }),
  shell: (command) => ({ name: "Bash", input: { command, description: "run it" } }),
  mcp: (tool, input) => ({ name: `mcp__headgate__${tool}`, input: input as Json }),
};

const codexPackage = `@openai/codex-linux-${cpu}`;
const codexTriple = `${cpu === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-musl`;

const codex: Client = {
  name: "codex",
  version: versionOf(codexPackage).replace(/-linux.*/, ""),
  program: join(packages, codexPackage, "vendor", codexTriple, "bin/codex"),
  prepare: ({ home, address, repo }) => {
    put(
      join(home, ".codex/config.toml"),
      // A slug of its catalogue: others have no apply_patch tool.
      `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${address}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
[projects."${repo}"]
trust_level = "trusted"
`,
    );
  },
  argv: (prompt) => [
    codex.program,
    ...["exec", "--json", "--dangerously-bypass-approvals-and-sandbox"],
    // Nobody is here to trust the hooks by hand; `headgate doctor` tells people whether they did.
    "--dangerously-bypass-hook-trust",
    // Saves five seconds of looking for a marketplace.
    ...["--disable", "plugins"],
    prompt,
  ],
  env: (place) => ({
    ...baseEnv(place),
    CODEX_HOME: join(place.home, ".codex"),
    SCRIPTED_KEY: "sk-dummy",
  }),
  write: (_place, file, content) => ({
    name: "apply_patch",
    input: `*** Begin Patch\n*** Add File: ${file}\n${lines(content, "+")}*** End Patch\n`,
  }),
  replace: (_place, file, before, after) => ({
    name: "apply_patch",
    input: `*** Begin Patch\n*** Update File: ${file}\n@@\n${lines(before, "-")}${lines(after, "+")}*** End Patch\n`,
  }),
  read: () => undefined,
  shell: (cmd) => ({ name: "exec_command", input: { cmd } }),
  mcp: (tool, input) => ({ name: `mcp__headgate__${tool}`, input: input as Json }),
};

const lines = (text: string, mark: string): string =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}\n`)
    .join("");

const gemini: Client = {
  name: "gemini",
  version: versionOf("@google/gemini-cli"),
  program: join(packages, "@google/gemini-cli/bundle/gemini.js"),
  prepare: ({ home, repo }) => {
    putJson(join(home, ".gemini/settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    });
    putJson(join(home, ".gemini/trustedFolders.json"), { [repo]: "TRUST_FOLDER" });
  },
  argv: (prompt) => [
    process.execPath,
    gemini.program,
    ...["-p", prompt, "--yolo", "-o", "stream-json", "-m", "gemini-2.5-pro"],
  ],
  env: (place) => ({
    ...baseEnv(place),
    GEMINI_API_KEY: "dummykey",
    GOOGLE_GEMINI_BASE_URL: place.address,
    // It would start itself again in a child with more memory.
    GEMINI_CLI_NO_RELAUNCH: "true",
  }),
  write: ({ repo }, file, content) => ({
    name: "write_file",
    input: { file_path: join(repo, file), content },
  }),
  replace: ({ repo }, file, before, after) => ({
    name: "replace",
    input: {
      file_path: join(repo, file),
      old_string: before,
      new_string: after,
      instruction: "Replace the text.",
    },
  }),
  read: ({ repo }, file) => ({ name: "read_file", input: { file_path: join(repo, file) } }),
  shell: (command) => ({ name: "run_shell_command", input: { command, description: "run it" } }),
  mcp: (tool, input) => ({ name: `mcp_headgate_${tool}`, input: input as Json }),
};

const opencode: Client = {
  name: "opencode",
  version: versionOf(`opencode-linux-${cpu}`),
  program: join(packages, `opencode-linux-${cpu}/bin/opencode`),
  prepare: ({ home, repo, address }) => {
    putJson(join(home, ".config/opencode/opencode.json"), {
      $schema: "https://opencode.ai/config.json",
      model: "scripted/m",
      small_model: "scripted/m",
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${address}/v1`, apiKey: "x" },
          models: { m: { name: "m", tool_call: true } },
        },
      },
      permission: { edit: "allow", bash: "allow" },
    });
    // It installs its plugin package there from the registry, unless it finds it.
    for (const folder of [join(home, ".config/opencode"), join(repo, ".opencode")]) {
      putPluginPackage(folder);
    }
  },
  argv: (prompt) => [opencode.program, "run", "--format", "json", prompt],
  env: (place) => ({
    ...baseEnv(place),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  }),
  write: ({ repo }, file, content) => ({
    name: "write",
    input: { filePath: join(repo, file), content },
  }),
  replace: ({ repo }, file, before, after) => ({
    name: "edit",
    input: { filePath: join(repo, file), oldString: before, newString: after },
  }),
  read: ({ repo }, file) => ({ name: "read", input: { filePath: join(repo, file) } }),
  shell: (command) => ({ name: "bash", input: { command, description: "run it" } }),
  mcp: (tool, input) => ({ name: `headgate_${tool}`, input: input as Json }),
};

const putPluginPackage = (folder: string): void => {
  const version = versionOf("@opencode-ai/plugin");
  const dependencies = { "@opencode-ai/plugin": version };
  putJson(join(folder, "package.json"), { dependencies });
  const lock = JSON.parse(readFileSync(join(packages, "../package-lock.json"), "utf8")) as {
    packages: Record<string, unknown>;
  };
  putJson(join(folder, "package-lock.json"), {
    lockfileVersion: 3,
    requires: true,
    packages: { ...lock.packages, "": { dependencies } },
  });
  symlinkSync(packages, join(folder, "node_modules"));
};

const copilotPackage = `@github/copilot-linux-${cpu}`;

const copilot: Client = {
  name: "copilot",
  version: versionOf(copilotPackage),
  program: join(packages, copilotPackage, "copilot"),
  prepare: () => {},
  argv: (prompt) => [
    copilot.program,
    ...["-p", prompt, "--output-format", "json"],
    ...["--allow-all-tools", "--trust-folder"],
  ],
  env: (place) => ({
    ...baseEnv(place),
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_MODEL: "claude-sonnet-4.6",
    COPILOT_PROVIDER_TYPE: "anthropic",
    COPILOT_PROVIDER_BASE_URL: place.address,
    // It masks its key wherever it prints: a long one is in no other word.
    COPILOT_PROVIDER_API_KEY: "sk-dummy-of-the-scripted-model",
    // It unpacks itself there, once.
    COPILOT_PKG_CACHE_HOME: join(packages, "../copilot-unpacked"),
  }),
  write: ({ repo }, file, content) => ({
    name: "create",
    input: { path: join(repo, file), file_text: content },
  }),
  replace: ({ repo }, file, before, after) => ({
    name: "edit",
    input: { path: join(repo, file), old_str: before, new_str: after },
  }),
  read: ({ repo }, file) => ({ name: "view", input: { path: join(repo, file) } }),
  shell: (command) => ({ name: "bash", input: { command, description: "run it" } }),
  mcp: (tool, input) => ({ name: `headgate-${tool}`, input: input as Json }),
};

const qwen: Client = {
  name: "qwen",
  version: versionOf("@qwen-code/qwen-code"),
  program: join(packages, "@qwen-code/qwen-code/cli-entry.js"),
  prepare: ({ home }) => {
    putJson(join(home, ".qwen/settings.json"), {
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    });
  },
  argv: (prompt) => [
    process.execPath,
    qwen.program,
    ...[prompt, "--yolo", "-o", "stream-json", "--auth-type", "openai"],
  ],
  env: (place) => ({
    ...baseEnv(place),
    OPENAI_API_KEY: "sk-dummy",
    OPENAI_BASE_URL: `${place.address}/v1`,
    OPENAI_MODEL: "m",
    // It would start itself again in a child with more memory.
    QWEN_CODE_NO_RELAUNCH: "true",
  }),
  write: ({ repo }, file, content) => ({
    name: "write_file",
    input: { file_path: join(repo, file), content },
  }),
  replace: ({ repo }, file, before, after) => ({
    name: "edit",
    input: { file_path: join(repo, file), old_string: before, new_string: after },
  }),
  read: ({ repo }, file) => ({ name: "read_file", input: { file_path: join(repo, file) } }),
  shell: (command) => ({
    name: "run_shell_command",
    input: { command, description: "run it", is_background: false },
  }),
  mcp: (tool, input) => ({ name: `mcp__headgate__${tool}`, input: input as Json }),
};

export const clients: Readonly<Record<ClientName, Client>> = {
  claude,
  codex,
  copilot,
  gemini,
  opencode,
  qwen,
};
