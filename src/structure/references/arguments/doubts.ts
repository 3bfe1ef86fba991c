/**
 * Why a call that does not seem to fit may be right all the same: the name has a second meaning, something
 * is put in its place at run time, another class defines it again, or the call is made to fail.
 */
import type { Analysed, ParsedTree } from "../../analyser.ts";
import type { OutlineSymbol, Reference } from "../../types.ts";
import type { FlatTree } from "../../worker/flat-tree.ts";
import { makesNames } from "../dynamic-code.ts";
import { familyOf } from "../source-facts.ts";
import { findBindings, lookAt } from "./bindings.ts";
import type { CallPlace, World } from "../find-definition.ts";
import type { Callee } from "./callee.ts";

/** The syntax tree of a text; asked for few files. */
export type TreeSource = (path: string, text: string) => Promise<ParsedTree>;

export const isDoubtful = async (
  reference: Reference,
  at: CallPlace,
  callee: Callee,
  world: World,
  parseTree: TreeSource,
): Promise<boolean> => {
  const { analysed, path } = at;
  const family = familyOf(analysed.outline.language);
  const text = analysed.source.text;
  if (isMeantToFail(reference, at)) return true;
  if (makesNames(text, family) || makesNames(callee.analysed.source.text, family)) return true;
  for (const hop of callee.hops) {
    const tree = await parseTree(hop.path, hop.analysed.source.text);
    if (!tree.ok || findBindings(tree.tree, hop.analysed.source.text, hop.name).length !== 1)
      return true;
  }
  const texts = new Set([text, callee.analysed.source.text]);
  for (const one of texts) if (isReplaced(reference.name, one)) return true;
  if (!callee.owner || callee.hops.length > 0) return false;
  const tree = await parseTree(path, text);
  if (!tree.ok || !isOwnReceiver(tree.tree, text, reference)) return true;
  return family === "python" && isDefinedAgain(callee, reference.name, world);
};

/** Tests call wrongly on purpose, and comments silence the compiler. */
export const isMeantToFail = (
  { line, span }: Pick<Reference, "line" | "span">,
  { analysed }: Pick<CallPlace, "analysed">,
): boolean => {
  const { source, outline } = analysed;
  const around = linesAround(source.text, line, familyOf(outline.language) === "python" ? 12 : 6);
  if (familyOf(outline.language) === "python")
    return /\bTypeError\b|[rR]aises\b|\bexcept\b/.test(around) || inType(source.text, span.from);
  return (
    /@ts-nocheck/.test(source.text.slice(0, 2000)) ||
    /@ts-(?:ignore|expect-error)|[tT]hrow|\breject/.test(around)
  );
};

/** `if TYPE_CHECKING:` files and the like are not run. */
const inType = (text: string, from: number): boolean =>
  /\breveal_type\b|\bassert_type\b/.test(text.slice(Math.max(0, from - 200), from));

const linesAround = (text: string, line: number, reach: number): string =>
  text
    .split(/\r\n|\r|\n/)
    .slice(Math.max(0, line - 1 - reach), line + 3)
    .join("\n");

/** `thing.name = …`, a patch by its name in a text. */
const isReplaced = (name: string, text: string): boolean => {
  const word = name.replaceAll("$", String.raw`\$`);
  return new RegExp(
    String.raw`\.${word}\s*(?::[^=\n]*)?=(?!=)|["'\x60](?:[\w$]+\.)*${word}["'\x60]`,
  ).test(text);
};

/** Whether `self` or `this` is that of the method around the call, not of a function inside of it. */
const isOwnReceiver = (tree: FlatTree, text: string, { span, receiver }: Reference): boolean => {
  const look = lookAt(tree);
  let node = -1;
  for (let one = 0; one < tree.kind.length; one += 1) {
    const isHere = tree.from[one] === span.from && tree.to[one] === span.to;
    if (isHere && look.kind(one).endsWith("identifier")) node = one;
  }
  if (node < 0) return false;
  for (let around = look.parent(node); around >= 0; around = look.parent(around)) {
    const kind = look.kind(around);
    if (kind === "class_body" || kind === "class_definition") return false;
    if (kind === "function_definition") {
      const head = text.slice(tree.from[around] ?? 0, (tree.from[around] ?? 0) + 400);
      const hasIt = new RegExp(String.raw`^[^(]*\(\s*${receiver}\b`).test(head);
      if (hasIt) return look.kind(methodHolder(around, look)) === "class_definition";
    }
    if (kind === "method_definition") {
      const head = text.slice(tree.from[around] ?? 0, (tree.from[around] ?? 0) + 200);
      return look.kind(look.parent(around)) === "class_body" && !/^[^({]*\bstatic\b/.test(head);
    }
    if (/^(?:function_declaration|function_expression|generator_function\w*|object)$/.test(kind))
      return false;
  }
  return false;
};

const methodHolder = (definition: number, look: ReturnType<typeof lookAt>): number => {
  let around = look.parent(definition);
  while (["decorated_definition", "block"].includes(look.kind(around)))
    around = look.parent(around);
  return around;
};

/** A class that inherits from this one has it too, or inherits from others beside it. */
const isDefinedAgain = async (
  { owner, path, analysed }: Callee,
  name: string,
  { universe, outlineOf }: World,
): Promise<boolean> => {
  const todo = owner ? [owner.name] : [];
  const seen = new Set(todo);
  for (let base = todo.shift(); base !== undefined; base = todo.shift()) {
    for (const file of new Set([path, ...universe.filesWith(base)])) {
      const other: Analysed | undefined = file === path ? analysed : await outlineOf(file);
      for (const heir of classesIn(other?.outline.symbols ?? [])) {
        const bases = (heir.bases ?? []).map(lastWord);
        if (!bases.includes(base)) continue;
        if (bases.length > 1 || heir.children.some((child) => child.name === name)) return true;
        if (seen.size > heirsMax) return true;
        if (!seen.has(heir.name)) todo.push(heir.name);
        seen.add(heir.name);
      }
    }
  }
  return false;
};

const heirsMax = 50;

const lastWord = (base: string): string =>
  base
    .replace(/[[<(][^]*$/, "")
    .split(".")
    .at(-1)
    ?.trim() ?? base;

function* classesIn(symbols: readonly OutlineSymbol[]): Generator<OutlineSymbol> {
  for (const symbol of symbols) {
    if (symbol.kind === "class") yield symbol;
    yield* classesIn(symbol.children);
  }
}
