import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import type { Plan, RunOptionsKept, TimeoutPolicy } from "../../../runs/index.ts";
import { HeadgateError } from "../../../errors.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext, ExitCode, Option } from "../command.ts";
import { durationFlag } from "../duration.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";
import { branchName, problemLines, runLines } from "../run-lines.ts";

const executing: Readonly<Record<string, Option>> = {
  agent: {
    type: "string",
    value: "NAME",
    description: "Use a configured runner instead of --exec",
  },
  parallel: {
    type: "string",
    value: "N",
    description: `Plans at the same time, where they write different things (default ${limits.runParallel})`,
  },
  timeout: { type: "string", value: "TIME", description: "For each task's agent (default 30m)" },
  "on-timeout": {
    type: "string",
    value: "WHAT",
    choices: ["extend", "skip", "fail"],
    description: "extend: as long again, twice; skip: leave the task out; fail: stop (default)",
  },
  retries: {
    type: "string",
    value: "N",
    description: "More attempts for a task that failed (default 0)",
  },
  budget: { type: "string", value: "USD", description: "Stop when so much is spent" },
  wait: {
    type: "string",
    value: "TIME",
    description: "Wait so long for what others have claimed (default 10m)",
  },
  yes: {
    type: "boolean",
    short: "y",
    description: "Do not ask before the plans' commands are run",
  },
  exec: {
    type: "string",
    value: "PROGRAM ARGUMENTS…",
    rest: true,
    description:
      "How an agent is started, up to the end of the line; it gets the task on standard input",
  },
};

const exits: Command["exits"] = [
  [0, "every task is done or left out"],
  [1, "something stopped; `run status` says what and what to do"],
  [2, "the plans are wrong, or nobody says how the agent is started"],
  [130, "interrupted; everything is saved, `run resume` goes on"],
];

export const start: Command = {
  summary: "Check plans, keep them, and carry them out",
  usage: ["run start DIR|FILE [options] --exec PROGRAM ARGUMENTS…"],
  description:
    "Each task goes to a fresh agent: its prompt on standard input, the repository as working directory. " +
    "Then the task's verify command runs in a shell, and the files it lists are committed. The commands are " +
    "shown first, and asked about at a terminal; without one, starting the run is the consent. " +
    "The plans are kept as they were then: changing the files later changes nothing in a run.",
  options: {
    ...executing,
    name: {
      type: "string",
      value: "TEXT",
      description: "What to call the run (default: the folder's name)",
    },
    branch: {
      type: "boolean",
      description: "Commit to a new branch headgate/RUN, checked out here",
    },
    worktree: {
      type: "boolean",
      description:
        "Commit to a new branch in a worktree of its own; agents work there, so name files behind --exec absolutely",
    },
  },
  examples: [
    ["headgate run start plans --exec claude -p --permission-mode acceptEdits", "with Claude Code"],
    [
      "headgate run start plans --worktree --retries 1 --exec codex exec -",
      "apart from your files",
    ],
  ],
  exits,
  positionalsMax: 1,
  completes: "files",
  run: async (context) => {
    const { positionals, flags, output } = context;
    const [source] = positionals;
    if (source === undefined)
      throw usageError("name the folder or file of the plans", "headgate run start");
    if (flags.has("branch") && flags.has("worktree")) {
      throw usageError("--branch and --worktree exclude each other", "headgate run start");
    }
    await using headgate = await openFor(context, { readOnly: false, needsFiles: true });
    const { plans, problems } = await headgate.runs.check(source);
    for (const line of problemLines(problems, output)) output.note(line);
    const change = optionsOf(context, "headgate run start");
    requireAgent(plans, change);
    if (
      !problems.some(({ level }) => level === "error") &&
      !(await approve(plans, change, context))
    )
      return 1;
    const name = flags.text("name");
    const own = flags.has("branch") ? "branch" : flags.has("worktree") ? "worktree" : undefined;
    const run = await headgate.runs.create({
      source,
      actor: headgate.claims.actor.id,
      options: { ...defaults, ...change },
      ...(name !== undefined && { name }),
      ...(own !== undefined && { own }),
    });
    output.note(
      `headgate: run ${run.id}, ${plural(run.plans.length, "plan")}, commits to ${branchName(run.branch)}`,
    );
    return await carryOut(headgate, run.id, context);
  },
};

