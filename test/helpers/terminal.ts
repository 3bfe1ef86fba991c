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

export interface TerminalRun {
  readonly line: string;
  readonly code: number;
  /** As the terminal got it, colours included. */
  readonly screen: string;
}

/** Each line of words as its own program at a pseudo-terminal with that many columns, one after the other. */
export const runAtTerminal = async (
  lines: readonly (readonly string[])[],
  options: {
    readonly cwd: string;
    readonly columns: number;
    readonly env?: Record<string, string>;
  },
): Promise<TerminalRun[]> => {
  const { cwd, columns, env } = options;
  const child = spawn("python3", ["-c", manyTerminals, process.execPath, programPath], {
    cwd,
    env: { ...cleanEnvironment(join(cwd, "..", "no-home")), TERM: "xterm", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(JSON.stringify({ columns, lines }));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await new Promise((done) => child.on("close", done));
  const ends = JSON.parse(text) as [number, string][];
  return ends.map(([code, screen], index) => ({
    ...{ line: (lines[index] ?? []).join(" "), code, screen: screen.replaceAll("\r\n", "\n") },
  }));
};

const manyTerminals = `
import fcntl, json, os, pty, struct, sys, termios
asked = json.load(sys.stdin)
ends = []
for words in asked["lines"]:
    pid, end = pty.fork()
    if pid == 0:
        size = struct.pack("HHHH", 24, asked["columns"], 0, 0)
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        os.execvp(sys.argv[1], sys.argv[1:] + words)
    screen = b""
    while True:
        try:
            part = os.read(end, 65536)
        except OSError:
            break
        if not part:
            break
        screen += part
    os.close(end)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    ends.append([code, screen.decode()])
print(json.dumps(ends))
`;
