import type { StaticRule } from "../rule.ts";

export const unclosedBody: StaticRule = {
  name: "unclosed-body",
  severity: "P2",
  kind: "reliability",
  languages: ["go"],
  needs: /http/,
  skipsTests: true,
  why: "Without `Body.Close()` the connection is neither used again nor freed: under load the program runs out of sockets.",
  fix: "After the error check write `defer resp.Body.Close()`.",
  *check(file) {
    for (const call of file.calls) {
      const isCall =
        /^http\.(Get|Post|Head|PostForm)$/.test(call.callee) ||
        (call.name === "Do" &&
          /(client|http\.DefaultClient)$/i.test(call.receiver) &&
          /net\/http/.test(file.text) &&
          call.args.length === 1);
      const holder = call.node.around("short_var_declaration", "assignment_statement");
      if (!isCall || !holder || !call.node.parent || call.node.parent.parent !== holder) continue;
      const name = holder.child("left")?.named[0]?.text ?? "_";
      if (!/^\w+$/.test(name)) continue;
      const scope = file.functionOf(call.node).text;
      if (
        name !== "_" &&
        new RegExp(
          `\\b${name}\\.Body\\.Close|return[^\\n]*\\b${name}\\b(?!\\.(StatusCode|Status))|[(,]\\s*${name}(\\.Body)?\\s*[,)]|=\\s*${name}(\\.Body)?\\s*$|[:,]\\s*${name}(\\.Body)?\\s*[,}]|= ${name}\\.Body|Close\\(${name}`,
          "m",
        ).test(scope)
      )
        continue;
      yield { node: call.node, title: "the body of the answer is never closed" };
    }
  },
};
