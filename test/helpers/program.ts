import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { requireFreshBuild } from "./fresh-build.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { stateFolder } from "./state-folder.ts";

requireFreshBuild();

/** The real program, as a user starts it: bin/headgate.js on the built dist. */
export const programPath = resolve(import.meta.dirname, "../../bin/headgate.js");

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  /** Without progress: whether there is any depends on how busy the machine is. */
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** Everything that was printed so far, progress too. */
  readonly text: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
  /** Resolves when stdout or stderr match; rejects when the program ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface StartOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly input?: string | "open";
  readonly nodeArgs?: readonly string[];
}

/** Nothing of this machine's settings: no user file, no colours, no store address. */
export const cleanEnvironment = (home: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_STATE_HOME: process.env["XDG_STATE_HOME"] ?? "",
  LC_ALL: "C.UTF-8",
  // Marks what a test starts; see scripts/leftovers.mjs.
  TMPDIR: tmpdir(),
});

/** What a program said on stderr besides the lines of work that takes over a second. */
export const withoutProgress = (stderr: string): string =>
  stderr.replaceAll(/^headgate: .* … \d+ s\n/gm, "");

export const start = (args: readonly string[], options: StartOptions): Started => {
  const { cwd, env = {}, input = "", nodeArgs = [] } = options;
  const child = spawn(process.execPath, [...nodeArgs, programPath, ...args], {
    cwd,
    env: { ...cleanEnvironment(join(cwd, "..", "no-home")), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]!.setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      for (const watcher of watchers) watcher();
    });
  }
  child.stdin!.on("error", () => {});
  if (input !== "open") child.stdin!.end(input);
  const ended = new Promise<Ended>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      done({ code, signal, stdout: text.stdout, stderr: withoutProgress(text.stderr) });
    });
  });
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((found, fail) => {
      const look = () => {
        const match = pattern.exec(text.stdout) ?? pattern.exec(text.stderr);
        if (match) found(match);
      };
      watchers.add(look);
      look();
      ended.then(
        () => fail(new Error(`ended without ${pattern}: ${text.stdout}${text.stderr}`)),
        fail,
      );
    });
  return { child, text, ended, until };
};

export const run = (args: readonly string[], options: StartOptions): Promise<Ended> =>
  start(args, options).ended;

/** Writes to a program whose input is open, until it has read the most of it: more than any pipe holds. */
export const untilRead = ({ child }: Started, text: string): Promise<void> =>
  new Promise((read, fail) => {
    child.stdin!.write(text.padEnd(4 * 1024 * 1024), (error) => (error ? fail(error) : read()));
  });

export interface TestServer extends Started {
  readonly cwd: string;
  readonly port: number;
  readonly token: string;
}

/** `headgate up` in a folder; ended with the test. */
export const startServer = async (
  options: Partial<StartOptions> & { readonly args?: readonly string[] } = {},
): Promise<TestServer> => {
  const cwd = options.cwd ?? temporaryFolder();
  const started = start(["up", ...(options.args ?? [])], { ...options, cwd });
  onTestFinished(async () => {
    started.child.kill("SIGKILL");
    await started.ended;
  });
  const [, port] = await started.until(/http:\/\/127\.0\.0\.1:(\d+)/);
  const token = readFileSync(join(stateFolder(cwd), "token"), "utf8").trim();
  return { ...started, cwd, port: Number(port), token };
};
