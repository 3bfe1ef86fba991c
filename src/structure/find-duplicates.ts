/** What stands twice in one scope, by the language's own key; and which of it an edit brought in. */
import { meantTwice } from "./meant-twice.ts";
import { rulesOf } from "./languages/index.ts";
import type { SourceText } from "./source-text.ts";
import type { Duplicate, Outline, OutlineSymbol } from "./types.ts";

export const findDuplicates = (outline: Outline, source: SourceText): Duplicate[] => {
  const found: Duplicate[] = [];
  const isInParts =
    outline.language === "csharp"
      ? ({ kind, key }: OutlineSymbol) => inParts(kind, key)
      : () => false;
  collect(outline.symbols, "", { source, isInParts }, found);
  findImports(outline, source, found);
  findExports(outline, source, found);
  const isMeant = meantTwice(outline, source);
  return found.filter((one) => !isMeant(one));
};

interface PartsReading {
  readonly source: SourceText;
  /** One type, written in several parts. */
  isInParts(symbol: OutlineSymbol): boolean;
}

/** A partial type of C# has no key of its own. */
const inParts = (kind: string, key: string | undefined): boolean =>
  key === undefined && /^(?:class|struct|interface|record)$/.test(kind);

const collect = (
  symbols: readonly OutlineSymbol[],
  within: string,
  reading: PartsReading,
  found: Duplicate[],
): void => {
  const { source, isInParts } = reading;
  const first = new Map<string, OutlineSymbol>();
  const spaces = new Map<string, OutlineSymbol[]>();
  for (const symbol of symbols) {
    if (symbol.kind === "namespace" || isInParts(symbol)) {
      const id = `${symbol.scope}\0${symbol.name}${parametersAfter(symbol, source)}`;
      spaces.set(id, [...(spaces.get(id) ?? []), symbol]);
    } else collect(symbol.children, symbol.path, reading, found);
    if (symbol.key === undefined) continue;
    const id = `${symbol.scope}\0${symbol.key}`;
    const earlier = first.get(id);
    if (!earlier) {
      first.set(id, symbol);
      continue;
    }
    found.push({
      kind: symbol.kind === "key" ? "key" : "symbol",
      name: symbol.name,
      symbolKind: symbol.kind,
      within,
      key: `${within}\0${symbol.key}`,
      first: placeOf(earlier, source),
      second: placeOf(symbol, source),
    });
  }
  for (const [one, ...more] of spaces.values()) {
    if (one) collect([one, ...more].flatMap(inOneScope), one.path, reading, found);
  }
};

/** `A` and `A<T>` are two types. */
const parametersAfter = ({ nameSpan }: OutlineSymbol, { text }: SourceText): string =>
  /^\s*<[^>{(]*>/.exec(text.slice(nameSpan.to, nameSpan.to + 200))?.[0].replaceAll(/[^,<]/g, "") ??
  "";

/** A namespace may be written in several parts; their direct members share one scope. */
const inOneScope = ({ body, children }: OutlineSymbol): OutlineSymbol[] =>
  children.map((child) => {
    const isDirect = body !== undefined && child.scope.endsWith(`@${body.from}`);
    return isDirect ? { ...child, scope: "namespace" } : child;
  });

const placeOf = (symbol: OutlineSymbol, source: SourceText) => ({
  line: source.position(symbol.nameSpan.from).line,
  span: symbol.span,
  path: symbol.path,
});

const findImports = (outline: Outline, source: SourceText, found: Duplicate[]): void => {
  const rules = rulesOf(outline.language);
  const keyOf = rules?.importKey;
  if (!keyOf) return;
  const bare = rules.importsOnce ? [{ name: "", as: "" }] : [];
  const first = new Map<string, Duplicate["first"]>();
  for (const one of outline.imports) {
    for (const name of one.names.length > 0 ? one.names : bare) {
      const key = keyOf(one, name);
      if (key === undefined) continue;
      const id = `${one.scope}\0${key}`;
      const place = { line: source.position(one.span.from).line, span: one.span, path: one.from };
      const earlier = first.get(id);
      if (!earlier) first.set(id, place);
      else {
        const shown = name.as || name.name || one.from;
        found.push({
          kind: "import",
          name: shown,
          within: "",
          key: `import ${key}`,
          first: earlier,
          second: place,
        });
      }
    }
  }
};

/** A name in an export list that another list has, or that was exported where it is declared. */
const findExports = (outline: Outline, source: SourceText, found: Duplicate[]): void => {
  if (!["typescript", "tsx", "javascript"].includes(outline.language)) return;
  const first = new Map(
    outline.symbols
      .filter(({ isExported }) => isExported)
      .map((symbol) => [symbol.name, placeOf(symbol, source)]),
  );
  for (const { name, range } of outline.exports) {
    const from = source.lineStart(range.start.line) + range.start.column - 1;
    const to = source.lineStart(range.end.line) + range.end.column - 1;
    if (name === "*" || !/^export\s*(type\s*)?\{/.test(source.text.slice(from, to))) continue;
    const place = { line: range.start.line, span: { from, to }, path: name };
    const earlier = first.get(name);
    if (!earlier) first.set(name, place);
    else {
      const key = `export ${name}`;
      found.push({ kind: "export", name, within: "", key, first: earlier, second: place });
    }
  }
};

/** Duplicates of the new version that the old one did not have, counted by what they have in common. */
export const newDuplicates = (
  before: readonly Duplicate[],
  after: readonly Duplicate[],
): Duplicate[] => {
  const had = new Map<string, number>();
  for (const one of before) had.set(idOf(one), (had.get(idOf(one)) ?? 0) + 1);
  return after.filter((one) => {
    const left = had.get(idOf(one)) ?? 0;
    if (left === 0) return true;
    had.set(idOf(one), left - 1);
    return false;
  });
};

const idOf = ({ kind, key }: Duplicate): string => `${kind}\0${key}`;
