/** An outline made in this process, and short ways to ask about it. */
import { expect } from "vitest";
import { findDuplicates } from "../../../src/structure/find-duplicates.ts";
import { rulesOf } from "../../../src/structure/languages/index.ts";
import { buildOutline } from "../../../src/structure/outline/build-outline.ts";
import { SourceText } from "../../../src/structure/source-text.ts";
import type { OutlineSymbol, Span } from "../../../src/structure/types.ts";
import { parserFor } from "../../../src/structure/worker/grammars.ts";

export const outlined = async (language: string, text: string) => {
  const rules = rulesOf(language)!;
  const source = new SourceText(text);
  const tree = (await parserFor(rules.grammar)).parse(text)!;
  const built = buildOutline(tree, rules, source);
  tree.delete();
  const outline = { ...built, path: "file", coverage: {} as never };
  const all: OutlineSymbol[] = [];
  const wrong: string[] = [];
  const visit = (symbols: readonly OutlineSymbol[], around: Span): void => {
    let at = around.from;
    for (const symbol of symbols) {
      all.push(symbol);
      const { nameSpan, span, core, path } = symbol;
      if (source.text.slice(nameSpan.from, nameSpan.to) !== symbol.name)
        wrong.push(`${path}: name`);
      if (span.from < at || span.to > around.to) wrong.push(`${path}: overlaps or sticks out`);
      const behind = source.text.slice(span.to, core.to).trim();
      if (core.from < span.from || behind !== "") wrong.push(`${path}: core outside of span`);
      at = symbol.span.to;
      visit(symbol.children, symbol.span);
    }
  };
  visit(outline.symbols, { from: 0, to: text.length });
  expect(wrong).toEqual([]);
  const read = (span: Span | undefined): string | undefined =>
    span && source.text.slice(span.from, span.to);
  const symbol = (path: string): OutlineSymbol => {
    const found = all.find((one) => one.path === path);
    if (!found) throw new Error(`no ${path} among ${all.map((one) => one.path).join(" ")}`);
    return found;
  };
  return {
    outline,
    symbol,
    span: (path: string) => read(symbol(path).span),
    core: (path: string) => read(symbol(path).core),
    body: (path: string) => read(symbol(path).body),
    /** `kind path`, from the top. */
    shape: all.map((one) => `${one.kind} ${one.path}`),
    /** `kind name first,second`. */
    duplicates: findDuplicates(outline, source).map(
      (one) => `${one.kind} ${one.name} ${one.first.line},${one.second.line}`,
    ),
    imports: outline.imports.map(({ from, names }) =>
      `${from}: ${names.map(({ name, as }) => `${name}>${as}`).join(" ")}`.trim(),
    ),
    exports: outline.exports.map(({ name, from }) =>
      from === undefined ? name : `${name}<${from}`,
    ),
    references: outline.references.map(
      ({ kind, receiver, name, within }) =>
        `${kind} ${receiver === undefined ? "" : `${receiver}.`}${name} @${within}`,
    ),
  };
};

export const duplicatesIn = async (language: string, text: string): Promise<string[]> =>
  (await outlined(language, text)).duplicates;
