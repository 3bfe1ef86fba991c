import { jsonPart } from "../file-parts.ts";
import { hookCommand, mcpCommand, vscodeHooks } from "../hook-tables.ts";
import { type Client, repositoryKind } from "../types.ts";

export const vscode: Client = {
  name: "vscode",
  title: "VS Code",
  programs: ["code"],
  homePaths: [".vscode"],
  repositoryPaths: [".vscode/mcp.json", ".github/copilot-instructions.md", ".github/hooks"],
  hookPath: ".github/hooks/headgate.json",
  sharesHooks: true,
  parts: (place) => [
    jsonPart({
      path: ".github/hooks/headgate.json",
      client: "vscode",
      hooks: vscodeHooks(hookCommand("vscode", repositoryKind(place))),
    }),
    jsonPart({
      path: ".vscode/mcp.json",
      client: "vscode",
      server: {
        keys: ["servers", "headgate"],
        value: { type: "stdio", ...mcpCommand(repositoryKind(place)) },
      },
    }),
  ],
};
