import { jsonPart } from "../file-parts.ts";
import { geminiHooks, hookCommand, mcpCommand } from "../hook-tables.ts";
import { type Client, repositoryKind } from "../types.ts";

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  homePaths: [".gemini"],
  repositoryPaths: [".gemini", "GEMINI.md"],
  hookPath: ".gemini/settings.json",
  testedFrom: "0.61.0",
  once: "start gemini here and trust the folder; in an untrusted one no hook runs",
  parts: (place) => [
    jsonPart({
      path: ".gemini/settings.json",
      client: "gemini",
      hooks: geminiHooks(hookCommand("gemini", repositoryKind(place))),
      server: {
        keys: ["mcpServers", "headgate"],
        value: { ...mcpCommand(repositoryKind(place)), timeout: 120_000 },
      },
    }),
  ],
};
