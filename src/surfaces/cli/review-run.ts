/** What people and programs are told of a review while it runs and when it is done. */
import { plural, showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import {
  explainTriage,
  readSubject,
  type ReviewOutcome,
  type ReviewWatch,
} from "../../review/index.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { citedSources, formatOf, isOver, synthesisText } from "./review-output.ts";

export { explainTriage } from "../../review/index.ts";

/** One line when a reviewer begins and one when it is done; who waits long hears from it in between. */
export const watchFor = ({ output, signal, flags }: CommandContext): ReviewWatch => {
  const told = new Map<string, number>();
  return {
    signal,
    onBegin: (review) => output.note(`headgate: review ${review}`),
    onTriage: (triage, subject, answered) => {
      const chosen = triage.considered.filter(({ decision }) => decision.state === "chosen");
      const shadows = triage.considered.filter(({ decision }) => decision.state === "shadow");
      const before = new Set(answered);
      const names = chosen
        .flatMap(({ reviewer }) => (before.has(reviewer) ? [] : [reviewer]))
        .join(", ");
      output.note(`headgate: ${showText(subject.name)}, ${plural(subject.files.length, "file")}`);
      output.note(`headgate: asking ${showText(names) || "nobody"}`);
      if (answered.length > 0)
        output.note(`headgate: answered before: ${showText(answered.join(", "))}`);
      if (shadows.length > 0) {
        const watched = shadows.map(({ reviewer }) => reviewer).join(", ");
        output.note(`headgate: in shadow, for the canary: ${showText(watched)}`);
      }
      for (const note of triage.notes) output.note(`headgate: ${showText(note)}`);
      if (flags.has("explain")) for (const line of explainTriage(triage)) output.note(line);
    },
    onProgress: ({ phase, reviewer, slice, state, elapsedMs, outputTokens, costUsd, why }) => {
      const key = `${phase} ${reviewer} ${slice}`;
      const quietUntil = told.get(key) ?? 0;
      if (state === "running" && elapsedMs > 0 && elapsedMs < quietUntil) return;
      told.set(key, elapsedMs + 10_000);
      const facts = [
        `${(elapsedMs / 1000).toFixed(1)} s`,
        ...(outputTokens === undefined ? [] : [`${outputTokens} tokens`]),
        ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
        ...(why === undefined ? [] : [showText(why)]),
      ];
      const who = phase === "review" ? reviewer : `second look ${slice}`;
      output.note(`headgate: ${showText(who).padEnd(20)} ${state.padEnd(10)} ${facts.join(" · ")}`);
    },
  };
};

export const printOutcome = (
  outcome: ReviewOutcome,
  context: CommandContext,
  headgate: Headgate,
): ExitCode => {
  const { output, flags } = context;
  const { id, synthesis, findings, triage, totals, notes, kept, subject, isInterrupted } = outcome;
  const format = formatOf(flags.text("format"), output);
  if (isInterrupted) {
    output.object({ ok: false, code: "INTERRUPTED", review: id });
    output.note(`headgate: interrupted; ${plural(totals.answered, "answer")} kept`);
    output.note(`  → go on with: headgate review resume ${id}`);
    return 130;
  }
  const isPlaced = format === "sarif" || format === "rdjson";
  const sources = isPlaced ? citedSources(findings, headgate.repository.worktree) : undefined;
  if (format === "json") {
    const { considered, slots } = triage;
    output.print(
      `${JSON.stringify({
        ...{ ok: true, review: id, subject: summaryOf(subject), ...synthesis },
        ...{ triage: { slots, considered }, totals, notes },
        findings,
        ...(kept && {
          ledger: [...kept.byCluster].map(([cluster, finding]) => ({
            cluster,
            finding: finding.id,
            state: kept.states.get(finding.id) ?? finding.state,
          })),
          fixed: kept.fixed.map((finding) => finding.id),
        }),
      })}\n`,
    );
  } else {
    const title = `Review of ${subject.name}`;
    output.print(
      synthesisText({
        ...{ synthesis, findings, format, title },
        ...(sources && { sources }),
        ...(kept && { ledger: kept }),
      }),
    );
  }
  if (format === "term") printLedger(outcome, context);
  return isOver(synthesis, flags.text("fail-on")) ? 1 : 0;
};

const summaryOf = ({ kind, name, base, head, files, digest }: ReviewOutcome["subject"]) => ({
  ...{ kind, name, base, head, digest, files: files.map(({ path }) => path) },
});

const printLedger = (
  { id, kept, totals, notes }: ReviewOutcome,
  { output }: CommandContext,
): void => {
  const { dim } = output.style;
  for (const note of notes) output.line(dim(showText(note)));
  const states = [...(kept?.states.values() ?? [])];
  const counts = ["new", "persisting", "regressed", "accepted", "dismissed"].flatMap((state) => {
    const count = states.filter((one) => one === state).length;
    return count > 0 ? [`${count} ${state}`] : [];
  });
  const fixed = kept?.fixed.length ?? 0;
  const over = [...counts, ...(fixed > 0 ? [`${fixed} fixed since`] : [])];
  if (over.length > 0) output.line(`Findings: ${over.join(", ")}`);
  const cost = totals.asked === 0 ? "" : ` · ${totals.inputTokens + totals.outputTokens} tokens`;
  const usd = totals.costUsd > 0 ? ` · $${totals.costUsd.toFixed(4)}` : "";
  output.line(dim(`review ${id}${cost}${usd} · headgate findings list --review ${id}`));
};

export const treeDigest = async (
  { repository }: Headgate,
  { environment }: CommandContext,
): Promise<string> => (await readSubject({}, { repository, environment })).digest;
