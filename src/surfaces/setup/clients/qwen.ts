import { jsonPart } from "../file-parts.ts";
import { hookCommands, mcpCommand, qwenHooks } from "../hook-tables.ts";
import type { Client } from "../types.ts";

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  homePaths: [".qwen"],
  repositoryPaths: [".qwen", "QWEN.md"],
  hookPath: ".qwen/settings.json",
  testedFrom: "0.24.4",
  parts: () => [
    jsonPart({
      path: ".qwen/settings.json",
      client: "qwen",
      hooks: qwenHooks(hookCommands.qwen),
      server: { keys: ["mcpServers", "headgate"], value: { ...mcpCommand, timeout: 120_000 } },
    }),
  ],
};
