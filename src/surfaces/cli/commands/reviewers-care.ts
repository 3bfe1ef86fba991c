import { plural, showText } from "../../../base/text.ts";
import type { PruneReport } from "../../../reviewers/index.ts";
import { noTerminal } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import {
  domainOption,
  domainsOf,
  knownDomains,
  namesOf,
  openReviewersFor,
} from "../reviewers-run.ts";
import { printReviewers } from "./reviewers-look.ts";

export const orphans: Command = {
  summary: "Show generated reviewers that no domain of the project needs",
  usage: ["reviewers orphans [--domain NAME…]"],
  options: { domain: domainOption },
  examples: [["headgate reviewers orphans --domain web-api", "all but those of web-api"]],
  positionalsMax: 0,
  run: async (context) => {
    const domains = await knownDomains(context);
    const reviewers = await openReviewersFor(context);
    const found = reviewers.orphans({ domains });
    context.output.object({ orphans: found });
    printReviewers(found, context.output);
    if (found.length === 0) context.output.note("no orphans");
    else context.output.note("`headgate reviewers prune` removes them");
    return 0;
  },
};

export const adopt: Command = {
  summary: "Enter files into the manifest that it does not know",
  usage: ["reviewers adopt [REVIEWER…]"],
  description:
    "For a lost manifest, renamed files and files copied from another project: they carry a marker in " +
    "their last line. A file without one is taken over only when it is named and a domain has a reviewer " +
    "of that name. Files are not changed.",
  options: {},
  examples: [["headgate reviewers adopt", "everything that carries a marker"]],
  exits: [
    [0, "done, also when there was nothing to do"],
    [1, "a named one was not adopted; the line says why"],
  ],
  positionalsMax: 1000,
  run: async (context) => {
    const { output } = context;
    const reviewers = await openReviewersFor(context);
    const report = await reviewers.adopt(namesOf(context));
    output.object(report);
    for (const { name, file } of report.adopted) output.line(`adopted  ${name}  ${showText(file)}`);
    for (const { name, why } of report.refused) {
      output.line(`${output.style.red("refused")}  ${showText(name, 64)}: ${why}`);
    }
    if (report.adopted.length + report.refused.length === 0) output.note("nothing to adopt");
    return report.refused.length > 0 ? 1 : 0;
  },
};

export const prune: Command = {
  summary: "Remove orphans, or generated reviewers by name",
  usage: [
    "reviewers prune [--domain NAME…] [--yes] [--dry-run]",
    "reviewers prune REVIEWER… [--yes] [--dry-run]",
  ],
  description:
    "Without names, the orphans that nobody changed; changed ones only by name. Files that Headgate did " +
    "not generate are refused.",
  options: {
    domain: domainOption,
    yes: { type: "boolean", short: "y", description: "Remove without asking" },
    "dry-run": { type: "boolean", description: "Only say what would be removed" },
  },
  examples: [
    ["headgate reviewers prune --domain web-api --dry-run", "what would go"],
    ["headgate reviewers prune fd-game-systems --yes", "this one"],
  ],
  exits: [
    [0, "done, also when there was nothing to do"],
    [1, "one was refused or could not be removed, or the answer was no"],
  ],
  positionalsMax: 1000,
  run: async (context) => {
    const { flags, output } = context;
    const named = namesOf(context);
    const domains = named.names ? domainsOf(context) : await knownDomains(context);
    const reviewers = await openReviewersFor(context);
    const options = { ...named, ...(domains && { domains }) };
    const planned = await reviewers.prune({ ...options, dryRun: true });
    const isAsked = !flags.has("dry-run") && !flags.has("yes") && planned.removed.length > 0;
    if (isAsked && !(await approve(planned, context))) return 1;
    const report = flags.has("dry-run") ? planned : await reviewers.prune(options);
    output.object(report);
    printPruned(report, context);
    return report.refused.length + report.failed.length > 0 ? 1 : 0;
  },
};

const approve = async (planned: PruneReport, context: CommandContext): Promise<boolean> => {
  printPruned(planned, context);
  const count = plural(planned.removed.length, "reviewer");
  const answer = await context.confirm(`Remove ${count}?`);
  if (answer !== undefined) return answer;
  throw noTerminal("remove", "headgate reviewers prune");
};

const printPruned = (report: PruneReport, { output }: CommandContext): void => {
  const verb = report.dryRun ? "would remove" : "removed";
  for (const { name, file } of report.removed) {
    output.line(`${verb}  ${name}  ${file === null ? "(its file was gone)" : showText(file)}`);
  }
  for (const { name, why } of report.left) output.line(`kept  ${name}: ${why}`);
  for (const { name, why } of report.refused) {
    output.line(`${output.style.red("refused")}  ${showText(name, 64)}: ${why}`);
  }
  for (const { name, reason } of report.failed) {
    output.line(`${output.style.red("failed")}  ${name}: ${reason}`);
  }
  if (report.removed.length === 0) output.note("nothing was removed");
};
