import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { fieldText, type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

/** Everything in Elixir is a call; these words make definitions. */
const kinds: Readonly<Record<string, SymbolKind>> = {
  defmodule: "module",
  defprotocol: "interface",
  defimpl: "impl",
  def: "function",
  defp: "function",
  defguard: "function",
  defguardp: "function",
  defdelegate: "function",
  defmacro: "macro",
  defmacrop: "macro",
};

const argumentsOf = (node: Node): readonly Node[] =>
  node.namedChildren.find((one) => one.type === "arguments")?.namedChildren ?? [];

/** `f(a) when a > 1` is f. */
const nameOf = (head: Node | undefined): Node | undefined => {
  let inner = head;
  while (inner?.type === "binary_operator") inner = inner.childForFieldName("left") ?? undefined;
  if (inner?.type === "call") inner = inner.childForFieldName("target") ?? undefined;
  return inner && /^(identifier|alias)$/.test(inner.type) ? inner : undefined;
};

/** `@doc`, `@spec` and their like directly above say something about it. */
const attributesOf = (node: Node): string[] => {
  const found: string[] = [];
  for (let before = node.previousNamedSibling; before; before = before.previousNamedSibling) {
    if (
      before.type !== "unary_operator" ||
      !/^@(doc|spec|impl|since|deprecated)\b/.test(before.text)
    )
      break;
    found.unshift(squeeze(before.text.slice(1, 200)));
  }
  return found;
};

const definition = (node: Node): Found | undefined => {
  const word = fieldText(node, "target") ?? "";
  const kind = kinds[word];
  const [head, more] = argumentsOf(node);
  const nameNode = kind && nameOf(head);
  if (!kind || !nameNode) return undefined;
  const isPrivate = word.endsWith("p") && kind !== "module";
  const target = /\bfor:\s*([\w.]+)/.exec(more?.text ?? "")?.[1];
  return {
    name: nameNode.text,
    kind,
    nameNode,
    body: node.namedChildren.find((one) => one.type === "do_block") ?? null,
    isExported: !isPrivate,
    isPrivate,
    decorators: kind === "module" ? [] : attributesOf(node),
    ...(kind === "impl" && { container: target === undefined ? "impl" : `impl.${target}` }),
  };
};

const importWords = new Set(["alias", "import", "require", "use"]);

const importOf = (node: Node): FoundImport | undefined => {
  const word = fieldText(node, "target") ?? "";
  const [module, options] = argumentsOf(node);
  if (!importWords.has(word) || !module) return undefined;
  const from = squeeze(module.text);
  const as = /\bas:\s*([\w.]+)/.exec(options?.text ?? "")?.[1];
  if (word === "import" || word === "use") return { from, names: [{ name: "*", as: "*" }] };
  return { from, names: [{ name: from, as: as ?? from.slice(from.lastIndexOf(".") + 1) }] };
};

export const elixir: LanguageRules = {
  id: "elixir",
  title: "Elixir",
  grammar: "elixir",
  level: "outline",
  commentTypes: ["comment"],
  scopeTypes: ["do_block"],
  definitions: { call: definition },
  imports: { call: importOf },
  dynamic: /\bdefmacro\b|\b__using__\b|\bapply\s*\(|\bunquote\b/,
  block: "end",
  lineComment: "#",
};
