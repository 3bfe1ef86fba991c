/**
 * The two git commands that a rescue needs for writing: objects, and one new ref. Under the guards of
 * reading-git.ts: nothing that a repository configures is run, neither hook nor signing program.
 */
import type { Environment } from "../base/environment.ts";
import type { Files } from "../base/files.ts";
import type { Processes } from "../base/processes.ts";
import { HeadgateError } from "../errors.ts";
import { createGuardedStart } from "./reading-git.ts";

export interface GitPorts {
  readonly environment: Environment;
  readonly files: Files;
  readonly processes: Processes;
}

/** Throws GIT_MISSING, GIT_FAILED, GIT_LIMIT. */
export const storePack = async (cwd: string, pack: Buffer, ports: GitPorts): Promise<void> => {
  const start = createGuardedStart({ cwd, ...ports });
  await start(["unpack-objects", "-q"], { name: "git unpack-objects", input: pack });
};

/** Fails with the error as a value when the ref exists or cannot be made. */
export const createRef = async (
  cwd: string,
  { ref, id }: { readonly ref: string; readonly id: string },
  ports: GitPorts,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly error: HeadgateError }> => {
  // All zeros as the old value: only if there is no such ref yet.
  const args = ["update-ref", "--no-deref", ref, id, "0".repeat(id.length)];
  try {
    await createGuardedStart({ cwd, ...ports })(["-c", "core.logAllRefUpdates=false", ...args], {
      name: "git update-ref",
    });
    return { ok: true };
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code !== "GIT_FAILED") throw error;
    return { ok: false, error };
  }
};
