import type { StaticRule } from "../rule.ts";

export const deferInLoop: StaticRule = {
  name: "defer-in-loop",
  severity: "P2",
  kind: "reliability",
  languages: ["go"],
  needs: /\bdefer\b/,
  skipsTests: true,
  why: "A deferred call runs when the function ends, not the turn: files and locks pile up over all turns, and a lock taken again in the next turn waits for itself.",
  fix: "Move the body of the loop into a function of its own, or release at the end of each turn.",
  *check(file) {
    for (const node of file.of("defer_statement")) {
      // Deeper inside, in a branch or a `select`, it is often reached once.
      let loop = node.parent;
      while (loop && /^(block|statement_list)$/.test(loop.kind)) loop = loop.parent;
      if (loop?.kind !== "for_statement") continue;
      // A loop that is left right after it has no second turn.
      const block = node.parent;
      const last = block?.named.at(-1);
      if (last && /^(return_statement|break_statement)$/.test(last.kind)) continue;
      yield { node, title: "a `defer` in a loop waits for the end of the function" };
    }
  },
};
