import { resolve } from "node:path";
import { HeadgateError } from "../../../errors.ts";
import { findRepository, type Repository } from "../../../git/index.ts";
import { showText } from "../../../base/text.ts";
import { packageVersion } from "../../../base/version.ts";
import type { Headgate } from "../../../compose.ts";
import type { Command, CommandContext } from "../command.ts";

export const command: Command = {
  summary: "Serve MCP to an agent client over standard input and output",
  usage: ["mcp"],
  description:
    "Agent clients start this themselves; `headgate init` writes it into their settings. It speaks the " +
    "revisions 2025-11-25 and 2026-07-28 of the Model Context Protocol and ends when the client closes its " +
    "end. Paths in calls are relative to the repository's root. Without a repository, or with a store that " +
    "cannot be opened, it runs all the same and says so in every answer. Tools and names: docs/mcp.md.",
  options: {},
  examples: [
    ["headgate mcp", "what stands as command in .mcp.json"],
    ["headgate mcp --repo ../other", "for another repository"],
  ],
  exits: [
    [0, "the client has gone, or SIGTERM"],
    [2, "a message was larger than 10 MB"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { environment, flags, signal, output } = context;
    const { identifyByProcess, lazyDoorway, serveMcpStdio } = await import("../../mcp/index.ts");
    const as = flags.text("as");
    const repository = await findHere(context);
    const doorway = lazyDoorway(() => openAtRoot(context));
    await serveMcpStdio({
      doorway,
      identify: identifyByProcess(environment, {
        ...(as !== undefined && { as }),
        ...(repository && { stateFolder: repository.localDir }),
      }),
      version: packageVersion(),
      onDefect: (error) =>
        output.note(
          `headgate mcp: ${showText(error instanceof Error ? (error.stack ?? error.message) : String(error), 2000)}`,
        ),
      input: process.stdin,
      output: process.stdout,
      signal,
    });
    return 0;
  },
};

/** A folder that cannot be opened is said with the first call. */
const findHere = ({ environment, flags }: CommandContext): Promise<Repository | undefined> =>
  findRepository(resolve(environment.cwd, flags.text("repo") ?? "."), { environment }).catch(
    (error: unknown) => {
      if (HeadgateError.isInstance(error)) return undefined;
      throw error;
    },
  );

/** Agents name paths from the root, wherever in the repository the client was started. */
const openAtRoot = async ({ environment, flags }: CommandContext): Promise<Headgate> => {
  const { openHeadgate } = await import("../../../compose.ts");
  const start = resolve(environment.cwd, flags.text("repo") ?? ".");
  const { worktree } = await findRepository(start, { environment });
  return openHeadgate({ environment, repo: worktree });
};
