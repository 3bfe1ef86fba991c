/** A synthesis as plain text for a terminal; colour, if any, is added by the surface. */
import { plainLine } from "../plain-text.ts";
import type { Cluster } from "../types.ts";
import {
  isSplit,
  percent,
  placeOf,
  placesLengthMax,
  summarise,
  type SummaryInput,
  verificationText,
  votes,
} from "./summary.ts";

export const toText = (input: SummaryInput): string => {
  const { synthesis } = input;
  const summary = summarise(input);
  const width = Math.max(8, ...synthesis.reports.map(({ reviewer }) => plainLine(reviewer).length));
  const lines = [
    `Verdict: ${summary.headline}`,
    ...summary.sentences.map((sentence) => `  ${sentence}`),
    "",
    "Reports",
    ...synthesis.reports.map(
      ({ reviewer, state, findings }) =>
        `  ${plainLine(reviewer).padEnd(width)}  ${state.padEnd(9)}  ${findings}`,
    ),
  ];
  if (summary.blockers.length > 0) {
    lines.push("", "Blockers");
    for (const { cluster, fix } of summary.blockers) {
      lines.push(...clusterLines(cluster));
      if (fix !== undefined) lines.push(`      fix: ${plainLine(fix, 200)}`);
    }
  }
  if (summary.others.length > 0)
    lines.push("", "Other problems", ...summary.others.flatMap(clusterLines));
  if (summary.refuted.length > 0)
    lines.push("", "Refuted on a second look", ...summary.refuted.flatMap(clusterLines));
  if (summary.dismissed.length > 0)
    lines.push("", "Dismissed before", ...summary.dismissed.flatMap(clusterLines));
  if (summary.converged.length > 0) {
    lines.push("", "Convergence");
    for (const { title, reviewers, independent } of summary.converged) {
      lines.push(`  ${reviewers.length} (${independent} independent)  ${plainLine(title, 100)}`);
    }
  }
  if (summary.unique.length > 0) {
    lines.push("", "Unique contributions");
    for (const { reviewer, clusters } of summary.unique) {
      lines.push(
        `  ${plainLine(reviewer)}: ${clusters.map(({ title }) => plainLine(title, 60)).join("; ")}`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
};

const clusterLines = (cluster: Cluster): string[] => {
  const { severity, title, reviewers, probability, needsVerification } = cluster;
  const place = placeOf(cluster);
  const looked = verificationText(cluster);
  const notes = [
    percent(probability),
    reviewers.map((name) => plainLine(name)).join(", "),
    ...(isSplit(cluster) ? [votes(cluster)] : []),
    ...(needsVerification ? ["verify first"] : []),
  ];
  return [
    `  ${severity}  ${plainLine(title, 160)}`,
    `      ${place ? `${plainLine(place, placesLengthMax)} · ` : ""}${notes.join(" · ")}`,
    ...(looked === undefined ? [] : [`      ${plainLine(looked, 200)}`]),
  ];
};
