import type { StaticRule } from "../rule.ts";

export const unclosedFile: StaticRule = {
  name: "unclosed-file",
  severity: "P3",
  kind: "reliability",
  languages: ["python"],
  needs: /open\(/,
  skipsTests: true,
  why: "Nobody closes the file: when it is closed, and when its data is written, is left to the garbage collector.",
  fix: "Use `with open(…) as f:`, or `Path.read_text` / `write_text`.",
  *check(file) {
    for (const call of file.calls) {
      if (!/^(open|io\.open|codecs\.open|gzip\.open)$/.test(call.callee) || call.args.length === 0)
        continue;
      const holder = call.node.parent;
      const verb =
        holder?.kind === "attribute" && holder.parent?.kind === "call"
          ? holder.child("attribute")?.text
          : undefined;
      const isChained =
        verb !== undefined && /^(read|readlines|write|readline|writelines)$/.test(verb);
      const outer =
        holder?.kind === "argument_list" ? holder.parent?.child("function")?.text : undefined;
      const isHanded =
        outer !== undefined &&
        /^(json|pickle|yaml|toml|csv)\.(load|dump|safe_load|reader|DictReader|writer)$/.test(outer);
      if (!isChained && !isHanded) continue;
      const isWrite = verb?.startsWith("write") || outer?.endsWith(".dump");
      yield {
        node: call.node,
        title: "a file is opened and never closed",
        severity: isWrite ? "P2" : "P3",
      };
    }
  },
};
