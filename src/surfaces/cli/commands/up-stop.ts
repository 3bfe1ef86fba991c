import { systemClock } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";

/** `up --stop`: asks the server to end and returns when it has. */
export const stopServer = async (context: CommandContext): Promise<ExitCode> => {
  const { output } = context;
  await using headgate = await openFor(context, { readOnly: true });
  const { localDir, root } = headgate.repository;
  const found = await endServer(context, localDir);
  if (!found) throw new HeadgateError("SERVER_NOT_RUNNING", `no server runs for ${showText(root)}`);
  output.object({ ok: true, state: "stopped", address: found.address, pid: found.pid });
  output.line(`stopped the server at ${found.address} (process ${found.pid})`);
  return 0;
};

/** The server that has ended; undefined where none ran. */
export const endServer = async (
  { output, signal }: CommandContext,
  localDir: string,
): Promise<{ readonly address: string; readonly pid: number } | undefined> => {
  const { findServer } = await import("../../http/find-server.ts");
  const { isServerLockFree } = await import("../../http/server-lock.ts");
  const found = await findServer(localDir);
  if (found === undefined) {
    if (isServerLockFree(localDir)) return undefined;
    throw notAnswering(localDir);
  }
  await withProgress({ output, what: "waiting for the server to finish" }, async () => {
    if (!(await found.stop())) throw notAnswering(localDir);
    const deadlineMonoMs = systemClock.monoMs() + limits.shutdownGraceMs + limits.serverStartMs;
    while (!isServerLockFree(localDir)) {
      if (signal.aborted) throw signal.reason;
      if (systemClock.monoMs() > deadlineMonoMs) throw notAnswering(localDir);
      await systemClock.sleep(20, signal);
    }
  });
  return found;
};

const notAnswering = (localDir: string): HeadgateError =>
  new HeadgateError(
    "SERVER_NOT_ANSWERING",
    `a process holds ${showText(localDir)}/server.lock, but does not answer`,
  );
