// What a hook costs inside the real Claude Code: the time from one answer of the model to the next request,
// with an edit in between, for several hooks at the same events. In a network of its own (Linux, root), as
// test/clients does it; the clients come from there, too.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { startMockLlm } from "../src/surfaces/mock-llm/index.ts";
import { median, printTable, saveResult } from "./harness.ts";

const root = resolve(import.meta.dirname, "..");
const bin = join(root, "bin/headgate.js");
const client = join(
  root,
  `.tools/clients/node_modules/@anthropic-ai/claude-code-linux-${process.arch}/claude`,
);
const rounds = 3;
const edits = 16;

const variants = [
  "no hook",
  "/bin/true (floor)",
  "headgate, http hook",
  "headgate, shim and server",
  "headgate, shim without server",
] as const;
type Variant = (typeof variants)[number];

if (!existsSync(client)) console.log("the clients are not installed here: run `npm test` once");
else if (process.env["HEADGATE_BENCH_INSIDE"]) await measure();
else {
  const script = 'ip link set lo up && exec "$@"';
  const argv = ["--net", "sh", "-c", script, "sh", process.execPath, import.meta.filename];
  const env = { ...process.env, HEADGATE_BENCH_INSIDE: "1" };
  const { status } = spawnSync("unshare", argv, { stdio: "inherit", env });
  process.exitCode = status ?? 1;
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "headgate-bench-"));
  const places: Place[] = [];
  try {
    for (const variant of variants) places.push(await prepare(folder, variant));
    const times = new Map(variants.map((variant): [Variant, number[]] => [variant, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const place of round % 2 === 0 ? places : places.toReversed()) {
        times.get(place.variant)!.push(await oneRun(place, round));
      }
    }
    report(times);
  } finally {
    for (const { stop } of places) stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Place {
  readonly variant: Variant;
  readonly repo: string;
  readonly home: string;
  readonly env: Record<string, string>;
  stop(): void;
}

async function prepare(folder: string, variant: Variant): Promise<Place> {
  const name = String(variants.indexOf(variant));
  const [repo, home] = [join(folder, `repo-${name}`), join(folder, `home-${name}`)];
  mkdirSync(repo);
  mkdirSync(home);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    // The http hook needs a port that stays the same; in this network all are free.
    HEADGATE_PORT: String(7400 + Number(name)),
  };
  const headgate = (...args: string[]) =>
    execFileSync(process.execPath, [bin, ...args], { cwd: repo, env, stdio: "pipe" });
  execFileSync("git", ["init", "--quiet"], { cwd: repo, env });
  if (variant === "no hook") return { variant, repo, home, env, stop: () => {} };
  const needsServer = /server|http/.test(variant) && !variant.includes("without");
  const stop = needsServer ? await startServer(repo, env) : () => {};
  const isHttp = variant.includes("http");
  headgate("init", "--yes", "--client", "claude", ...(isHttp ? ["--http"] : []));
  // Its start would be measured with the session's.
  rmSync(join(repo, ".mcp.json"));
  const settings = join(repo, ".claude/settings.json");
  if (variant.startsWith("/bin/true")) {
    const text = readFileSync(settings, "utf8");
    writeFileSync(
      settings,
      text.replaceAll(/"command": *"[^\n]*?hook claude"/g, '"command":"/bin/true"'),
    );
  }
  const token = isHttp ? readFileSync(join(repo, ".git/headgate/token"), "utf8").trim() : "";
  return { variant, repo, home, env: { ...env, HEADGATE_TOKEN: token }, stop };
}

function startServer(repo: string, env: Record<string, string>): Promise<() => void> {
  return new Promise((ready, fail) => {
    const child = spawn(process.execPath, [bin, "up"], { cwd: repo, env });
    child.on("error", fail);
    child.stdout.on("data", () => ready(() => child.kill("SIGKILL")));
  });
}

/** The median time of an edit in one session. */
async function oneRun({ repo, home, env }: Place, round: number): Promise<number> {
  const content = Array.from({ length: 40 }, (_, at) => `export const a${at} = ${at};\n`).join("");
  const steps = Array.from({ length: edits }, (_, at) => [
    { calls: [{ name: "Write", input: { file_path: join(repo, `f${round}-${at}.ts`), content } }] },
  ]);
  const asked: number[] = [];
  const model = await startMockLlm(
    { conversations: [{ steps }] },
    { onRequest: ({ conversation }) => conversation === 0 && asked.push(performance.now()) },
  );
  const argv = ["-p", "go", "--permission-mode", "acceptEdits", "--output-format", "json"];
  const child = spawn(client, argv, {
    cwd: repo,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...env,
      HOME: home,
      TERM: "dumb",
      IS_SANDBOX: "1",
      ANTHROPIC_BASE_URL: model.address,
      ANTHROPIC_API_KEY: "sk-ant-dummy",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
  });
  await new Promise((done) => child.on("close", done));
  await model.close();
  const written = steps.filter((_, at) => existsSync(join(repo, `f${round}-${at}.ts`))).length;
  if (written !== edits) throw new Error(`only ${written} of ${edits} edits landed in ${repo}`);
  // The first two warm things up.
  return median(asked.slice(3).map((time, at) => time - asked[at + 2]!));
}

function report(times: ReadonlyMap<Variant, readonly number[]>): void {
  const none = times.get("no hook")!;
  const floor = times.get("/bin/true (floor)")!;
  const results = variants.map((variant) => {
    const own = times.get(variant)!;
    const added = own.map((time, round) => time - none[round]!);
    const ratio = median(added.map((time, round) => time / (floor[round]! - none[round]!)));
    return { name: variant, medianMs: median(own), addedMs: median(added), ratio };
  });
  printTable(
    "Claude Code: one edit, from the model's answer to the next request",
    ["hook", "ms per edit", "added ms", "× what /bin/true adds"],
    results.map(({ name, medianMs, addedMs, ratio }) => [
      name,
      medianMs.toFixed(1),
      addedMs.toFixed(1),
      name === "no hook" ? "" : ratio.toFixed(2),
    ]),
  );
  saveResult("clients", { edits, rounds, results });
}
