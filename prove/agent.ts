/**
 * One agent, a process of its own. It knows the edit tool of its client and plain git. Tasks come from its parent
 * one after the other; every byte it writes goes into its own log. Refused, it goes on in another file and comes
 * back; a task it has not begun to write it puts aside for another one.
 */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Random } from "../eval/random.ts";
import {
  type ClientSession,
  readRefusal,
  sendEvent,
  type ToolRefusal,
  type ToolResult,
  useTool,
} from "./client.ts";
import type { AgentTask, TaskStep } from "./history.ts";
import { fitHunk } from "./hunks.ts";
import type { AgentLogEntry, WrittenFile } from "./record.ts";

export interface AgentSetup {
  readonly agent: number;
  readonly seed: number;
  readonly log: string;
  readonly commit: "all" | "own";
  /** Whether every task has a worktree, and so a session, of its own. */
  readonly isTaskSession: boolean;
  readonly patience: AgentPatience;
  readonly env: Readonly<Record<string, string>>;
}

/** The parent's answer to "next". */
export interface TaskOffer {
  readonly task: AgentTask;
  readonly root: string;
  readonly session: string;
}

interface OpenTask extends TaskOffer {
  readonly left: TaskStep[];
  readonly files: Set<string>;
  readonly tries: Map<TaskStep, number>;
}

export interface AgentPatience {
  /** Tries of one edit or commit before it is given up. */
  readonly tries: number;
  /** Between two tries, from and to. */
  readonly waitMs: readonly [number, number];
}

const thinkMs = [20, 80] as const;

const setup = JSON.parse(process.argv[2] ?? "") as AgentSetup;
const random = new Random(`${setup.seed} ${setup.agent}`);
const aside: OpenTask[] = [];
let client: ClientSession | undefined;
let current = 0;

const log = (entry: AgentLogEntry): void => appendFileSync(setup.log, `${JSON.stringify(entry)}\n`);
/** One clock for all processes of the machine. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const within = ([from, to]: readonly [number, number]): number => from + random.below(to - from);
const think = (): Promise<void> => sleep(within(thinkMs));

const askNext = (): Promise<TaskOffer | null> =>
  new Promise((answer) => {
    process.once("message", (message) => answer((message as { offer: TaskOffer | null }).offer));
    process.send?.("next");
  });

const work = async (): Promise<void> => {
  for (;;) {
    const offer = await askNext();
    if (offer) {
      const left = [...offer.task.steps];
      await workOn({ ...offer, left, files: new Set(), tries: new Map() }, true);
    }
    // In the order in which they were put aside; without another task to turn to, it waits.
    for (const open of aside.splice(0)) await workOn(open, offer !== null);
    if (!offer && aside.length === 0) break;
  }
  endSession();
};

const workOn = async (open: OpenTask, mayPutAside: boolean): Promise<void> => {
  beginSession(open);
  log({ kind: "task", task: open.task.id, agent: setup.agent });
  while (open.left.length > 0) {
    await tryEdits(open);
    if (open.left.length === 0) break;
    if (mayPutAside && open.files.size === 0 && !setup.isTaskSession) {
      aside.push(open);
      return;
    }
    await wait(open);
  }
  if (open.files.size > 0) endStep(open, "commit", await commit(open));
};

const wait = async ({ task }: OpenTask): Promise<void> => {
  const ms = within(setup.patience.waitMs);
  await sleep(ms);
  log({ kind: "wait", task: task.id, ms });
};

/** One pass: what is refused stays, and so do later hunks of the same file, which may build on it. */
const tryEdits = async (open: OpenTask): Promise<void> => {
  const refused = new Set<string>();
  for (const step of [...open.left]) {
    if (refused.has(step.file)) continue;
    await think();
    const result = takeStep(open, step);
    if (result === "again" || typeof result === "object") refused.add(step.file);
    if (typeof result === "object") noteRefusal(open, step, result);
    const tries = (open.tries.get(step) ?? 0) + 1;
    open.tries.set(step, tries);
    if (result === "done" || result === "unfit") endStep(open, step, result);
    else if (tries >= setup.patience.tries) endStep(open, step, "given-up");
    else continue;
    open.left.splice(open.left.indexOf(step), 1);
  }
};

const indexStep = ({ task }: OpenTask, step: TaskStep | "commit"): number =>
  step === "commit" ? -1 : task.steps.indexOf(step);

