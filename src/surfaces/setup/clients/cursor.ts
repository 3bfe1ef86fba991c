import { jsonPart } from "../file-parts.ts";
import { cursorHooks, hookCommands, mcpCommand } from "../hook-tables.ts";
import type { Client } from "../types.ts";

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  homePaths: [".cursor"],
  repositoryPaths: [".cursor", ".cursorrules"],
  hookPath: ".cursor/hooks.json",
  parts: () => [
    jsonPart({
      path: ".cursor/hooks.json",
      client: "cursor",
      scaffold: { version: 1 },
      hooks: cursorHooks(hookCommands.cursor),
    }),
    jsonPart({
      path: ".cursor/mcp.json",
      client: "cursor",
      server: { keys: ["mcpServers", "headgate"], value: mcpCommand },
    }),
  ],
};
