import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { basename, dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { hookScripts, shimText } from "../../src/base/hook-line.ts";
import { put, temporaryFolder } from "./temporary-folder.ts";

const hookPath = resolve(import.meta.dirname, "../../doors/hook.sh");

export interface ShimEnded {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder as `headgate init` leaves it: the shim is there, nothing is armed yet. */
export const shimFolder = (folder = join(temporaryFolder(), "my repo")): string => {
  chmodSync(put(join(folder, ".headgate/hook"), shimText), 0o755);
  return folder;
};

/** The files of a running server and of the last `headgate init`. */
export const arm = (
  local: string,
  { socket, runtime }: { readonly socket?: string; readonly runtime?: readonly string[] } = {},
): void => {
  mkdirSync(local, { recursive: true });
  copyFileSync(hookPath, join(local, "hook"));
  if (socket !== undefined) {
    put(join(local, "socket-path"), `${socket}\n`);
    // A short mark for short tests; a real one is 32 hexadecimal digits.
    put(join(local, "hook-mark"), ".\n");
  }
  if (runtime) put(join(local, "runtime"), `${runtime.join("\n")}\n`);
};

/** A program in the place of bin/headgate.js: says what it was called with and ends as told. */
export const standIn = (exit: number, more = ""): readonly [node: string, program: string] => [
  process.execPath,
  put(
    join(temporaryFolder(), "headgate.cjs"),
    `let text = "";
process.stdin.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => {
  const said = JSON.stringify({ args: process.argv.slice(2), text: text.length, bypass: process.env.HEADGATE_BYPASS });
  ${more}
  (${exit} === 0 ? process.stdout : process.stderr).write("stand-in " + said + "\\n");
  process.exitCode = ${exit};
});`,
  ),
];

/** The line of the clients' settings, all of it in this shell. */
const lineWords = (cwd: string, shell: string, harness: readonly string[]): string[] => {
  let above = cwd;
  while (!existsSync(join(above, ".git")) && dirname(above) !== above) above = dirname(above);
  const script = hookScripts[existsSync(join(above, ".git")) ? "git" : "folder"];
  const found = ["/usr/bin", "/bin"].map((place) => join(place, basename(shell))).find(existsSync);
  return ["-c", script.replaceAll("/bin/sh", found ?? "/bin/sh"), "headgate", ...harness];
};

/** The hook as clients start it, or a file that leads to it. */
export const runShim = (
  cwd: string,
  options: {
    readonly shell?: string;
    readonly hook?: string;
    readonly harness?: readonly string[];
    readonly input?: string;
    readonly env?: Record<string, string>;
  } = {},
): Promise<ShimEnded> => {
  const { shell = "sh", hook, harness = ["codex"], input = '{"a":1}' } = options;
  const child = spawn(
    shell,
    hook === undefined ? lineWords(cwd, shell, harness) : [hook, ...harness],
    {
      cwd,
      env: {
        PATH: process.env["PATH"] ?? "",
        XDG_STATE_HOME: process.env["XDG_STATE_HOME"] ?? "",
        // A bash whose input is a socket, as Node's is, takes itself for a remote shell and reads the user's files.
        SHLVL: "2",
        ...options.env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (part: string) => (text[name] += part));
  }
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.on("error", fail).on("close", (code) => done({ code, ...text }));
  });
};

export interface Asked {
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A small server on a socket that answers every request in the given way. */
export const answering = async (
  answer: (response: ServerResponse) => void,
): Promise<{ readonly socket: string; readonly asked: Asked[] }> => {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      asked.push({ url: request.url, headers: request.headers, body });
      answer(response);
    });
  });
  // In a folder of its own, which mkdtemp makes 0700, as the runtime folder of a user is.
  const socket = join(temporaryFolder(), "s");
  await new Promise<void>((ready) => server.listen(socket, ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { socket, asked };
};

/** A PATH with these programs of the machine and no others. */
export const pathWith = (...programs: readonly string[]): string => {
  const folder = temporaryFolder();
  for (const name of programs) symlinkSync(join("/usr/bin", name), join(folder, name));
  return folder;
};
