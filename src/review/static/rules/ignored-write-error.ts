import type { StaticRule } from "../rule.ts";

export const ignoredWriteError: StaticRule = {
  name: "ignored-write-error",
  severity: "P2",
  kind: "reliability",
  languages: ["go"],
  needs: /os\.(WriteFile|Rename|Truncate)|\.Commit\(\)|\.Sync\(\)|ioutil\.WriteFile/,
  skipsTests: true,
  why: "A write, rename or commit that failed looks like one that succeeded; what follows works with data that is not there.",
  fix: "Check the error and return it.",
  *check(file) {
    for (const call of file.calls) {
      if (
        !mustCheck.test(call.callee) &&
        !(call.name === "Commit" && /^(\w+\.)*tx$/i.test(call.receiver))
      )
        continue;
      const holder = call.node.parent;
      const isDropped =
        holder?.kind === "expression_statement" ||
        holder?.kind === "block" ||
        holder?.kind === "statement_list" ||
        (holder?.kind === "expression_list" &&
          /^_\s*=$/.test(file.text.slice(holder.parent?.from, holder.from).trim()));
      // On the way out with another error there is nothing left to do about it.
      const isOnTheWayOut = call.node
        .around("if_statement", "func_literal")
        ?.child("condition")
        ?.text.includes("err != nil");
      if (isDropped && !isOnTheWayOut && !file.hasRemark(call.node))
        yield { node: call.node, title: `the error of \`${call.callee}\` is ignored` };
    }
  },
};

const mustCheck = /^(os\.(WriteFile|Rename|Truncate)|ioutil\.WriteFile)$/;
