import { plural, showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import type { LedgerFinding, MissedJudgement, Sighting } from "../../../review/index.ts";
import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import {
  filterOf,
  filterOptions,
  findingLine,
  paintSeverity,
  paintState,
  placeText,
} from "../findings-run.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";

export const list: Command = {
  summary: "Show findings, most severe first",
  usage: [
    "findings list [--state STATE]… [--severity P0|P1|P2|P3]… [--path PATH] [--reviewer NAME] [--review ID] [--limit N]",
  ],
  options: {
    ...filterOptions,
    limit: { type: "string", value: "N", description: "At most N (default 100)" },
  },
  examples: [
    ["headgate findings list --severity P0 --severity P1", "what stops a release"],
    ["headgate findings list --state all --path src/store --json", "for programs: {findings: […]}"],
  ],
  exits: [
    [0, "shown, also when there are none"],
    [4, "no such review"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    await using headgate = await openFor(context, { readOnly: false });
    const limit = flags.integer("limit", { min: 1, max: 10_000 }) ?? 100;
    const ledger = await headgate.ledger();
    const unread = await noticeCommits(headgate, output);
    const found = await ledger.findings({ ...filterOf(flags), limit: limit + 1 });
    const findings = found.slice(0, limit);
    output.object({ findings, more: found.length > limit, ...unread });
    for (const finding of findings) output.line(findingLine(finding, output));
    if (findings.length === 0) output.note("no such findings (--state all shows settled ones too)");
    if (found.length > limit) output.note(`more than ${limit}; --limit N shows them`);
    return 0;
  },
};

/** A list that cannot be kept up to date is still a list. */
const noticeCommits = async (
  { review }: Headgate,
  output: Output,
): Promise<{ readonly notJudged?: readonly MissedJudgement[] }> => {
  try {
    await review.notice();
    return {};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    output.note(`headgate: later commits were not looked at: ${showText(why)}`);
    return { notJudged: [{ what: "later commits", where: "HEAD", why: showText(why) }] };
  }
};

export const show: Command = {
  summary: "Show one finding with everyone who reported it",
  usage: ["findings show ID"],
  options: {},
  examples: [["headgate findings show fi_01k9 --json", "for programs: {finding, sightings: […]}"]],
  exits: [
    [0, "shown"],
    [4, "no such finding, or several"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { output, positionals } = context;
    const [id] = positionals;
    if (id === undefined) throw usageError("give the id of a finding", "headgate findings show");
    await using headgate = await openFor(context, { readOnly: true });
    const { finding, sightings } = await (await headgate.ledger()).finding(id);
    output.object({ finding, sightings });
    if (!output.json) printFinding(finding, sightings, output);
    return 0;
  },
};

const printFinding = (
  finding: LedgerFinding,
  sightings: readonly Sighting[],
  output: Output,
): void => {
  const { style } = output;
  const { id, severity, state, title, body, rule, decision, addressedBy } = finding;
  output.line(`${style.bold(id)}  ${paintSeverity(severity, style)}  ${paintState(state, style)}`);
  output.line(style.bold(showText(title, 400)));
  const place = placeText(finding);
  if (place) output.line(`${place}${rule === null ? "" : `  ${style.dim(showText(rule, 100))}`}`);
  if (body !== undefined) {
    output.line("");
    for (const line of body.split("\n").slice(0, bodyLinesMax))
      output.line(`  ${showText(line, 400)}`);
    output.line("");
  }
  if (decision) {
    const why = [decision.reason, decision.note].filter((part) => part !== null).join(": ");
    output.line(
      `${state} by ${showText(decision.by, 60)} at ${decision.at}${why ? ` (${showText(why, 400)})` : ""}`,
    );
  }
  if (addressedBy !== null) output.line(`addressed by commit ${addressedBy.slice(0, 12)}`);
  const reviews = new Set(sightings.map(({ review }) => review)).size;
  output.line(
    `seen in ${plural(reviews, "review")}, first ${finding.firstSeenAt}, last ${finding.lastSeenAt}:`,
  );
  for (const one of sightings.slice(-sightingsMax)) {
    const said = one.title === title ? "" : `  "${showText(one.title, 100)}"`;
    output.line(
      `  ${one.review}  ${showText(one.reviewer, 40)}  ${one.severity ?? "--"}  ${one.state}${said}`,
    );
  }
};

const bodyLinesMax = 60;
const sightingsMax = 30;
