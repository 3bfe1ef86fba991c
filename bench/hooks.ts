// What a hook costs on the way of an edit that is allowed: through the server, through the shim, and in a
// process of its own; and what git's hooks add to a commit. Floors in the same run: an empty HTTP answer, one parse of the file, bare curl, an
// empty Node. The file has 1,000 lines; every edit changes one method, is judged and claims it.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findRepository } from "../src/git/repository.ts";
import { Analyser } from "../src/structure/index.ts";
import { installGitHooks } from "../src/surfaces/git/index.ts";
import { compare, type Contender, measuredRows, printTable, saveResult } from "./harness.ts";

const root = resolve(import.meta.dirname, "..");
const bin = join(root, "bin/headgate.js");
const folder = mkdtempSync(join(tmpdir(), "headgate-bench-hooks-"));
const repository = join(folder, "repository");
const local = join(repository, ".git/headgate");
const author = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.org" };
const committer = { GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.org" };
const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ...author, ...committer };

const methods = Array.from({ length: 250 }, (_, index) => index);
const source = `class Store:\n${methods
  .map((index) => `    def method_${index}(self, value):\n        return value + ${index}\n`)
  .join("\n")}`;

mkdirSync(local, { recursive: true });
execFileSync("git", ["init", "--quiet"], { cwd: repository, env });
copyFileSync(join(root, "doors/hook.sh"), join(repository, ".headgate/hook"));
execFileSync("chmod", ["755", join(repository, ".headgate/hook")]);
writeFileSync(join(repository, "store.py"), source);
writeFileSync(join(local, "runtime"), `${process.execPath}\n${bin}\n`);

const payload = (index: number): string => {
  const which = index % methods.length;
  return JSON.stringify({
    session_id: "bench",
    cwd: repository,
    hook_event_name: "PreToolUse",
    tool_name: "Edit",
    tool_input: {
      file_path: join(repository, "store.py"),
      old_string: `return value + ${which}\n`,
      new_string: `return value - ${index + 1000}\n`,
      replace_all: false,
    },
    tool_use_id: `toolu_${index}`,
  });
};

const agent = new Agent({ keepAlive: true });
const post = (options: Record<string, unknown>, body: string): Promise<string> =>
  new Promise((done, fail) => {
    const sent = request({ agent, method: "POST", host: "127.0.0.1", ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => done(`${response.statusCode} ${text}`));
    });
    sent.on("error", fail);
    sent.end(body);
  });

/** Not `spawnSync`: the floor's server is in this process. */
const program = (
  name: string,
  file: string,
  args: readonly string[],
  input: (index: number) => string = () => "",
): Contender => ({
  name,
  run: (index) =>
    new Promise((done, fail) => {
      const child = spawn(file, args, { cwd: repository, env, stdio: ["pipe", "ignore", "pipe"] });
      let words = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (words += text));
      child.on("error", fail);
      child.on("close", (code) =>
        code === 0 ? done() : fail(new Error(`${name}: ${code} ${words}`)),
      );
      child.stdin.on("error", () => {});
      child.stdin.end(input(index));
    }),
});

