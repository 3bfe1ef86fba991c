import type { StaticRule } from "../rule.ts";

export const unboundedBody: StaticRule = {
  name: "unbounded-body",
  severity: "P2",
  kind: "security",
  languages: ["go", "script"],
  needs: /ReadAll\(|on\(["']data["']/,
  skipsTests: true,
  why: "Whoever sends decides how much is kept in memory: one endless request ends the server.",
  fix: "`http.MaxBytesReader` in Go; elsewhere count the bytes and stop with 413.",
  *check(file) {
    for (const call of file.calls) {
      if (file.family === "go") {
        const body = /^(?:io|ioutil)\.ReadAll$/.test(call.callee)
          ? /^(\w+)\.Body$/.exec(call.args[0]?.text ?? "")?.[1]
          : undefined;
        if (body === undefined) continue;
        const scope = file.functionOf(call.node);
        const isRequest = new RegExp(`\\b${body}\\s+\\*http\\.Request\\b`).test(
          scope.text.slice(0, 300),
        );
        if (
          isRequest &&
          !/MaxBytes|LimitReader|ContentLength/.test(file.text) &&
          /http\.ResponseWriter/.test(scope.text.slice(0, 300))
        )
          yield {
            node: call.node,
            title: "the whole body of a request is read, however long it is",
          };
        continue;
      }
      if (
        call.name !== "on" ||
        !/^(req|request)$/.test(call.receiver) ||
        !/^["']data["']$/.test(call.args[0]?.text ?? "")
      )
        continue;
      const handler = call.args[1]?.text ?? "";
      if (
        /(\+=|\.push\()/.test(handler) &&
        !/length|size|limit|destroy|max/i.test(handler) &&
        /createServer|res\b/.test(file.text)
      )
        yield { node: call.node, title: "the whole body of a request is kept, however long it is" };
    }
  },
};
