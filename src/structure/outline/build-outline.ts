/** From a syntax tree and a language's rules to an outline. Runs where the parser runs. */
import type { Node, Tree } from "web-tree-sitter";
import type { Found, FoundImport, LanguageRules } from "../languages/rules.ts";
import { squeeze } from "../languages/rules.ts";
import type { SourceText } from "../source-text.ts";
import type {
  Outline,
  OutlineExport,
  OutlineImport,
  OutlineSymbol,
  Reference,
  Span,
  TitledBlock,
} from "../types.ts";
import { attachedTo, coreSpanOf, spanOf } from "./attached.ts";
import { readProblems } from "./problems.ts";

type Built = Omit<Outline, "path" | "coverage">;

interface Draft {
  readonly found: Found;
  readonly core: Node;
  readonly span: Span;
  readonly comments: string;
  readonly children: Draft[];
  path: string;
}

export const buildOutline = (tree: Tree, given: LanguageRules, source: SourceText): Built => {
  const root = tree.rootNode;
  const rules = withoutTests(withoutLoads(given, source), source);
  const nodes = nodesOfInterest(root, rules);
  const drafts = nest(readDefinitions(nodes, rules, source));
  namePaths(drafts, "", new Map());
  const symbols = drafts.map((draft) => toSymbol(draft, rules, source));
  const tests = readTests(nodes, rules, source);
  return {
    language: rules.id,
    symbols,
    imports: readImports(nodes, rules, source),
    exports: readExports(nodes, rules, source, symbols),
    references: readReferences(nodes, rules, source, drafts),
    ...(tests.length > 0 && { tests }),
    problems: readProblems(root, source),
    isDynamic: rules.dynamic?.test(source.text) ?? false,
  };
};

/** Statements and calls are many, and in most files none of them loads a module. */
const withoutLoads = (rules: LanguageRules, { text }: SourceText): LanguageRules => {
  const { imports, loads } = rules;
  if (!loads || loads.text.test(text)) return rules;
  const left = Object.entries(imports).filter(([type]) => loads.otherwise.includes(type));
  return { ...rules, imports: Object.fromEntries(left) };
};

const withoutTests = (rules: LanguageRules, { text }: SourceText): LanguageRules =>
  rules.testsIn?.test(text) === false ? { ...rules, tests: {} } : rules;

interface Typed {
  readonly type: string;
  readonly node: Node;
}

/** All that any rule looks at, in the order of the text: one walk of the tree, one question for each type. */
const nodesOfInterest = (root: Node, rules: LanguageRules): Typed[] => {
  const { definitions, imports, exports = {}, references = {}, tests = {} } = rules;
  const types = new Set([definitions, imports, exports, references, tests].flatMap(Object.keys));
  const nodes = root.descendantsOfType([...types]) as (Node | null)[];
  return nodes.flatMap((node) => (node ? [{ type: node.type, node }] : []));
};

const readDefinitions = (
  nodes: readonly Typed[],
  rules: LanguageRules,
  source: SourceText,
): Draft[] => {
  const drafts: Draft[] = [];
  for (const { type, node } of nodes) {
    const found = rules.definitions[type]?.(node);
    if (!found) continue;
    for (const one of Array.isArray(found) ? (found as Found[]) : [found as Found]) {
      const core = one.core ?? node;
      const { span, comments } = attachedTo(one.outer ?? core, rules, source);
      drafts.push({ found: one, core, span, comments, children: [], path: "" });
    }
  }
  return drafts.toSorted((a, b) => a.span.from - b.span.from || b.span.to - a.span.to);
};

/** Each under the innermost one that encloses it. */
const nest = (sorted: readonly Draft[]): Draft[] => {
  const top: Draft[] = [];
  const open: Draft[] = [];
  for (const draft of sorted) {
    let parent = open.at(-1);
    while (parent && parent.span.to < draft.span.to) {
      open.pop();
      parent = open.at(-1);
    }
    (parent?.children ?? top).push(draft);
    open.push(draft);
  }
  return top;
};

/** A path names one symbol of the file: `T.x` may be a field and, beside the type, a method. */
const namePaths = (drafts: readonly Draft[], prefix: string, used: Map<string, number>): void => {
  for (const draft of drafts) {
    const { name, container } = draft.found;
    const base = [prefix, container, name].filter(Boolean).join(".");
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    draft.path = count === 1 ? base : `${base}~${count}`;
    namePaths(draft.children, draft.path, used);
  }
};

