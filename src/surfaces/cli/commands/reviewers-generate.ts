import type { GenerateOptions, GenerateReport } from "../../../reviewers/index.ts";
import { noTerminal, usageError } from "../arguments.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import {
  domainOption,
  namesOf,
  openReviewersFor,
  requireDomains,
  showDiff,
} from "../reviewers-run.ts";

const words = "headgate reviewers generate";

export const command: Command = {
  summary: "Generate the reviewers that the project's domains have and it lacks",
  usage: [
    "reviewers generate [--domain NAME…] [REVIEWER…] [--update] [--strict] [--dry-run]",
    "reviewers generate [--domain NAME…] [REVIEWER…] --overwrite [--yes]",
  ],
  description:
    "What is there stays as it is. --update brings generated files up to date and keeps your changes by " +
    "a three-way merge; where both touch the same lines the file is left alone and named. --overwrite " +
    "replaces your changes, after showing them.",
  options: {
    domain: domainOption,
    update: { type: "boolean", description: "Merge newer texts into files that are there" },
    overwrite: { type: "boolean", description: "Replace changed files by the generated text" },
    strict: { type: "boolean", description: "All files or none" },
    "dry-run": { type: "boolean", description: "Show the diff; write nothing" },
    yes: { type: "boolean", short: "y", description: "Overwrite without asking" },
  },
  examples: [
    ["headgate reviewers generate --domain web-api --domain cli-tool", "what is missing"],
    ["headgate reviewers generate --domain web-api --update --dry-run", "look at an update"],
  ],
  exits: [
    [0, "everything asked for is there"],
    [1, "something failed, was skipped or is in conflict; the lines say what"],
    [4, "no domain that was named has a document"],
  ],
  positionalsMax: 1000,
  run: async (context) => {
    const { flags, output } = context;
    const domains = await requireDomains(context);
    const reviewers = await openReviewersFor(context);
    const dryRun = flags.has("dry-run");
    const options: GenerateOptions = {
      ...{ domains, ...namesOf(context), dryRun, strict: flags.has("strict") },
      ...{ update: flags.has("update"), overwrite: flags.has("overwrite") },
    };
    refuseUnknown(options.names, domains, reviewers.library);
    if (flags.has("overwrite") && !flags.has("yes") && !dryRun) {
      const planned = await reviewers.generate({ ...options, dryRun: true });
      if (!(await approve(planned, context))) return 1;
    }
    const report = await reviewers.generate(options);
    output.object(report);
    const isShown = dryRun || report.done.some(({ action }) => action !== "create");
    if (isShown) await showDiff(report.diff, context);
    for (const line of report.messages) output.line(line);
    return exitOf(report, context);
  },
};

type Library = Awaited<ReturnType<typeof openReviewersFor>>["library"];

const refuseUnknown = (
  names: readonly string[] | undefined,
  domains: readonly string[],
  library: Library,
): void => {
  const known = domains.flatMap((domain) => {
    const found = library.domain(domain);
    return found.state === "found" ? found.document.reviewers.map(({ name }) => name) : [];
  });
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined || known.length === 0) return;
  throw usageError(`these domains have ${known.join(", ")}, not ${unknown}`, words);
};

const approve = async (planned: GenerateReport, context: CommandContext): Promise<boolean> => {
  if (!planned.done.some(({ action }) => action === "overwrite")) return true;
  await showDiff(planned.diff, context);
  const answer = await context.confirm("Replace these changes?");
  if (answer !== undefined) return answer;
  throw noTerminal("write", words);
};

const exitOf = (report: GenerateReport, { output }: CommandContext): ExitCode => {
  if (!report.noDomain) return report.ok ? 0 : 1;
  output.note("no document for any of these domains; `headgate profile` says what is detected");
  return 4;
};
