/**
 * A syntax tree as plain arrays, so that it can leave the parsing process: nodes in the order in which they
 * begin (a parent before its children). Whoever looks for patterns walks it without WebAssembly.
 */
import type { Tree } from "web-tree-sitter";

export interface FlatTree {
  /** The language of the parsed part: for a component, that of its script. */
  readonly language: string;
  /** Names of kinds and fields; a token's kind (`+`, `await`) begins with a quote. */
  readonly kinds: readonly string[];
  readonly fields: readonly string[];
  /** For each node: index into `kinds`, span, index of the parent (-1: none), index into `fields` (0: none). */
  readonly kind: Uint16Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly parent: Int32Array;
  readonly field: Uint16Array;
}

/** A hand-written file of 100 KB has about 50,000; more than this is data in the shape of code. */
const nodesMax = 1_000_000;

export const flatTree = (tree: Tree, language: string): FlatTree => {
  const names = new Map<string, number>();
  const kind: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const parent: number[] = [];
  const field: number[] = [];
  const path: number[] = [];
  const cursor = tree.walk();
  const visit = (): void => {
    if (kind.length >= nodesMax) throw new Error("its tree has too many nodes");
    const name = cursor.nodeIsNamed ? cursor.nodeType : `'${cursor.nodeType}`;
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    parent.push(path.at(-1) ?? -1);
    kind.push(known);
    from.push(cursor.startIndex);
    to.push(cursor.endIndex);
    field.push(cursor.currentFieldId);
  };
  try {
    visit();
    for (;;) {
      const here = kind.length - 1;
      if (cursor.gotoFirstChild()) path.push(here);
      else {
        while (!cursor.gotoNextSibling()) {
          if (!cursor.gotoParent()) return done();
          path.pop();
        }
      }
      visit();
    }
  } finally {
    cursor.delete();
  }

  function done(): FlatTree {
    return {
      language,
      kinds: [...names.keys()],
      fields: tree.language.fields.map((name) => name ?? ""),
      kind: Uint16Array.from(kind),
      from: Uint32Array.from(from),
      to: Uint32Array.from(to),
      parent: Int32Array.from(parent),
      field: Uint16Array.from(field),
    };
  }
};
