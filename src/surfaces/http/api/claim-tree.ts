/**
 * Claims as a tree of the repository: folders, files, symbols. Pure. Folders with a single child are one
 * row, as editors show them. What is folded away is not counted as a row.
 */
import type { TreeRow } from "./shapes.ts";

export interface TreeClaim {
  readonly id: string;
  readonly target: string;
}

export interface Folding {
  readonly fold: "open" | "closed";
  /** Keys of the rows that are the other way. */
  readonly except: ReadonlySet<string>;
}

export interface BareRow<C> extends Omit<TreeRow, "claim"> {
  readonly claim?: C;
}

export const claimTree = <C extends TreeClaim>(
  claims: readonly C[],
  folding: Folding,
): BareRow<C>[] => {
  const root = newNode<C>("", "folder", "");
  for (const claim of claims) insert(root, claim);
  const rows: BareRow<C>[] = [];
  for (const child of sorted(root)) show(child, 0, { folding, rows });
  return rows;
};

interface Node<C> {
  readonly name: string;
  readonly kind: TreeRow["kind"];
  readonly path: string;
  readonly children: Map<string, Node<C>>;
  readonly claims: C[];
  count: number;
  /** Paths below it, not only symbols. */
  hasPaths: boolean;
}

const newNode = <C>(name: string, kind: TreeRow["kind"], path: string): Node<C> => ({
  name,
  kind,
  path,
  children: new Map(),
  claims: [],
  count: 0,
  hasPaths: false,
});

const insert = <C extends TreeClaim>(root: Node<C>, claim: C): void => {
  let node = root;
  node.count += 1;
  for (const { name, kind } of partsOf(claim.target)) {
    const key = `${kind === "symbol" ? "#" : "/"}${name}`;
    let child = node.children.get(key);
    if (!child) {
      child = newNode(name, kind, node.path + key);
      node.children.set(key, child);
      node.hasPaths ||= kind !== "symbol";
    }
    child.count += 1;
    node = child;
  }
  node.claims.push(claim);
};

interface Part {
  readonly name: string;
  readonly kind: TreeRow["kind"];
}

/** The names a target goes through, from the root down. */
export const partsOf = (target: string): readonly Part[] => {
  if (target.startsWith("name:")) {
    return [
      { name: "named resources", kind: "group" },
      { name: target.slice("name:".length), kind: "resource" },
    ];
  }
  if (target.startsWith("@git/")) {
    return [
      { name: "git", kind: "group" },
      { name: target.slice("@git/".length), kind: "resource" },
    ];
  }
  const { path, symbol } = splitSymbol(target);
  const names = splitPath(path);
  const first = names.findIndex((name) => /(?<!\\)[*?[{]/.test(name));
  const literal = first === -1 ? names : names.slice(0, first);
  const parts = literal.map((name, index): Part => {
    const isLast = first === -1 && index === names.length - 1;
    return { name: plain(name), kind: isLast ? "file" : "folder" };
  });
  // From the first wildcard on it is one thing: nobody unfolds a pattern.
  if (first !== -1) parts.push({ name: names.slice(first).join("/"), kind: "pattern" });
  const symbols = symbol === "" ? [] : symbol.split(/(?<!\\)\./);
  return [...parts, ...symbols.map((name): Part => ({ name: plain(name), kind: "symbol" }))];
};

const plain = (name: string): string => name.replaceAll(/\\(.)/gsu, "$1");

const splitSymbol = (target: string): { path: string; symbol: string } => {
  const match = /(?<!\\)#/.exec(target);
  if (!match) return { path: target, symbol: "" };
  return { path: target.slice(0, match.index), symbol: target.slice(match.index + 1) };
};

/** Slashes in braces belong to one name: `{a/b,c}`. */
const splitPath = (path: string): string[] => {
  const names: string[] = [];
  let depth = 0;
  let name = "";
  for (let at = 0; at < path.length; at += 1) {
    const char = path.charAt(at);
    if (char === "\\") {
      name += char + path.charAt(at + 1);
      at += 1;
    } else if (char === "/" && depth === 0) {
      names.push(name);
      name = "";
    } else {
      if (char === "{") depth += 1;
      if (char === "}") depth = Math.max(0, depth - 1);
      name += char;
    }
  }
  return [...names, name].filter((one) => one !== "");
};

const order: Readonly<Record<TreeRow["kind"], number>> = {
  folder: 0,
  pattern: 1,
  file: 1,
  symbol: 1,
  resource: 1,
  group: 2,
};

const sorted = <C>({ children }: Node<C>): Node<C>[] =>
  [...children.values()].toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );

/** A file with a path below it is a folder: it was claimed by another name for the same place. */
const isFolder = <C>({ kind, hasPaths }: Node<C>): boolean =>
  kind === "folder" || (kind !== "group" && hasPaths);

const rankOf = <C>(node: Node<C>): number => (isFolder(node) ? 0 : order[node.kind]);

/** What is shown in one row with the node itself: a folder in a folder, a symbol in a file. */
const onlyChild = <C>(
  node: Node<C>,
): { readonly node: Node<C>; readonly sign: string } | undefined => {
  const [only, ...others] = node.children.values();
  if (!only || others.length > 0 || node.claims.length > 0) return undefined;
  if (isFolder(node)) return isFolder(only) ? { node: only, sign: "/" } : undefined;
  if (only.kind !== "symbol") return undefined;
  return { node: only, sign: node.kind === "symbol" ? "." : "#" };
};

const show = <C extends TreeClaim>(
  first: Node<C>,
  depth: number,
  into: { readonly folding: Folding; readonly rows: BareRow<C>[] },
): void => {
  let node = first;
  let { name } = node;
  for (;;) {
    const joined = onlyChild(node);
    if (!joined) break;
    name += joined.sign + joined.node.name;
    ({ node } = joined);
  }
  const key = keyOf(node.path);
  const { folding, rows } = into;
  const isOpen = (folding.fold === "open") !== folding.except.has(key);
  const [claim, ...others] = node.claims;
  const kind = isFolder(node) ? "folder" : node.kind;
  rows.push({
    ...{ key, depth, kind, name, count: node.count },
    ...(node.children.size > 0 && { isOpen }),
    ...(claim && { claim }),
  });
  for (const other of others) {
    rows.push({ key: `${key}-${other.id}`, depth, kind, name, count: 1, claim: other });
  }
  if (node.children.size === 0 || !isOpen) return;
  for (const child of sorted(node)) show(child, depth + 1, into);
};

/** Short, so that many of them fit into a question; two alike would only fold together. */
const keyOf = (text: string): string => {
  let [a, b] = [0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
};
