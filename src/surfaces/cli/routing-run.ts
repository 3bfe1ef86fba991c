/** What every `routing` command needs: the room, and its facts as lines. */
import { plural, showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import type { Canary, ChangeOutcome, Proposal, RoutingStatus } from "../../routing/index.ts";
import { changeWords, effectText } from "../routing-words.ts";
import { usageError } from "./arguments.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { openFor } from "./open-for.ts";
import type { Output } from "./output.ts";
import { withProgress } from "./progress.ts";
import { alignedLines } from "./table.ts";

/** Opens the repository and does one thing with its routing; says what runs when it takes longer. */
export const withRouting = async <T>(
  context: CommandContext,
  what: string,
  work: (headgate: Headgate) => Promise<T>,
): Promise<T> => {
  await using headgate = await openFor(context, { readOnly: false });
  // Awaited here: the end of this block closes it.
  return await withProgress({ output: context.output, what }, () => work(headgate));
};

/** The only positional argument, or a usage error that says what is missing. */
export const requireWord = (
  { positionals }: CommandContext,
  name: string,
  words: string,
  index = 0,
): string => {
  const word = positionals[index];
  if (word === undefined || word === "") throw usageError(`${name} is missing`, words);
  return word;
};

export const printProposal = (proposal: Proposal, { output }: CommandContext): void => {
  const { id, reviewer, state, reason, support } = proposal;
  output.line(`${id}  ${reviewer}: ${effectText(proposal)}  ${state}`);
  if (reason !== "") output.line(`  because  ${showText(reason, 300)}`);
  if (support.outcomes > 0) {
    output.line(
      `  evidence ${support.wrong} of ${plural(support.outcomes, "finding")}, e-value ${support.eValue}, ` +
        `${plural(support.sessions, "session")}, ${plural(support.changes, "change")}`,
    );
  }
  for (const note of support.notes)
    output.line(output.style.yellow(`  note     ${showText(note, 300)}`));
};

/** What a change of the overrides came to; exit code 0 also when somebody else was first. */
export const printChange = (outcome: ChangeOutcome, { output }: CommandContext): void => {
  const { what, how, left } = changeWords(outcome);
  output.line(how === undefined ? what : `${what}  ${output.style.dim(how)}`);
  for (const note of left) output.note(`headgate: ${note}`);
};

export const changeJson = (outcome: ChangeOutcome): object =>
  outcome.done
    ? { ok: true, done: true, ...outcome.change }
    : { ok: true, done: false, why: outcome.why, ...(outcome.by && { by: outcome.by }) };

const percent = (share: number): string =>
  `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

const colourOf = (output: Output, state: Canary["state"]): ((text: string) => string) => {
  if (state === "ALERT") return output.style.red;
  if (state === "PASS") return output.style.green;
  return state === "MONITORING" ? (text) => text : output.style.yellow;
};

/** "n more clean shadows to pass", the estimate with its interval, and how it came about. */
export const canaryLines = (canary: Canary, output: Output): string[] => {
  const { reviewer, state, shadows, losses, needed, rate, sparkline, escapes } = canary;
  const seen = `${plural(shadows, "shadow")}, ${plural(losses, "loss", "losses")}`;
  const paint = colourOf(output, state);
  const lines = [
    `${reviewer}  ${paint(state)}  ${seen}${sparkline === "" ? "" : `  ${sparkline}`}`,
    `  loses ${percent(rate.estimate)} of reviews (95 %: ${percent(rate.low)} to ${percent(rate.high)}), ` +
      `alarm ${showNumber(canary.alarm)}, clear ${showNumber(canary.clear)}`,
  ];
  if (escapes > 0) lines.push(`  ${plural(escapes, "defect")} escaped under the override`);
  lines.push(`  ${nextStep(canary, needed)}`);
  return lines;
};

const nextStep = (
  { state, reviewer, expiresAt, isExtended }: Canary,
  needed: number | null,
): string => {
  const until = `until ${expiresAt.slice(0, 10)}`;
  if (state === "ALERT") return `take it back: headgate routing revert ${reviewer}`;
  if (state === "PASS") return "passed; one review in twenty is still shadowed";
  if (state === "INCONCLUSIVE") {
    const more = isExtended ? "" : `headgate routing canary extend ${reviewer}, or `;
    return `time or shadows are used up: ${more}headgate routing revert ${reviewer}`;
  }
  return needed === null
    ? `cannot pass any more; watched ${until}`
    : `${plural(needed, "more clean shadow")} to pass, ${until}`;
};

const showNumber = (value: number): string =>
  value >= 1000 ? value.toExponential(1) : value.toFixed(2);

export const printStatus = (status: RoutingStatus, { output }: CommandContext): void => {
  const { style } = output;
  const section = (title: string): void => output.line(style.bold(title));
  if (status.problem !== undefined) output.line(style.red(showText(status.problem, 400)));
  if (!status.autonomy.isOn) {
    output.line(style.red(`Autonomy is off: ${showText(status.autonomy.why ?? "", 300)}`));
    output.line("  a person approves, applies and reverts; headgate routing autonomy on");
  }
  if (status.overrides.length > 0) {
    section("Overrides");
    const rows = status.overrides.map((one) => [
      `  ${one.reviewer}`,
      effectText(one) +
        (one.vanished ? " (nobody is called so any more)" : one.expired ? " (expired)" : ""),
      one.commit === null ? "by hand" : one.commit.slice(0, 10),
      showText(one.reason, 80),
    ]);
    for (const line of alignedLines(rows, (cell, column) =>
      column === 3 ? style.dim(cell) : cell,
    )) {
      output.line(line);
    }
  }
  if (status.canaries.length > 0) {
    section("Canaries");
    for (const canary of status.canaries) {
      for (const line of canaryLines(canary, output)) output.line(`  ${line}`);
    }
  }
  if (status.proposals.length > 0) {
    section("Proposals");
    for (const one of status.proposals) {
      output.line(
        `  ${one.id}  ${one.reviewer}: ${effectText(one)}  ${one.state}, by ${showText(one.proposer, 60)}`,
      );
    }
  }
  if (status.probes.length > 0) {
    section("Planted faults");
    for (const { summary, pValue } of status.probes)
      output.line(`  ${summary}, p = ${pValue.toFixed(3)}`);
  }
  printBlacklist(status.blacklist, output);
  if (status.held > 0) {
    output.line(
      style.yellow(
        `${plural(status.held, "outcome")} held, not counted yet: headgate routing evidence held`,
      ),
    );
  }
  if (status.unfinished > 0) {
    output.line(
      style.yellow(
        `${plural(status.unfinished, "change")} not finished: somebody is at it, or try again`,
      ),
    );
  }
  const isEmpty =
    status.overrides.length +
      status.proposals.length +
      status.blacklist.length +
      status.canaries.length ===
    0;
  if (isEmpty && status.problem === undefined) {
    output.note(
      status.evidence === 0
        ? "no overrides, and nothing is known of findings yet"
        : `no overrides; ${plural(status.evidence, "outcome")}${status.evidence >= 10_000 ? " or more" : ""} known: headgate routing patterns`,
    );
  }
};

export const printBlacklist = (list: RoutingStatus["blacklist"], output: Output): void => {
  if (list.length === 0) return;
  output.line(output.style.bold("Blacklist"));
  for (const { pattern, at, reason } of list) {
    output.line(
      `  ${pattern}  since ${at.slice(0, 10)}  ${output.style.dim(showText(reason, 100))}`,
    );
  }
};

/** 4 when there was nothing to take back and it is not on the blacklist either. */
export const revertExit = (outcome: ChangeOutcome, isBlacklisted: boolean): ExitCode =>
  outcome.done || isBlacklisted ? 0 : 4;
