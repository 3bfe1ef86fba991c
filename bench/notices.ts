// What a notice costs: a client's hook that carries one beside one that does not, in turns. Processor time, because the
// machine may have other work. Through the hook as clients start it and a server; through the server's way of answering
// alone (in this process); and as a process of its own where no server runs. HEADGATE_RUNS: how many of each (200).
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { systemEnvironment } from "../src/base/environment.ts";
import { openHeadgate } from "../src/compose.ts";
import { answerCall } from "../src/surfaces/hooks/answer-call.ts";
import { dialectOf } from "../src/surfaces/hooks/harness/index.ts";
import { actorOfCall } from "../src/surfaces/hooks/hook-actor.ts";
import { hookParts } from "../src/surfaces/hooks/parts.ts";
import { median, printTable, saveResult } from "./harness.ts";

const runs = Number(process.env["HEADGATE_RUNS"] ?? 200);
const program = resolve(import.meta.dirname, "../bin/headgate.js");
const folder = mkdtempSync(join(tmpdir(), "headgate-bench-notices-"));
const cwd = join(folder, "repository");
const variables = { PATH: process.env["PATH"] ?? "", HOME: folder };
const session = "s1";
const file = join(cwd, "store.ts");
const source = Array.from(
  { length: 250 },
  (_, index) => `export function f${index}(value: number): number {\n  return value + ${index};\n}`,
).join("\n\n");

const run = (command: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(command, args, { cwd, env: variables });
  if (status !== 0) throw new Error(String(stderr));
};

interface Payload {
  readonly [key: string]: unknown;
}
const readPayload = (): Payload => ({
  ...{ session_id: session, cwd, hook_event_name: "PostToolUse", tool_name: "Read" },
  ...{ tool_input: { file_path: file } },
});

interface Cost {
  readonly name: string;
  readonly medianMs: number;
  readonly ratio: number;
  /** In which the ratio is with 95 % certainty, from the differences of the pairs. */
  readonly interval?: readonly [number, number];
}

/** Where the median of the differences is with 95 % certainty: by rank, whatever their distribution. */
const medianInterval = (values: readonly number[]): readonly [number, number] => {
  const sorted = values.toSorted((left, right) => left - right);
  const reach = Math.ceil(0.98 * Math.sqrt(sorted.length));
  const middle = sorted.length / 2;
  const at = (place: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(place)))] ?? Number.NaN;
  return [at(middle - reach), at(middle + reach)];
};

/** Of a process and its children that have not ended, by the kernel's scheduler. */
const processMs = (pid: number): number => {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const own = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
  );
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean),
  );
  const below = children.map((child) => processMs(Number(child)));
  return (
    own.reduce((sum, one) => sum + one, 0) / 1_000_000 + below.reduce((sum, one) => sum + one, 0)
  );
};

/** A command in the shell `sh`, and the processor time of all that it started. */
const timed = (command: readonly string[], input: string): { stdout: string; ms: number } => {
  const { stdout } = spawnSync("sh", ["-c", `"$0" "$@"; times`, ...command], {
    ...{ cwd, env: variables, input, encoding: "utf8" },
  });
  const [, user = "0", system = "0"] =
    /\n0m[\d.]+s 0m[\d.]+s\n0m([\d.]+)s 0m([\d.]+)s/.exec(`\n${stdout}`) ?? [];
  return { stdout, ms: (Number(user) + Number(system)) * 1000 };
};

/** In turns: the same call without a notice, and with one that waits. */
const compare = async (
  name: string,
  count: number,
  parts: {
    prepare?(): void;
    notify(): Promise<unknown>;
    call(isTold: boolean): Promise<void>;
    cpuMs(): number;
  },
): Promise<Cost[]> => {
  const costs = { without: [] as number[], with: [] as number[] };
  for (let index = -5; index < count; index += 1) {
    const order = index % 2 === 0 ? ([false, true] as const) : ([true, false] as const);
    for (const isTold of order) {
      parts.prepare?.();
      if (isTold) await parts.notify();
      const from = parts.cpuMs();
      await parts.call(isTold);
      if (index >= 0) costs[isTold ? "with" : "without"].push(parts.cpuMs() - from);
    }
  }
  const without = median(costs.without);
  const more = costs.with.map((ms, index) => ms - (costs.without[index] ?? 0));
  const ratio = (ms: number): number => 1 + ms / without;
  const [low, high] = medianInterval(more);
  return [
    { name: `${name}, no notice`, medianMs: without, ratio: 1 },
    {
      ...{ name: `${name}, with one`, medianMs: without + median(more) },
      ...{ ratio: ratio(median(more)), interval: [ratio(low), ratio(high)] },
    },
  ];
};