export const resume: Command = {
  summary: "Go on with a run at its first unfinished task",
  usage: ["run resume [RUN] [options] [--exec PROGRAM ARGUMENTS…]"],
  description:
    "What failed or ran out of time is tried again; what waits for an answer goes on once it has one. " +
    "Options change the run from here on.",
  options: executing,
  examples: [["headgate run resume --timeout 1h", "the newest run, with more time"]],
  exits: [...exits, [4, "there is no such run"]],
  positionalsMax: 1,
  run: async (context) => {
    await using headgate = await openFor(context, { readOnly: false });
    const run = await headgate.runs.find(context.positionals[0]);
    return await carryOut(headgate, run, context, optionsOf(context, "headgate run resume"));
  },
};

export const retry: Command = {
  summary: "Try stopped tasks again, also those that wait for an answer, and go on",
  usage: ["run retry [RUN] [--plan PLAN] [options]"],
  options: {
    ...executing,
    plan: { type: "string", value: "PLAN", description: "Only this plan's tasks" },
  },
  examples: [["headgate run retry --plan 02", "plan 02 of the newest run"]],
  exits: [...exits, [4, "there is no such run or plan"]],
  positionalsMax: 1,
  run: async (context) => {
    await using headgate = await openFor(context, { readOnly: false });
    const run = await headgate.runs.find(context.positionals[0]);
    const plan = context.flags.text("plan");
    const count = await headgate.runs.retry(run, {
      actor: headgate.claims.actor.id,
      ...(plan !== undefined && { plan }),
    });
    context.output.note(`headgate: ${plural(count, "task")} opened again`);
    return await carryOut(headgate, run, context, optionsOf(context, "headgate run retry"));
  },
};

const defaults: RunOptionsKept = {
  parallel: limits.runParallel,
  timeoutMs: limits.runTimeoutMs,
  onTimeout: "fail",
  retries: 0,
};

const optionsOf = ({ flags }: CommandContext, words: string): Partial<RunOptionsKept> => {
  const exec = flags.texts("exec");
  const agent = flags.text("agent");
  const parallel = flags.integer("parallel", { min: 1, max: limits.runParallelMax });
  const retries = flags.integer("retries", { min: 0, max: limits.runRetriesMax });
  const timeoutMs = durationFlag(flags, "timeout", {
    min: 1000,
    max: limits.runTimeoutMsMax,
    words,
  });
  const onTimeout = flags.text("on-timeout") as TimeoutPolicy | undefined;
  const budget = flags.text("budget");
  const budgetUsd = budget === undefined ? undefined : Number(budget);
  if (budgetUsd !== undefined && !(budgetUsd > 0 && budgetUsd < 1_000_000)) {
    throw usageError("option --budget is an amount in dollars, such as 5 or 0.50", words);
  }
  return {
    ...(exec.length > 0 && { exec }),
    ...(agent !== undefined && { agent }),
    ...(parallel !== undefined && { parallel }),
    ...(retries !== undefined && { retries }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onTimeout !== undefined && { onTimeout }),
    ...(budgetUsd !== undefined && { budgetUsd }),
  };
};

const requireAgent = (plans: readonly Plan[], { exec, agent }: Partial<RunOptionsKept>): void => {
  const without = plans.find((plan) => plan.agent === undefined);
  if (exec !== undefined || agent !== undefined || !without) return;
  throw usageError(
    `plan ${without.id} does not say which agent: add --exec PROGRAM ARGUMENTS… at the end`,
    "headgate run start",
  );
};

