/** A synthesis as Markdown. Reviewers' words are escaped: they can neither add structure nor markup to it. */
import { plainLine, plainText } from "../plain-text.ts";
import { severities } from "../synthesis/normalise.ts";
import type { Cluster } from "../types.ts";
import {
  isSplit,
  percent,
  placeOf,
  placesLengthMax,
  summarise,
  type Summary,
  type SummaryInput,
  verificationText,
  votes,
} from "./summary.ts";

export const toMarkdown = (input: SummaryInput): string => {
  const { synthesis, title = "Review" } = input;
  const summary = summarise(input);
  const { counts, reports, inputDigest } = synthesis;
  const parts = [
    `# ${escape(title)}`,
    `**Verdict:** ${summary.headline}`,
    `## Executive summary\n\n${summary.sentences.map((one) => `- ${escape(one)}`).join("\n")}`,
    `## Validation\n\n${table(
      ["Reviewer", "Report", "Findings"],
      reports.map(({ reviewer, state, findings }) => [reviewer, state, String(findings)]),
    )}`,
    table(
      ["Raw", "Problems", ...severities, "Convergent", "To verify"],
      [
        [
          counts.raw,
          counts.clusters,
          ...severities.map((severity) => counts.bySeverity[severity]),
          counts.converged,
          counts.needsVerification,
        ].map(String),
      ],
    ),
    ...blockerParts(summary),
    ...(summary.others.length > 0 ? [`## Other problems\n\n${clusterTable(summary.others)}`] : []),
    ...(summary.refuted.length > 0
      ? [`## Refuted on a second look\n\n${clusterTable(summary.refuted)}`]
      : []),
    ...(summary.dismissed.length > 0
      ? [`## Dismissed before\n\n${clusterTable(summary.dismissed)}`]
      : []),
    ...convergenceParts(summary),
    ...uniqueParts(summary),
    `Input: \`${inputDigest}\``,
  ];
  return `${parts.join("\n\n")}\n`;
};

const blockerParts = ({ blockers }: Summary): string[] => {
  if (blockers.length === 0) return [];
  const parts = blockers.map(({ cluster, fix, text }, index) =>
    [
      `### ${index + 1}. ${escape(cluster.title)}`,
      [
        `- **Severity:** ${cluster.severity}${isSplit(cluster) ? ` (${votes(cluster)})` : ""}`,
        `- **Seen by:** ${escape(cluster.reviewers.join(", "))} · ${percent(cluster.probability)}`,
        ...(placeOf(cluster) ? [`- **Place:** ${escape(placeOf(cluster), placesLengthMax)}`] : []),
        ...(cluster.needsVerification ? ["- **To be verified first**"] : []),
        ...(cluster.verification
          ? [`- **Second look:** ${escape(verificationText(cluster) ?? "")}`]
          : []),
      ].join("\n"),
      ...(text === undefined ? [] : [quote(text)]),
      ...(fix === undefined ? [] : [`**Fix** (as proposed):\n\n${quote(fix)}`]),
    ].join("\n\n"),
  );
  return ["## Blockers", ...parts];
};

const convergenceParts = ({ converged, echoes }: Summary): string[] => [
  ...(converged.length > 0 ? [`## Convergence\n\n${clusterTable(converged)}`] : []),
  ...(echoes.length > 0
    ? [
        `## Agreement within one model family\n\nCopies of one model: one opinion.\n\n${clusterTable(echoes)}`,
      ]
    : []),
];

const uniqueParts = ({ unique }: Summary): string[] =>
  unique.length === 0
    ? []
    : [
        `## Unique contributions\n\n${unique
          .map(
            ({ reviewer, clusters }) =>
              `- **${escape(reviewer)}:** ${clusters
                .map(({ title, severity }) => `${escape(title)} (${severity})`)
                .join("; ")}`,
          )
          .join("\n")}`,
      ];

const clusterTable = (clusters: readonly Cluster[]): string =>
  table(
    ["", "Problem", "Place", "Seen by", "Probability"],
    clusters.map((cluster) => [
      cluster.severity,
      cluster.title,
      placeOf(cluster),
      cluster.reviewers.join(", "),
      percent(cluster.probability),
    ]),
  );

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${header.join(" | ")} |`,
    `|${header.map(() => " --- |").join("")}`,
    ...rows.map((row) => `| ${row.map((cell) => escape(cell, placesLengthMax)).join(" | ")} |`),
  ].join("\n");

/** `code` stays code; everything else that Markdown or HTML would read is taken literally. */
const escape = (text: string, lengthMax?: number): string => {
  const parts = plainLine(text, lengthMax).split("`");
  if (parts.length % 2 === 0) return escapeProse(parts.join("'"));
  return parts
    .map((part, index) =>
      index % 2 === 0 ? escapeProse(part) : part === "" ? "" : `\`${part.replaceAll("|", "\\|")}\``,
    )
    .join("");
};

const escapeProse = (text: string): string =>
  text
    .replace(/[\\*_[\]|~#]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    // A mention would call people, an address would become a link.
    .replaceAll("@", "@\u2060")
    .replace(/(https?):\/\//gi, "$1:\u2060//");

/** Several lines, as a code block whose fence is longer than any in the text. */
const quote = (text: string): string => {
  const plain = plainText(text, quoteLengthMax);
  const runs = [...plain.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(3, 1 + Math.max(0, ...runs)));
  return `${fence}text\n${plain}\n${fence}`;
};

const quoteLengthMax = 2000;
