import { jsonPart } from "../file-parts.ts";
import { claudeHooks, hookCommands, mcpCommand } from "../hook-tables.ts";
import type { Client } from "../types.ts";

export const claude: Client = {
  name: "claude",
  title: "Claude Code",
  programs: ["claude"],
  homePaths: [".claude"],
  repositoryPaths: [".claude", "CLAUDE.md", ".mcp.json"],
  hookPath: ".claude/settings.json",
  testedFrom: "2.1.197",
  parts: (_place, { httpPort }) => [
    jsonPart({
      path: ".claude/settings.json",
      client: "claude",
      hooks: claudeHooks(hookCommands.claude, httpPort),
    }),
    jsonPart({
      path: ".mcp.json",
      client: "claude",
      server: { keys: ["mcpServers", "headgate"], value: mcpCommand },
    }),
  ],
};
