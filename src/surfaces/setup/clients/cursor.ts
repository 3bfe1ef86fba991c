import { jsonPart } from "../file-parts.ts";
import { cursorHooks, hookCommand, mcpCommand } from "../hook-tables.ts";
import { type Client, repositoryKind } from "../types.ts";

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  homePaths: [".cursor"],
  repositoryPaths: [".cursor", ".cursorrules"],
  hookPath: ".cursor/hooks.json",
  parts: (place) => [
    jsonPart({
      path: ".cursor/hooks.json",
      client: "cursor",
      scaffold: { version: 1 },
      hooks: cursorHooks(hookCommand("cursor", repositoryKind(place))),
    }),
    jsonPart({
      path: ".cursor/mcp.json",
      client: "cursor",
      server: { keys: ["mcpServers", "headgate"], value: mcpCommand(repositoryKind(place)) },
    }),
  ],
};
