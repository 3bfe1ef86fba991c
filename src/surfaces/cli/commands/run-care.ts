import { limits } from "../../../base/limits.ts";
import { shellWord } from "../../../base/shell-word.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Restored } from "../../../runs/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";

export const newRun: Command = {
  summary: "Write plans to start from",
  usage: ["run new DIR [--count N]"],
  options: { count: { type: "string", value: "N", description: "How many (default 2)" } },
  examples: [["headgate run new plans --count 3", "plans/01-PLAN.md to 03-PLAN.md"]],
  exits: [[1, "one of them is there already; nothing was written"]],
  positionalsMax: 1,
  completes: "files",
  run: async (context) => {
    const { positionals, flags, output } = context;
    const [folder] = positionals;
    if (folder === undefined) throw usageError("name a folder for the plans", "headgate run new");
    const count = flags.integer("count", { min: 1, max: 99 }) ?? 2;
    await using headgate = await openFor(context, { readOnly: true });
    const made = await headgate.runs.scaffold(folder, count);
    output.object({ folder, files: made });
    for (const name of made) output.line(`${showText(folder)}/${name}`);
    output.note(`headgate: change them, then headgate run check ${shellWord(folder)}`);
    return 0;
  },
};

export const pause: Command = {
  summary: "Let a run stop after its present tasks, or now",
  usage: ["run pause [RUN] [--now]"],
  options: {
    now: { type: "boolean", description: "End the agents that work; their tasks begin anew later" },
  },
  examples: [["headgate run pause --now", "the newest run, at once"]],
  exits: [[4, "there is no such run"]],
  positionalsMax: 1,
  run: async (context) => {
    await using headgate = await openFor(context, { readOnly: false });
    const run = await headgate.runs.find(context.positionals[0]);
    const now = context.flags.has("now");
    const answer = await headgate.runs.pause(run, { actor: headgate.claims.actor.id, now });
    context.output.object({ run, answer });
    context.output.line(answer === "asked" ? `${run} was asked to pause` : `${run} is paused`);
    return 0;
  },
};

export const skip: Command = {
  summary: "Leave a plan or one of its tasks out",
  usage: ["run skip [RUN] PLAN [TASK]"],
  options: {},
  examples: [["headgate run skip 02", "plan 02 of the newest run"]],
  exits: [
    [1, "the run is being carried out"],
    [4, "there is no such run, plan or task"],
  ],
  positionalsMax: 3,
  run: async (context) => {
    const { given, rest } = splitRun(context);
    const [plan, task, more] = rest;
    const number = task === undefined ? undefined : Number(task);
    if (
      plan === undefined ||
      more !== undefined ||
      (number !== undefined && !Number.isInteger(number))
    ) {
      throw usageError("name a plan, and the number of a task in it", "headgate run skip");
    }
    await using headgate = await openFor(context, { readOnly: false });
    const run = await headgate.runs.find(given);
    await headgate.runs.skip(run, {
      actor: headgate.claims.actor.id,
      plan,
      ...(number !== undefined && { task: number }),
    });
    context.output.object({
      run,
      skipped: { plan, ...(number !== undefined && { task: number }) },
    });
    context.output.line(
      `${run}: plan ${showText(plan)}${number === undefined ? "" : `, task ${number}`} is left out; headgate run resume ${run} goes on`,
    );
    return 0;
  },
};

export const decide: Command = {
  summary: "Answer a question of an agent",
  usage: ["run decide [RUN] QUESTION ANSWER"],
  options: {},
  examples: [['headgate run decide c1 "use tabs"', "the question c1 of the newest run"]],
  exits: [[4, "there is no such run or question"]],
  positionalsMax: 3,
  run: async (context) => {
    const { given, rest } = splitRun(context);
    const [note, answer, more] = rest;
    if (note === undefined || answer === undefined || more !== undefined || answer === "") {
      throw usageError(
        "name the question (c1) and give the answer in quotes",
        "headgate run decide",
      );
    }
    if (answer.length > limits.runNoteLengthMax) {
      throw usageError(
        `an answer has at most ${limits.runNoteLengthMax} characters`,
        "headgate run decide",
      );
    }
    await using headgate = await openFor(context, { readOnly: false });
    const run = await headgate.runs.find(given);
    await headgate.runs.decide(run, { actor: headgate.claims.actor.id, note, answer });
    const { executor } = (await headgate.runs.status(run)).run;
    context.output.object({ run, note, answer });
    const how = executor ? "the run goes on with it" : `headgate run resume ${run} goes on`;
    context.output.line(`${showText(note)} is answered; ${how}`);
    return 0;
  },
};

