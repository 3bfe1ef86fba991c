import { blockPart, checkToml, jsonPart } from "../file-parts.ts";
import { codexHooks, hookCommands, mcpCommand } from "../hook-tables.ts";
import type { Client } from "../types.ts";

export const codex: Client = {
  name: "codex",
  title: "Codex",
  programs: ["codex"],
  homePaths: [".codex"],
  repositoryPaths: [".codex"],
  hookPath: ".codex/hooks.json",
  testedFrom: "0.166.0",
  once: "start codex here, trust the folder, approve the hooks with /hooks; until then it skips them silently",
  parts: () => [
    jsonPart({
      path: ".codex/hooks.json",
      client: "codex",
      hooks: codexHooks(hookCommands.codex),
    }),
    blockPart({
      path: ".codex/config.toml",
      client: "codex",
      begin: "# headgate:begin",
      end: "# headgate:end",
      content: serverTable,
      check: checkToml(["mcp_servers", "headgate"]),
    }),
  ],
};

// A JSON text without escapes beyond \" and \\ is a TOML string as well.
const serverTable = `[mcp_servers.headgate]
command = ${JSON.stringify(mcpCommand.command)}
args = [${mcpCommand.args.map((word) => JSON.stringify(word)).join(", ")}]
startup_timeout_sec = 20
tool_timeout_sec = 120`;
