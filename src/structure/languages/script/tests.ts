/** Test blocks of JavaScript and TypeScript: calls with a title and a function. */
import type { Node } from "web-tree-sitter";
import { namedChildrenOf } from "../nodes.ts";
import { isFunction, unwrapped } from "./names.ts";

const runner = "(?:describe|it|test|suite|context|specify|bench|[fx](?:describe|it|test))";
const runners = new RegExp(`^${runner}$`);
/** A chain of members and calls may begin with one. */
export const runnerUsed = new RegExp(String.raw`\b${runner}\s*(?:[.(<?\x60]|/[/*])`);
const titleLengthMax = 200;

/** `it("adds", …)`, `describe.skip("cart", …)`, `test.each(table)("%i", …)`. */
export const testTitle = (node: Node): string | undefined => {
  if (!runners.test(calledName(node))) return undefined;
  const given = namedChildrenOf(node.childForFieldName("arguments") ?? node);
  const [title] = given;
  const isTitle = title?.type === "string" || title?.type === "template_string";
  if (!isTitle || !given.some((one) => isFunction(unwrapped(one)))) return undefined;
  return title.text.slice(1, -1).slice(0, titleLengthMax);
};

/** The name that a chain of members and calls begins with. */
const calledName = (node: Node): string => {
  let called = node.childForFieldName("function");
  for (let steps = 0; called && steps < 4; steps += 1) {
    if (called.type === "identifier") return called.text;
    if (called.type === "member_expression") called = called.childForFieldName("object");
    else if (called.type === "call_expression") called = called.childForFieldName("function");
    else break;
  }
  return "";
};
