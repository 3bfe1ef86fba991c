import { jsonPart } from "../file-parts.ts";
import { hookCommand, mcpCommand, vscodeHooks } from "../hook-tables.ts";
import { type Client, repositoryKind } from "../types.ts";

/** It reads the files of VS Code (hooks) and of Claude Code (MCP servers, and hooks as well). */
export const copilot: Client = {
  name: "copilot",
  title: "Copilot CLI",
  programs: ["copilot"],
  homePaths: [".copilot"],
  repositoryPaths: [".github/copilot"],
  hookPath: ".github/hooks/headgate.json",
  sharesHooks: true,
  testedFrom: "1.0.102",
  once: "start copilot here and trust the folder; in an untrusted one no hook runs",
  parts: (place) => [
    jsonPart({
      path: ".github/hooks/headgate.json",
      client: "copilot",
      hooks: vscodeHooks(hookCommand("vscode", repositoryKind(place))),
    }),
    jsonPart({
      path: ".mcp.json",
      client: "copilot",
      server: { keys: ["mcpServers", "headgate"], value: mcpCommand(repositoryKind(place)) },
    }),
  ],
};
