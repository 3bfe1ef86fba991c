// What it costs to know the author of every line: an edit's hooks (line-records.ts), an agent's `git commit`,
// `headgate commit`, and a tree with 10,000 dirty files. The commit is compared with the hooks of another Headgate,
// built in the folder that HEADGATE_BEFORE names: without one, that row is left out. Processor time of everything that has to run (the server, its parsers, git, the hooks), because the
// machine may have other work; so it needs Linux. HEADGATE_RUNS: how many of each (200).
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openHeadgate } from "../src/compose.ts";
import { parseActor } from "../src/claims/index.ts";
import { median, printTable, readResult, saveResult } from "./harness.ts";
import { measureRecords } from "./line-records.ts";

const runs = Number(process.env["HEADGATE_RUNS"] ?? 200);
const perRound = 5;
const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "headgate-bench-lines-"));
const before = process.env["HEADGATE_BEFORE"];
const wanted = process.argv.slice(2);
const ends: (() => void)[] = [];

const variables = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.org" },
  ...{ GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.org" },
};
const session = "6f1c1b52-7d0e-4c55-9d0b-0d6d8f2a7a10";
const agent = { ...variables, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session };

const methods = Array.from({ length: 250 }, (_, index) => index);
const source = (round: number): string =>
  `class Store:\n${methods
    .map((index) => `    def method_${index}(self, value):\n        return value + ${round}\n`)
    .join("\n")}`;

interface Scene {
  readonly cwd: string;
  /** Processor time in milliseconds so far, of the server with its parsers and of all that was run here. */
  cpuMs(): number;
  /** One Edit of a client: its hook before, the write, its hook after. */
  edit(): Promise<void>;
  run(...argv: string[]): void;
}

