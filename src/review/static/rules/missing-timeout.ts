import type { StaticRule } from "../rule.ts";

export const missingTimeout: StaticRule = {
  name: "missing-timeout",
  severity: "P2",
  kind: "reliability",
  languages: ["python", "go"],
  needs: /requests\.|urlopen|http\.(Get|Post|Head|Client|DefaultClient)/,
  skipsTests: true,
  why: "These calls wait for ever by default: one server that accepts and never answers holds the caller, its thread and its locks.",
  fix: "Give every call a limit: `timeout=…`, `http.Client{Timeout: …}`, a context with a deadline.",
  *check(file) {
    for (const call of file.calls) {
      if (file.family === "python") {
        const isRequest = /^requests\.(get|post|put|patch|delete|head|options|request)$/.test(
          call.callee,
        );
        const isOpen =
          /^(urllib\.request\.|request\.|urllib2?\.)?urlopen$/.test(call.callee) &&
          call.args.length < 3;
        const isSpread = call.args.some(({ kind }) => kind === "dictionary_splat");
        if (
          (isRequest || isOpen) &&
          !call.named.has("timeout") &&
          !isSpread &&
          !/setdefaulttimeout/.test(file.text)
        )
          yield { node: call.node, title: `\`${call.callee}\` has no time limit` };
      } else if (/^http\.(Get|Post|Head|PostForm)$/.test(call.callee)) {
        yield { node: call.node, title: `\`${call.callee}\` has no time limit` };
      }
    }
    for (const node of file.of("composite_literal")) {
      if (node.child("type")?.text !== "http.Client" || /Timeout\s*:/.test(node.text)) continue;
      const scope = file.functionOf(node).text;
      if (
        /WithTimeout|WithDeadline|\.Timeout\s*=|WithContext/.test(scope) ||
        file.functionOf(node) === file.root
      )
        continue;
      yield { node, title: "an `http.Client` without `Timeout` waits for ever" };
    }
  },
};
