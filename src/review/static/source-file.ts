/** One parsed file as the rules see it: its nodes, its calls, the functions around them. */
import { isTestPath } from "../../base/path-kinds.ts";
import type { FlatTree } from "../../structure/index.ts";
import { type Call, callOf } from "./calls.ts";
import { type Node, type NodeIndex, nodesOf } from "./node.ts";

export type Family = "python" | "script" | "go" | "bash";

export class SourceFile {
  readonly path: string;
  readonly text: string;
  readonly family: Family;
  readonly root: Node;
  /** Tests, fixtures, examples: code in which a careless way is often the right one. */
  readonly isTest: boolean;
  readonly #index: NodeIndex;
  #calls: readonly Call[] | undefined;

  constructor(path: string, text: string, { family, tree }: { family: Family; tree: FlatTree }) {
    this.path = path;
    this.text = text;
    this.family = family;
    this.#index = nodesOf(tree, text);
    this.root = this.#index.root;
    this.isTest = isTestPath(path);
  }

  /** All nodes of these kinds, in the order of the text for each kind. */
  of(...kinds: readonly string[]): readonly Node[] {
    return kinds.flatMap((kind) => this.#index.byKind.get(kind) ?? []);
  }

  get calls(): readonly Call[] {
    this.#calls ??= this.of(...callKinds[this.family]).map((node) => callOf(node, this.family));
    return this.#calls;
  }

  callsWithin(node: Node): readonly Call[] {
    return this.calls.filter((call) => call.node.isWithin(node));
  }

  /** The function around a node, or the whole file. */
  functionOf(node: Node): Node {
    return node.around(...functionKinds) ?? this.root;
  }

  /** Whether a comment stands in it, behind it or above it: somebody has said why. */
  hasRemark(node: Node): boolean {
    if (node.below("comment").length > 0) return true;
    const end = this.text.indexOf("\n", node.to);
    const behind = this.text.slice(node.to, end < 0 ? undefined : end);
    const start = this.text.lastIndexOf("\n", node.from) + 1;
    const above = this.text.slice(this.text.lastIndexOf("\n", start - 2) + 1, start);
    return (this.family === "python" || this.family === "bash" ? /#/ : /\/\/|\*\//).test(
      `${above}\n${behind}`,
    );
  }
}

export const familyOf = (language: string): Family | undefined =>
  language === "typescript" || language === "tsx" || language === "javascript"
    ? "script"
    : language === "python" || language === "go" || language === "bash"
      ? language
      : undefined;

const callKinds: Readonly<Record<Family, readonly string[]>> = {
  python: ["call"],
  script: ["call_expression", "new_expression"],
  go: ["call_expression"],
  bash: ["command"],
};

const functionKinds: readonly string[] = [
  "function_definition",
  "lambda",
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "arrow_function",
  "method_definition",
  "method_declaration",
  "func_literal",
];
