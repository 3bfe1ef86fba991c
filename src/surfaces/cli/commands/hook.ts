import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { hookHarnesses, isHookHarness } from "../../hooks/harness/index.ts";
import { answerInProcess } from "../../hooks/in-process.ts";

export const command: Command = {
  summary: "Answer an agent client's hook; clients call this",
  usage: ["hook CLIENT < PAYLOAD"],
  description:
    "Reads the JSON that a client gives its hooks and judges the tool use: silence and 0 when there is no " +
    "objection, the reason on stderr and 2 when it is refused. Whatever goes wrong is a refusal. " +
    "`headgate init` sets the clients up so that they start the hook in the state folder, which asks the server " +
    "first and this command otherwise. HEADGATE_BYPASS=REASON lets everything pass and writes that down.",
  options: {},
  examples: [["headgate hook claude < payload.json", "what Claude Code would be answered"]],
  exits: [
    [0, "no objection, or not a repository with Headgate"],
    [2, "refused, or the hook could not do its work"],
  ],
  positionalsMax: 1,
  completes: hookHarnesses,
  run: async ({ positionals: [harness = ""], flags, environment, signal, readInput, output }) => {
    if (!isHookHarness(harness)) {
      throw usageError(`name the client: ${hookHarnesses.join(", ")}`, "headgate hook");
    }
    const repo = flags.text("repo");
    const start = { node: process.execPath, environment };
    const answer = await answerInProcess({
      harness,
      environment,
      signal,
      readInput,
      closeInput: () => process.stdin.destroy(),
      startServer: async (repository) => {
        const { startServerIfAbsent } = await import("../../http/background-server.ts");
        await startServerIfAbsent(repository, start);
      },
      reviveServer: async (repository) => {
        const { reviveServer } = await import("../../http/background-server.ts");
        await reviveServer(repository, start);
      },
      ...(repo !== undefined && { repo }),
    });
    // In one write each: half an answer must not look like a whole one.
    if (answer.stdout !== "") output.print(answer.stdout.trimEnd());
    if (answer.stderr !== "") output.note(answer.stderr.trimEnd());
    // Aborted as well where the reader of the answer has gone.
    await answer.settle?.(!signal.aborted);
    return answer.exit;
  },
};