const toSymbol = (draft: Draft, rules: LanguageRules, source: SourceText): OutlineSymbol => {
  const { found, core, span } = draft;
  const body = found.body ? spanOf(found.body) : undefined;
  const coreSpan = coreSpanOf(core, rules, source);
  const { key } = found;
  const doc = docOf(draft, rules);
  return {
    name: found.name,
    kind: found.kind,
    path: draft.path,
    span,
    range: source.range(span),
    core: coreSpan,
    nameSpan: spanOf(found.nameNode),
    ...(body && { body }),
    signature: squeeze(source.text.slice(coreSpan.from, body ? body.from : coreSpan.to)).slice(
      0,
      1000,
    ),
    ...(key !== undefined && { key: [found.container, key].filter(Boolean).join(".") }),
    scope: scopeOf(found.scope ?? (found.outer ?? core).parent, rules),
    isExported: found.isExported ?? false,
    isPrivate: found.isPrivate ?? false,
    ...(doc && { doc }),
    decorators: found.decorators ?? [],
    ...(found.bases && found.bases.length > 0 && { bases: found.bases }),
    ...(found.parameters && { parameters: found.parameters }),
    children: draft.children.map((child) => toSymbol(child, rules, source)),
  };
};

/** The place of the enclosing block; the file itself is the empty text. */
const scopeOf = (start: Node | null, rules: LanguageRules): string => {
  for (let node = start; node; node = node.parent) {
    if (!node.parent) return "";
    if (rules.scopeTypes.includes(node.type)) return `${node.type}@${node.startIndex}`;
  }
  return "";
};

const docOf = ({ found, comments }: Draft, rules: LanguageRules): string | undefined => {
  const inside = rules.block === "indent" ? (found.body?.firstNamedChild?.text ?? "") : "";
  const docstring = /^[rRuUbB]*("""|'''|"|')([^]*)/.exec(inside)?.[2];
  const text = docstring ?? comments;
  const line = text
    .split(/\r\n|\r|\n/)
    .map((one) => one.replace(/^[\s/*#!;%-]+/, "").replace(/(?<![\s*/"'])[\s*/"']+$/, ""))
    .find((one) => one !== "");
  return line?.slice(0, 200);
};

const readImports = (
  nodes: readonly Typed[],
  rules: LanguageRules,
  source: SourceText,
): OutlineImport[] =>
  nodes.flatMap(({ type, node }) => {
    const found = rules.imports[type]?.(node);
    if (!found) return [];
    const span = spanOf(node);
    const all = Array.isArray(found) ? (found as FoundImport[]) : [found as FoundImport];
    return all.map(({ from, names, isTypeOnly }) => ({
      from,
      names,
      span,
      range: source.range(span),
      scope: scopeOf(node.parent, rules),
      ...(isTypeOnly && { isTypeOnly }),
    }));
  });

const readExports = (
  nodes: readonly Typed[],
  rules: LanguageRules,
  source: SourceText,
  symbols: readonly OutlineSymbol[],
): OutlineExport[] => {
  const named = symbols.filter((one) => one.isExported).map(({ name, range }) => ({ name, range }));
  const others = nodes.flatMap(({ type, node }) =>
    (rules.exports?.[type]?.(node) ?? []).map(({ name, from }) => ({
      name,
      ...(from !== undefined && { from }),
      range: source.range(spanOf(node)),
    })),
  );
  return [...named, ...others];
};

/** Nodes come in the order of the text: what is around a block comes before it. */
const readTests = (
  nodes: readonly Typed[],
  rules: LanguageRules,
  source: SourceText,
): TitledBlock[] => {
  const blocks: TitledBlock[] = [];
  const open: { readonly to: number; readonly titles: readonly string[] }[] = [];
  for (const { type, node } of nodes) {
    const title = rules.tests?.[type]?.(node);
    if (title === undefined) continue;
    while ((open.at(-1)?.to ?? Infinity) < node.endIndex) open.pop();
    const titles = [...(open.at(-1)?.titles ?? []), title];
    open.push({ to: node.endIndex, titles });
    blocks.push({ titles, range: source.range(spanOf(node)) });
  }
  return blocks;
};

const readReferences = (
  nodes: readonly Typed[],
  rules: LanguageRules,
  source: SourceText,
  drafts: readonly Draft[],
): Reference[] => {
  const found = nodes.flatMap(({ type, node }) => {
    const one = rules.references?.[type]?.(node);
    return one ? [one] : [];
  });
  return found.map(({ at, given, ...rest }) => {
    const span = spanOf(at);
    return {
      ...rest,
      ...(given && { given }),
      span,
      line: source.position(span.from).line,
      within: withinOf(drafts, span),
    };
  });
};

const withinOf = (drafts: readonly Draft[], span: Span): string => {
  let path = "";
  let level = drafts;
  for (;;) {
    // Siblings are in order and do not overlap: the last one that begins before is the only candidate.
    let [low, high] = [0, level.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((level[middle]?.span.from ?? Infinity) <= span.from) low = middle + 1;
      else high = middle;
    }
    const candidate = level[low - 1];
    if (!candidate || candidate.span.to < span.to) return path;
    path = candidate.path;
    level = candidate.children;
  }
};
