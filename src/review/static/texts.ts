/** Texts in code: what a literal says, and which texts are put together from parts. */
import type { Node } from "./node.ts";

const literalKinds: ReadonlySet<string> = new Set([
  "string",
  "template_string",
  "interpreted_string_literal",
  "raw_string_literal",
  "concatenated_string",
  "raw_string",
]);

export const isText = (node: Node | undefined): boolean =>
  node !== undefined && literalKinds.has(node.kind);

/** What a literal says, without its quotes; undefined for anything that is not one plain literal. */
export const literalOf = (node: Node | undefined): string | undefined => {
  if (!node || !isText(node) || partsOf(node).length > 0) return undefined;
  const text = node.text.replace(/^[a-zA-Z]{0,2}(?=["'`])/, "");
  const quote = /^("""|'''|["'`])/.exec(text)?.[1] ?? "";
  return text.slice(quote.length, text.length - quote.length);
};

/** What is put into a literal: `${x}`, `{x}`, `$x`. */
const partsOf = (node: Node): readonly Node[] =>
  node.kind === "raw_string" || node.kind === "raw_string_literal"
    ? []
    : node
        .below(
          "interpolation",
          "template_substitution",
          "simple_expansion",
          "expansion",
          "command_substitution",
        )
        .filter(({ parent }) => parent === node || parent?.parent === node);

export interface Built {
  /** The fixed parts, in order; one more than `holes`. */
  readonly fixed: readonly string[];
  /** What is put between them. */
  readonly holes: readonly Node[];
}

/**
 * A text put together from fixed parts and values: template, f-string, `+`, `%`, `.format()`, `Sprintf`.
 * Undefined where nothing but constants is put in (numbers, NAMES_LIKE_THIS), or where no part is fixed.
 */
export const builtText = (node: Node | undefined): Built | undefined => {
  if (!node) return undefined;
  const pieces = piecesOf(node);
  if (!pieces?.some((piece) => typeof piece === "string" && piece.trim() !== "")) return undefined;
  const fixed: string[] = [""];
  const holes: Node[] = [];
  for (const piece of pieces) {
    if (typeof piece === "string") fixed.push(`${fixed.pop()}${piece}`);
    else {
      holes.push(piece);
      fixed.push("");
    }
  }
  return holes.some((hole) => !isConstant(hole)) ? { fixed, holes } : undefined;
};

type Pieces = readonly (string | Node)[];

const piecesOf = (node: Node): Pieces | undefined => {
  const [inner] = node.named;
  if (node.kind === "parenthesized_expression" && inner) return piecesOf(inner);
  if (node.kind === "concatenated_string") return node.named.flatMap((one) => piecesOf(one) ?? []);
  if (isText(node)) return literalPieces(node);
  if (node.kind === "binary_operator" || node.kind === "binary_expression")
    return operatorPieces(node);
  if (node.kind === "call" || node.kind === "call_expression") return formatPieces(node);
  return undefined;
};

const literalPieces = (node: Node): Pieces => {
  const parts = partsOf(node);
  const pieces: (string | Node)[] = [];
  const quote = /^[a-zA-Z]{0,2}("""|'''|["'`])/.exec(node.text);
  let at = node.from + (quote?.[0].length ?? 0);
  const end = node.to - (quote?.[1]?.length ?? 0);
  for (const part of parts) {
    if (part.from < at) continue;
    pieces.push(node.text.slice(at - node.from, part.from - node.from));
    const isWrapped = part.kind === "interpolation" || part.kind === "template_substitution";
    pieces.push((isWrapped ? part.named[0] : undefined) ?? part);
    at = part.to;
  }
  pieces.push(node.text.slice(at - node.from, end - node.from));
  return pieces;
};

const operatorPieces = (node: Node): Pieces | undefined => {
  const left = node.child("left");
  const right = node.child("right");
  if (!left || !right) return undefined;
  if (node.hasToken("%") && isText(left)) return filled(literalOf(left) ?? left.text, [right]);
  if (!node.hasToken("+")) return undefined;
  const before = piecesOf(left);
  const after = piecesOf(right);
  if (!before && !after) return undefined;
  return [...(before ?? [left]), ...(after ?? [right])];
};

const formatPieces = (node: Node): Pieces | undefined => {
  const target = node.child("function");
  const args = node.child("arguments")?.named ?? [];
  if (target?.kind === "attribute" && target.child("attribute")?.text === "format") {
    const text = target.child("object");
    return text && isText(text) ? filled(literalOf(text) ?? text.text, args) : undefined;
  }
  if (target?.text !== "fmt.Sprintf" || !isText(args[0])) return undefined;
  return filled(literalOf(args[0]) ?? "", args.slice(1));
};

/** Numbers cannot carry text: `%d` is no hole. */
const filled = (format: string, values: readonly Node[]): Pieces | undefined => {
  const given = values.flatMap((one) => (one.kind === "tuple" ? one.named : [one]));
  const pieces: (string | Node)[] = [];
  let at = 0;
  let next = 0;
  for (const match of format.matchAll(/%%|%[-+#0-9.]*([a-zA-Z])|%\(\w+\)([a-zA-Z])|\{[^{}]*\}/g)) {
    if (match[0] === "%%") continue;
    const value = given[Math.min(next++, given.length - 1)];
    pieces.push(format.slice(at, match.index));
    if (value && !/[dxXfFeEgGcbt]/.test(match[1] ?? match[2] ?? "s")) pieces.push(value);
    at = match.index + match[0].length;
  }
  pieces.push(format.slice(at));
  return pieces;
};

/** Numbers, literals, names in capitals, members of enums: somebody's own text, not somebody else's. */
export const isConstant = (node: Node): boolean =>
  /^(number|integer|float|int_literal|true|false|string)$/.test(node.kind)
    ? !isText(node) || literalOf(node) !== undefined
    : /^((\w+\.)*_?[A-Z][A-Z0-9_]*|[A-Z]\w*(\.[A-Z]\w*)+)$/.test(node.text) ||
      literalOf(node) !== undefined;

/** The value that a name was given last before a node, within one function. */
export const assignedBefore = (name: string, use: Node, scope: Node): Node | undefined => {
  let found: Node | undefined;
  for (const node of scope.walk()) {
    if (node.from >= use.from) break;
    if (
      !/^(assignment|variable_declarator|assignment_expression|short_var_declaration|assignment_statement)$/.test(
        node.kind,
      )
    )
      continue;
    const left = node.child("left") ?? node.child("name");
    const right = node.child("right") ?? node.child("value");
    if (left?.text === name && right)
      found = right.kind === "expression_list" ? right.named[0] : right;
  }
  return found;
};

/** A built text, given directly or by a name that was set in the same function. */
export const builtHere = (node: Node | undefined, scope: Node): Built | undefined => {
  if (node?.kind !== "identifier") return builtText(node);
  return builtText(assignedBefore(node.text, node, scope));
};

/** A text as a pattern that finds exactly it. */
export const exactly = (text: string): string => text.replaceAll(/[$.*+?^{}()|[\]\\/]/g, "\\$&");
