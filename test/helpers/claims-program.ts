import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Blocker, Claim, ClaimList, ReleaseRequest, Rescue, Sweep } from "../../src/index.ts";
import { makeRepository } from "./git-repository.ts";
import type { runInside } from "./inside.ts";
import { cleanEnvironment, programPath, run, start, type Started } from "./program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** How many there are is for the test to say. */
type Some<T> = readonly [T, T, T, ...T[]];

/** What the commands about claims print; each prints a part of it. */
export interface Printed {
  readonly claims: Some<ClaimList["claims"][number]>;
  readonly waiters: Some<ClaimList["waiters"][number]>;
  readonly requests: Some<ReleaseRequest>;
  readonly code: string;
  readonly claim: Claim;
  readonly clear: boolean;
  readonly blockers: Some<Blocker>;
  readonly released: Some<Claim>;
  readonly request: ReleaseRequest;
  readonly asked: Some<ReleaseRequest>;
  readonly expired: readonly Claim[];
  readonly reclaimed: Some<Sweep["reclaimed"][number]>;
  readonly rescued: Some<Rescue>;
  readonly circle: readonly string[];
  readonly waitedMs: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Answered {
  readonly code: number | null;
  readonly answer: Printed;
}

/**
 * A repository with `a.txt`, and the real program in it as somebody, with --json. With `runInside` for
 * `call` only what is started is a process of its own.
 */
export const claimsProgram = (call: typeof runInside = run) => {
  const cwd = makeRepository(join(temporaryFolder(), "shop"));
  const as =
    (actor: string) =>
    async (...args: string[]): Promise<Answered> => {
      const { code, stdout, stderr } = await call(["--json", "--as", actor, ...args], { cwd });
      if (stderr !== "") throw new Error(`stderr: ${stderr}`);
      return { code, answer: JSON.parse(stdout) as Printed };
    };
  const startAs = (actor: string, ...args: string[]): Started => {
    const started = start(["--json", "--as", actor, ...args], { cwd });
    onTestFinished(async () => {
      started.child.kill("SIGKILL");
      await started.ended;
    });
    return started;
  };
  /** What a person sees. */
  const text = (...args: string[]) => call(args, { cwd });
  const waiters = async (): Promise<string[]> => {
    const { answer } = await as("watcher")("claims", "--waiting");
    return answer.waiters.map(({ actor: name }) => name);
  };
  const untilWaiting = async (...actors: string[]): Promise<void> => {
    await expect.poll(waiters).toEqual(expect.arrayContaining(actors));
  };
  return { cwd, as, startAs, text, waiters, untilWaiting };
};

export const answerOf = async ({ ended }: Started): Promise<Answered> => {
  const { code, stdout } = await ended;
  return { code, answer: JSON.parse(stdout) as Printed };
};

/**
 * An agent client that lives: it runs one command of ours below itself, as clients do, and stays until
 * it is killed. Its session is the actor, its process the proof of life.
 */
export const startClient = async (
  cwd: string,
  session: string,
  args: readonly string[],
): Promise<{ readonly pid: number; readonly stdout: string; kill(): Promise<void> }> => {
  const source = `
    const { spawnSync } = require("node:child_process");
    const [program, ...args] = process.argv.slice(1);
    const env = { ...process.env, CLAUDE_CODE_SESSION_ID: ${JSON.stringify(session)}, CLAUDE_PID: String(process.pid) };
    const { stdout } = spawnSync(process.execPath, [program, ...args], { env, encoding: "utf8" });
    process.stdout.write(stdout.trim() + "\\n");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["-e", source, programPath, ...args], {
    cwd,
    env: cleanEnvironment(join(cwd, "..", "no-home")),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<void>((done) => {
    child.on("close", () => done());
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  onTestFinished(kill);
  const stdout = await new Promise<string>((done, fail) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) done(text);
    });
    child.on("error", fail);
    child.on("close", () => fail(new Error(`the client ended: ${text}`)));
  });
  return { pid: child.pid!, stdout, kill };
};
