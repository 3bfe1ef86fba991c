import type { Node } from "web-tree-sitter";
import { type Found, type FoundImport, type LanguageRules } from "./rules.ts";

/** The tag comes first; asking for all children of a large element for it would take long. */
const tagOf = (node: Node): Node | undefined => {
  const first = node.firstNamedChild;
  return first && /^(start|self_closing)_tag$/.test(first.type) ? first : undefined;
};

const attribute = (tag: Node | undefined, name: string): Node | undefined => {
  const found = tag?.namedChildren.find(
    (one) => one.type === "attribute" && one.namedChild(0)?.text.toLowerCase() === name,
  );
  const value = found?.namedChild(1);
  return (value?.type === "quoted_attribute_value" ? value.namedChild(0) : value) ?? undefined;
};

/** What can be named: elements with an id, and headings by their text. */
const element = (node: Node): Found | undefined => {
  const tag = tagOf(node);
  const id = attribute(tag, "id");
  if (id) return { name: id.text, kind: "element", nameNode: id, isExported: true };
  const word = tag?.namedChild(0)?.text ?? "";
  const text = /^h[1-6]$/i.test(word) ? firstText(node) : undefined;
  return text ? { name: text.text, kind: "element", nameNode: text } : undefined;
};

const firstText = (node: Node): Node | undefined =>
  node.descendantsOfType("text").find((one) => one !== null && one.text.trim() !== "") ?? undefined;

const script = (node: Node): FoundImport | undefined => {
  const from = attribute(tagOf(node), "src")?.text;
  return from === undefined ? undefined : { from, names: [] };
};

/** `<link href>` of a style sheet; `element` nodes are looked at for nothing else here. */
const link = (node: Node): FoundImport | undefined => {
  const tag = tagOf(node);
  if (tag?.namedChild(0)?.text.toLowerCase() !== "link") return undefined;
  const from = attribute(tag, "href")?.text;
  return from === undefined ? undefined : { from, names: [] };
};

export const html: LanguageRules = {
  id: "html",
  title: "HTML",
  grammar: "html",
  level: "outline",
  commentTypes: ["comment"],
  scopeTypes: [],
  definitions: { element, script_element: element, style_element: element },
  imports: { script_element: script, element: link },
  block: "end",
};
