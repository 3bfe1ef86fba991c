import type { Call } from "../calls.ts";
import type { Node } from "../node.ts";
import type { StaticRule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

export const nonAtomicStateWrite: StaticRule = {
  name: "non-atomic-state-write",
  severity: "P3",
  kind: "durability",
  languages: ["python", "script", "go"],
  needs: /json/i,
  skipsTests: true,
  why: "The file is emptied first and filled afterwards. Whoever reads in between, or after a crash, sees half of it, and the next start cannot parse its own state.",
  fix: "Write to a temporary file in the same folder, fsync it, and rename it over the old one; hold a lock over read, change and write.",
  *check(file) {
    const read = new Set(
      file.calls.filter((call) => isRead(call)).map((call) => call.args[0]?.text),
    );
    if (read.size === 0) return;
    for (const call of file.calls) {
      const path = call.args[0];
      if (
        !path ||
        !read.has(path.text) ||
        leftAlone.test(path.text) ||
        /["']wx/.test(call.node.text)
      )
        continue;
      if (writesJson(call, file))
        yield {
          node: call.node,
          title: `\`${path.text.slice(0, 40)}\`, which is read elsewhere, is overwritten in place`,
        };
    }
  },
};

/** Temporary files; files under version control that a person can restore; names that say nothing. */
const leftAlone =
  /te?mp|\bnew|backup|part\b|package|pkg|manifest|version|tsconfig|^(path|file|filename|file_?path|fname|fn|to|dest|out\w*|target|p|f|name)$/i;

/** Read as data, not as bytes on the way to somewhere. */
const isRead = (call: Call): boolean => {
  if (!call.args[0]) return false;
  if (/^(readFile|readFileSync|ReadFile)$/.test(call.name))
    return !/^['"`]/.test(call.args[0].text);
  if (!/^(open|io\.open)$/.test(call.callee)) return false;
  const mode = (call.args[1] ?? call.named.get("mode"))?.text ?? "'r'";
  return /^['"]r/.test(mode) && isJsonUse(call.node, "load");
};

/** `with open(p) as f: json.load(f)`, or `json.load(open(p))`. */
const isJsonUse = (open: Node, verb: "load" | "dump"): boolean => {
  const around = open.around("with_statement", "call")?.text ?? "";
  return new RegExp(`json\\.${verb}`).test(around);
};

const writesJson = (call: Call, file: SourceFile): boolean => {
  if (/^(writeFile|writeFileSync)$/.test(call.name))
    return /JSON\.stringify/.test(call.args[1]?.text ?? "");
  if (call.callee === "os.WriteFile" || call.callee === "ioutil.WriteFile") {
    const scope = file.functionOf(call.node).text;
    return /json\.Marshal/.test(scope);
  }
  const mode = (call.args[1] ?? call.named.get("mode"))?.text ?? "";
  return (
    /^(open|io\.open)$/.test(call.callee) && /^['"]w/.test(mode) && isJsonUse(call.node, "dump")
  );
};
