import { requestDataIn } from "../request-data.ts";
import type { StaticRule } from "../rule.ts";

export const unsafeLoad: StaticRule = {
  name: "unsafe-load",
  severity: "P1",
  kind: "security",
  languages: ["python", "script"],
  needs: /yaml\.load|pickle|\beval\b|Function\(|\bexec\(/,
  skipsTests: true,
  why: "What is read is run: a document or an answer can name any function of the program, and whoever sends it runs code here.",
  fix: "`yaml.safe_load`, JSON, `ast.literal_eval`; sign what must be pickled and check before loading.",
  *check(file) {
    for (const call of file.calls) {
      const arg = call.args[0];
      if (file.family === "python" && /^yaml\.load(_all)?$/.test(call.callee)) {
        // Others have a module of that name as well.
        if (!/^[^\S\n]*import (\w+, )*yaml\b/m.test(file.text)) continue;
        const loader = (call.args[1] ?? call.named.get("Loader"))?.text;
        if (loader === undefined || /^(yaml\.)?(Unsafe|C?)Loader$/.test(loader))
          yield { node: call.node, title: "`yaml.load` builds any object the document names" };
        continue;
      }
      if (!arg) continue;
      const runs =
        file.family === "python"
          ? /^(eval|exec|pickle\.loads?|cPickle\.loads?|marshal\.loads)$/
          : /^(eval|Function|vm\.runIn\w+)$/;
      if (!runs.test(call.callee)) continue;
      const source =
        requestDataIn(arg, file) ??
        /\b(sys\.argv\[\d+\]|input\(|raw_input\(|\.recv\(|urlopen\(|requests\.get\()/.exec(
          arg.text,
        )?.[0];
      if (source !== undefined)
        yield { node: call.node, title: `\`${call.callee}\` runs what comes from \`${source}\`` };
    }
  },
};
