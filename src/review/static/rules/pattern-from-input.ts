import type { StaticRule } from "../rule.ts";
import { requestDataIn } from "../request-data.ts";

export const patternFromInput: StaticRule = {
  name: "pattern-from-input",
  severity: "P2",
  kind: "security",
  languages: ["python", "script"],
  needs: /RegExp|\bre\.|glob/,
  skipsTests: true,
  why: "Whoever sends the pattern chooses how long it runs: nested repetitions keep one core busy for minutes, and a glob can walk the whole disk.",
  fix: "Escape the text and look for it literally, or use an engine that runs in linear time; limit length and number of matches.",
  *check(file) {
    for (const call of file.calls) {
      const isPattern =
        /^(RegExp|glob|globSync)$/.test(call.callee) ||
        /^(re\.(compile|match|search|sub|findall|fullmatch|split|finditer)|glob\.i?glob)$/.test(
          call.callee,
        );
      const pattern = call.args[0];
      if (!isPattern || !pattern) continue;
      const source = requestDataIn(pattern, file);
      if (source !== undefined && !/escape/i.test(pattern.text))
        yield { node: call.node, title: `a pattern comes from \`${source}\`` };
    }
  },
};
