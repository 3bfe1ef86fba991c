// The packages in doors/: what the clients' own ways of installing need, from the same tables as `init`.
import { readFileSync } from "node:fs";
import {
  claudeHooks,
  geminiHooks,
  packageCommands,
  packageMcpCommand,
} from "../src/surfaces/setup/hook-tables.ts";
import { rules } from "../src/surfaces/mcp/rules.ts";
import { jsonFile } from "../src/surfaces/setup/json-members.ts";
import { opencodePlugin } from "../src/surfaces/setup/opencode-plugin.ts";

const { version, license } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
) as { readonly version: string; readonly license: string };

const description =
  "Judges every edit before it is made, so that many agents can work on one repository. Needs the headgate command on PATH.";
const owner = { name: "Headgate" };
const servers = { headgate: packageMcpCommand };

/** The rules, for when an agent wants to know them in full. */
const skill = `---
name: headgate
description: How to work in a repository that Headgate guards. Use it when an edit was refused, when a file is claimed by another agent, or before you plan a change over many files.
---

${rules}`;

/** Path below doors/ to content. doors/hook.sh is written by hand. */
export const doorFiles = (): Readonly<Record<string, string>> => ({
  ".claude-plugin/marketplace.json": jsonFile({
    name: "headgate-market",
    owner,
    metadata: { description },
    plugins: [{ name: "headgate", source: "./claude-plugin", description }],
  }),
  "claude-plugin/.claude-plugin/plugin.json": jsonFile({
    name: "headgate",
    version,
    description,
    author: owner,
    license,
  }),
  "claude-plugin/hooks/hooks.json": jsonFile({
    description,
    hooks: claudeHooks(packageCommands.claude),
  }),
  "claude-plugin/skills/headgate/SKILL.md": skill,
  "claude-plugin/.mcp.json": jsonFile({ mcpServers: servers }),
  "gemini-extension/gemini-extension.json": jsonFile({
    name: "headgate",
    version,
    description,
    mcpServers: servers,
  }),
  "gemini-extension/hooks/hooks.json": jsonFile({ hooks: geminiHooks(packageCommands.gemini) }),
  "opencode/package.json": jsonFile({
    name: "headgate-opencode",
    version,
    description,
    license,
    type: "module",
    main: "index.js",
    exports: { ".": "./index.js" },
    files: ["index.js"],
  }),
  "opencode/index.js": opencodePlugin("program"),
});
