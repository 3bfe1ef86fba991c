import { spawn } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { cleanEnvironment, type Ended, programPath, withoutProgress } from "./program.ts";
import { put, temporaryFolder } from "./temporary-folder.ts";

/** What a client does with a command of its model: a shell below it, with the session in its variables. */
const clientText = `
  const { spawn } = require("node:child_process");
  const child = spawn("sh", ["-c", process.argv[2]], { stdio: "inherit", env: { ...process.env, ...JSON.parse(process.argv[3]) } });
  child.on("close", (code) => { process.exitCode = code ?? 1; });`;

export interface AgentShell {
  readonly cwd: string;
  /** The program that runs the shell; default Claude Code. */
  readonly client?: string;
  /** Of Claude Code. */
  readonly session?: string;
  /** That the client was started with. */
  readonly env?: Record<string, string>;
}

/** Runs a command line as an agent does, below a process that looks like its client; `headgate` is the real program. */
export const inAgentShell = async (
  command: string,
  { cwd, client = "claude", session, env = {} }: AgentShell,
): Promise<Ended> => {
  const folder = temporaryFolder();
  const program = join(folder, client);
  symlinkSync(process.execPath, program);
  const headgate = put(
    join(folder, "bin/headgate"),
    `#!/bin/sh\nexec "${process.execPath}" "${programPath}" "$@"\n`,
  );
  chmodSync(headgate, 0o755);
  const variables =
    session === undefined ? {} : { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session };
  const clean = cleanEnvironment(join(dirname(cwd), "no-home"));
  const child = spawn(
    program,
    [put(join(folder, "client.cjs"), clientText), command, JSON.stringify(variables)],
    {
      cwd,
      env: { ...clean, PATH: `${join(folder, "bin")}:${clean["PATH"]}`, ...identity, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => void (text[name] += chunk));
  }
  return await new Promise<Ended>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) =>
      done({ code, signal, stdout: text.stdout, stderr: withoutProgress(text.stderr) }),
    );
  });
};

const identity = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};
