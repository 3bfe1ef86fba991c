import { plural, showText } from "../../base/text.ts";
import type { Considered, Triage } from "./types.ts";

/** Every considered reviewer with every term, as lines for a terminal. */
export const explainTriage = ({ slots, slotsWhy, considered, notes }: Triage): string[] => {
  const names = Math.max(8, ...considered.map(({ reviewer }) => Math.min(28, reviewer.length)));
  const lines = [`${plural(slots, "slot")}${slotsWhy === undefined ? "" : ` (${slotsWhy})`}`];
  for (const one of considered) {
    const name = showText(one.reviewer, 60).padEnd(names);
    lines.push(`${name}  ${one.score.toFixed(2).padStart(5)}  ${decisionText(one)}`);
    for (const { term, value, why } of one.terms) {
      const shown = value === 0 ? "" : (value > 0 ? "+" : "−") + Math.abs(value).toFixed(2);
      lines.push(`  ${term.padEnd(11)} ${shown.padStart(5)}  ${showText(why)}`);
    }
    if (one.except) lines.push(`  does not look at ${showText(one.except.join(", "))}`);
  }
  return [...lines, ...notes.map((note) => `Note: ${showText(note, 500)}`)];
};

const decisionText = ({ decision, kind }: Considered): string => {
  switch (decision.state) {
    case "chosen": {
      const floor = decision.floor === undefined ? "" : `, shown from ${decision.floor}`;
      return `asked, stage ${decision.stage}${floor}${kind === "static" ? ", takes no slot" : ""}`;
    }
    case "shadow":
      return `runs in shadow (probability ${decision.probability.toFixed(2)})`;
    case "left-out":
      return `not asked: ${showText(decision.why)}`;
  }
};
