import type { DismissReason, Ledger, LedgerFinding } from "../../../review/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { findingLine } from "../findings-run.ts";
import { openFor } from "../open-for.ts";

const reasons = [
  "wrong",
  "not-applicable",
  "deprioritized",
  "stale",
  "severity",
  "duplicate",
] as const;

export const accept: Command = {
  summary: "Say that findings are right",
  usage: ["findings accept ID… [--note TEXT]"],
  description:
    "Counts for the reviewers that reported it. It stays accepted until a review does not see it any more; " +
    "what is fixed already stays fixed.",
  options: { note: { type: "string", value: "TEXT", description: "Kept with the decision" } },
  examples: [["headgate findings accept fi_01k9", "it is right; we shall fix it"]],
  exits: [
    [0, "done, also when it was decided so before"],
    [4, "no such finding, or several; nothing was changed for it"],
  ],
  positionalsMax: 1000,
  run: (context) => decideAll(context, (ledger, id) => ledger.accept(id, noteOf(context))),
};

export const dismiss: Command = {
  summary: "Say that findings need no change, and why",
  usage: [`findings dismiss ID… --reason ${reasons.join("|")} [--note TEXT]`],
  description:
    "It stays dismissed when a review reports it again. The reason decides what it says about the reviewer: wrong, " +
    "not-applicable here, deprioritized (right, but not now), stale (about old code), severity (right, but graded too high), " +
    "duplicate.",
  options: {
    reason: {
      type: "string",
      value: "REASON",
      choices: reasons,
      description: reasons.join(", "),
    },
    note: { type: "string", value: "TEXT", description: "Kept with the decision" },
  },
  examples: [
    [
      "headgate findings dismiss fi_01k9 --reason wrong --note 'the caller holds the lock'",
      "with a note",
    ],
  ],
  exits: [
    [0, "done, also when it was decided so before"],
    [2, "no reason was given"],
    [4, "no such finding, or several; nothing was changed for it"],
  ],
  positionalsMax: 1000,
  run: async (context) => {
    const reason = context.flags.text("reason");
    if (reason === undefined) {
      throw usageError(`say why: --reason ${reasons.join("|")}`, "headgate findings dismiss");
    }
    const decision = { reason: reason as DismissReason, ...noteOf(context) };
    return decideAll(context, (ledger, id) => ledger.dismiss(id, decision));
  },
};

const noteOf = ({ flags }: CommandContext): { readonly note?: string } => {
  const note = flags.text("note");
  return note === undefined ? {} : { note };
};

const decideAll = async (
  context: CommandContext,
  work: (ledger: Ledger, id: string) => Promise<LedgerFinding>,
): Promise<ExitCode> => {
  const { output, positionals } = context;
  if (positionals.length === 0) throw usageError("give the id of a finding", "headgate findings");
  await using headgate = await openFor(context, { readOnly: false });
  const ledger = await headgate.ledger();
  // An unknown id must not leave half of them decided.
  for (const id of positionals) await ledger.finding(id);
  const findings: LedgerFinding[] = [];
  for (const id of positionals) findings.push(await work(ledger, id));
  output.object({ findings });
  for (const finding of findings) output.line(findingLine(finding, output));
  return 0;
};