export const rollback: Command = {
  summary: "Take back what a run has committed, by a new commit",
  usage: ["run rollback [RUN] [--plan PLAN]"],
  description:
    "Only the run's own commits are taken back. It is refused when somebody else has committed the same " +
    "files since, holds them, or when they have changes that are not committed.",
  options: {
    plan: {
      type: "string",
      value: "PLAN",
      description: "Only this plan; it can be carried out again",
    },
  },
  examples: [["headgate run rollback --plan 02", "plan 02 of the newest run"]],
  exits: [
    [1, "refused; the message names commits and files"],
    [4, "there is no such run or plan"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { output, flags, positionals } = context;
    await using headgate = await openFor(context, { readOnly: false });
    const run = await headgate.runs.find(positionals[0]);
    const plan = flags.text("plan");
    const back = await withProgress({ output, what: "taking the run back" }, () =>
      headgate.runs.rollback(run, plan === undefined ? {} : { plan }),
    );
    output.object(back);
    const { commit, reverted, files } = back;
    output.line(
      commit === undefined
        ? `${run}: there was nothing to take back`
        : `${run}: ${plural(reverted.length, "commit")} and ${plural(files.length, "file")} taken back by ${commit.slice(0, 12)}`,
    );
    return 0;
  },
};

export const rebuild: Command = {
  summary: "Make a run's files anew from the store, or the store's rows from its summaries",
  usage: ["run rebuild [RUN]", "run rebuild RUN --from-summaries"],
  options: {
    "from-summaries": {
      type: "boolean",
      description:
        "The store has lost the run: restore what its files tell, and list what they do not",
    },
  },
  examples: [["headgate run rebuild", "the files of the newest run"]],
  exits: [
    [1, "--from-summaries: the store knows this run"],
    [4, "there is no such run"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { positionals, flags, output } = context;
    await using headgate = await openFor(context, { readOnly: false });
    const [given] = positionals;
    if (flags.has("from-summaries")) {
      if (given === undefined)
        throw usageError("name the run whose files are there", "headgate run rebuild");
      return showRestored(
        await headgate.runs.rebuildFromSummaries(given, headgate.claims.actor.id),
        context,
      );
    }
    const run = await headgate.runs.find(given);
    const files = await headgate.runs.rebuild(run);
    output.object({ run, files });
    output.line(`${run}: ${plural(files.length, "file")} made anew in .git/headgate/runs/${run}`);
    return 0;
  },
};

export const importRun: Command = {
  summary: "Take over a run from a .long-run folder",
  usage: ["run import DIR"],
  description:
    "Reads NN-PLAN.md, summaries/NN-SUMMARY.md, agent-history.json (keys in both spellings) and ISSUES.md. " +
    "Each summary's own status counts; what the files do not tell is listed. The folder is not changed.",
  options: {},
  examples: [["headgate run import .long-run", "then headgate run resume --exec …"]],
  exits: [[4, "there is no such folder"]],
  positionalsMax: 1,
  completes: "files",
  run: async (context) => {
    const [dir] = context.positionals;
    if (dir === undefined) throw usageError("name the folder", "headgate run import");
    await using headgate = await openFor(context, { readOnly: false });
    return showRestored(await headgate.runs.importFolder(dir, headgate.claims.actor.id), context);
  },
};

const showRestored = (restored: Restored, { output }: CommandContext): 0 => {
  output.object(restored);
  const { run, plans, agents, unknown } = restored;
  output.line(`${run}: ${plural(plans.length, "plan")} and ${plural(agents, "agent")} restored`);
  for (const { plan, status } of plans) output.line(`  ${plan}: ${status}`);
  if (unknown.length > 0) output.line("could not be known:");
  for (const line of unknown) output.line(`  ${showText(line, 400)}`);
  return 0;
};

export const clean: Command = {
  summary: "Remove a run, its files and its own worktree; commits and kept changes stay",
  usage: ["run clean RUN"],
  options: {},
  examples: [["headgate run clean rn_…", "a run that is over"]],
  exits: [
    [1, "the run is not over"],
    [4, "there is no such run"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const [given] = context.positionals;
    if (given === undefined) throw usageError("name the run", "headgate run clean");
    await using headgate = await openFor(context, { readOnly: false });
    const run = await headgate.runs.find(given);
    await headgate.runs.clean(run, headgate.claims.actor.id);
    context.output.object({ run, removed: true });
    context.output.line(`${run} is removed`);
    return 0;
  },
};

/** The first word is a run when it looks like one. */
const splitRun = ({
  positionals,
}: CommandContext): { readonly given?: string; readonly rest: readonly string[] } => {
  const [first, ...rest] = positionals;
  if (first !== undefined && first.startsWith("rn_")) return { given: first, rest };
  return { rest: positionals };
};