/** Plans are files that anybody may have written: what they run is shown before it runs. */
const approve = async (
  plans: readonly Plan[],
  { exec }: Partial<RunOptionsKept>,
  { flags, output, confirm }: CommandContext,
): Promise<boolean> => {
  const commands = plans.flatMap(({ id, tasks }) =>
    tasks.flatMap(({ verify }) =>
      verify === undefined ? [] : [`  ${id}: ${showText(verify, 400)}`],
    ),
  );
  if (exec) output.note(`agent: ${exec.map((word) => showText(word)).join(" ")}`);
  if (commands.length === 0) return true;
  output.note("these commands of the plans will be run in a shell:");
  for (const line of commands) output.note(line);
  if (flags.has("yes")) return true;
  // Nobody to ask: whoever starts a run in a script has read its plans.
  return (await confirm("Run them?")) ?? true;
};

const carryOut = async (
  headgate: Headgate,
  run: string,
  context: CommandContext,
  change: Partial<RunOptionsKept> = {},
): Promise<ExitCode> => {
  const { output, signal, flags } = context;
  const waitMs = durationFlag(flags, "wait", {
    min: 0,
    max: limits.claimWaitMsMax,
    words: "headgate run",
  });
  const actor = headgate.claims.actor.id;
  let changes = change;
  const now = new Map<string, string>();
  for (;;) {
    const execute = () =>
      headgate.runs.execute({
        ...{ run, signal, change: changes, actor },
        ...(waitMs !== undefined && { claimWaitMs: waitMs }),
        onProgress: ({ plan, task, what }) => {
          const text = `${plan === undefined ? "" : `${plan}: `}${showText(what, 400)}`;
          output.note(`headgate: ${text}`);
          if (plan === undefined) return;
          if (task === undefined) now.delete(plan);
          else now.set(plan, text);
        },
      });
    const what = async () => [...now.values()].join("; ") || "the run goes on";
    const isAsked = () => askNow(headgate, run, context);
    const { run: end, isInterrupted } = await saved(run, context, () =>
      withProgress({ output, what }, execute),
    );
    changes = {};
    if (!isInterrupted && end.state === "needs-decision" && (await saved(run, context, isAsked)))
      continue;
    const found = await headgate.runs.status(run);
    output.object(found);
    for (const line of runLines(found, output)) output.line(line);
    output.note(`headgate: report in .git/headgate/runs/${run}/REPORT.md`);
    if (isInterrupted) {
      output.note(`headgate: saved; headgate run resume ${run} goes on`);
      return 130;
    }
    return end.state === "done" ? 0 : 1;
  }
};

/** Whatever stops it: what was done is in the store, and repeating `run start` would begin another run. */
const saved = async <T>(
  run: string,
  { output }: CommandContext,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const isOthers = HeadgateError.isInstance(error) && error.code.startsWith("RUN_");
    if (!isOthers) output.note(`headgate: saved; headgate run resume ${run} goes on`);
    throw error;
  }
};

/** The person at the terminal answers what agents asked; false when nobody is there or answers none. */
const askNow = async (
  headgate: Headgate,
  run: string,
  context: CommandContext,
): Promise<boolean> => {
  const { notes } = await headgate.runs.status(run);
  const open = notes.filter(({ kind, answer }) => kind === "question" && answer === undefined);
  for (const note of open) context.output.note(`${note.id}: ${showText(note.text, 1_000)}`);
  if (open.length === 0 || (await context.confirm("Answer now?")) !== true) return false;
  let isAnswered = false;
  for (const { id } of open) {
    const line = (await context.ask(`${id}: your answer, on one line (empty: later): `)) ?? "";
    const answer = line.slice(0, limits.runNoteLengthMax);
    if (answer === "") continue;
    await headgate.runs.decide(run, { actor: headgate.claims.actor.id, note: id, answer });
    isAnswered = true;
  }
  return isAnswered;
};
