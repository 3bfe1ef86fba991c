/** Parameters of a Python function and arguments of a call, as far as they decide whether the two fit. */
import type { Node } from "web-tree-sitter";
import type { DeclaredParameter, GivenArguments } from "../types.ts";
import { namedChildrenOf } from "./nodes.ts";
import { fieldText } from "./rules.ts";

/** Undefined where a form is not known: then nothing is said about calls. */
export const pythonParameters = (definition: Node): DeclaredParameter[] | undefined => {
  const list = definition.childForFieldName("parameters");
  if (!list) return undefined;
  const found: DeclaredParameter[] = [];
  let isByName = false;
  for (const node of namedChildrenOf(list)) {
    if (node.type === "comment") continue;
    if (node.type === "positional_separator") {
      for (const [at, one] of found.entries()) found[at] = { ...one, kind: "place" };
      continue;
    }
    if (node.type === "keyword_separator") {
      isByName = true;
      continue;
    }
    const one = parameter(node);
    if (!one) return undefined;
    found.push(isByName && one.kind === "plain" ? { ...one, kind: "keyword" } : one);
    if (one.kind === "rest") isByName = true;
  }
  return found;
};

const parameter = (node: Node): DeclaredParameter | undefined => {
  if (node.type === "identifier") return { name: node.text, kind: "plain" };
  if (node.type === "list_splat_pattern") return { name: node.text, kind: "rest" };
  if (node.type === "dictionary_splat_pattern") return { name: node.text, kind: "keywords" };
  if (node.type === "typed_parameter") {
    const inner = node.firstNamedChild;
    return inner ? parameter(inner) : undefined;
  }
  if (node.type !== "default_parameter" && node.type !== "typed_default_parameter")
    return undefined;
  const name = node.childForFieldName("name");
  return name?.type === "identifier"
    ? { name: name.text, kind: "plain", isOptional: true }
    : undefined;
};

export const pythonArguments = (call: Node): GivenArguments | undefined => {
  const list = call.childForFieldName("arguments");
  if (!list) return undefined;
  if (list.type === "generator_expression") return { count: 1 };
  let count = 0;
  let isOpen = false;
  const keywords: string[] = [];
  for (const node of namedChildrenOf(list)) {
    if (node.type === "comment" || node.type === "line_continuation") continue;
    if (node.type === "list_splat" || node.type === "dictionary_splat") isOpen = true;
    else if (node.type === "keyword_argument") keywords.push(fieldText(node, "name") ?? "");
    else count += 1;
  }
  return { count, ...(keywords.length > 0 && { keywords }), ...(isOpen && { isOpen }) };
};
