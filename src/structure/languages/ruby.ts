import type { Node } from "web-tree-sitter";
import { memberCall, namedChildrenOf } from "./nodes.ts";
import { fieldText, type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

/** A class or module may be opened again anywhere, so it has no key. */
const opened =
  (kind: "class" | "module") =>
  (node: Node): Found | undefined => {
    const nameNode = node.childForFieldName("name");
    if (!node.isNamed || !nameNode) return undefined;
    const base = node.childForFieldName("superclass")?.firstNamedChild;
    return {
      name: nameNode.text,
      kind,
      nameNode,
      body: node.childForFieldName("body"),
      isExported: true,
      ...(base && { bases: [squeeze(base.text)] }),
    };
  };

/** `private def x`, `memoize def x`, `def x … if y`: the call or condition belongs to the method. */
const outerOf = (node: Node): { outer: Node; word: string; isConditional: boolean } => {
  const call = node.parent?.type === "argument_list" ? node.parent.parent : null;
  const isWrapped = call?.type === "call" && node.parent?.namedChildCount === 1;
  const inner = isWrapped ? call : node;
  const condition = inner.parent?.type.endsWith("_modifier") ? inner.parent : null;
  return {
    outer: condition ?? inner,
    word: isWrapped ? (fieldText(call, "method") ?? "") : "",
    isConditional: condition !== null,
  };
};

/** Meant to be defined again: the first one is put aside under another name or taken away. */
const isMeantTwice = (node: Node, name: string, on: string | undefined): boolean => {
  const holder = node.parent;
  if (!holder) return false;
  const shown = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const whole = new RegExp(String.raw`[\s:'"(,]${shown}(?![\w?!=])`);
  return linesWith(putAside, holder.text).some(
    (line) => whole.test(line.rest) && (on === undefined || isOnObject(holder, line)),
  );
};

const putAside = ["alias", "undef", "remove_method", "define_method"];

/** Whether a line speaks of the methods of the class itself, not of those its objects have. */
const isOnObject = (holder: Node, { before, at }: Line): boolean => {
  if (before.includes("singleton")) return true;
  let around = holder.descendantForIndex(holder.startIndex + at);
  while (around && around.id !== holder.id && around.type !== "singleton_class") {
    around = around.parent;
  }
  return around?.type === "singleton_class";
};

/** A line with one of the words: what is before the word, and the rest from it on. */
interface Line {
  readonly before: string;
  readonly rest: string;
  readonly at: number;
}

const linesWith = (words: readonly string[], text: string): Line[] => {
  const lines: Line[] = [];
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const end = text.indexOf("\n", at);
      const before = text.slice(text.lastIndexOf("\n", at) + 1, at);
      lines.push({ before, rest: text.slice(at, end < 0 ? undefined : end), at });
    }
  }
  return lines;
};

/** The last bare `private` or `public` at the method's own depth decides. */
const isBelowPrivate = (node: Node): boolean => {
  const holder = node.parent;
  if (holder?.type !== "body_statement") return false;
  const before = holder.text.slice(0, node.startIndex - holder.startIndex);
  if (!before.includes("private")) return false;
  const indent = before.slice(before.lastIndexOf("\n") + 1);
  const words = before.matchAll(/^([ \t]*)(private|public|protected)[ \t]*(?:#.*)?$/gm);
  return [...words].findLast((one) => one[1] === indent)?.[2] === "private";
};

const method = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  if (!nameNode) return undefined;
  const { outer, word, isConditional } = outerOf(node);
  const name = nameNode.text;
  const on = fieldText(node, "object");
  const isInside = insideClass(outer);
  const key = `${on === undefined ? "" : `${on}.`}${name}`;
  return {
    name,
    kind: !isInside ? "function" : name === "initialize" && !on ? "constructor" : "method",
    nameNode,
    outer,
    body: node.childForFieldName("body"),
    key: isConditional || isMeantTwice(outer, name, on) ? undefined : key,
    isExported: true,
    isPrivate: word.startsWith("private") || (word === "" && !on && isBelowPrivate(node)),
    ...(word !== "" && { decorators: [word] }),
  };
};

const insideClass = (node: Node): boolean => {
  for (let around = node.parent; around; around = around.parent) {
    if (["class", "module", "singleton_class", "do_block", "block"].includes(around.type))
      return true;
    if (around.type === "method" || around.type === "singleton_method") return false;
  }
  return false;
};

/** `NAME = …`; `Name = Struct.new(…) do … end` is a class. */
const constant = (node: Node): Found | undefined => {
  const left = node.childForFieldName("left");
  const right = node.childForFieldName("right");
  if (left?.type !== "constant" && left?.type !== "scope_resolution") return undefined;
  if (left.type === "scope_resolution" && left.childForFieldName("name")?.type !== "constant") {
    return undefined;
  }
  const made = `${fieldText(right ?? node, "receiver")}.${fieldText(right ?? node, "method")}`;
  const isClass = right?.type === "call" && /^(Struct|Class|Data)\.(new|define)$/.test(made);
  const isModule = right?.type === "call" && made === "Module.new";
  const block = isClass || isModule ? right.childForFieldName("block") : null;
  return {
    name: left.text,
    kind: isClass ? "class" : isModule ? "module" : "constant",
    nameNode: left,
    body: block?.childForFieldName("body") ?? null,
    isExported: true,
  };
};

const textOf = (node: Node | undefined): string | undefined => {
  if (node?.type === "simple_symbol") return node.text.slice(1);
  return node?.type === "string" ? node.text.slice(1, -1) : undefined;
};

const required = (node: Node): FoundImport | undefined => {
  const word = fieldText(node, "method") ?? "";
  if (!/^(require|require_relative|load|autoload)$/.test(word)) return undefined;
  const receiver = fieldText(node, "receiver");
  if (receiver !== undefined && receiver !== "Kernel") return undefined;
  const list = node.childForFieldName("arguments");
  const given = list ? namedChildrenOf(list) : [];
  const first = textOf(given[0]);
  if (word !== "autoload") {
    return first === undefined ? undefined : { from: first, names: [{ name: "", as: first }] };
  }
  const from = textOf(given[1]);
  if (first === undefined || from === undefined) return undefined;
  return { from, names: [{ name: first, as: first }] };
};

export const ruby: LanguageRules = {
  id: "ruby",
  title: "Ruby",
  grammar: "ruby",
  level: "full",
  commentTypes: ["comment"],
  // Branches are scopes: only one of them is run.
  scopeTypes: [
    "body_statement",
    "block_body",
    "do_block",
    "block",
    "then",
    "else",
    "elsif",
    "begin",
    "begin_block",
    "rescue",
    "ensure",
    "when",
    "in_clause",
    "while",
    "parenthesized_statements",
  ],
  definitions: {
    class: opened("class"),
    module: opened("module"),
    method,
    singleton_method: method,
    assignment: constant,
  },
  imports: { call: required },
  references: {
    call: (node) => {
      const name = node.childForFieldName("method");
      const receiver = node.childForFieldName("receiver");
      if (receiver) return memberCall(receiver, name);
      return name?.type === "identifier" ? { name: name.text, kind: "call", at: name } : undefined;
    },
  },
  importKey: ({ from }, { name }) => `${from} ${name}`,
  dynamic:
    /\bmethod_missing\b|\bdefine_method\b|\bdefine_singleton_method\b|\b(instance|class|module)_(eval|exec)\b|\beval\b|\bsend\b|\b__send__\b|\bpublic_send\b|\bconst_(missing|set|get)\b|\bOpenStruct\b|\bdelegate\b|\bdef_delegators?\b/,
  block: "end",
  lineComment: "#",
};