try {
  mkdirSync(cwd);
  writeFileSync(file, source);
  run("git", "init", "--quiet");
  mkdirSync(join(cwd, ".git/headgate"));
  run("git", "add", "--all");
  run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first");
  const environment = { ...systemEnvironment(), variables, cwd };
  await using headgate = await openHeadgate({ repo: cwd, environment, actor: "ada" });
  await headgate.as(`claude:${session}`).claims.register({ kind: "session.started" });
  const notify = () =>
    headgate.notify([
      { to: `claude:${session}`, kind: "note", text: "the tests are red since noon" },
    ]);
  const context = { variables: {}, cwd };
  const answer = async (payload: Payload, isTold: boolean): Promise<void> => {
    const dialect = dialectOf("claude", payload, context);
    const call = dialect.read(payload, context);
    const decision = await answerCall(call, {
      open: async () => headgate,
      openWorktree: async () => headgate,
      actorOf: (one) => actorOfCall(one, 0),
      environment,
      clock: systemClock,
      ...hookParts,
    });
    const { stdout, settle } = dialect.answer(decision, call);
    if (stdout.includes("the tests are red") !== isTold) throw new Error(`not so: ${stdout}`);
    await settle?.(true);
  };
  const own = () => processMs(process.pid);
  const rows = [
    ...(await compare("server, after a Read", runs, {
      ...{ notify, cpuMs: own },
      call: (isTold) => answer(readPayload(), isTold),
    })),
  ];
  let round = 0;
  const edit = async (isTold: boolean): Promise<void> => {
    round += 1;
    const text = readFileSync(file, "utf8");
    const [, name = ""] = /function (f\d+)/.exec(text.slice((round % 200) * 40)) ?? [];
    const old = new RegExp(`function ${name}\\(.*\\n.*\\n`).exec(text)?.[0] ?? "";
    const fresh = old.replace(/value [+-].*/, `value - ${round};`);
    const tool_input = { file_path: file, old_string: old, new_string: fresh, replace_all: false };
    const more = { tool_name: "Edit", tool_use_id: `t${round}`, tool_input };
    await answer({ ...readPayload(), ...more, hook_event_name: "PreToolUse" }, false);
    writeFileSync(file, text.replace(old, fresh));
    const tool_response = { filePath: file, originalFile: text };
    await answer({ ...readPayload(), ...more, tool_response }, isTold);
  };
  rows.push(
    ...(await compare("server, an Edit's hooks", runs, { notify, cpuMs: own, call: edit })),
  );
  let spent = 0;
  rows.push(
    ...(await compare("no server, after a Read", runs, {
      ...{ notify, cpuMs: () => spent },
      call: async (isTold) => {
        const command = [process.execPath, program, "hook", "claude"];
        const { stdout, ms } = timed(command, JSON.stringify(readPayload()));
        if (stdout.includes("the tests are red") !== isTold) throw new Error(`not so: ${stdout}`);
        spent += ms;
      },
    })),
  );
  const local = join(cwd, ".git/headgate");
  copyFileSync(resolve(import.meta.dirname, "../doors/hook.sh"), join(local, "hook"));
  const server = spawn(process.execPath, [program, "up"], { cwd, env: variables, stdio: "pipe" });
  try {
    await new Promise((ready) => server.stdout.once("data", ready));
    spent = 0;
    const delivered = async () =>
      (await headgate.events.page({ kind: "notice.delivered", last: 1 })).events[0]?.id;
    const untilNews = async (last: string | undefined): Promise<void> => {
      while ((await delivered()) === last) await systemClock.sleep(10);
    };
    rows.unshift(
      ...(await compare("hook and server, after a Read", runs, {
        ...{ notify, cpuMs: () => spent },
        call: async (isTold) => {
          const last = isTold ? await delivered() : undefined;
          const from = processMs(server.pid ?? 0);
          const command = ["sh", join(local, "hook"), "claude", "."];
          const { stdout, ms } = timed(command, JSON.stringify(readPayload()));
          if (stdout.includes("the tests are red") !== isTold) throw new Error(`not so: ${stdout}`);
          // The delivery is written down a moment later, and belongs to it.
          if (isTold) await untilNews(last);
          await systemClock.sleep(30);
          spent += ms + processMs(server.pid ?? 0) - from;
        },
      })),
    );
  } finally {
    const ended = new Promise((done) => server.once("exit", done));
    server.kill();
    await ended;
  }
  printTable(
    `A hook with a notice (${runs} runs of each)`,
    ["", "CPU ms", "ratio", "95 %"],
    rows.map(({ name, medianMs, ratio, interval }) => [
      ...[name, medianMs.toFixed(2), ratio.toFixed(2)],
      interval?.map((one) => one.toFixed(2)).join("–") ?? "",
    ]),
  );
  saveResult("notices", { runs, rows });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
