/**
 * Where the settings are that arm the gate (T-07): the user's Headgate settings, the clients' settings at user
 * level, git's settings, and the programs that answer. A list, and nothing else; guard.ts compares with it.
 */
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";

export interface GuardedPlace {
  /** `/` at its end: everything below; `*`: every name that begins so. */
  readonly path: string;
  readonly owner: "headgate" | "client" | "git" | "node";
}

export const guardedPlaces = (environment: Environment): readonly GuardedPlace[] => {
  const { variables, home, accountHome, program } = environment;
  const homes = [...new Set([home, accountHome ?? home])].filter((one) => isAbsolute(one));
  const given = (name: string): string[] => {
    const value = variables[name];
    return value !== undefined && isAbsolute(value) ? [value] : [];
  };
  const configs = [...homes.map((one) => join(one, ".config")), ...given("XDG_CONFIG_HOME")];
  const states = [
    ...homes.map((one) => join(one, ".local/state")),
    ...given("XDG_STATE_HOME"),
    ...homes.map((one) => join(one, "AppData/Roaming")),
    ...given("APPDATA"),
  ];
  const below = (
    owner: GuardedPlace["owner"],
    folders: readonly string[],
    names: readonly string[],
  ): GuardedPlace[] =>
    folders.flatMap((folder) => names.map((name) => ({ owner, path: `${folder}/${name}` })));
  const editors = configs.concat(homes.map((one) => join(one, "Library/Application Support")));
  const system = ["/etc", "/Library/Application Support"];
  return [
    ...below("headgate", [...configs, ...states], ["headgate/"]),
    ...below("client", homes, inHome),
    ...below("client", given("CLAUDE_CONFIG_DIR"), ["settings*", ".claude.json", "plugins/"]),
    ...below("client", given("CODEX_HOME"), ["config.toml", "hooks.json"]),
    ...below("client", given("COPILOT_HOME"), copilot),
    ...below("client", given("OPENCODE_CONFIG_DIR"), opencode),
    ...below(
      "client",
      configs.map((one) => join(one, "opencode")),
      opencode,
    ),
    ...below("client", editors, editorSettings),
    ...below("client", system, [
      "claude-code/",
      "ClaudeCode/",
      "codex/",
      "gemini-cli/",
      "GeminiCli/",
    ]),
    ...below("git", homes, [".gitconfig*"]),
    ...below("git", configs, ["git/"]),
    ...below("git", ["/etc"], ["gitconfig"]),
    ...given("GIT_CONFIG_GLOBAL").map((path) => ({ owner: "git" as const, path })),
    ...given("OPENCODE_CONFIG").map((path) => ({ owner: "client" as const, path })),
    ...(program ? [{ owner: "node" as const, path: program.node }, ...ownNode(program.node)] : []),
    ...(program
      ? [{ owner: "headgate" as const, path: `${program.folder.replace(/\/$/, "")}/` }]
      : []),
  ];
};

const opencode = ["opencode.json", "opencode.jsonc", "config.json", "plugin/", "plugins/"];
const copilot = ["config.json", "settings.json", "mcp-config.json", "hooks/"];

/** The memory, rules, skills and plans that agents keep there are theirs. */
const inHome = [
  ".claude/settings*",
  ".claude.json",
  ".claude/plugins/",
  ".codex/config.toml",
  ".codex/hooks.json",
  ".gemini/settings.json",
  ".gemini/trustedFolders.json",
  ".gemini/extensions/",
  ".qwen/settings.json",
  ".qwen/trustedFolders.json",
  ".qwen/extensions/",
  ".cursor/hooks.json",
  ".cursor/mcp.json",
  ".cursor/cli-config.json",
  ...opencode.map((name) => `.opencode/${name}`),
  ...copilot.map((name) => `.copilot/${name}`),
];

const editorSettings = ["Code", "Code - Insiders", "Cursor"].flatMap((editor) =>
  ["settings.json", "mcp.json"].map((name) => `${editor}/User/${name}`),
);

/** A Node in a folder of its own (nvm, fnm, an archive); other programs beside a system's Node are not Node. */
const ownNode = (node: string): readonly GuardedPlace[] => {
  const prefix = dirname(dirname(node));
  const isShared = /^(?:\/usr(?:\/local)?|\/opt\/(?:homebrew|local)|\/snap|)$/.test(prefix);
  return isShared || !/node/i.test(prefix)
    ? []
    : ["bin/", "lib/"].map((name) => ({ owner: "node", path: `${prefix}/${name}` }));
};
