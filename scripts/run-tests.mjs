// Runs a suite, or the files that patterns name, and closes with what ran, how long it took, what did not
// run and why, and what was left behind: nothing is skipped silently, and nothing stays.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeRunFolder, removeLeftovers } from "./leftovers.mjs";
import { root } from "./setup/step.mjs";
import { helpText, isPattern, listSuiteFiles, suites } from "./suites.mjs";

/** What tests note while they run, and vitest's report of each suite. */
const notes = resolve(root, ".tools/test-run");
const notRunPath = resolve(notes, "not-run.txt");
const roundsPath = resolve(notes, "rounds.txt");

const [wanted = "quick", ...args] = process.argv.slice(2);

if (args.includes("--help") || args.includes("-h")) {
  console.log(helpText);
} else {
  process.exitCode = await main();
}

async function main() {
  // What is named runs, whatever suite it is in.
  const isNamed = isPattern(args[0]);
  const names = wanted === "full" ? ["quick", "rest"] : [wanted];
  const outcomes = [];
  for (const name of isNamed ? [undefined] : names) {
    outcomes.push(await runSuite(name, wanted === "soak"));
    if (outcomes.at(-1).code === 130) break;
  }
  console.log(["", ...outcomes.flatMap(describe)].join("\n"));
  return outcomes.find(({ code }) => code !== 0)?.code ?? 0;
}

async function runSuite(name, isSoak) {
  const started = performance.now();
  mkdirSync(notes, { recursive: true });
  for (const list of [notRunPath, roundsPath]) rmSync(list, { force: true });
  // Those of a run that was killed.
  removeTestPrograms();
  // Sandboxes of agent clients hide /dev, and the soak is about real disks.
  const folder = makeRunFolder({ isOnDisk: name !== "quick" });
  const report = process.env.HEADGATE_TEST_REPORT ?? resolve(notes, `${name ?? "named"}.json`);
  const code = await runVitest(
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
    {
      ...process.env,
      TMPDIR: folder,
      HEADGATE_NOT_RUN_LIST: notRunPath,
      HEADGATE_ROUNDS_LIST: roundsPath,
      ...(name && { HEADGATE_SUITE: name }),
      ...(isSoak && { HEADGATE_ROUNDS: suites.soak.rounds }),
    },
  );
  const left = [...(await removeLeftovers(folder, { sayWaiting })), ...removeTestPrograms()];
  return {
    name,
    code: code === 0 && left.length > 0 ? 1 : code,
    seconds: (performance.now() - started) / 1000,
    counts: readCounts(report),
    place: dirname(folder),
    notRun: readLines(notRunPath),
    rounds: readLines(roundsPath),
    left,
  };
}

/** On standard error: what the tests themselves say is above it, and the summary below. */
function sayWaiting(processes) {
  console.error(["waiting for processes that tests started:", ...processes].join("\n  "));
}

/** Programs that tests bundle have to be near node_modules, not in the run's temporary folder. */
function removeTestPrograms() {
  const tools = resolve(root, ".tools");
  const names = readdirSync(tools).filter((name) => name.startsWith("test-program-"));
  for (const name of names) rmSync(resolve(tools, name), { recursive: true, force: true });
  return names.map((name) => `bundled program .tools/${name}`);
}

function runVitest(argv, env) {
  const vitest = resolve(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, ...argv], { cwd: root, stdio: "inherit", env });
  const pass = (signal) => child.kill(signal);
  process.on("SIGINT", pass).on("SIGTERM", pass);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      process.off("SIGINT", pass).off("SIGTERM", pass);
      done(signal ? 130 : (code ?? 1));
    });
  });
}

function describe({ name, seconds, counts, place, notRun, rounds, left }) {
  const { passed, failed, skipped, files } = counts;
  const setup = Number(process.env.HEADGATE_SETUP_SECONDS ?? 0);
  return [
    `suite     ${name ?? "named files"}: ${files} files in ${clock(seconds)}, set-up before it ${clock(setup)}; temporary files in ${place}`,
    ...(rounds.length > 0 ? [`rounds    ${rounds.join("; ")}`] : []),
    ...(notRun.length > 0 ? notRun.map((line) => `not run   ${line}`) : ["not run   nothing"]),
    ...(name === "quick" && wanted === "quick"
      ? [
          `not here  ${listSuiteFiles("rest").length} files of real agent clients, browsers and further faults (npm run test:full); full rounds (npm run soak)`,
        ]
      : []),
    ...left.map((line) => `left      ${line}`),
    ...(left.length > 0 ? ["left      a test must end, unmount and remove what it makes"] : []),
    `${name ?? "named"}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
  ];
}

/** Without a report vitest ended before it ran a test; it has said why. */
function readCounts(path) {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0, files: 0 };
  const report = JSON.parse(readFileSync(path, "utf8"));
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    files: report.testResults.length,
  };
}

function readLines(path) {
  if (!existsSync(path)) return [];
  return [...new Set(readFileSync(path, "utf8").trim().split("\n"))].toSorted();
}

function clock(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
