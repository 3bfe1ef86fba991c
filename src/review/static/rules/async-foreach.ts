import type { StaticRule } from "../rule.ts";

export const asyncForEach: StaticRule = {
  name: "async-foreach",
  severity: "P2",
  kind: "bug",
  languages: ["script"],
  needs: /forEach\(\s*async/,
  why: "`forEach` does not wait: the code behind it runs before any of the callbacks has finished, all run at once, and their failures are seen by nobody.",
  fix: "Use `for (const x of list) await …`, or `await Promise.all(list.map(async …))`.",
  *check(file) {
    for (const call of file.calls) {
      const body = call.args[0];
      if (
        call.name === "forEach" &&
        body &&
        /^(arrow_function|function_expression)$/.test(body.kind) &&
        body.hasToken("async") &&
        body.below("await_expression").length > 0
      )
        yield { node: call.node, title: "`forEach` does not wait for an asynchronous callback" };
    }
  },
};
