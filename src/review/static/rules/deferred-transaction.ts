import type { StaticRule } from "../rule.ts";
import { isText } from "../texts.ts";

export const deferredTransaction: StaticRule = {
  name: "deferred-transaction",
  severity: "P2",
  kind: "concurrency",
  languages: ["python", "script", "go"],
  needs: /sqlite[\s\S]*\bBEGIN\b|\bBEGIN\b[\s\S]*sqlite/i,
  skipsTests: true,
  why: "In SQLite a plain BEGIN takes no write lock. A transaction that reads first and writes later must upgrade, and when another writer came in between, that fails at once with SQLITE_BUSY: the busy timeout does not help, and the work is lost.",
  fix: "Begin with BEGIN IMMEDIATE wherever the transaction may write.",
  *check(file) {
    const texts = file
      .of("string", "template_string", "interpreted_string_literal", "raw_string_literal")
      .filter(isText);
    for (const begin of texts) {
      if (
        !/^.{0,3}\s*BEGIN(\s+(DEFERRED|TRANSACTION|DEFERRED\s+TRANSACTION))?\s*;?\s*.$/i.test(
          begin.text,
        )
      )
        continue;
      if (!begin.parent || !/^(arguments|argument_list)$/.test(begin.parent.kind)) continue;
      const scope = file.functionOf(begin);
      if (scope === file.root) continue;
      const later = texts.filter((one) => one.from > begin.to && one.isWithin(scope));
      const read = later.find(({ text }) => /^.{0,3}\s*SELECT\b/i.test(text));
      const write = later.find(({ text }) =>
        /^.{0,3}\s*(INSERT|UPDATE|DELETE|REPLACE)\s/i.test(text),
      );
      if (read && write && read.from < write.from)
        yield { node: begin, title: "a transaction that begins deferred reads and then writes" };
    }
  },
};
