// What a run adds to a task besides its agent and git: stored steps, claims, judgement, files. Compared with
// the bare `git commit` of the same file, in the same rounds.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemProcessGroups } from "../src/base/process-group.ts";
import { systemProcesses } from "../src/base/processes.ts";
import { openHeadgate } from "../src/index.ts";
import { median, printTable, saveResult } from "./harness.ts";

const rounds = 7;
const tasks = 10;

const folder = mkdtempSync(join(tmpdir(), "headgate-bench-runs-"));
const root = join(folder, "repo");
mkdirSync(root);
const git = (...args: string[]): void => {
  execFileSync("git", args, { cwd: root, stdio: "ignore" });
};
git("init", "-q", "-b", "main");
git("config", "user.name", "Bench");
git("config", "user.email", "bench@example.org");
writeFileSync(join(root, "a.txt"), "one\n");
git("add", ".");
git("commit", "-qm", "One");

/** Time that other programs took: the agent, the verify command, git. Nothing else runs at the same time. */
let childMs = 0;
let open = 0;
let since = 0;
const counted = async <T>(work: () => Promise<T>): Promise<T> => {
  if (open === 0) since = performance.now();
  open += 1;
  try {
    return await work();
  } finally {
    open -= 1;
    if (open === 0) childMs += performance.now() - since;
  }
};
const processes = systemProcesses as { run: typeof systemProcesses.run };
const runProcess = processes.run;
processes.run = (...given) => counted(() => runProcess(...given));
const groups = systemProcessGroups as { runGroup: typeof systemProcessGroups.runGroup };
const runGroup = groups.runGroup;
groups.runGroup = (...given) => counted(() => runGroup(...given));

const headgate = await openHeadgate({ repo: root, actor: "bench" });
const bare: number[] = [];
const whole: number[] = [];
const own: number[] = [];
for (let round = -1; round < rounds; round += 1) {
  const commits: number[] = [];
  for (let at = 0; at < tasks; at += 1) {
    writeFileSync(join(root, "bare.txt"), `${round} ${at}\n`);
    git("add", "bare.txt");
    const start = performance.now();
    git("commit", "-qm", "Bare");
    commits.push(performance.now() - start);
  }
  const plans = join(folder, `plans${round}`);
  mkdirSync(plans);
  const list = Array.from(
    { length: tasks },
    (_, at) => `## Task: t${at}\n- files: run.txt\n- verify: \`true\`\n\nRUN ${at}\n`,
  );
  writeFileSync(join(plans, "01-PLAN.md"), `---\nplan: 1\n---\n# Bench\n${list.join("\n")}`);
  const run = await headgate.runs.create({
    source: plans,
    actor: "bench",
    options: {
      exec: ["/bin/sh", "-c", "cat > /dev/null; echo x >> run.txt"],
      parallel: 1,
      timeoutMs: 60_000,
      onTimeout: "fail",
      retries: 0,
    },
  });
  childMs = 0;
  const start = performance.now();
  const { run: end } = await headgate.runs.execute({
    run: run.id,
    signal: new AbortController().signal,
  });
  const took = performance.now() - start;
  if (end.state !== "done") throw new Error(`${end.state}: ${end.reason ?? ""}`);
  if (round < 0) continue;
  bare.push(median(commits));
  whole.push(took / tasks);
  own.push((took - childMs) / tasks);
}
await headgate.close();
rmSync(folder, { recursive: true, force: true });

const ratio = median(own.map((time, round) => time / bare[round]!));
printTable(
  "A task of a run, besides its agent and git",
  ["", "ms", "ratio"],
  [
    ["bare git commit", median(bare).toFixed(1), "1.00"],
    ["run: everything but programs", median(own).toFixed(1), ratio.toFixed(2)],
    ["run: with agent, verify and git", median(whole).toFixed(1), ""],
  ],
);
saveResult("runs", {
  bareCommitMs: median(bare),
  overheadMs: median(own),
  ratio,
  wholeTaskMs: median(whole),
  rounds,
  tasks,
});
if (ratio > 3) {
  console.error(`the overhead is ${ratio.toFixed(2)} × a commit; at most 3 is promised`);
  process.exitCode = 1;
}
