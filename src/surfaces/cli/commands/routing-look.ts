import { plural, showText } from "../../../base/text.ts";
import type { ExplainedPattern } from "../../../routing/index.ts";
import type { Command, CommandContext } from "../command.ts";
import { effectText } from "../../routing-words.ts";
import { printStatus, withRouting } from "../routing-run.ts";
import { alignedLines } from "../table.ts";

export const status: Command = {
  summary: "Show overrides, their canaries, proposals and the blacklist",
  usage: ["routing status"],
  description:
    "Also finishes what a crash left half done. A canary shows how often its override lost something, with " +
    "an interval, and how many clean shadows are missing until it passes.",
  options: {},
  examples: [
    ["headgate routing status", "everything"],
    ["headgate routing status --json", "for programs"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const found = await withRouting(context, "looking", ({ routing }) => routing.status());
    context.output.object(found);
    printStatus(found, context);
    return 0;
  },
};

export const patterns: Command = {
  summary: "Show what the outcomes of each reviewer have in common",
  usage: ["routing patterns [REVIEWER] [--explain]"],
  description:
    "Classes: noise (wrong), nit (right, unwanted), mis-severity, duplicate-of-linter, out-of-scope, stale. " +
    "Counted against all findings with a known outcome. ready: a change can be proposed; growing; emerging.",
  options: {
    explain: { type: "boolean", description: "Show counts, and what is missing until it is ready" },
  },
  examples: [
    ["headgate routing patterns", "who is noise here?"],
    ["headgate routing patterns fd-game-design --explain", "why, and what is missing"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { positionals, flags, output } = context;
    const [reviewer] = positionals;
    const { found, held } = await withRouting(context, "counting", async ({ routing }) => ({
      found: await routing.patterns(reviewer === undefined ? {} : { reviewer }),
      held: (await routing.status()).held,
    }));
    output.object({ patterns: found });
    if (flags.has("explain")) for (const one of found) explain(one, context);
    else print(found, context);
    if (found.length === 0) {
      output.note(
        held === 0
          ? "no pattern: nothing was dismissed yet"
          : `no pattern; ${plural(held, "outcome")} held and not counted: headgate routing evidence held`,
      );
    }
    return 0;
  },
};

const rowOf = (one: ExplainedPattern): string[] => [
  one.reviewer,
  one.class,
  one.state,
  `${one.wrong} of ${one.outcomes}`,
  `e ${showE(one.eValue)}`,
];

const showE = (value: number): string =>
  value >= 1e5 ? value.toExponential(1) : value.toFixed(value >= 100 ? 0 : 2);

const print = (found: readonly ExplainedPattern[], { output }: CommandContext): void => {
  const { style } = output;
  const paint = (cell: string): string =>
    cell === "ready" ? style.green(cell) : cell === "emerging" ? style.dim(cell) : cell;
  for (const line of alignedLines(found.map(rowOf), paint)) output.line(line);
};

const explain = (one: ExplainedPattern, { output }: CommandContext): void => {
  const { style } = output;
  output.line(`${style.bold(one.reviewer)}  ${one.class}  ${one.state}`);
  output.line(
    `  ${one.wrong} of ${plural(one.outcomes, "finding")} with a known outcome, ${one.accepted} right; ` +
      `e-value ${showE(one.eValue)}; ${plural(one.sessions, "session")}, ${plural(one.changes, "change")}`,
  );
  for (const missing of one.missing) output.line(style.yellow(`  missing  ${missing}`));
  if (one.held > 0) {
    output.line(
      style.yellow(`  held     ${plural(one.held, "outcome")}: headgate routing evidence held`),
    );
  }
  const { action, details, why } = one.remedy;
  output.line(
    `  ${one.missing.length === 0 ? "would do" : "would be"}  ${effectText({ action, ...details })}: ${showText(why)}`,
  );
};

export const verify: Command = {
  summary: "Prove that branch, file and store say the same",
  usage: ["routing verify"],
  options: {},
  examples: [["headgate routing verify", "exit 1 and a line for each disagreement"]],
  exits: [
    [0, "they agree"],
    [1, "they do not"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { output } = context;
    const found = await withRouting(context, "reading the history", ({ routing }) =>
      routing.verify(),
    );
    output.object(found);
    for (const { reviewer, problem } of found.disagreements) {
      output.line(`${output.style.red(showText(reviewer))}  ${showText(problem, 300)}`);
    }
    if (found.ok) output.line(`${plural(found.commits, "change")} on this branch; all agree`);
    else output.note("`headgate routing rebuild` follows the branch");
    return found.ok ? 0 : 1;
  },
};

export const rebuild: Command = {
  summary: "Make the store agree with the branch, from git alone",
  usage: ["routing rebuild"],
  description:
    "For a lost or restored store, and for overrides that people changed with git. Samples, proposals and " +
    "unblocking are not in git and do not come back: watches begin again.",
  options: {},
  examples: [["headgate routing rebuild", "after a lost store"]],
  positionalsMax: 0,
  run: async (context) => {
    const { output } = context;
    const done = await withRouting(context, "reading the history", ({ routing }) =>
      routing.rebuild(),
    );
    output.object({ ok: true, ...done });
    output.line(
      `${plural(done.commits, "change")} on this branch: ${done.added} added, ${done.corrected} corrected`,
    );
    return 0;
  },
};
