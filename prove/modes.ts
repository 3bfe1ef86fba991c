/**
 * The ways to work that are compared: plain git in one checkout, a worktree for each task, both with Headgate.
 * Each run has a fresh clone without hooks and settings of the original, and the same tasks.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import type { AgentPatience, AgentSetup, TaskOffer } from "./agent.ts";
import { requireHooks } from "./client.ts";
import { git, gitEnvironment, identity, listChanges, readChange } from "./git.ts";
import type { AgentTask, HistoryWindow } from "./history.ts";
import type { AgentLogEntry, MadeCommit } from "./record.ts";

export interface ProvingMode {
  readonly name: string;
  readonly title: string;
  readonly isHeadgate: boolean;
  readonly isWorktrees: boolean;
  readonly commit: AgentSetup["commit"];
}

const one = { isWorktrees: false, isHeadgate: false, commit: "all" } as const;

export const modes: readonly ProvingMode[] = [
  { ...one, name: "plain-all", title: "one checkout, `git add -A && git commit`" },
  { ...one, name: "plain-own", title: "one checkout, `git commit -- own files`", commit: "own" },
  {
    ...one,
    name: "worktrees-plain",
    title: "a worktree per task, merged in order",
    isWorktrees: true,
  },
  {
    ...{ ...one, name: "worktrees-headgate", title: "the same, with Headgate's hooks" },
    ...{ isWorktrees: true, isHeadgate: true },
  },
  { ...one, name: "headgate", title: "**Headgate in one checkout**", isHeadgate: true },
];

export interface ModeRequest {
  readonly mode: ProvingMode;
  readonly repo: string;
  readonly window: HistoryWindow;
  readonly agents: number;
  readonly seed: number;
  readonly patience?: AgentPatience;
  readonly signal?: AbortSignal;
}

/** About as long as a person looks on. */
const usualPatience: AgentPatience = { tries: 20, waitMs: [200, 1000] };

export interface ModeRun {
  readonly log: readonly AgentLogEntry[];
  /** Oldest first, from the start of the window to the branch. */
  readonly commits: readonly MadeCommit[];
  /** Files on the branch at the end. */
  readonly final: ReadonlyMap<string, string | null>;
  /** Files as they are in the checkout at the end. */
  readonly left: ReadonlyMap<string, string | null>;
  readonly seconds: number;
}

const program = resolve(import.meta.dirname, "../bin/headgate.js");

export const runMode = async (request: ModeRequest): Promise<ModeRun> => {
  request.signal?.throwIfAborted();
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "headgate-prove-")));
  try {
    return await runIn(folder, request);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
};

const runIn = async (folder: string, request: ModeRequest): Promise<ModeRun> => {
  const { mode, window } = request;
  const checkout = join(folder, "checkout");
  const home = join(folder, "home");
  mkdirSync(home);
  makeCheckout(request.repo, window.start, checkout);
  const env = {
    PATH: [home, dirname(process.execPath), process.env["PATH"]].join(delimiter),
    TMPDIR: tmpdir(),
    HOME: home,
    LC_ALL: "C.UTF-8",
    ...gitEnvironment,
  };
  // Refusals may name a command of ours.
  symlinkSync(program, join(home, "headgate"));
  const headgate = (...args: string[]): void => {
    execFileSync(process.execPath, [program, ...args], { cwd: checkout, env, stdio: "pipe" });
  };
  if (mode.isHeadgate) {
    headgate("init", "--client", "claude", "--yes");
    requireHooks(checkout);
    git(checkout, "add", "--all");
    git(checkout, "commit", "--quiet", "--message", "Set up Headgate");
    headgate("up", "--detach");
  }
  const start = git(checkout, "rev-parse", "HEAD").trim();
  try {
    const began = performance.now();
    const sessions = await runAgents(folder, checkout, env, request);
    if (mode.isWorktrees) mergeBranches(checkout, window.tasks);
    const seconds = (performance.now() - began) / 1000;
    const log = readLogs(folder, request.agents);
    const files = new Set(log.flatMap((entry) => (entry.kind === "write" ? [entry.file] : [])));
    return {
      ...{ log, seconds },
      commits: readCommits(checkout, start, sessions),
      final: new Map([...files].map((file) => [file, readFinal(checkout, file)])),
      left: new Map([...files].map((file) => [file, readLeft(checkout, file)])),
    };
  } finally {
    if (mode.isHeadgate) headgate("up", "--stop");
  }
};

const makeCheckout = (repo: string, start: string, checkout: string): void => {
  const quiet = ["--quiet", "--shared", "--no-checkout", "--template="];
  git(repo, "clone", ...quiet, realpathSync(repo), checkout);
  git(checkout, "checkout", "--quiet", "-B", "main", start);
};

