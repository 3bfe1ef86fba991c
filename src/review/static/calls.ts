/** Calls of all four language families in one shape. */
import type { Node } from "./node.ts";
import type { Family } from "./source-file.ts";

export interface Call {
  readonly node: Node;
  /** As written, without white space and question marks: `fs.promises.rm`; a shell command's name. */
  readonly callee: string;
  /** Its last part: `rm`. */
  readonly name: string;
  /** What stands before the last dot; empty without one. */
  readonly receiver: string;
  /** Without Python's named ones. */
  readonly args: readonly Node[];
  readonly named: ReadonlyMap<string, Node>;
}

export const callOf = (node: Node, family: Family): Call => {
  if (family === "bash") return commandOf(node);
  const target = node.child("function") ?? node.child("constructor");
  // The text of a chained call may be long; only its end says what is called.
  const callee = (target?.text ?? "").slice(-200).replaceAll(/\s+|\?(?=\.)|!(?=\.)/g, "");
  const dot = callee.lastIndexOf(".");
  const all = node.child("arguments")?.named ?? [];
  const named = new Map<string, Node>();
  const args: Node[] = [];
  for (const one of all) {
    const name = one.kind === "keyword_argument" ? one.child("name")?.text : undefined;
    const value = one.child("value");
    if (name !== undefined && value) named.set(name, value);
    else args.push(one);
  }
  const receiver = dot < 0 ? "" : callee.slice(0, dot);
  return { node, callee, name: callee.slice(dot + 1), receiver, args, named };
};

/** `sudo`, `command` and `env A=b` only stand before the real one. */
const commandOf = (node: Node): Call => {
  const words = node.named.filter(
    ({ kind, field }) =>
      kind !== "variable_assignment" && field !== "redirect" && !kind.endsWith("redirect"),
  );
  let start = 0;
  while (/^(sudo|command|env|exec|nice|nohup)$/.test(words[start]?.text ?? "")) {
    start++;
    while (start < words.length - 1 && /^-|^\w+=/.test(words[start]?.text ?? "")) start++;
  }
  const name = (words[start]?.text ?? "").replace(/^.*\//, "");
  return { node, callee: name, name, receiver: "", args: words.slice(start + 1), named: new Map() };
};

/** The value that an object literal, or Python's named argument, gives to a key. */
export const optionOf = (call: Call, key: string): Node | undefined => {
  const named = call.named.get(key);
  if (named) return named;
  for (const arg of call.args) {
    if (arg.kind !== "object") continue;
    for (const pair of arg.named) {
      const name = pair.child("key")?.text.replaceAll(/["']/g, "");
      if (pair.kind === "pair" && name === key) return pair.child("value");
      if (pair.kind === "shorthand_property_identifier" && pair.text === key) return pair;
    }
  }
  return undefined;
};
