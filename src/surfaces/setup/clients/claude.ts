import { jsonPart } from "../file-parts.ts";
import { claudeHooks, hookCommand, mcpCommand } from "../hook-tables.ts";
import { type Client, repositoryKind } from "../types.ts";

export const claude: Client = {
  name: "claude",
  title: "Claude Code",
  programs: ["claude"],
  homePaths: [".claude"],
  repositoryPaths: [".claude", "CLAUDE.md", ".mcp.json"],
  hookPath: ".claude/settings.json",
  testedFrom: "2.1.197",
  parts: (place, { httpPort }) => [
    jsonPart({
      path: ".claude/settings.json",
      client: "claude",
      hooks: claudeHooks(hookCommand("claude", repositoryKind(place)), httpPort),
    }),
    jsonPart({
      path: ".mcp.json",
      client: "claude",
      server: { keys: ["mcpServers", "headgate"], value: mcpCommand(repositoryKind(place)) },
    }),
  ],
};
