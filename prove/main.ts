/**
 * `npm run prove`: real commits of public histories as tasks of agents that work at the same time, with Headgate
 * and without. docs/testing.md says how to bring a history and how to read the table.
 */
import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { Analyser } from "../src/structure/index.ts";
import { withGeneratedHistory } from "./generated-history.ts";
import { readWindow } from "./history.ts";
import { measureRun } from "./measure.ts";
import { modes, runMode } from "./modes.ts";
import { findMisses, formatReport, type SeedResult } from "./report.ts";

const usage =
  "use: npm run prove -- [--repo DIR …] [--agents N] [--commits M] [--hot] [--end REV] [--mode shared|worktrees|NAME] [--seeds 1,2,3] [--json FILE] [--check]";

const options = {
  repo: { type: "string", multiple: true, default: [] },
  agents: { type: "string", default: "8" },
  commits: { type: "string" },
  hot: { type: "boolean", default: false },
  end: { type: "string", default: "HEAD" },
  mode: { type: "string", multiple: true },
  seeds: { type: "string", default: "1,2,3" },
  json: { type: "string" },
  check: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} satisfies ParseArgsOptionsConfig;

/** Of unknown options, what is wrong with them. */
const readOptions = () => {
  try {
    return { values: parseArgs({ options }).values, problem: "" };
  } catch (error) {
    const { values } = parseArgs({ args: [], options });
    return { values, problem: `${(error as Error).message}\n` };
  }
};
const { values, problem } = readOptions();

const groups: Readonly<Record<string, readonly string[]>> = {
  shared: ["plain-all", "plain-own", "worktrees-plain", "headgate"],
  worktrees: ["worktrees-plain", "worktrees-headgate"],
};
const names = values.mode?.flatMap((name) => groups[name] ?? [name]);
const chosen = modes.filter(({ name }) => names?.includes(name) ?? true);
const agents = Number(values.agents);
const commits = Number(values.commits ?? (values.hot ? 24 : 40));
const seeds = values.seeds.split(",").map(Number);
const areNumbers = [agents, commits, ...seeds].every((one) => Number.isInteger(one) && one > 0);
const areModes = names?.every((name) => modes.some((mode) => mode.name === name)) ?? true;

if (values.help) {
  console.log(usage);
} else if (problem !== "" || !areNumbers || !areModes) {
  console.error(`${problem}${usage}`);
  process.exitCode = 2;
} else if (values.repo.length === 0) {
  await withGeneratedHistory((repo) => prove([{ repo, title: "generated history" }]));
} else {
  await prove(values.repo.map((repo) => ({ repo: resolve(repo), title: basename(repo) })));
}

async function prove(histories: readonly { repo: string; title: string }[]): Promise<void> {
  const results: SeedResult[] = [];
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));
  }
  const analyser = new Analyser();
  try {
    for (const { repo, title } of histories) {
      const request = { repo, commits, isHot: values.hot, end: values.end };
      const window = await readWindow(request, analyser);
      const kind = values.hot ? "hot files" : "ordinary";
      const name = `${title}, ${kind}: ${window.tasks.length} commits from ${window.start.slice(0, 10)}, ${agents} agents`;
      for (const seed of seeds) {
        for (const mode of chosen) {
          const run = await runMode({ mode, repo, window, agents, seed, signal: stop.signal });
          const result = await measureRun(mode, run, window, analyser);
          results.push({ window: name, mode: mode.name, seed, ...result });
          const { tasks, landed, absorbed, stuck, seconds } = result.measured;
          const counts = `${landed} landed, ${absorbed} absorbed, ${stuck} stuck of ${tasks}`;
          console.error(`${name}, ${mode.name}, seed ${seed}: ${counts}, ${Math.round(seconds)} s`);
          if (values.json) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
        }
      }
    }
  } finally {
    analyser.close();
  }
  console.log(formatReport(results));
  const misses = values.check ? findMisses(results) : [];
  for (const miss of misses) console.error(`missed: ${miss}`);
  if (misses.length > 0) process.exitCode = 1;
}
