/** What every `findings` command needs: its filters, and how a finding is shown. */
import { showText } from "../../base/text.ts";
import type { FindingFilter, FindingState, LedgerFinding, Severity } from "../../review/index.ts";
import type { Flags, Option } from "./command.ts";
import type { Output, Style } from "./output.ts";

export const states: readonly FindingState[] = [
  "new",
  "regressed",
  "persisting",
  "accepted",
  "fixed",
  "dismissed",
];
const severities: readonly Severity[] = ["P0", "P1", "P2", "P3"];

export const filterOptions: Readonly<Record<string, Option>> = {
  state: {
    type: "string",
    multiple: true,
    value: "STATE",
    choices: [...states, "open", "all"],
    description: "new, regressed, persisting, accepted, fixed, dismissed, open (default), all",
  },
  severity: {
    type: "string",
    multiple: true,
    value: "SEVERITY",
    choices: severities,
    description: "P0, P1, P2, P3; may be repeated",
  },
  path: { type: "string", value: "PATH", description: "In this file, or below this folder" },
  reviewer: { type: "string", value: "NAME", description: "Reported by this reviewer" },
  review: { type: "string", value: "ID", description: "Seen by this review" },
};

/** Open is what nobody settled: neither fixed nor dismissed. */
export const filterOf = (flags: Flags): FindingFilter => {
  const named = flags.texts("state");
  const chosen = new Set(
    (named.length > 0 ? named : ["open"]).flatMap((word) => {
      if (word === "all") return states;
      return word === "open" ? states.slice(0, 4) : [word as FindingState];
    }),
  );
  const severity = flags.texts("severity") as Severity[];
  const path = flags.text("path")?.replace(/^(?:\.\/)+/, "");
  const reviewer = flags.text("reviewer");
  const review = flags.text("review");
  return {
    state: states.filter((state) => chosen.has(state)),
    ...(severity.length > 0 && { severity }),
    ...(path !== undefined && path !== "." && { path }),
    ...(reviewer !== undefined && { reviewer }),
    ...(review !== undefined && { review }),
  };
};

export const placeText = ({ path, line }: Pick<LedgerFinding, "path" | "line">): string =>
  path === null ? "" : `${showText(path)}${line === null ? "" : `:${line}`}`;

export const paintState = (state: FindingState, style: Style): string => {
  if (state === "fixed" || state === "accepted") return style.green(state);
  if (state === "dismissed") return style.dim(state);
  return state === "regressed" ? style.red(state) : style.yellow(state);
};

export const paintSeverity = (severity: Severity, style: Style): string =>
  severity < "P2" ? style.red(severity) : style.yellow(severity);

/** One line each: enough to choose. */
export const findingLine = (finding: LedgerFinding, { style, width }: Output): string => {
  const { id, severity, state, title, reviewers } = finding;
  const place = placeText(finding);
  const who = reviewers.map((name) => showText(name, 40)).join(", ");
  return [
    `${style.bold(id)}  ${paintSeverity(severity, style)}  ${paintState(state, style)}  ${showText(title, Math.max(40, width - 20))}`,
    `    ${style.dim([place, who].filter(Boolean).join("  "))}`,
  ].join("\n");
};
