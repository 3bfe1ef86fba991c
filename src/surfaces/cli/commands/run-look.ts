import { systemClock } from "../../../base/clock.ts";
import { plural, showText } from "../../../base/text.ts";
import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import { problemLines, runLines } from "../run-lines.ts";
import { alignedLines } from "../table.ts";

export const check: Command = {
  summary: "Say what is wrong with plans: circles, missing plans, write-sets, verify commands",
  usage: ["run check DIR|FILE [--strict]"],
  options: { strict: { type: "boolean", description: "Warnings count as errors" } },
  examples: [["headgate run check plans", "read plans/NN-PLAN.md"]],
  exits: [
    [0, "they can be carried out"],
    [1, "something is wrong; every line says where"],
  ],
  positionalsMax: 1,
  completes: "files",
  run: async (context) => {
    const { positionals, output, flags } = context;
    const [source] = positionals;
    if (source === undefined)
      throw usageError("name the folder or file of the plans", "headgate run check");
    await using headgate = await openFor(context, { readOnly: true });
    const { plans, problems } = await headgate.runs.check(source);
    const isBad = problems.some(({ level }) => level === "error" || flags.has("strict"));
    output.object({ ok: !isBad, plans, problems });
    for (const line of problemLines(problems, output)) output.line(line);
    const tasks = plans.reduce((count, plan) => count + plan.tasks.length, 0);
    output.line(
      `${plural(plans.length, "plan")} with ${plural(tasks, "task")}: ${isBad ? output.style.red("not usable as they are") : output.style.green("can be carried out")}`,
    );
    return isBad ? 1 : 0;
  },
};

export const status: Command = {
  summary: "Show a run: its plans and tasks, who carries it out, what it waits for",
  usage: ["run status [RUN] [--watch]"],
  options: {
    watch: {
      type: "boolean",
      short: "w",
      description: "Show it anew every second until nobody carries it out any more",
    },
  },
  examples: [
    ["headgate run status --watch", "from another terminal, while it runs"],
    ["headgate run status --json", "the newest run, for programs"],
  ],
  exits: [[4, "there is no such run"]],
  positionalsMax: 1,
  run: async (context) => {
    const { positionals, output, flags, signal } = context;
    await using headgate = await openFor(context, { readOnly: true });
    const id = await headgate.runs.find(positionals[0]);
    for (;;) {
      const found = await headgate.runs.status(id);
      const isLive = found.run.executor !== undefined && flags.has("watch");
      if (!isLive) output.object(found);
      const isDrawn = flags.has("watch") && process.stdout.isTTY && !output.json;
      if (isDrawn) process.stdout.write(clearScreen);
      // Elsewhere nothing can take the place of what was there: the end is shown.
      if (isDrawn || !isLive) for (const line of runLines(found, output)) output.line(line);
      if (!isLive) return 0;
      await systemClock.sleep(1_000, signal);
      if (signal.aborted) return 130;
    }
  },
};

/** Output itself lets nothing but colours through to a terminal. */
const clearScreen = "\u001b[H\u001b[2J";

export const list: Command = {
  summary: "Show the runs of this repository, newest first",
  usage: ["run list"],
  options: {},
  examples: [["headgate run list", "every run and its state"]],
  positionalsMax: 0,
  run: async (context) => {
    const { output } = context;
    await using headgate = await openFor(context, { readOnly: true });
    const runs = await headgate.runs.list();
    output.object({ runs });
    const rows = runs.map(({ id, state, createdAt, name }) => [
      id,
      state,
      createdAt,
      showText(name),
    ]);
    for (const line of alignedLines(rows)) output.line(line);
    if (runs.length === 0)
      output.line("no runs yet: headgate run new plans, then headgate run start plans --exec …");
    return 0;
  },
};

export const output: Command = {
  summary: "Print what the agents at work, or the last one, printed",
  usage: ["run output [RUN]"],
  description:
    "The end of it: the last 200 lines of each, without colours. Agents behind a client print what their client " +
    "prints, mostly JSON. `run status --watch` shows how far they are.",
  options: {},
  examples: [["headgate run output", "of the newest run"]],
  exits: [[4, "there is no such run"]],
  positionalsMax: 1,
  run: async (context) => {
    const { positionals, output: out } = context;
    await using headgate = await openFor(context, { readOnly: true });
    const agents = await headgate.runs.printed(await headgate.runs.find(positionals[0]));
    out.object({ agents });
    for (const { plan, task, isAtWork, lines } of agents) {
      const place = `plan ${showText(plan)}, task ${task}, ${isAtWork ? "at work" : "ended"}`;
      out.line(out.style.dim(lines.length === 0 ? `${place}: nothing was printed` : `${place}:`));
      for (const line of lines) out.line(line);
    }
    if (agents.length === 0) out.line("no agent has worked yet");
    return 0;
  },
};

export const report: Command = {
  summary: "Print what a run came to, as Markdown",
  usage: ["run report [RUN]"],
  options: {},
  examples: [["headgate run report", "of the newest run"]],
  exits: [[4, "there is no such run"]],
  positionalsMax: 1,
  run: async (context) => {
    const { positionals, output } = context;
    await using headgate = await openFor(context, { readOnly: true });
    const text = await headgate.runs.report(await headgate.runs.find(positionals[0]));
    output.object({ report: text });
    for (const line of text.trimEnd().split("\n")) output.line(line);
    return 0;
  },
};
