import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { cleanEnvironment, programPath } from "./program.ts";

export interface Terminal {
  /** Everything that was on the screen so far, colours included. */
  readonly screen: () => string;
  /** Resolves when the screen shows it after what was waited for before; rejects when the program ends first. */
  shows(text: string | RegExp): Promise<void>;
  type(text: string): void;
  readonly ended: Promise<number | null>;
}

/** The real program at a real pseudo-terminal, which Python opens. */
export const openTerminal = (
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Terminal => {
  const bridge = `import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))`;
  const argv = ["-c", bridge, process.execPath, programPath, ...args];
  const child = spawn("python3", argv, {
    cwd: options.cwd,
    env: { ...cleanEnvironment(join(options.cwd, "..", "no-home")), TERM: "xterm", ...options.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  let text = "";
  let seen = 0;
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (const watcher of watchers) watcher();
  });
  const ended = new Promise<number | null>((done) => child.on("close", (code) => done(code)));
  return {
    screen: () => text,
    shows: (wanted) =>
      new Promise((found, fail) => {
        const look = () => {
          const at = text.slice(seen).search(typeof wanted === "string" ? escaped(wanted) : wanted);
          if (at < 0) return;
          seen += at + 1;
          watchers.delete(look);
          found();
        };
        watchers.add(look);
        look();
        void ended.then(() => fail(new Error(`ended without ${String(wanted)}: ${text}`)));
      }),
    type: (line) => void child.stdin.write(line),
    ended,
  };
};

const escaped = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