const up = spawn(process.execPath, [bin, "up", "--json"], {
  cwd: repository,
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
const echo = createServer((received, response) => {
  received.resume().on("end", () => response.writeHead(204).end());
});
const socket = join(folder, "echo.sock");
const echoOnSocket = createServer((received, response) => {
  received.resume().on("end", () => response.end("0\n.\n"));
});

try {
  await new Promise((ready) => up.stdout.once("data", ready));
  await new Promise<void>((ready) => echo.listen(0, "127.0.0.1", ready));
  await new Promise<void>((ready) => echoOnSocket.listen(socket, ready));
  const port = Number(readFileSync(join(local, "port"), "utf8"));
  const token = readFileSync(join(local, "token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

  const analyser = new Analyser();
  const parses: Contender = {
    name: "one parse of the 1,000-line file",
    run: async (index) => {
      await analyser.outline(`${source}# ${index}\n`, "store.py");
    },
  };
  const http = await compare(
    [
      {
        name: "empty HTTP answer (floor)",
        run: async (index) => {
          await post({ port: (echo.address() as AddressInfo).port, path: "/" }, payload(index));
        },
      },
      parses,
      {
        name: "hook through the server, edit allowed",
        run: async (index) => {
          const answer = await post({ port, path: "/hooks/claude", headers }, payload(index));
          if (answer !== "204 ") throw new Error(answer);
        },
      },
    ],
    { rounds: 15, perRound: 10, warmUpRounds: 3 },
  );
  analyser.close();
  printTable(
    "Hook through the server (median of 15 rounds of 10)",
    ["", "ms", "ratio"],
    measuredRows(http),
  );

  const curl = ["-q", "-s", "--unix-socket", socket, "--data-binary", "@-", "http://localhost/"];
  const shim = await compare(
    [
      program("bare curl --unix-socket (floor)", "curl", curl, payload),
      program(
        "shim, a tool that is nothing to us",
        join(repository, ".headgate/hook"),
        ["claude"],
        () =>
          JSON.stringify({
            session_id: "bench",
            cwd: repository,
            hook_event_name: "PreToolUse",
            tool_name: "Glob",
            tool_input: {},
            tool_use_id: "x",
          }),
      ),
      program(
        "shim, edit judged and claimed",
        join(repository, ".headgate/hook"),
        ["claude"],
        payload,
      ),
    ],
    { rounds: 15, perRound: 5, warmUpRounds: 2 },
  );
  printTable(
    "Shim with a running server (median of 15 rounds of 5)",
    ["", "ms", "ratio"],
    measuredRows(shim),
  );

  // Judged each time; the server answers the first, a process of its own for each hook the second.
  const commits = (name: string, ...more: string[]): Contender => ({
    name,
    run: async (index) => {
      const text = `${source}# ${name} ${index}\n`;
      writeFileSync(join(repository, "store.py"), text);
      const args = [...more, "commit", "--quiet", "--all", "--message", "bench"];
      await program(name, "git", args).run(index);
    },
  });
  const hooksPath = ["-c", "core.hooksPath=/dev/null"];
  execFileSync("git", ["add", "store.py"], { cwd: repository, env });
  execFileSync("git", [...hooksPath, "commit", "--quiet", "--message", "first"], {
    cwd: repository,
    env,
  });
  await installGitHooks(await findRepository(repository));
  const commitServed = await compare(
    [commits("git commit (floor)", ...hooksPath), commits("git commit, hooks and server")],
    { rounds: 15, perRound: 1, warmUpRounds: 2 },
  );
  up.kill("SIGTERM");
  await new Promise((ended) => up.once("exit", ended));
  const commitAlone = await compare(
    [commits("git commit (floor)", ...hooksPath), commits("git commit, hooks without a server")],
    { rounds: 15, perRound: 1, warmUpRounds: 2 },
  );
  writeFileSync(join(repository, "store.py"), source);
  printTable(
    "git commit of one file (median of 15 rounds)",
    ["", "ms", "ratio"],
    [...measuredRows(commitServed), ...measuredRows(commitAlone).slice(1)],
  );
  const own = await compare(
    [
      program("node -e 0 (floor)", process.execPath, ["-e", "0"]),
      program(
        "headgate hook, a tool that is nothing to us",
        process.execPath,
        [bin, "hook", "claude"],
        () =>
          JSON.stringify({
            session_id: "bench",
            cwd: repository,
            hook_event_name: "PreToolUse",
            tool_name: "Glob",
            tool_input: {},
            tool_use_id: "x",
          }),
      ),
      program(
        "headgate hook, edit judged and claimed",
        process.execPath,
        [bin, "hook", "claude"],
        payload,
      ),
      program(
        "shim without a server, edit judged and claimed",
        join(repository, ".headgate/hook"),
        ["claude"],
        payload,
      ),
    ],
    { rounds: 15, perRound: 1, warmUpRounds: 2 },
  );
  printTable(
    "Hook in a process of its own (median of 15 rounds)",
    ["", "ms", "ratio"],
    measuredRows(own),
  );
  saveResult("hooks", { rounds: 15, http, shim, own, commitServed, commitAlone });
} finally {
  up.kill("SIGKILL");
  echo.close();
  echoOnSocket.close();
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
