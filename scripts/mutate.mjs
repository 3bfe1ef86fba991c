// `npm run mutate FOLDER`: changes a folder of src in small ways, one at a time, and counts how often a test notices.
//   --seed N         which mutants (1)
//   --count N        how many (25)
//   --others N       how many test files of other rooms run for code that its own room does not test (4)
//   --accept-lower   writes a score that is lower than the committed one
//   --dry            lists the mutants and their tests, and runs nothing
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { copyTree, runInCopy } from "./mutate/copy.mjs";
import { applyMutant, findMutants } from "./mutate/operators.mjs";
import { openTestSelection } from "./mutate/select-tests.mjs";
import { root } from "./setup/step.mjs";

const budgetsPath = resolve(root, "test/architecture/budgets.json");
const listFolder = resolve(root, "test/architecture/mutants");
/** A mutant may take this much longer than the unchanged code: the machine may be busy. */
const patience = { factor: 5, milliseconds: 60_000 };
const baselineLimit = 20 * 60_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "25" },
    others: { type: "string", default: "4" },
    "accept-lower": { type: "boolean", default: false },
    dry: { type: "boolean", default: false },
  },
});
const folder = (positionals[0] ?? "").replace(/\/+$/, "");
const [seed, count, others] = [options.seed, options.count, options.others].map(Number);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());

if (!/^src\/./.test(folder) || !fs.existsSync(resolve(root, folder))) {
  console.error("usage: npm run mutate src/FOLDER [-- --seed N --count N]");
  process.exitCode = 2;
} else if (![seed, count, others].every((one) => Number.isInteger(one) && one >= 0)) {
  console.error("--seed, --count and --others are whole numbers");
  process.exitCode = 2;
} else {
  process.exitCode = await main();
}

async function main() {
  const select = openTestSelection(root, { others });
  const mutants = drawMutants().map((one) => ({ ...one, tests: select(one.file) }));
  if (mutants.length === 0) {
    console.error(`there is nothing to mutate in ${folder}`);
    return 2;
  }
  if (options.dry) {
    for (const one of mutants) console.log(`${describe(one)}\n    ${one.tests.join("\n    ")}`);
    return 0;
  }
  const copy = copyTree(root);
  try {
    const seconds = await measureBaseline(copy, mutants);
    if (!seconds) return stop.signal.aborted ? 130 : 1;
    for (const [at, one] of mutants.entries()) {
      one.result = await runMutant(copy, one, seconds);
      if (stop.signal.aborted) return 130;
      console.log(`${at + 1} of ${mutants.length} ${one.result}: ${describe(one)}`);
    }
  } finally {
    copy.remove();
  }
  return keep(mutants);
}

