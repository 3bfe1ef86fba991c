import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A child that says "ready", then answers one line to each line it gets. */
export interface LineWorker {
  readonly pid: number;
  readonly process: ChildProcess;
  /** The answer, or undefined when the worker ended instead. */
  ask(command: unknown): Promise<Answer | undefined>;
  /** Ends it and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface Answer {
  readonly ok: boolean;
  readonly code?: string;
  readonly name?: string;
  readonly message?: string;
}

export const startLineWorker = async (
  argv: readonly [string, ...string[]],
  options: SpawnOptions = {},
): Promise<LineWorker> => {
  const [file, ...args] = argv;
  const child = spawn(file, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
  const ended = once(child, "exit").then(() => undefined);
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  // A killed worker breaks the pipe; the missing answer says so.
  child.stdin?.on("error", () => {});
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string | undefined> => {
    const line = await Promise.race([lines.next(), ended.then(() => lines.next())]);
    if (!line.done) return line.value;
    // Its output closes a moment before the process is gone, and until then it counts as alive.
    await ended;
    return undefined;
  };
  const first = await nextLine();
  if (first !== "ready") throw new Error(`the worker did not start: ${first ?? ""} ${errors}`);
  return {
    pid: child.pid!,
    process: child,
    ask: async (command) => {
      child.stdin!.write(`${JSON.stringify(command)}\n`);
      const line = await nextLine();
      return line === undefined ? undefined : (JSON.parse(line) as Answer);
    },
    end: async (signal = "SIGKILL") => {
      child.kill(signal);
      await ended;
    },
  };
};