const endStep = (
  open: OpenTask,
  step: TaskStep | "commit",
  result: "done" | "unfit" | "given-up",
): void => log({ kind: "step", task: open.task.id, step: indexStep(open, step), result });

const noteRefusal = (
  open: OpenTask,
  step: TaskStep | "commit",
  { code, text }: ToolRefusal,
): void => {
  const place = step === "commit" ? "commit" : step.file;
  const facts = { task: open.task.id, step: indexStep(open, step), code, place, text };
  log({ kind: "refusal", ...facts });
};

/** "again": the file changed between the hook's answer and the write. */
type StepResult = "done" | "unfit" | "again" | ToolRefusal;

const takeStep = (open: OpenTask, step: TaskStep): StepResult => {
  const path = join(open.root, step.file);
  const before = readIfThere(path);
  if (step.do === "remove") return before === null ? "unfit" : runRemoval(open, step.file);
  if (step.do === "write") {
    if (before !== null) return "unfit";
    const input = { file_path: path, content: step.text };
    return write(open, step.file, "Write", input, () => step.text);
  }
  const edit = before === null ? undefined : fitHunk(before, step.hunk);
  if (before === null || !edit) return "unfit";
  readThroughClient(path, before);
  const input = {
    file_path: path,
    old_string: edit.old,
    new_string: edit.new,
    replace_all: false,
  };
  return write(open, step.file, "Edit", input, (text) => {
    const parts = text?.split(edit.old);
    return parts?.length === 2 ? parts.join(edit.new) : undefined;
  });
};

/** Each file as the client last showed it: it reads again only after a change. */
const seen = new Map<string, string>();

const readThroughClient = (path: string, content: string): void => {
  if (!client || seen.get(path) === content) return;
  seen.set(path, content);
  const numLines = content.split("\n").length;
  const file = { filePath: path, content, numLines, startLine: 1, totalLines: numLines };
  useTool(client, { name: "Read", input: { file_path: path } }, () => ({
    value: undefined,
    response: { type: "text", file },
  }));
};

/** Runs the tool: the file is read again right before it is written, as clients do. */
const write = (
  open: OpenTask,
  file: string,
  name: string,
  input: Readonly<Record<string, unknown>>,
  change: (text: string | null) => string | undefined,
): StepResult => {
  if (!client) throw new Error("no session");
  const path = join(open.root, file);
  const result = useTool<StepResult>(client, { name, input }, () =>
    takeTurn(() => {
      mkdirSync(dirname(path), { recursive: true });
      const before = readIfThere(path);
      const after = change(before);
      if (after === undefined) return { value: "again", error: "String to replace not found" };
      replaceFile(path, after);
      noteWrite(open, { file, before, after });
      seen.set(path, after);
      return { value: "done", response: { filePath: path, originalFile: before } };
    }),
  );
  return result.ok ? result.value : result.refusal;
};

const readIfThere = (path: string): string | null =>
  existsSync(path) ? readFileSync(path, "utf8") : null;

/**
 * A client that reads and writes a file in a millisecond can still write over another's edit. No mode could prevent
 * that, so the harness does, in all of them.
 */
