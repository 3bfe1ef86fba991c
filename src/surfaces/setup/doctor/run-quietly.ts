import { gitEnvironment } from "../../../git/index.ts";
import { systemProcesses } from "../../../base/processes.ts";
import type { SetupPlace } from "../types.ts";

/** Standard output of a program of the system, or undefined. It is started outside the repository. */
export const runQuietly = async (
  argv: readonly [string, ...string[]],
  { environment }: SetupPlace,
  timeoutMs = 5000,
): Promise<string | undefined> => {
  const result = await systemProcesses.run(argv, {
    cwd: environment.temporary,
    env: gitEnvironment(environment),
    timeoutMs,
    outputBytesMax: 64 * 1024,
  });
  return result.ended === "exit" && result.code === 0 ? result.stdout.toString("utf8") : undefined;
};