/** A repository with hooks and a server of the Headgate in `home`. */
const openScene = async (home: string, name: string): Promise<Scene> => {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  const bin = join(home, "bin/headgate.js");
  const run = (...[file = "", ...args]: string[]): void => {
    execFileSync(file, args, { cwd, env: agent, stdio: ["ignore", "ignore", "pipe"] });
  };
  run("git", "init", "--quiet");
  writeFileSync(join(cwd, "store.py"), source(0));
  const plain = { cwd, env: variables, stdio: "ignore" } as const;
  execFileSync(process.execPath, [bin, "init", "--client", "claude", "--yes"], plain);
  execFileSync("git", ["add", "--all"], plain);
  execFileSync("git", ["commit", "--quiet", "--message", "first"], plain);
  const server = spawn(process.execPath, [bin, "up", "--json"], {
    ...{ cwd, env: variables, stdio: ["ignore", "pipe", "inherit"] },
  });
  ends.push(() => server.kill("SIGKILL"));
  await new Promise((ready) => server.stdout.once("data", ready));
  // Earlier releases keep their state beside the settings.
  const places = [join(cwd, ".git/headgate"), join(cwd, ".headgate/local")];
  const local = places.find((place) => existsSync(join(place, "port"))) ?? "";
  const port = readFileSync(join(local, "port"), "utf8").trim();
  const token = readFileSync(join(local, "token"), "utf8").trim();
  const file = join(cwd, "store.py");
  let round = 0;
  const hook = async (event: string, more: object): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/hooks/claude`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ session_id: session, cwd, hook_event_name: event, tool_name: "Edit" },
        ...{ tool_use_id: `toolu_${round}`, ...more },
      }),
    });
    const text = await response.text();
    if (/Headgate refused|"deny"/.test(text)) throw new Error(text);
  };
  return {
    cwd,
    run,
    cpuMs: () => treeMs(server.pid ?? 0) + childrenMs(process.pid),
    edit: async () => {
      round += 1;
      const text = readFileSync(file, "utf8");
      const [old, next] = changeMethod(text, round);
      const tool_input = { file_path: file, old_string: old, new_string: next, replace_all: false };
      await hook("PreToolUse", { tool_input });
      writeFileSync(file, text.replace(old, next));
      const tool_response = { filePath: file, originalFile: text };
      await hook("PostToolUse", { tool_input, tool_response });
    },
  };
};

const readStat = (pid: number): number[] => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
};
const tickMs = 10;
/** Of children that have ended. */
const childrenMs = (pid: number): number => {
  const stat = readStat(pid);
  return (stat[13]! + stat[14]!) * tickMs;
};
/** Of a process alone. */
const ownMs = (pid: number): number => {
  const stat = readStat(pid);
  return (stat[11]! + stat[12]! + stat[13]! + stat[14]!) * tickMs;
};
/** Of a process, its ended children, and the parsers that it keeps. */
const treeMs = (pid: number): number => {
  const live = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean),
  );
  return live.reduce((sum, child) => {
    try {
      const own = readStat(Number(child));
      return sum + (own[11]! + own[12]!) * tickMs;
    } catch {
      return sum;
    }
  }, ownMs(pid));
};

interface Cost {
  readonly name: string;
  readonly medianMs: number;
  readonly ratio: number;
  /** Between these lies the median of the ratios, with 95 %. */
  readonly interval: readonly [number, number];
}

interface Costed {
  readonly name: string;
  readonly scene: Scene;
  /** Not counted. */
  prepare?(index: number): Promise<void>;
  run(index: number): void | Promise<void>;
}

/** As `compare` does, with processor time, which the kernel counts in steps of ten milliseconds. */
const compareCosts = async (contenders: readonly Costed[], count = runs): Promise<Cost[]> => {
  const costs = contenders.map((): number[] => []);
  const rounds = Math.max(1, Math.ceil(count / perRound));
  let index = 0;
  for (let round = -1; round < rounds; round += 1) {
    const order = [...contenders.keys()];
    if (round % 2 === 0) order.reverse();
    for (const which of order) {
      const { scene, prepare, run } = contenders[which]!;
      let spent = 0;
      for (let step = 0; step < perRound; step += 1) {
        await prepare?.((index += 1));
        const from = scene.cpuMs();
        await run(index);
        spent += scene.cpuMs() - from;
      }
      if (round >= 0) costs[which]!.push(spent / perRound);
    }
  }
  return contenders.map(({ name }, which) => {
    const ratios = costs[which]!.map((cost, round) => cost / costs[0]![round]!);
    return {
      ...{ name, medianMs: median(costs[which]!), ratio: median(ratios) },
      interval: medianInterval(ratios),
    };
  });
};

/** By the order of the values: no shape of their distribution is supposed. */
const medianInterval = (values: readonly number[]): readonly [number, number] => {
  const sorted = values.toSorted((left, right) => left - right);
  const reach = Math.ceil(0.98 * Math.sqrt(sorted.length));
  const middle = (sorted.length - 1) / 2;
  const at = (place: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(place)))]!;
  return [at(middle - reach), at(middle + reach)];
};

const show = (title: string, costs: readonly Cost[]): void =>
  printTable(
    title,
    ["", "CPU ms", "ratio", "95 %"],
    costs.map(({ name, medianMs, ratio, interval }) => [
      ...[name, medianMs.toFixed(1), ratio.toFixed(2)],
      interval.map((one) => one.toFixed(2)).join("–"),
    ]),
  );

const results: Record<string, Cost[]> = {};
const part = async (name: string, title: string, measure: () => Promise<Cost[]>): Promise<void> => {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  results[name] = await measure();
  show(title, results[name]);
};

const few = Math.min(runs, 20);
const whoseWords = {
  unknown: "an unknown author",
  own: "a command of the session",
  others: "another session at work",
} as const;

/** How much dearer an edit's hooks are with line records. */
const editCosts = async (): Promise<Cost[]> => {
  const { whole, lines } = await measureRecords(
    join(folder, "records"),
    {
      ...{ name: "store.py", source: source(0) },
      change: (round, text) => changeMethod(text, round),
    },
    {
      runs,
      run: (...[file = "", ...args]) => execFileSync(file, args, { env: agent, stdio: "ignore" }),
      parsersMs: () => treeMs(process.pid) - ownMs(process.pid),
    },
  );
  const ratios = whole.map((ms, at) => ms / (ms - lines[at]!));
  const without = median(whole.map((ms, at) => ms - lines[at]!));
  return [
    { name: "without line records", medianMs: without, ratio: 1, interval: [1, 1] },
    {
      ...{ name: "with line records", medianMs: median(whole), ratio: median(ratios) },
      interval: medianInterval(ratios),
    },
  ];
};

/** One method of the source, and what an edit makes of it. */
const changeMethod = (text: string, round: number): readonly [old: string, now: string] => {
  const name = `method_${(round + 1) % methods.length}`;
  const old = new RegExp(`${name}\\(self, value\\):\\n.*\\n`).exec(text)?.[0] ?? "";
  return [old, old.replace(/value [+-] \d+/, `value - ${round + 1}`)];
};

/**
 * Small text files that a program changed, and one file that the agent edits. `whose`: lines of no known author, or
 * of a command of the session; with `others` another session is at work as well, whose lines they are.
 */
const manyDirty = async (
  whose: "unknown" | "own" | "others",
  gitCommit: readonly string[],
): Promise<Cost[]> => {
  const dirty = await openScene(root, `dirty-${whose}`);
  const paths = Array.from({ length: 10_000 }, (_, at) => `folder-${at % 100}/file-${at}.txt`);
  const writeAll = (text: string): void => {
    for (const path of paths) {
      mkdirSync(join(dirty.cwd, path, ".."), { recursive: true });
      writeFileSync(join(dirty.cwd, path), `one\n${text}\nthree\n`);
    }
  };
  writeAll("two");
  dirty.run("git", "add", "--all");
  dirty.run("git", "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "many");
  writeAll("2");
  {
    await using headgate = await openHeadgate({ repo: dirty.cwd, actor: "bench" });
    const committed = Buffer.from("one\ntwo\nthree\n");
    const name = whose === "own" ? `claude:${session}` : "claude:another";
    if (whose === "unknown") {
      await headgate.lines.refresh(new Map(paths.map((path) => [path, committed])));
    } else {
      const by = { actor: parseActor(name), kind: "shell" } as const;
      const changes = paths.map((path) => ({ path, committed }));
      await headgate.lines.noteCommand(changes, by);
    }
  }
  const bin = [process.execPath, join(root, "bin/headgate.js")];
  const ofDirty = (name: string, argv: readonly string[], prepare?: () => Promise<void>) => ({
    ...{ name, scene: dirty, ...(prepare && { prepare }) },
    run: () => dirty.run(...argv),
  });
  return compareCosts(
    [
      ofDirty("git status", ["git", "status", "--porcelain"]),
      ofDirty("headgate status", [...bin, "status"]),
      ofDirty("headgate commit --dry-run", [...bin, "commit", "-m", "x", "--dry-run"]),
      ofDirty("git commit of one file", gitCommit, () => dirty.edit()),
    ],
    few,
  );
};

try {
  const now = await openScene(root, "now");
  const then = before === undefined ? undefined : await openScene(resolve(before), "before");
  const gitCommit = ["git", "commit", "--quiet", "--message", "bench", "--", "store.py"];
  const commits = (name: string, scene: Scene, argv: readonly string[]): Costed => ({
    ...{ name, scene, prepare: () => scene.edit() },
    run: () => scene.run(...argv),
  });
  await part("edit", `An edit's hooks, before and after it (${runs} runs)`, editCosts);
  if (then) {
    await part("commit", `An agent's git commit of one file (${runs} runs)`, () =>
      compareCosts([
        commits("git commit, hooks before lines", then, gitCommit),
        commits("git commit, hooks with lines", now, gitCommit),
      ]),
    );
  }
  const own = [process.execPath, join(root, "bin/headgate.js"), "commit", "-m", "bench"];
  await part("own", `headgate commit (${runs} runs)`, () =>
    compareCosts([
      commits("git commit -- file, our hooks", now, gitCommit),
      commits("headgate commit", now, own),
    ]),
  );
  for (const whose of ["unknown", "own", "others"] as const) {
    const title = `10,000 dirty files, lines of ${whoseWords[whose]} (${few} runs)`;
    await part(`dirty-${whose}`, title, () => manyDirty(whose, gitCommit));
  }
  // Parts that were measured alone stand beside those of an earlier run.
  saveResult("lines", { ...readResult("lines"), ...results });
} finally {
  for (const end of ends) end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
