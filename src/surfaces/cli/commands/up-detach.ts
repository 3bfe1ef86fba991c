import { systemClock } from "../../../base/clock.ts";
import { systemFiles } from "../../../base/files.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import { HeadgateError } from "../../../errors.ts";
import type { FoundServer } from "../../http/find-server.ts";
import { logPath } from "../../http/server-files.ts";
import type { CommandContext } from "../command.ts";
import { withProgress } from "../progress.ts";

/** `up --detach`: starts the server in the background and returns when it answers. */
export const detachServer = async (
  context: CommandContext,
  headgate: Headgate,
  port: number | undefined,
): Promise<FoundServer> => {
  const { output, signal, environment } = context;
  const { localDir, root } = headgate.repository;
  const { startServerDetached } = await import("../../http/start-detached.ts");
  const { findServer } = await import("../../http/find-server.ts");
  return withProgress({ output, what: "starting" }, async () => {
    const node = process.execPath;
    const isStarted = await startServerDetached({ root, localDir, node, environment, port });
    const deadlineMonoMs = isStarted ? systemClock.monoMs() + limits.serverDetachMs : 0;
    while (systemClock.monoMs() < deadlineMonoMs) {
      const found = await findServer(localDir);
      if (found) return found;
      if (hasGivenUp(localDir)) break;
      if (signal.aborted) throw signal.reason;
      await systemClock.sleep(50, signal);
    }
    throw new HeadgateError(
      "SERVER_NOT_ANSWERING",
      `the server did not start; its last words are in ${showText(logPath(localDir))}`,
    );
  });
};

/** A failure ends with its remedy; a busy machine may take long to start a server that is well. */
const hasGivenUp = (localDir: string): boolean => {
  const log = logPath(localDir);
  if (systemFiles.stat(log) === undefined) return false;
  const last = systemFiles.readFile(log).toString("utf8").trimEnd().split("\n").at(-1);
  return last?.startsWith("  → ") === true;
};
