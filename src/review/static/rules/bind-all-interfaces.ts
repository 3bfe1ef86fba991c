import type { StaticRule } from "../rule.ts";
import { literalOf } from "../texts.ts";

export const bindAll: StaticRule = {
  name: "bind-all-interfaces",
  severity: "P3",
  kind: "security",
  languages: ["python", "script", "go"],
  needs: /0\.0\.0\.0/,
  skipsTests: true,
  why: "The service answers to every network the machine is in, not only to itself.",
  fix: "Bind to 127.0.0.1 unless others are meant to reach it; then let it ask who they are.",
  *check(file) {
    for (const call of file.calls) {
      if (
        !/^(listen|bind|run|serve|Listen|ListenAndServe|HTTPServer|TCPServer|create_server|start_server|run_app|Run)$/.test(
          call.name,
        )
      )
        continue;
      const all = [...call.args, ...call.named.values()].flatMap((arg) => [
        arg,
        ...(arg.kind === "object" || arg.kind === "tuple" ? arg.below("string") : []),
      ]);
      if (all.some((arg) => /^0\.0\.0\.0(:|$)/.test(literalOf(arg) ?? "")))
        yield { node: call.node, title: "the service listens on every interface" };
    }
  },
};
