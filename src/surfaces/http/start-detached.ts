/** Starts the server as a program of its own, for a hook or command that is about to end. */
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { openFlags, systemFiles } from "../../base/files.ts";
import { startDetached } from "../../base/processes.ts";
import { userEnvironmentFor } from "../../claims/index.ts";
import { packageRoot } from "../setup/packaged.ts";
import { logPath } from "./server-files.ts";

/** Does not wait until it answers; a second server of the same repository ends by itself. */
export const startServerDetached = async (options: {
  readonly root: string;
  readonly localDir: string;
  readonly node: string;
  readonly environment: Environment;
  readonly port?: number | undefined;
}): Promise<boolean> => {
  const { root, localDir, node, environment, port } = options;
  const program = join(packageRoot(), "bin/headgate.js");
  const logFd = systemFiles.open(logPath(localDir), openFlags.replace, 0o600);
  try {
    return await startDetached(
      [
        node,
        program,
        "up",
        "--idle",
        idle,
        ...(port === undefined ? [] : ["--port", String(port)]),
      ],
      {
        cwd: root,
        env: ownVariables(userEnvironmentFor(environment, { stateFolder: localDir })),
        logFd,
      },
    );
  } finally {
    systemFiles.close(logFd);
  }
};

/** Nobody asked for it by name, so it goes when nobody needs it any more. */
const idle = "2h";

/** The server speaks for everybody: what names one session, or changes how Node runs, is left out. */
const ownVariables = ({ variables }: Environment): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const isKept = names.test(name) && !personal.has(name);
    if (isKept && value !== undefined) kept[name] = value;
  }
  return kept;
};

const names =
  /^(?:PATH|HOME|USER|LOGNAME|USERNAME|USERPROFILE|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|HEADGATE_\w+|PG\w+|SYSTEMROOT|APPDATA|LOCALAPPDATA|PATHEXT)$/i;
const personal = new Set(["HEADGATE_ACTOR", "HEADGATE_BYPASS"]);
