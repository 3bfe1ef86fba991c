import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { ListedReviewer } from "../../../reviewers/index.ts";
import type { Ledger } from "../../../review/index.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";
import {
  domainOption,
  namedOrCachedDomains,
  namesOf,
  openReviewersFor,
  showDiff,
} from "../reviewers-run.ts";
import { alignedLines } from "../table.ts";

export const list: Command = {
  summary: "Show built-in, generated and own reviewers",
  usage: ["reviewers list [--domain NAME]… [--unused]"],
  description:
    "Where reviews were held, with how often and when each was last used. Reviewers that the project's domains " +
    "have and the project lacks are shown as missing, and generated ones of other domains as orphans. The " +
    "domains are those named with --domain, else those of the cached profile (`headgate profile` makes one).",
  options: {
    domain: domainOption,
    unused: { type: "boolean", description: "Only those that no review has used yet" },
  },
  examples: [
    ["headgate reviewers list", "all of them"],
    ["headgate reviewers list --unused", "who was never asked"],
    ["headgate reviewers list --domain web-api --json", "for programs: {reviewers: […]}"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const reviewers = await openReviewersFor(context);
    const domains = await namedOrCachedDomains(context);
    const uses = await usesOf(context);
    const all = reviewers.list({ ...(domains && { domains }), ...(uses.size > 0 && { uses }) });
    const isUnused = context.flags.has("unused");
    const listed = isUnused ? all.filter(({ name }) => !uses.has(name)) : all;
    context.output.object({ reviewers: listed });
    printReviewers(listed, context.output);
    if (isUnused && listed.length === 0) context.output.note("all were used");
    return 0;
  },
};

/** From the ledger; none while nothing was ever stored. A store that is down does not hide the reviewers. */
const usesOf = async (context: CommandContext): ReturnType<Ledger["uses"]> => {
  try {
    await using headgate = await openFor(context, { readOnly: true });
    return await (await headgate.ledger()).uses();
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.entry.kind !== "unavailable") throw error;
    context.output.note(`headgate: how often they were used is not known: ${error.message}`);
    return new Map();
  }
};

export const diff: Command = {
  summary: "Show what an update would change, or what you changed",
  usage: ["reviewers diff [REVIEWER…] [--own]"],
  options: {
    own: { type: "boolean", description: "What people changed since the files were generated" },
  },
  examples: [
    ["headgate reviewers diff", "what `generate --update` would change"],
    ["headgate reviewers diff fd-endpoint-contract --own", "your changes to this one"],
  ],
  exits: [
    [0, "everything is up to date; with --own always"],
    [3, "a newer text is there"],
  ],
  positionalsMax: 1000,
  run: async (context) => {
    const reviewers = await openReviewersFor(context);
    const own = context.flags.has("own");
    const report = await reviewers.diff({ ...namesOf(context), own });
    const { output } = context;
    output.object(report);
    await showDiff(report.diff, context);
    for (const name of report.conflicts) {
      output.line(`${output.style.yellow("conflict")}  ${name}: changed in the same lines`);
    }
    const isCurrent = report.outdated.length + report.conflicts.length === 0;
    if (report.diff === "" && isCurrent) {
      output.note(own ? "nothing was changed" : "everything is up to date");
    }
    return isCurrent ? 0 : 3;
  },
};

export const printReviewers = (listed: readonly ListedReviewer[], output: Output): void => {
  const { style } = output;
  const hasUses = listed.some(({ uses }) => uses !== undefined);
  const rows = listed.map((one) => [
    showText(one.name, 64),
    one.orphan === undefined ? one.state : "orphan",
    one.domain ?? "",
    ...(hasUses ? [`${one.uses ?? 0}×`, one.lastUsedAt?.slice(0, 10) ?? "never"] : []),
    remarkOf(one),
  ]);
  const colours: Readonly<Record<string, (text: string) => string>> = {
    orphan: style.yellow,
    missing: style.yellow,
    unregistered: style.yellow,
    pristine: style.green,
    customised: style.cyan,
  };
  const paint = (cell: string, column: number): string => {
    if (column === 0) return style.bold(cell);
    return column === 1 ? (colours[cell] ?? style.dim)(cell) : cell;
  };
  for (const line of alignedLines(rows, paint)) output.line(line);
};

const remarkOf = (one: ListedReviewer): string => {
  const remarks: string[] = [];
  if (one.orphan !== undefined) remarks.push(one.orphan);
  if (one.renamedFrom !== undefined) remarks.push(`now in ${showText(one.file ?? "", 80)}`);
  if (one.outdated) remarks.push("a newer text is there");
  return remarks.join("; ");
};
