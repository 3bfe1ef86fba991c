/** A file's syntax tree as objects, with an index by kind: what the rules walk over. */
import { assert } from "../../base/assert.ts";
import type { FlatTree } from "../../structure/index.ts";

export class Node {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly parent: Node | undefined;
  /** The role in its parent; empty where it has none. */
  readonly field: string;
  readonly children: Node[] = [];
  readonly #source: string;

  constructor(source: string, shape: Pick<Node, "kind" | "from" | "to" | "parent" | "field">) {
    this.#source = source;
    this.kind = shape.kind;
    this.from = shape.from;
    this.to = shape.to;
    this.parent = shape.parent;
    this.field = shape.field;
  }

  get text(): string {
    return this.#source.slice(this.from, this.to);
  }

  /** Without tokens and comments. */
  get named(): readonly Node[] {
    return this.children.filter(({ kind }) => !kind.startsWith("'") && kind !== "comment");
  }

  child(field: string): Node | undefined {
    return this.children.find((one) => one.field === field);
  }

  hasToken(token: string): boolean {
    return this.children.some(({ kind }) => kind === `'${token}`);
  }

  /** The nearest node around it of one of these kinds. */
  around(...kinds: readonly string[]): Node | undefined {
    let at = this.parent;
    while (at && !kinds.includes(at.kind)) at = at.parent;
    return at;
  }

  isWithin(other: Node): boolean {
    return this.from >= other.from && this.to <= other.to;
  }

  /** Itself and everything below it, in the order of the text. */
  *walk(): Generator<Node> {
    const open: Node[] = [this];
    for (let node = open.pop(); node; node = open.pop()) {
      yield node;
      for (const child of node.children.toReversed()) open.push(child);
    }
  }

  below(...kinds: readonly string[]): Node[] {
    return [...this.walk()].filter((node) => node !== this && kinds.includes(node.kind));
  }
}

export interface NodeIndex {
  readonly root: Node;
  readonly byKind: ReadonlyMap<string, readonly Node[]>;
}

export const nodesOf = (tree: FlatTree, source: string): NodeIndex => {
  const nodes: Node[] = [];
  const byKind = new Map<string, Node[]>();
  for (const [index, kindIndex] of tree.kind.entries()) {
    const kind = tree.kinds[kindIndex] ?? "";
    const parent = nodes[tree.parent[index] ?? -1];
    const field = tree.fields[tree.field[index] ?? 0] ?? "";
    const span = { from: tree.from[index] ?? 0, to: tree.to[index] ?? 0 };
    const node = new Node(source, { kind, ...span, parent, field });
    nodes.push(node);
    parent?.children.push(node);
    const alike = byKind.get(kind);
    if (alike) alike.push(node);
    else byKind.set(kind, [node]);
  }
  const [root] = nodes;
  assert(root, "a syntax tree has a root");
  return { root, byKind };
};
