// What one agent's flood costs another (T-05): 200 edits of a 3,000-line file, eight at a time, while a second agent edits
// a small file of its own, one call after the other, as a client does. Aim: its median is at most twice its quiet one.
// HEADGATE_RUNS: how many edits (200).
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median, printTable, saveResult } from "./harness.ts";

const edits = Number(process.env["HEADGATE_RUNS"] ?? 200);
const atOnce = 8;
const quietRounds = 40;

const root = resolve(import.meta.dirname, "..");
const bin = join(root, "bin/headgate.js");
const folder = mkdtempSync(join(tmpdir(), "headgate-bench-busy-"));
const repository = join(folder, "repository");
const local = join(repository, ".git/headgate");
const env = { PATH: process.env["PATH"] ?? "", HOME: folder };

const functions = (count: number, plus: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `export function f${at}(value: number): number {\n  return value + ${at + plus};\n}\n`,
  ).join("");

mkdirSync(repository);
execFileSync("git", ["init", "--quiet"], { cwd: repository, env });
mkdirSync(local, { mode: 0o700 });
writeFileSync(join(local, "runtime"), `${process.execPath}\n${bin}\n`);
writeFileSync(join(repository, "large.ts"), functions(1_000, 0));
writeFileSync(join(repository, "small.ts"), functions(20, 0));

const agent = new Agent({ keepAlive: true });
const ask = (session: string, index: number): Promise<number> =>
  new Promise((done, fail) => {
    const isBusy = session === "busy";
    const file = join(repository, isBusy ? "large.ts" : "small.ts");
    const body = JSON.stringify({
      ...{ session_id: session, cwd: repository, hook_event_name: "PreToolUse" },
      ...{ tool_name: "Write", tool_use_id: `toolu_${session}_${index}` },
      tool_input: { file_path: file, content: functions(isBusy ? 1_000 : 20, index) },
    });
    const from = performance.now();
    const headers = { "content-type": "application/json", "x-headgate-pid": String(process.pid) };
    const sent = request(
      { agent, method: "POST", socketPath, path: "/hooks/claude", headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          if (response.statusCode === 200 && text.startsWith("0\n")) done(performance.now() - from);
          else fail(new Error(`${session}: ${response.statusCode} ${text.slice(0, 300)}`));
        });
      },
    );
    sent.on("error", fail);
    sent.end(body);
  });

const up = spawn(process.execPath, [bin, "up", "--json"], {
  ...{ cwd: repository, env, stdio: ["ignore", "pipe", "inherit"] },
});
let socketPath = "";
try {
  await new Promise((ready) => up.stdout?.once("data", ready));
  socketPath = readFileSync(join(local, "socket-path"), "utf8").trim();
  let index = 0;
  for (let warm = 0; warm < 15; warm += 1) {
    await ask("quiet", (index += 1));
    await ask("busy", (index += 1));
  }
  const quiet: number[] = [];
  for (let round = 0; round < quietRounds; round += 1) quiet.push(await ask("quiet", (index += 1)));

  let left = edits;
  const own: number[] = [];
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      own.push(await ask("busy", (index += 1)));
    }
  };
  const from = performance.now();
  const flood = Promise.all(Array.from({ length: atOnce }, worker));
  const beside: number[] = [];
  while (own.length < edits) beside.push(await ask("quiet", (index += 1)));
  await flood;
  const floodMs = performance.now() - from;

  const [alone, busy] = [median(quiet), median(beside)];
  const rows = [
    { name: "quiet", medianMs: alone, ratio: 1, calls: quiet.length },
    { name: "beside the flood", medianMs: busy, ratio: busy / alone, calls: beside.length },
    {
      name: "an edit of the flood",
      medianMs: median(own),
      ratio: median(own) / alone,
      calls: edits,
    },
  ];
  printTable(
    `Another agent's hook beside ${edits} expensive edits (${Math.round(floodMs)} ms in all)`,
    ["", "ms", "ratio", "calls"],
    rows.map(({ name, medianMs, ratio, calls }) => [
      ...[name, medianMs.toFixed(1), ratio.toFixed(2), String(calls)],
    ]),
  );
  saveResult("busy-agent", { edits, atOnce, floodMs, measured: rows });
} finally {
  agent.destroy();
  up.kill("SIGTERM");
  await new Promise((ended) => up.once("close", ended));
  rmSync(folder, { recursive: true, force: true });
}
