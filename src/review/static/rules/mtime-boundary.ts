import type { Node } from "../node.ts";
import type { StaticRule } from "../rule.ts";

export const mtimeBoundary: StaticRule = {
  name: "mtime-boundary",
  severity: "P3",
  kind: "reliability",
  languages: ["python", "script", "go"],
  needs: /mtime|ModTime/i,
  skipsTests: true,
  why: "A file's time is set by whoever writes it: copies, checkouts, restores and clock changes move it in both directions, and two writes within one tick share it. What is new can look old.",
  fix: "Compare content (a hash, a version number, a generation counter); keep the time only as a hint to look closer.",
  *check(file) {
    for (const node of file.of("comparison_operator", "binary_expression")) {
      if (!node.children.some(({ kind }) => /^'(<|>|<=|>=|==|!=|===|!==)$/.test(kind))) continue;
      const sides = node.named.filter(({ text }) => isTime.test(text));
      if (sides.length === 0 || node.named.some(({ text }) => isNothing.test(text))) continue;
      if (isOneOfSeveral(node)) continue;
      yield { node, title: "whether a file has changed is decided by its modification time" };
    }
    for (const call of file.family === "go" ? file.calls : []) {
      if (
        /^(Before|After|Equal)$/.test(call.name) &&
        (call.receiver.endsWith("ModTime()") || call.args[0]?.text.endsWith("ModTime()"))
      )
        yield {
          node: call.node,
          title: "whether a file has changed is decided by its modification time",
        };
    }
  },
};

const isTime =
  /(\bst_mtime(_ns)?|\bgetmtime\(.*\)|\.mtimeMs|\.mtime(\.getTime\(\)|\.valueOf\(\))?|\bmtime(Ms)?)\)?$/;
const isNothing = /^(None|null|undefined|0|-1|nil|NaN|''|"")$|typeof/;

/** Together with the change time, the inode or a hash it is more than a date. */
const isOneOfSeveral = (node: Node): boolean => {
  let whole = node;
  while (
    whole.parent &&
    /^(binary_expression|boolean_operator|parenthesized_expression)$/.test(whole.parent.kind)
  )
    whole = whole.parent;
  return /ctime|\bino\b|inode|hash|digest/i.test(whole.text);
};
