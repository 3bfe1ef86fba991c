/**
 * The two git commands that a rescue needs for writing: objects, and one new ref. Under the same guards
 * as base/git.ts: nothing that a repository configures is run, neither hook nor signing program.
 */
import { devNull } from "node:os";
import type { Environment } from "../../base/environment.ts";
import type { Files } from "../../base/files.ts";
import { findProgram } from "../../base/find-program.ts";
import { gitEnvironment } from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import type { Processes } from "../../base/processes.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";

export interface GitPorts {
  readonly environment: Environment;
  readonly files: Files;
  readonly processes: Processes;
}

/** Throws GIT_MISSING, GIT_FAILED, GIT_LIMIT. */
export const storePack = async (cwd: string, pack: Buffer, ports: GitPorts): Promise<void> => {
  const result = await run(cwd, { args: ["unpack-objects", "-q"], input: pack }, ports);
  if (!result.ok) throw result.error;
};

/** Fails with the error as a value when the ref exists or cannot be made. */
export const createRef = (
  cwd: string,
  { ref, id }: { readonly ref: string; readonly id: string },
  ports: GitPorts,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly error: HeadgateError }> =>
  // All zeros as the old value: only if there is no such ref yet.
  run(cwd, { args: ["update-ref", "--no-deref", ref, id, "0".repeat(id.length)] }, ports);

const settings = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "core.logAllRefUpdates=false",
  "protocol.allow=never",
];
const guards = [
  "--no-optional-locks",
  "--no-pager",
  ...settings.flatMap((setting) => ["-c", setting]),
];

const run = async (
  cwd: string,
  { args, input }: { readonly args: readonly string[]; readonly input?: Buffer },
  { environment, files, processes }: GitPorts,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly error: HeadgateError }> => {
  const name = `git ${args[0]}`;
  const place = showText(cwd);
  const program = findProgram("git", environment, files);
  if (program === undefined) {
    throw new HeadgateError("GIT_MISSING", `no git program on PATH for ${place}`);
  }
  const result = await processes.run([program, ...guards, ...args], {
    cwd,
    env: gitEnvironment(environment),
    timeoutMs: limits.gitTimeoutMs,
    outputBytesMax: limits.gitOutputBytesMax,
    ...(input && { input }),
  });
  if (result.ended === "exit" && result.code === 0) return { ok: true };
  if (result.ended === "timeout" || result.ended === "output-limit") {
    throw new HeadgateError("GIT_LIMIT", `${name} did not end in time in ${place}`);
  }
  const words = "stderr" in result ? showText(result.stderr.trim().split("\n")[0] ?? "") : "";
  const message = `${name} failed in ${place}: ${words || result.ended}`;
  return { ok: false, error: new HeadgateError("GIT_FAILED", message) };
};
