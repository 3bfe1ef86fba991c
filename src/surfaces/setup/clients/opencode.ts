import { join } from "node:path";
import { jsonPart, wholePart } from "../file-parts.ts";
import { mcpCommand, type RepositoryKind } from "../hook-tables.ts";
import { opencodePlugin } from "../opencode-plugin.ts";
import { type Client, repositoryKind } from "../types.ts";

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  homePaths: [".config/opencode", ".local/share/opencode"],
  repositoryPaths: [".opencode", "opencode.json", "opencode.jsonc"],
  hookPath: ".opencode/plugins/headgate.js",
  testedFrom: "1.18.33",
  parts: (place) => [
    wholePart({
      path: ".opencode/plugins/headgate.js",
      client: "opencode",
      content: opencodePlugin(repositoryKind(place)),
      isPackaged: true,
    }),
    jsonPart({
      path: place.files.stat(join(place.root, "opencode.jsonc"))
        ? "opencode.jsonc"
        : "opencode.json",
      client: "opencode",
      scaffold: { $schema: "https://opencode.ai/config.json" },
      server: {
        keys: ["mcp", "headgate"],
        value: {
          type: "local",
          command: commandWords(repositoryKind(place)),
          enabled: true,
          timeout: 20_000,
        },
      },
    }),
  ],
};

const commandWords = (kind: RepositoryKind): string[] => {
  const { command, args } = mcpCommand(kind);
  return [command, ...args];
};
