import { jsonPart } from "../file-parts.ts";
import { hookCommand, mcpCommand, qwenHooks } from "../hook-tables.ts";
import { type Client, repositoryKind } from "../types.ts";

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  homePaths: [".qwen"],
  repositoryPaths: [".qwen", "QWEN.md"],
  hookPath: ".qwen/settings.json",
  testedFrom: "0.24.4",
  parts: (place) => [
    jsonPart({
      path: ".qwen/settings.json",
      client: "qwen",
      hooks: qwenHooks(hookCommand("qwen", repositoryKind(place))),
      server: {
        keys: ["mcpServers", "headgate"],
        value: { ...mcpCommand(repositoryKind(place)), timeout: 120_000 },
      },
    }),
  ],
};
