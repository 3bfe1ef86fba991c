import type { StaticRule } from "../rule.ts";
import { assignedBefore, exactly } from "../texts.ts";

export const uncheckedScan: StaticRule = {
  name: "unchecked-scan",
  severity: "P2",
  kind: "reliability",
  languages: ["go"],
  needs: /bufio\.NewScanner|\.Next\(\)/,
  skipsTests: true,
  why: "The loop ends in the same way at the end of the data and at an error (a line over 64 KB, a lost connection): half of the data is taken for all of it.",
  fix: "After the loop check `Err()` and return it; for long lines give the scanner a larger buffer.",
  *check(file) {
    for (const call of file.calls) {
      const isScan = call.name === "Scan" && call.args.length === 0;
      const isNext = call.name === "Next" && /^rows?$/i.test(call.receiver);
      if ((!isScan && !isNext) || call.node.around("for_statement") === undefined) continue;
      const loop = call.node.parent;
      if (loop?.kind !== "for_statement" && loop?.kind !== "for_clause") continue;
      const scope = file.functionOf(call.node);
      const made = assignedHere(call.receiver, call.node, scope)?.text ?? "";
      if (
        isScan
          ? !made.startsWith("bufio.NewScanner(") ||
            /strings\.NewReader|bytes\.New(Reader|Buffer)/.test(made)
          : !/\.(Query|QueryContext|Queryx)\(/.test(made)
      )
        continue;
      const name = exactly(call.receiver);
      if (new RegExp(`\\b${name}\\.Err\\(\\)`).test(scope.text)) continue;
      // Handed on: whoever gets it may ask.
      if (new RegExp(`[(,]\\s*&?${name}\\s*[,)]`).test(scope.text)) continue;
      yield { node: call.node, title: `\`${call.receiver}.Err()\` is not asked after the loop` };
    }
  },
};

/** `rows, err := …` as well. */
const assignedHere: typeof assignedBefore = (name, use, scope) => {
  const alone = assignedBefore(name, use, scope);
  if (alone) return alone;
  const pair = scope
    .below("short_var_declaration", "assignment_statement")
    .filter(
      (node) =>
        node.from < use.from &&
        new RegExp(`^${exactly(name)}\\s*,`).test(node.child("left")?.text ?? ""),
    )
    .at(-1);
  return pair?.child("right")?.named[0];
};
