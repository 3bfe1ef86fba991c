import type { Environment } from "../../base/environment.ts";
import { systemClock } from "../../base/clock.ts";
import { systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { findServer } from "./find-server.ts";
import { isServerNoted, logPath } from "./server-files.ts";
import { startServerDetached } from "./start-detached.ts";

interface Place {
  readonly root: string;
  readonly localDir: string;
}
interface Start {
  readonly node: string;
  readonly environment: Environment;
}

/** Does not wait for it. */
export const startServerIfAbsent = async (repository: Place, start: Start): Promise<void> => {
  if (await findServer(repository.localDir)) return;
  await startServerDetached({ ...repository, ...start });
};

/**
 * A server that was killed leaves its notes behind; one that was stopped does not, and stays stopped. Whoever
 * notices starts another one; one that does not come up is not tried again with every call.
 */
export const reviveServer = async (repository: Place, start: Start): Promise<void> => {
  const { localDir } = repository;
  if (!isServerNoted(localDir)) return;
  const startedMs = systemFiles.stat(logPath(localDir))?.mtimeMs ?? 0;
  // A date in the future says nothing.
  if (Math.abs(systemClock.wallMs() - startedMs) < limits.serverRevivePauseMs) return;
  await startServerIfAbsent(repository, start);
};