const takeTurn = <T>(use: () => T): T => {
  const turn = join(dirname(setup.log), "turn");
  for (;;) {
    try {
      mkdirSync(turn);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
  try {
    return use();
  } finally {
    rmdirSync(turn);
  }
};

/**
 * As Claude Code does it: another file that takes the old one's name. Written in place, it would end git with a bus
 * error when another agent's `git add` reads it. Not beside the file, where that `git add` would find it.
 */
const replaceFile = (path: string, text: string): void => {
  const temporary = `${setup.log}.new`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
};

const noteWrite = (open: OpenTask, written: WrittenFile): void => {
  open.files.add(written.file);
  const { id } = open.task;
  const space = setup.isTaskSession ? String(id) : "";
  log({ kind: "write", at: now(), task: id, agent: setup.agent, space, ...written });
};

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const runRemoval = (open: OpenTask, file: string): StepResult => {
  const result = runShell(open, `rm -- ${quote(file)}`, (run) =>
    takeTurn(() => {
      const before = readIfThere(join(open.root, file));
      const ended = run();
      if (ended.status === 0) noteWrite(open, { file, before, after: null });
      return ended;
    }),
  );
  if (!result.ok) return result.refusal;
  return result.value.status === 0 ? "done" : "again";
};

interface ShellEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The client's shell tool. */
const runShell = (
  open: OpenTask,
  command: string,
  around: (run: () => ShellEnd) => ShellEnd = (run) => run(),
): ToolResult<ShellEnd> => {
  if (!client) throw new Error("no session");
  const { env } = client;
  const maxBuffer = 64 * 1024 * 1024;
  const options = { cwd: open.root, env, encoding: "utf8", maxBuffer } as const;
  return useTool(client, { name: "Bash", input: { command, description: "task" } }, () => {
    const value = around(() => spawnSync("/bin/sh", ["-c", command], options));
    const { status, stdout, stderr } = value;
    const response = { stdout, stderr, interrupted: false, isImage: false };
    return status === 0 ? { value, response } : { value, error: `Exit code ${status}\n${stderr}` };
  });
};

const commit = async (open: OpenTask): Promise<"done" | "given-up"> => {
  const message = quote(`Task ${open.task.id} of agent ${setup.agent}`);
  const all = `git add -A && git commit -q -m ${message}`;
  const usual = (): string => (setup.commit === "all" ? all : nameFiles(open, message));
  let command = usual();
  const followed = new Set<string>();
  for (let tries = 1; ; tries += 1) {
    await think();
    const result = runShell(open, command);
    if (result.ok && result.value.status === 0) return "done";
    const said = result.ok ? `${result.value.stdout}${result.value.stderr}` : "";
    if (/nothing (added )?to commit|no changes added|nothing is left to do/i.test(said))
      return "done";
    const isLock = /index\.lock|cannot lock ref|unable to write new index/i.test(said);
    if (isLock) log({ kind: "lock", task: open.task.id });
    else {
      const refusal = result.ok ? readRefusal(said) : result.refusal;
      noteRefusal(open, "commit", refusal);
      // Another agent removed it before git knew it.
      const unknown = /pathspec '(.+)' did not match/.exec(said)?.[1];
      if (unknown !== undefined) open.files.delete(unknown);
      const advice = followAdvice(refusal.text, { own: nameFiles(open, message), message });
      command = advice ?? usual();
      // A line that has just been named needs no pause; the second time it does.
      if (advice !== undefined && !followed.has(advice)) {
        followed.add(advice);
        continue;
      }
    }
    if (tries === setup.patience.tries) return "given-up";
    await wait(open);
  }
};

/** Git commits files by name; only new ones are added, which fails for a deletion that is staged already. */
const nameFiles = ({ task, files }: OpenTask, message: string): string => {
  const created = task.steps.flatMap(({ do: kind, file }) =>
    kind === "write" && files.has(file) ? [quote(file)] : [],
  );
  const add = created.length > 0 ? `git add -- ${created.join(" ")} && ` : "";
  return `${add}git commit -q -m ${message} -- ${[...files].map(quote).join(" ")}`;
};

/**
 * The way that a refusal names: a ready command, or own paths. Where open ends stop some files, its line commits the
 * others; those that are left go along with a later commit of the session, when their names are there.
 */
const followAdvice = (
  text: string,
  { own, message }: { readonly own: string; readonly message: string },
): string | undefined =>
  /other files now: (git commit -m "…" --(?: '(?:[^']|'\\'')*')+)/
    .exec(text)?.[1]
    ?.replace('"…"', () => message)
    .replace("git commit", "git commit -q") ??
  /\b(headgate commit -m TEXT(?: --path \S+)?)$/m.exec(text)?.[1]?.replace("TEXT", () => message) ??
  (/your own paths/i.test(text) ? own : undefined);

const beginSession = ({ root, session, task }: TaskOffer): void => {
  current = task.id;
  if (client?.session === session) return;
  endSession();
  const env = { ...setup.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session };
  const noteAsked = (ms: number): void => log({ kind: "asked", task: current, ms });
  const noteHeard = (event: string, length: number): void =>
    log({ kind: "heard", session, isStart: event === "SessionStart", length });
  client = { root, session, env, noteAsked, noteHeard };
  sendEvent(client, "SessionStart", { source: "startup" });
};

const endSession = (): void => {
  if (!client) return;
  sendEvent(client, "Stop", { stop_hook_active: false });
  sendEvent(client, "SessionEnd", { reason: "other" });
  client = undefined;
};

await work();
process.disconnect();
