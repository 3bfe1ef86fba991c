/** The numbers of one run: what became of tasks, lines and commits, and what the agents went through. */
import type { Analyser } from "../src/structure/index.ts";
import { findFaults, type HistoryWindow } from "./history.ts";
import type { ModeRun, ProvingMode } from "./modes.ts";
import { type AgentLogEntry, countLines } from "./record.ts";

export interface Measured {
  /** With at least one edit that fits. */
  readonly tasks: number;
  readonly landed: number;
  readonly absorbed: number;
  readonly stuck: number;
  /** Lines that are not on the branch. */
  readonly lost: number;
  /** How many of them a person can still find: uncommitted, or on a branch that was not merged. */
  readonly left: number;
  readonly foreign: number;
  readonly commits: number;
  /** Commits that name a second agent, whose lines they hold with its name. */
  readonly shared: number;
  readonly broken: number;
  readonly wrongRefusals: number;
  readonly unknownCalls: number;
  /** Edits and commits that were tried again. */
  readonly retries: number;
  readonly waitedTasks: number;
  /** Between two tries. */
  readonly waitedSeconds: number;
  /** Before tools, for their hooks; a hook that waits for another's commit is in here. */
  readonly hookSeconds: number;
  /** Tokens (four characters) that a session reads of Headgate beside its start, without notes on its own edits. */
  readonly heardMedian: number;
  readonly heardMost: number;
  readonly humanCommands: number;
  /** Edits whose place the checkout lacked. */
  readonly unfit: number;
  readonly seconds: number;
}

export interface ModeResult {
  readonly measured: Measured;
  /** Each kind once: code, place, how often, the words. */
  readonly wrongRefusals: readonly WrongRefusal[];
  readonly refusals: readonly {
    readonly task: number;
    readonly code: string;
    readonly place: string;
  }[];
  /** Tasks of which some lines are in others' commits. */
  readonly absorbed: readonly number[];
  readonly faults: readonly string[];
  /** By file, each with its text. */
  readonly lost: readonly string[];
  readonly stuck: readonly StuckTask[];
}

export interface StuckTask {
  readonly task: number;
  /** Edits that were never allowed. */
  readonly givenUp: readonly string[];
  /** Lines in no commit. */
  readonly missing: readonly string[];
}

export interface WrongRefusal {
  readonly task: number;
  readonly code: string;
  readonly place: string;
  readonly text: string;
}

type StepEnd = Extract<AgentLogEntry, { kind: "step" }>;
type Refusal = Extract<AgentLogEntry, { kind: "refusal" }>;

export const measureRun = async (
  mode: ProvingMode,
  run: ModeRun,
  window: HistoryWindow,
  analyser: Analyser,
): Promise<ModeResult> => {
  const { log, commits, final, left } = run;
  const of = <K extends AgentLogEntry["kind"]>(kind: K) =>
    log.filter((entry): entry is Extract<AgentLogEntry, { kind: K }> => entry.kind === kind);
  const steps = of("step");
  const fitting = new Set(steps.filter(({ result }) => result !== "unfit").map(({ task }) => task));
  const agents = new Map(of("task").map(({ task, agent }) => [task, agent]));
  // A commit that was given up is judged by its lines: another commit may have taken them.
  const givenUp = new Set(
    steps.filter(({ step, result }) => step >= 0 && result === "given-up").map(({ task }) => task),
  );
  const tasks = [...agents]
    .filter(([id]) => fitting.has(id))
    .map(([id, agent]) => ({ id, agent, hasGivenUp: givenUp.has(id) }));
  const writes = of("write");
  const count = (files: ReadonlyMap<string, string | null>) =>
    countLines({ writes, commits, tasks, readFinal: (file) => files.get(file) ?? null });
  const { tasks: judged, lost, foreign } = count(final);
  const isGone = mode.isWorktrees ? 0 : count(left).lost.length;
  const number = (state: string) =>
    [...judged.values()].filter((one) => one.state === state).length;
  const { wrong, unknownCalls } = judgeRefusals(of("refusal"), steps);
  const faults = await findCommitFaults(run, window, analyser);
  const waits = of("wait");
  return {
    measured: {
      tasks: tasks.length,
      landed: number("landed"),
      absorbed: number("absorbed"),
      stuck: number("stuck"),
      lost: lost.length,
      left: Math.max(0, lost.length - isGone),
      foreign: foreign.length,
      commits: commits.filter(({ isMerge }) => !isMerge).length,
      shared: commits.filter(({ named }) => new Set(named).size > 1).length,
      broken: faults.length,
      wrongRefusals: wrong.length,
      unknownCalls,
      retries: of("refusal").length + of("lock").length,
      waitedTasks: new Set(waits.map(({ task }) => task)).size,
      waitedSeconds: waits.reduce((sum, { ms }) => sum + ms, 0) / 1000,
      hookSeconds: of("asked").reduce((sum, { ms }) => sum + ms, 0) / 1000,
      ...countHeard(of("heard")),
      // Whatever an agent gave up, a person has to take up.
      humanCommands: number("stuck"),
      unfit: steps.filter(({ result }) => result === "unfit").length,
      seconds: run.seconds,
    },
    wrongRefusals: wrong,
    refusals: of("refusal").map(({ task, code, place, text }) => ({ task, code, place, text })),
    absorbed: [...judged].filter(([, { state }]) => state === "absorbed").map(([task]) => task),
    faults,
    lost: lost.map(({ file, text }) => `${file}: ${text}`),
    stuck: [...judged]
      .filter(([, { state }]) => state === "stuck")
      .map(([task, { missing }]) => ({ task, missing, givenUp: listGivenUp(task, steps, window) })),
  };
};

