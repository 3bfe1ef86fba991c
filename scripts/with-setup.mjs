// `npm start`, `npm test` and friends: makes the machine ready, then does the job. Plain JavaScript
// that runs on Node 18, because it is what fetches a newer Node when the system's is too old.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { ensureBuild } from "./setup/build.mjs";
import { ensureClients } from "./setup/clients.mjs";
import { ensureNode } from "./setup/node.mjs";
import { ensurePackages, installLocked } from "./setup/packages.mjs";
import { withSetupLock } from "./setup/lock.mjs";
import { ensureSystemTools } from "./setup/system-tools.mjs";
import { root, say } from "./setup/step.mjs";
import { becomeLauncher } from "./launcher.mjs";
import { helpText, isPattern } from "./suites.mjs";

const bin = (name) => resolve(root, "node_modules", name);
const tsc = bin("typescript/bin/tsc");
const oxlint = bin("oxlint/bin/oxlint");
const oxfmt = bin("oxfmt/bin/oxfmt");
const sources = ["src", "test", "scripts", "bench", "eval", "prove", "bin", "examples"];

/** Each job: what must be ready, and the Node programs that run one after the other. */
const jobs = {
  start: { build: true, steps: (args) => [["bin/headgate.js", "up", ...args]] },
  /** Any other command, for whoever has a clone and nothing installed. */
  headgate: { build: true, steps: (args) => [["bin/headgate.js", ...args]] },
  test: testJob("quick"),
  "test:full": testJob("full"),
  "test:rest": testJob("rest"),
  soak: testJob("soak"),
  flakes: {
    ...testJob("quick"),
    clients: true,
    steps: (args) => [["scripts/flakes.mjs", ...args]],
  },
  mutate: { steps: (args) => [["scripts/mutate.mjs", ...args]] },
  budgets: { steps: (args) => [["scripts/budgets.mjs", ...args]] },
  build: { build: true, steps: () => [] },
  check: {
    // The tests of the evaluation are checked with its parser's types.
    oracles: true,
    steps: () => [
      [oxfmt, "--check", ...sources],
      [oxlint, "--deny-warnings", ...sources],
      [tsc, "-p", "tsconfig.json"],
      [tsc, "-p", "src/surfaces/dashboard/tsconfig.json"],
      ["scripts/check-tree.mjs"],
    ],
  },
  format: { steps: () => [[oxfmt, ...sources]] },
  generate: {
    steps: () => [
      ["scripts/generate-config-schema.ts"],
      ["scripts/generate-doors.ts"],
      ["scripts/generate-errors-doc.ts"],
      ["scripts/generate-requirements-doc.ts"],
      ["scripts/generate-help-pages.ts"],
    ],
  },
  eval: { steps: (args) => [["eval/run.mjs", ...args]] },
  simulate: { steps: (args) => [["scripts/simulate.ts", ...args]] },
  prove: { build: true, steps: (args) => [["prove/main.ts", ...args]] },
  bench: { build: true, steps: (args) => [["bench/run.mjs", ...args]] },
  /** Headgate over its own sources: its static rules, without a model. */
  "self-review": {
    build: true,
    steps: () => [
      ["bin/headgate.js", "review", "src", "--runner", "none", "--fail-on", "P1", "--quiet"],
    ],
  },
  smoke: { build: true, steps: () => [["scripts/smoke-tarball.mjs"]] },
  screenshots: { build: true, tools: true, steps: (args) => [["scripts/screenshots.ts", ...args]] },
};

const [jobName = "", ...args] = process.argv.slice(2);
const job = Object.hasOwn(jobs, jobName) ? jobs[jobName] : undefined;
if (!job) {
  say(`unknown job "${jobName}"; one of: ${Object.keys(jobs).join(", ")}`);
  process.exitCode = 2;
} else {
  process.exitCode = await main(job).catch((error) => {
    say(error.message);
    return 1;
  });
}

/** One of the suites of scripts/suites.mjs. */
function testJob(suite) {
  return {
    build: true,
    tools: true,
    oracles: true,
    clients: suite === "full" || suite === "rest",
    steps: (args) => [["scripts/run-tests.mjs", suite, ...args]],
  };
}

/** Whether the files that patterns name, if there are patterns, need a part of the set-up. */
function isNamed(part) {
  return args.some((word) => isPattern(word) && word.includes(part));
}

async function main(job) {
  if (args.includes("--help") && job.steps(args)[0]?.[0] === "scripts/run-tests.mjs") {
    console.log(helpText);
    return 0;
  }
  const started = performance.now();
  const isAll = !isPattern(args[0]);
  const node = await withSetupLock(async () => {
    const node = await ensureNode();
    const parts = [prepareTree(node, job)];
    if (job.tools) parts.push(ensureSystemTools({ browser: isAll || isNamed("browser") }));
    if (job.tools && ((job.clients && isAll) || isNamed("clients")))
      parts.push(ensureClients(node));
    await Promise.all(parts);
    return node;
  });
  // `npm start` and `npm run headgate` act for whoever typed them.
  if (jobName !== "start" && jobName !== "headgate") becomeLauncher(node.env);
  node.env.HEADGATE_SETUP_SECONDS = String(Math.round((performance.now() - started) / 1000));
  for (const step of job.steps(args)) {
    const code = await run(node, step);
    if (code !== 0) return code;
  }
  return 0;
}

async function prepareTree(node, job) {
  await ensurePackages(node);
  if (job.build) await ensureBuild(node);
  if (job.oracles) await installLocked(node, resolve(root, "eval"), "oracles");
}

/** Runs a program under the chosen Node and hands signals and the exit code through. */
function run(node, argv) {
  return new Promise((done, fail) => {
    const child = spawn(node.path, argv, { cwd: root, env: node.env, stdio: "inherit" });
    const pass = (signal) => child.kill(signal);
    process.on("SIGINT", pass).on("SIGTERM", pass);
    child.on("error", fail);
    child.on("close", (code, signal) => {
      process.off("SIGINT", pass).off("SIGTERM", pass);
      done(signal ? 130 : (code ?? 1));
    });
  });
}
