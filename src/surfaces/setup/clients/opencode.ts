import { join } from "node:path";
import { jsonPart, wholePart } from "../file-parts.ts";
import { mcpCommand } from "../hook-tables.ts";
import { opencodePlugin } from "../opencode-plugin.ts";
import type { Client } from "../types.ts";

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  homePaths: [".config/opencode", ".local/share/opencode"],
  repositoryPaths: [".opencode", "opencode.json", "opencode.jsonc"],
  hookPath: ".opencode/plugins/headgate.js",
  testedFrom: "1.18.33",
  parts: ({ root, files }) => [
    wholePart({
      path: ".opencode/plugins/headgate.js",
      client: "opencode",
      content: opencodePlugin("shim"),
      isPackaged: true,
    }),
    jsonPart({
      path: files.stat(join(root, "opencode.jsonc")) ? "opencode.jsonc" : "opencode.json",
      client: "opencode",
      scaffold: { $schema: "https://opencode.ai/config.json" },
      server: {
        keys: ["mcp", "headgate"],
        value: {
          type: "local",
          command: [mcpCommand.command, ...mcpCommand.args],
          enabled: true,
          timeout: 20_000,
        },
      },
    }),
  ],
};
