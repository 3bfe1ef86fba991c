/** Parameters of a function and arguments of a call in JavaScript and TypeScript. */
import type { Node } from "web-tree-sitter";
import type { DeclaredParameter, GivenArguments } from "../../types.ts";
import { namedChildrenOf } from "../nodes.ts";
import { fieldText } from "../rules.ts";

/** Undefined where a form is not known: then nothing is said about calls. */
export const scriptParameters = (definition: Node | null): DeclaredParameter[] | undefined => {
  const single = definition?.childForFieldName("parameter");
  if (single) return [{ name: single.text, kind: "plain" }];
  const list = definition?.childForFieldName("parameters");
  if (!definition || list?.type !== "formal_parameters") return undefined;
  const open = typeParameters(definition);
  const found: DeclaredParameter[] = [];
  for (const node of namedChildrenOf(list)) {
    if (node.type === "comment" || node.type === "decorator") continue;
    const pattern = node.childForFieldName("pattern") ?? node;
    if (pattern.type === "this") continue;
    if (!known.has(node.type) || !known.has(pattern.type)) return undefined;
    const name = pattern.type === "identifier" ? pattern.text : "";
    if (pattern.type === "rest_pattern") {
      found.push({ name, kind: "rest" });
      continue;
    }
    const isOptional =
      node.type === "optional_parameter" ||
      node.type === "assignment_pattern" ||
      node.childForFieldName("value") !== null ||
      mayBeLeftOut(node.childForFieldName("type")?.text ?? "", open);
    found.push({ name, kind: "plain", ...(isOptional && { isOptional }) });
  }
  return found;
};

const known = new Set(
  `identifier required_parameter optional_parameter assignment_pattern object_pattern array_pattern
  rest_pattern`.split(/\s+/),
);

/** A last parameter that may be `void` need not be given; one of an open type may be of that one. */
const mayBeLeftOut = (annotation: string, open: ReadonlySet<string>): boolean => {
  const type = annotation.replace(/^:\s*/, "");
  return /\bvoid\b|\.\.\./.test(type) || open.has(type) || /^[A-Z]\w?$|^T[A-Z]\w*$/.test(type);
};

const typeParameters = (definition: Node): ReadonlySet<string> => {
  const list = definition.childForFieldName("type_parameters");
  return new Set(list ? namedChildrenOf(list).map((one) => fieldText(one, "name") ?? "") : []);
};

export const scriptArguments = (call: Node): GivenArguments | undefined => {
  const list = call.childForFieldName("arguments");
  if (!list) return call.type === "new_expression" ? { count: 0 } : undefined;
  // A template after the name is a call of another kind.
  if (list.type !== "arguments") return undefined;
  const given = namedChildrenOf(list).filter((one) => one.type !== "comment");
  const isOpen = given.some((one) => one.type === "spread_element");
  return { count: given.length, ...(isOpen && { isOpen }) };
};