/** Draws by seed, at most one mutant of a line. */
function drawMutants() {
  const files = fs
    .globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted();
  const all = files.flatMap((file) => {
    const text = fs.readFileSync(resolve(root, file), "utf8");
    return findMutants(file, text).map((one) => ({
      file,
      line: text.slice(0, one.start).split("\n").length,
      ...one,
      ...showLines(text, one),
    }));
  });
  const random = createRandom(seed);
  const drawn = new Map();
  while (drawn.size < count && all.length > 0) {
    const [one] = all.splice(Math.floor(random() * all.length), 1);
    const place = `${one.file}:${one.line}`;
    if (!drawn.has(place)) drawn.set(place, one);
  }
  return [...drawn.values()].toSorted((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}

/** The whole lines of the mutant, before and after. */
function showLines(text, one) {
  const start = text.lastIndexOf("\n", one.start - 1) + 1;
  const next = text.indexOf("\n", one.end);
  const end = next < 0 ? text.length : next;
  const flatten = (lines) => lines.replace(/\s+/g, " ").trim();
  return {
    before: flatten(text.slice(start, end)),
    after: flatten(text.slice(start, one.start) + one.replacement + text.slice(one.end, end)),
  };
}

/** mulberry32: the same numbers for the same seed on every machine. */
function createRandom(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The command line of one run: the only place that knows how tests are started. */
function testCommand(tests, reportPath) {
  return [
    "node_modules/vitest/vitest.mjs",
    ...["run", ...tests, "--maxWorkers=1"],
    ...(reportPath ? ["--reporter=json", `--outputFile=${reportPath}`] : ["--bail=1"]),
  ];
}

/** Seconds per test file of the unchanged copy; files that fail there are left out of every selection. */
async function measureBaseline(copy, mutants) {
  const tests = [...new Set(mutants.flatMap((one) => one.tests))].toSorted();
  console.log(`${mutants.length} mutants of ${folder}, seed ${seed}, ${tests.length} test files`);
  if (tests.length === 0) return new Map();
  const reportPath = join(copy.temporary, "baseline.json");
  await runInCopy(copy, testCommand(tests, reportPath), {
    milliseconds: baselineLimit,
    signal: stop.signal,
  });
  if (!fs.existsSync(reportPath)) {
    if (!stop.signal.aborted) console.error("the unchanged tests did not finish");
    return undefined;
  }
  const seconds = new Map();
  for (const { name, status, startTime, endTime } of readJson(reportPath).testResults) {
    const test = name.slice(copy.tree.length + 1).replaceAll("\\", "/");
    if (status === "passed") seconds.set(test, (endTime - startTime) / 1000);
    else console.log(`left out, fails unchanged: ${test}`);
  }
  for (const one of mutants) one.tests = one.tests.filter((test) => seconds.has(test));
  return seconds;
}

async function runMutant(copy, one, seconds) {
  if (one.tests.length === 0) return "not tested";
  const path = join(copy.tree, one.file);
  const text = fs.readFileSync(path, "utf8");
  fs.writeFileSync(path, applyMutant(text, one));
  const usual = one.tests.reduce((sum, test) => sum + seconds.get(test) * 1000, 0);
  const milliseconds = patience.milliseconds + patience.factor * usual;
  try {
    const code = await runInCopy(copy, testCommand(one.tests), {
      milliseconds,
      signal: stop.signal,
    });
    if (code === undefined) return "timed out";
    return code === 0 ? "survived" : "killed";
  } finally {
    fs.writeFileSync(path, text);
  }
}

function keep(mutants) {
  const counts = Object.groupBy(mutants, ({ result }) => result);
  const amount = (result) => counts[result]?.length ?? 0;
  // Rounded down, so that a score never looks better than it is.
  const killed = amount("killed") + amount("timed out");
  const score = Math.floor((killed / mutants.length) * 100) / 100;
  for (const result of ["survived", "not tested", "timed out"]) {
    for (const one of counts[result] ?? []) console.log(`${result}: ${describe(one)}`);
  }
  console.log(
    `${folder}: ${score} (${amount("killed")} killed, ${amount("timed out")} timed out, ${amount("survived")} survived, ${amount("not tested")} not tested)`,
  );
  const name = `${folder.slice("src/".length).replaceAll("/", "-")}.json`;
  const listPath = join(listFolder, name);
  const listed = fs.existsSync(listPath) ? readJson(listPath).mutants.length : 0;
  if (mutants.length < listed) {
    console.log(`not written: the committed list has ${listed} mutants`);
    return 0;
  }
  const budgets = readJson(budgetsPath);
  const committed = budgets.mutation[folder];
  if (committed > score && !options["accept-lower"]) {
    console.error(
      `${folder} may only rise: now ${score}, committed ${committed}; add tests, or --accept-lower`,
    );
    return 1;
  }
  budgets.mutation[folder] = score;
  budgets.mutation = Object.fromEntries(Object.entries(budgets.mutation).toSorted());
  const commit = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], {
    cwd: root,
    encoding: "utf8",
  });
  const list = {
    folder,
    seed,
    commit: commit.stdout.trim(),
    note: "Tests that drive the built program are not run, nor those of attack, browser, clients, eval and fault.",
    mutants: mutants.map(({ file, line, operator, before, after, result }) => ({
      place: `${file}:${line}`,
      operator,
      before,
      after,
      result,
    })),
  };
  fs.mkdirSync(listFolder, { recursive: true });
  fs.writeFileSync(listPath, `${JSON.stringify(list, undefined, 2)}\n`);
  fs.writeFileSync(budgetsPath, `${JSON.stringify(budgets, undefined, 2)}\n`);
  return 0;
}

function readJson(path) {
  return JSON.parse(fs.readFileSync(path, "utf8"));
}

function describe({ file, line, operator, before, after }) {
  const cut = (text) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
  return `${file}:${line} ${operator}\n    ${cut(before)}\n  → ${cut(after)}`;
}
