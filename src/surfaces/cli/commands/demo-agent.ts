import { join } from "node:path";
import { limits } from "../../../base/limits.ts";
import type { Command } from "../command.ts";
import { usageError } from "../arguments.ts";

export const command: Command = {
  summary: "One agent of the demo; the demo starts it, people do not",
  usage: ["demo agent SESSION"],
  options: {},
  examples: [["headgate demo", "starts its agents itself"]],
  positionalsMax: 1,
  run: async ({ positionals, flags, environment, output, readLines }) => {
    const [session] = positionals;
    const root = flags.text("repo");
    if (session === undefined || root === undefined) {
      throw usageError("an agent needs a session and --repo", "demo agent");
    }
    const { runAgent } = await import("../../demo/index.ts");
    const { packageRoot } = await import("../../setup/packaged.ts");
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(environment.variables)) {
      if (value !== undefined) env[name] = value;
    }
    // As Claude Code gives them to its shells: the demo's agents are known in the same way.
    Object.assign(env, { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session });
    const program = [process.execPath, join(packageRoot(), "bin/headgate.js")] as const;
    await runAgent(readLines(limits.proposalBytesMax), { root, session, program, env }, (line) =>
      output.print(`${line}\n`),
    );
    return 0;
  },
};
