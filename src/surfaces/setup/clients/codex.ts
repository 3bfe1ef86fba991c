import { blockPart, checkToml, jsonPart } from "../file-parts.ts";
import { codexHooks, hookCommand, mcpCommand } from "../hook-tables.ts";
import { type Client, repositoryKind } from "../types.ts";

export const codex: Client = {
  name: "codex",
  title: "Codex",
  programs: ["codex"],
  homePaths: [".codex"],
  repositoryPaths: [".codex"],
  hookPath: ".codex/hooks.json",
  testedFrom: "0.166.0",
  once: "start codex here, trust the folder, approve the hooks with /hooks; until then it skips them silently",
  parts: (place) => [
    jsonPart({
      path: ".codex/hooks.json",
      client: "codex",
      hooks: codexHooks(hookCommand("codex", repositoryKind(place))),
    }),
    blockPart({
      path: ".codex/config.toml",
      client: "codex",
      begin: "# headgate:begin",
      end: "# headgate:end",
      content: serverTable(mcpCommand(repositoryKind(place))),
      check: checkToml(["mcp_servers", "headgate"]),
    }),
  ],
};

// A JSON text without escapes beyond \" and \\ is a TOML string as well.
const serverTable = ({
  command,
  args,
}: ReturnType<typeof mcpCommand>): string => `[mcp_servers.headgate]
command = ${JSON.stringify(command)}
args = [${args.map((word) => JSON.stringify(word)).join(", ")}]
startup_timeout_sec = 20
tool_timeout_sec = 120`;
