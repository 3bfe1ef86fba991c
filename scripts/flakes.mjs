// `npm run flakes [-- PATTERN…]`: runs tests several times in random order and lists those whose result changed.
//   --times K           how often (3)
//   --busy              with all cores kept busy by a load of its own
//   --suite quick|full  which tests (quick)
//   --seed N            the order of the first run; the next ones count on from it
//   --report            prints the log of all runs so far, and runs nothing
//   --root FOLDER       the project to run in (this one)
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startLoad } from "./flakes/load.mjs";
import { findUnsteady, readResults, reportLog } from "./flakes/results.mjs";
import { root as here } from "./setup/step.mjs";

/** The suites of one run of `--suite full`; each leaves a report of its own. */
const parts = { quick: ["quick"], full: ["quick", "rest"] };

/** A part of this project's suite, or the tests of another project, which has no suites. */
const partCommand = (part, reportPath) =>
  root === here
    ? [resolve(here, "scripts/run-tests.mjs"), part, ...patterns]
    : [
        resolve(here, "node_modules/vitest/vitest.mjs"),
        ...["run", ...patterns, "--reporter=json", `--outputFile.json=${reportPath}`],
      ];

const { values: options, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "3" },
    busy: { type: "boolean", default: false },
    suite: { type: "string", default: "quick" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 1e6)}` },
    report: { type: "boolean", default: false },
    root: { type: "string", default: here },
  },
});
const root = resolve(options.root);
const folder = join(root, ".tools");
/** This project's own log is in the repository: runs are spread over days and machines. */
const ownLog = "test/flakes.jsonl";
const logPath = root === here ? join(root, ownLog) : join(folder, "flakes.log");
const times = Number(options.times);
const firstSeed = Number(options.seed);

let child;
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    stop.abort();
    child?.kill(signal);
  });
}

if (options.report) {
  const lines = fs.existsSync(logPath) ? fs.readFileSync(logPath, "utf8").trim().split("\n") : [];
  console.log(
    lines.length === 0 ? "no runs yet" : reportLog(lines.map((line) => JSON.parse(line))),
  );
} else if (
  !Number.isInteger(times) ||
  times < 1 ||
  !Number.isInteger(firstSeed) ||
  !Object.hasOwn(parts, options.suite)
) {
  console.error("--times and --seed are whole numbers, --suite is quick or full");
  process.exitCode = 2;
} else {
  process.exitCode = await runAll();
}

async function runAll() {
  fs.mkdirSync(folder, { recursive: true });
  const load = options.busy ? startLoad() : undefined;
  if (load) console.log(`load: ${load.pids.length} processes (${load.pids.join(", ")})`);
  const runs = [];
  try {
    for (let at = 1; at <= times && !stop.signal.aborted; at++) {
      const run = await runOnce(firstSeed + at - 1);
      if (stop.signal.aborted) break;
      runs.push(run);
      const { tests, failed } = run.record;
      const what = run.problem ? `, ${run.problem}` : "";
      console.log(
        `run ${at} of ${times}: seed ${run.seed}, ${tests} tests, ${failed} failed${what}, ${run.record.seconds} s`,
      );
    }
  } finally {
    await load?.end();
  }
  if (stop.signal.aborted) return 130;
  return printUnsteady(runs);
}

async function runOnce(seed) {
  const outputPath = join(folder, "flakes-output.log");
  const began = performance.now();
  const results = [];
  // Files that a pattern names are run once, whatever suites they are in.
  for (const part of patterns.length > 0 ? ["quick"] : parts[options.suite]) {
    if (!stop.signal.aborted) results.push(await runPart(part, seed, outputPath));
  }
  const tests = results.flatMap((one) => one.tests);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const failedTests = tests.filter(({ status }) => status === "failed");
  const skipped = tests.filter(({ status }) => !["passed", "failed"].includes(status)).length;
  const code = results.find((one) => one.code !== 0)?.code ?? 0;
  // Nothing ran, an error outside of every test, or a test left something behind.
  const problem =
    code !== 0 && failedTests.length === 0 ? `it ended with ${code}: ${outputPath}` : undefined;
  const record = {
    date: new Date().toISOString(),
    ...{ commit: readCommit(), suite: options.suite, pattern: patterns, busy: options.busy, seed },
    ...{ tests: tests.length, failed: failedTests.length, skipped, seconds, problem, failedTests },
  };
  if (!stop.signal.aborted) fs.appendFileSync(logPath, `${JSON.stringify(record)}\n`);
  return { seed, tests, problem, record };
}

async function runPart(part, seed, outputPath) {
  const reportPath = join(folder, `flakes-${process.pid}.json`);
  const order = ["--sequence.shuffle.files", "--sequence.shuffle.tests", `--sequence.seed=${seed}`];
  const output = fs.openSync(outputPath, "a");
  const code = await new Promise((done, fail) => {
    child = spawn(process.execPath, [...partCommand(part, reportPath), ...order], {
      cwd: root,
      // The suites' own order would win over the flags; it gives way to this variable.
      env: {
        ...process.env,
        HEADGATE_ORDER_SEED: `${seed}`,
        HEADGATE_TEST_REPORT: reportPath,
      },
      stdio: ["ignore", output, output],
    });
    child.on("error", fail);
    child.on("close", (exit) => done(exit ?? 1));
  });
  fs.closeSync(output);
  const tests = fs.existsSync(reportPath) ? readResults(reportPath, root) : [];
  fs.rmSync(reportPath, { force: true });
  return { code, tests };
}

function readCommit() {
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout?.trim();
  const commit = git("rev-parse", "--short", "HEAD") || "none";
  const changes = git("status", "--porcelain", "--untracked-files=no", "--", ".", `:!${ownLog}`);
  return changes ? `${commit}+` : commit;
}

function printUnsteady(runs) {
  const unsteady = findUnsteady(runs);
  for (const { name, failures, hasChanged, count } of unsteady) {
    console.log(
      `\n${hasChanged ? "changed" : "failed"}: ${name} (failed ${failures.length} of ${count})`,
    );
    for (const { seed, position, message } of failures) {
      console.log(`  seed ${seed}, file ${position}`);
      console.log(message.replace(/^/gm, "    "));
    }
  }
  if (unsteady.length === 0) console.log(`no test failed or changed in ${runs.length} runs`);
  return unsteady.length > 0 || runs.some(({ problem }) => problem) ? 1 : 0;
}