/** Returns which agent each session was. */
const runAgents = async (
  folder: string,
  checkout: string,
  env: Readonly<Record<string, string>>,
  { mode, window, agents, seed, patience = usualPatience, signal }: ModeRequest,
): Promise<Map<string, number>> => {
  const sessions = new Map<string, number>();
  const queue = [...window.tasks];
  const base = git(checkout, "rev-parse", "HEAD").trim();
  const offer = (agent: number, own: string): TaskOffer | null => {
    const task = queue.shift();
    if (!task) return null;
    const session = mode.isWorktrees ? randomUUID() : own;
    sessions.set(session, agent);
    if (!mode.isWorktrees) return { task, session, root: checkout };
    const root = join(folder, `task-${task.id}`);
    git(checkout, "worktree", "add", "--quiet", "-b", `task-${task.id}`, root, base);
    return { task, session, root };
  };
  // All begin together: the first to start would do half of the tasks alone.
  const ready: (() => void)[] = [];
  const hand = (answer: () => void): void => {
    if (ready.length === agents) return answer();
    ready.push(answer);
    if (ready.length === agents) for (const one of ready) one();
  };
  const children: ChildProcess[] = [];
  const work = (agent: number): Promise<void> =>
    new Promise((done, fail) => {
      const author = { name: `Agent ${agent}`, email: `agent-${agent}@example.org` };
      const setup: AgentSetup = {
        ...{ agent, seed, patience, commit: mode.commit, isTaskSession: mode.isWorktrees },
        log: logPath(folder, agent),
        env: { ...env, ...identity(author) },
      };
      const own = randomUUID();
      const child = fork(join(import.meta.dirname, "agent.ts"), [JSON.stringify(setup)], {
        cwd: checkout,
        env: { ...env },
        execArgv: [],
      });
      child.on("message", () => hand(() => child.send({ offer: offer(agent, own) })));
      children.push(child);
      child.on("error", fail);
      child.on("exit", (code, signal) => {
        if (code === 0) done();
        else fail(new Error(`agent ${agent} ended with ${signal ?? code}`));
      });
    });
  // Stopped, it fails like an agent that failed: then the server and the folder are removed.
  const stop = (): void => {
    for (const child of children) child.kill();
  };
  signal?.addEventListener("abort", stop);
  try {
    await Promise.all(Array.from({ length: agents }, (_, index) => work(index + 1)));
  } finally {
    stop();
    signal?.removeEventListener("abort", stop);
  }
  return sessions;
};

const logPath = (folder: string, agent: number): string => join(folder, `agent-${agent}.jsonl`);

const readLogs = (folder: string, agents: number): AgentLogEntry[] =>
  Array.from({ length: agents }, (_, index) => logPath(folder, index + 1))
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line) as AgentLogEntry);

/** As a person merges at the end. A conflict is left to them: its lines are not on the branch. */
const mergeBranches = (checkout: string, tasks: readonly AgentTask[]): void => {
  for (const { id } of tasks) {
    const branch = `task-${id}`;
    try {
      git(checkout, "merge", "--quiet", "--no-ff", "--message", `Merge ${branch}`, branch);
    } catch (error) {
      // Without a merge to abort it was refused before it began, or git failed for another reason.
      if (!existsSync(join(checkout, ".git/MERGE_HEAD"))) throw error;
      git(checkout, "merge", "--abort");
    }
  }
};

const readCommits = (
  checkout: string,
  start: string,
  sessions: ReadonlyMap<string, number>,
): MadeCommit[] => {
  const format = "--format=%H%x00%P%x00%B%x01";
  const log = git(checkout, "log", "--reverse", "--topo-order", format, `${start}..main`);
  return log
    .split("\x01")
    .map((entry) => entry.trim().split("\0"))
    .filter(([id]) => id !== "")
    .map(([id = "", parents = "", message = ""]) => {
      const [parent = "", ...others] = parents.split(" ");
      const task = /^Task (\d+) of agent \d+/.exec(message)?.[1];
      const trailers = [...message.matchAll(/^Headgate-Actor: (.*)$/gm)];
      const named = [...sessions].filter(([session]) =>
        trailers.some(([, name]) => name?.includes(session)),
      );
      return {
        ...{ id, isMerge: others.length > 0, named: named.map(([, agent]) => agent) },
        task: task === undefined ? undefined : Number(task),
        files: listChanges(checkout, parent, id).map((change) => readChange(checkout, change)),
      };
    });
};

const readFinal = (checkout: string, file: string): string | null =>
  git(checkout, "ls-tree", "main", "--", file) === ""
    ? null
    : git(checkout, "show", `main:${file}`);

const readLeft = (checkout: string, file: string): string | null => {
  const path = join(checkout, file);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
};
