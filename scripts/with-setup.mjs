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

const bin = (name) => resolve(root, "node_modules", name);
const tsc = bin("typescript/bin/tsc");
const oxlint = bin("oxlint/bin/oxlint");
const oxfmt = bin("oxfmt/bin/oxfmt");
const sources = ["src", "test", "scripts", "bench", "eval", "bin", "examples"];

/** Each job: what must be ready, and the Node programs that run one after the other. */
const jobs = {
  start: { build: true, steps: (args) => [["bin/headgate.js", "up", ...args]] },
  /** Any other command, for whoever has a clone and nothing installed. */
  headgate: { build: true, steps: (args) => [["bin/headgate.js", ...args]] },
  test: {
    build: true,
    tools: true,
    oracles: true,
    clients: true,
    steps: (args) => [["scripts/run-tests.mjs", ...args]],
  },
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

/** A part of the tests was named, and this is not in it. */
function isWanted(part) {
  return args.length === 0 || args.some((word) => word.includes(part));
}

async function main(job) {
  const environment = await withSetupLock(async () => {
    const node = await ensureNode();
    await ensurePackages(node);
    if (job.build) await ensureBuild(node);
    if (job.tools) await ensureSystemTools();
    if (job.clients && isWanted("clients")) await ensureClients(node);
    if (job.oracles) await installLocked(node, resolve(root, "eval"), "oracles");
    return node;
  });
  for (const step of job.steps(args)) {
    const code = await run(environment, step);
    if (code !== 0) return code;
  }
  return 0;
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