const countHeard = (
  heard: readonly Extract<AgentLogEntry, { kind: "heard" }>[],
): { heardMedian: number; heardMost: number } => {
  const lengths = new Map(heard.map(({ session }) => [session, 0]));
  for (const { session, isStart, length } of heard) {
    if (!isStart) lengths.set(session, (lengths.get(session) ?? 0) + length);
  }
  const tokens = [...lengths.values()].map((length) => length / 4).toSorted((a, b) => a - b);
  if (tokens.length === 0) return { heardMedian: 0, heardMost: 0 };
  return { heardMedian: tokens[tokens.length >> 1] ?? 0, heardMost: tokens.at(-1) ?? 0 };
};

const listGivenUp = (task: number, steps: readonly StepEnd[], window: HistoryWindow): string[] =>
  steps
    .filter((one) => one.task === task && one.result === "given-up")
    .map(({ step }) => window.tasks.find(({ id }) => id === task)?.steps[step]?.file ?? "commit");

/** Codes that say: another's lines, later. */
const isWait = (code: string): boolean => /^(CLAIM|LINES|WAIT|COMMIT)_/.test(code);

/**
 * Every edit is part of a commit that its project took, so a refusal is wrong unless it was a wait that ended. An
 * unknown call is counted apart: half a change may call what its other half defines.
 */
export const judgeRefusals = (
  refusals: readonly Refusal[],
  steps: readonly StepEnd[],
): { wrong: WrongRefusal[]; unknownCalls: number } => {
  const key = ({ task, step }: { task: number; step: number }): string => `${task} ${step}`;
  const ended = new Set(steps.filter(({ result }) => result !== "given-up").map(key));
  const distinct = [
    ...new Map(refusals.map((one) => [`${key(one)} ${one.code}`, one] as const)).values(),
  ];
  const wrong = distinct
    .filter((one) => one.code !== "CALL_UNKNOWN" && !(isWait(one.code) && ended.has(key(one))))
    .map(({ task, code, place, text }) => ({ task, code, place, text }));
  return { wrong, unknownCalls: distinct.filter(({ code }) => code === "CALL_UNKNOWN").length };
};

/** One line for each commit that breaks a file which the original commit did not break. */
const findCommitFaults = async (
  { commits }: ModeRun,
  { tasks }: HistoryWindow,
  analyser: Analyser,
): Promise<string[]> => {
  const faulty = new Set(tasks.flatMap((task) => task.faulty.map((file) => `${task.id} ${file}`)));
  const said: string[] = [];
  for (const { id, task, files } of commits) {
    const found: string[] = [];
    for (const file of files) {
      if (!faulty.has(`${task} ${file.path}`)) found.push(...(await findFaults(file, analyser)));
    }
    if (found.length > 0) said.push(`${id.slice(0, 10)}: ${found.join(", ")}`);
  }
  return said;
};
