// What an apply costs beyond the git plumbing it needs, and what status costs with many outcomes.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { systemEnvironment } from "../src/base/environment.ts";
import { systemFiles } from "../src/base/files.ts";
import { systemRandom } from "../src/base/random.ts";
import { findRepository } from "../src/git/repository.ts";
import { createWritingGit } from "../src/git/writing-git.ts";
import { openRouting, type Routing, routingDefaults } from "../src/routing/index.ts";
import { openStore } from "../src/store/index.ts";
import { compare, measuredRows, printTable, saveResult } from "./harness.ts";

const rounds = 8;
const perRound = 4;
const applies = (rounds + 1) * perRound;

const folder = mkdtempSync(join(tmpdir(), "headgate-bench-routing-"));
const root = join(folder, "app");
const variables = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};
const environment = { ...systemEnvironment(), variables, cwd: root };
execFileSync("git", ["init", "--quiet", "--initial-branch=main", root]);
for (let index = 0; index < 200; index += 1) {
  writeFileSync(join(root, `file-${index}.txt`), `${index}\n`);
}
execFileSync("git", ["add", "."], { cwd: root, env: variables });
execFileSync("git", ["commit", "--quiet", "--message", "One"], { cwd: root, env: variables });

const roster = Array.from({ length: applies }, (_, index) => `r${index}`);
const repository = await findRepository(root, { environment });

const routingOver = async (name: string): Promise<Routing> => {
  const localDir = join(folder, name);
  mkdirSync(localDir);
  const store = await openStore({ address: join(localDir, "store.db"), localDir });
  const scope = await store.scope({ key: name, name });
  return openRouting({
    repository,
    host: "bench",
    platform: process.platform,
    mayWrite: true,
    store: { open: async () => ({ store, scope }), look: async () => ({ store, scope }) },
    settings: { ...routingDefaults, changesPerDay: 10_000 },
    actor: { id: "user:ada", session: "user:ada" },
    roster: async () => roster,
    gitIn: (cwd) => createWritingGit({ cwd, environment, actor: "user:bench" }),
    clock: systemClock,
    random: systemRandom,
    files: systemFiles,
    onStep: () => {},
  });
};

/** One call of git, started as cheaply as Node can. */
const call = (args: readonly string[], input = "", index?: string): Promise<string> =>
  new Promise((done, fail) => {
    const child = spawn("git", ["--no-pager", "--literal-pathspecs", ...args], {
      cwd: root,
      env: index === undefined ? variables : { ...variables, GIT_INDEX_FILE: index },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    child.on("error", fail);
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
    child.on("close", (code) =>
      code === 0 || args[0] === "config"
        ? done(text.trim())
        : fail(new Error(`git ${args.join(" ")}: ${errors}`)),
    );
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });

/** The calls that an apply makes, with nothing around them. */
const plumbing = async (round: number): Promise<void> => {
  const path = ".headgate/by-hand.json";
  const index = join(folder, "index");
  const places = ["--absolute-git-dir", "--git-path", "hooks"];
  const [head] = await Promise.all([
    call(["rev-parse", ...places, "HEAD", "--symbolic-full-name", "HEAD"]),
    call(["config", "-z", "--get-regexp", "^(commit\\.gpgsign|hook\\..*)$"]),
  ]);
  const parent = head.split("\n")[2] ?? "";
  await call(["cat-file", "--batch"], `${parent}:${path}\n`);
  const blob = await call(["hash-object", "-w", "--stdin"], `{"round":${round}}\n`);
  const entry = `100644,${blob},${path}`;
  rmSync(index, { force: true });
  await call(["read-tree", parent], "", index);
  await call(["update-index", "--add", "--cacheinfo", entry], "", index);
  const tree = await call(["write-tree"], "", index);
  const commit = await call(["commit-tree", "-p", parent, tree], "message\n");
  await call(["update-ref", "-m", "bench", "--", "refs/heads/main", commit, parent]);
  await call(["ls-files", "--stage", "-z", "--", path]);
  await call(["update-index", "--add", "--cacheinfo", entry]);
};

const routing = await routingOver("apply");
const waiting: string[] = [];
for (const reviewer of roster) {
  const made = await routing.propose({ reviewer, action: "stage", reason: "bench" });
  if (!made.ok) throw new Error("applied already");
  await routing.approve({ id: made.proposal.id });
  waiting.push(made.proposal.id);
}
const applied = await compare(
  [
    { name: "the eleven calls of git, by hand", run: plumbing },
    {
      name: "routing apply",
      run: async () => {
        const outcome = await routing.apply(waiting.pop() ?? "");
        if (!outcome.done) throw new Error(outcome.why);
      },
    },
  ],
  { rounds, perRound },
);

const line = (index: number): string =>
  JSON.stringify({
    reviewer: `r${index % 30}`,
    session: `s${index % 200}`,
    change: `c${index % 500}`,
    severity: `P${index % 4}`,
    path: `src/${index % 1000}.ts`,
    ...(index % 3 === 0 ? { outcome: "accepted" } : { outcome: "dismissed", reason: "wrong" }),
  });
const few = await routingOver("few");
await few.evidence.import(line(0));
const many = await routingOver("many");
for (let from = 0; from < 100_000; from += 50_000) {
  const lines = Array.from({ length: 50_000 }, (_, index) => line(from + index));
  await many.evidence.import(lines.join("\n"));
}
const looked = await compare(
  [
    { name: "status with 1 outcome", run: async () => void (await few.status()) },
    { name: "status with 100,000 outcomes", run: async () => void (await many.status()) },
    { name: "a review's view with 100,000 outcomes", run: async () => void (await many.view()) },
  ],
  { rounds: 9, perRound: 5 },
);

printTable("Applying an override", ["", "ms", "ratio"], measuredRows(applied));
printTable("Looking", ["", "ms", "ratio"], measuredRows(looked));
saveResult("routing", { rounds, perRound, applied, looked });
rmSync(folder, { recursive: true, force: true });
