/**
 * The parts of a file that a change touches, each the smallest thing with a name: a symbol, a test block, an
 * import or export, a section of a document, an entry of a changelog. Lines that belong to none of them are
 * regions. Worked out from the outlines that the judgement has made anyway.
 */
import { diffLines, toLines } from "../lines/index.ts";
import {
  type Analysed,
  documentSections,
  type OutlineImport,
  type OutlineSymbol,
  type Range,
} from "../structure/index.ts";
import type { FileCase } from "./file-case.ts";

export interface HeldPart {
  /** From the outside in, as docs/targets.md says: `["C", "m"]`, `["test:cart", "adds"]`, `["lines:3-9"]`. */
  readonly names: readonly string[];
  /** Its lines in the file as it is now; absent where it is new or has no name. */
  readonly lines?: LineRange;
}

/** Lines count from 1, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Above this the whole file is meant. */
const partsMax = 50;

/** Empty: the file as a whole, because it comes or goes, cannot be read, or changes in too many places. */
export const heldParts = (file: FileCase): readonly HeldPart[] => {
  const { before, after, beforeBytes, afterBytes, regions } = file;
  if (!before || !after || !beforeBytes || !afterBytes) return [];
  if (before.source.text.includes("\0") || after.source.text.includes("\0")) return [];
  const [old, now] = [survey(before), survey(after)];
  const found = new Map<string, HeldPart>();
  const add = (part: HeldPart): void => {
    const key = part.names.join("\0");
    if (!found.has(key)) found.set(key, part);
  };
  for (const part of changedSymbols(file, old, now)) add(part);
  if (regions.imports) {
    const imports = ({ outline }: Analysed) => importedNames(outline.imports);
    for (const part of changedEntries("import", imports(before), imports(after))) add(part);
  }
  if (regions.moduleLevel || found.size === 0) {
    const lines = toLines(afterBytes);
    const hunks = diffLines(toLines(beforeBytes), lines);
    for (const part of changedElsewhere(hunks, { file, old, now })) add(part);
  }
  const parts = [...found.values()];
  // A test is not changed as a whole because a test in it is, but where it is, those in it are named by it.
  const outer = parts.filter(
    ({ names }) => !parts.some((other) => isInside(names, other.names) && other.names !== names),
  );
  return outer.length > partsMax ? [] : outer;
};

const isInside = (names: readonly string[], outer: readonly string[]): boolean =>
  outer.length < names.length && outer.every((name, at) => name === names[at]);

interface PlacedSymbol {
  readonly symbol: OutlineSymbol;
  readonly parent: PlacedSymbol | undefined;
}

interface TitledPart {
  readonly names: readonly string[];
  readonly range: Range;
}

interface NamedPlaces {
  readonly symbols: ReadonlyMap<string, PlacedSymbol>;
  /** Test blocks, sections and entries, outer ones first. */
  readonly blocks: readonly TitledPart[];
}

export const survey = ({ outline, source }: Analysed): NamedPlaces => {
  const symbols = new Map<string, PlacedSymbol>();
  const visit = (symbol: OutlineSymbol, parent: PlacedSymbol | undefined): void => {
    const placed = { symbol, parent };
    symbols.set(symbol.path, placed);
    for (const child of symbol.children) visit(child, placed);
  };
  for (const symbol of outline.symbols) visit(symbol, undefined);
  const tests = (outline.tests ?? []).map(({ titles, range }) => ({
    ...{ names: titles.map((title, at) => (at === 0 ? `test:${title}` : title)), range },
  }));
  const sections = documentSections(outline.path, source.text).map(({ kind, titles, range }) => ({
    names: titles.map((title, at) => {
      if (kind === "entry" && at === titles.length - 1) return `entry:${title}`;
      return at === 0 ? `section:${title}` : title;
    }),
    range,
  }));
  return { symbols, blocks: [...tests, ...sections] };
};

/** Each with the list element or type it is written with, and without the mark of a twin. */
export const namesFrom = ({ symbol, parent }: PlacedSymbol): string[] => {
  const { path, name } = symbol;
  const own = parent ? path.slice(parent.symbol.path.length + 1) : path;
  const bare = own.endsWith(name) ? own : own.replace(/~\d+$/, "");
  const container = bare.slice(0, Math.max(0, bare.length - name.length - 1));
  return [...(parent ? namesFrom(parent) : []), ...(container === "" ? [] : [container]), name];
};

/** Changed symbols that are not inside another changed one. */
const changedSymbols = ({ regions }: FileCase, old: NamedPlaces, now: NamedPlaces): HeldPart[] => {
  const touched = new Set([...regions.added, ...regions.removed, ...regions.changed]);
  return [...touched].flatMap((path) => {
    const was = old.symbols.get(path);
    const placed = now.symbols.get(path) ?? was;
    if (!placed) return [];
    for (let at = placed.parent; at; at = at.parent) if (touched.has(at.symbol.path)) return [];
    const { blocks } = now.symbols.has(path) ? now : old;
    const names = namesFrom(placed);
    const lines = was && { lines: linesIn(was.symbol.range) };
    const test = blocks.findLast(({ range }) => isAround(range, placed.symbol.range));
    const named = [{ names, ...lines }];
    return test ? [...named, { names: [...test.names, ...names], ...lines }] : named;
  });
};

const isAround = (outer: Range, inner: Range): boolean =>
  outer.start.line <= inner.start.line && inner.end.line <= outer.end.line;

/** By what they are, each with its name and place. */
type Entries = ReadonlyMap<string, { readonly name: string; readonly range: Range }>;

/** Of the names that a file brings in or lets out, those that come or go. */
const changedEntries = (kind: "import" | "export", old: Entries, now: Entries): HeldPart[] =>
  [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    if (was && is) return [];
    const name = (is ?? was)?.name ?? "";
    return [{ names: [`${kind}:${name}`], ...(was && { lines: linesIn(was.range) }) }];
  });

/** By what they are called here; a module that brings no name, by its own. */
export const importedNames = (imports: readonly OutlineImport[]): Entries => {
  const found = new Map<string, { name: string; range: Range }>();
  for (const { from, names, range, scope, isTypeOnly = false } of imports) {
    if (scope !== "") continue;
    const all = names.length === 0 ? [{ name: "", as: "" }] : names;
    for (const { name, as } of all) {
      const shown = as === "" || as === "*" ? from : as;
      found.set(`${from}\0${name}\0${as}\0${isTypeOnly}`, { name: shown, range });
    }
  }
  return found;
};

/** Those of lists and re-exports; an exported definition is a symbol. */
export const exportedNames = ({ outline }: Analysed): Entries => {
  const defined = new Set(outline.symbols.map(({ range }) => JSON.stringify(range)));
  const lists = outline.exports.filter(({ range }) => !defined.has(JSON.stringify(range)));
  return new Map(
    lists.map(({ name, from = "", range }) => {
      const shown = name === "*" ? from : name;
      return [`${name}\0${from}`, { name: shown, range }];
    }),
  );
};

type Hunks = ReturnType<typeof diffLines>;

/** Outside of symbols and imports; where that is nothing, only blank space changed. */
const changedElsewhere = (
  hunks: Hunks,
  {
    file,
    old,
    now,
  }: { readonly file: FileCase; readonly old: NamedPlaces; readonly now: NamedPlaces },
): HeldPart[] => {
  const [exported, exports] = [file.before, file.after].map(
    (one) => (one && exportedNames(one)) ?? new Map<string, never>(),
  ) as [Entries, Entries];
  const parts = changedEntries("export", exported, exports);
  const known = (entries: Entries) => (parts.length > 0 ? entries : new Map<string, never>());
  const was = linePlan(file.before, old, known(exported));
  const is = linePlan(file.after, now, known(exports));
  const regions: number[] = [];
  const other: number[] = [];
  let shift = 0;
  for (const { from, to, lines } of hunks) {
    const start = from + shift;
    shift += lines.length - (to - from);
    const places = lines.flatMap((text, at) => (text.trim() === "" ? [] : [start + at + 1]));
    const named = [
      ...places.map((line) => is(line)),
      ...Array.from({ length: to - from }, (_, at) => was(from + at + 1)),
    ];
    for (const one of named) if (typeof one === "object") parts.push(withLines(one, old));
    const free = places.filter((line) => is(line) === "free");
    const isGone = lines.length === 0 && was(from + 1) === "free";
    regions.push(...free, ...(isGone ? [Math.max(1, start)] : []));
    other.push(
      ...(lines.length === 0 ? [Math.max(1, start)] : lines.map((_, at) => start + at + 1)),
    );
  }
  // Only blank space, or only in things that are as they were.
  const isBlank = parts.length === 0 && regions.length === 0;
  return [...parts, ...toRegions(isBlank ? other : regions)];
};

const withLines = ({ names }: TitledPart, old: NamedPlaces): HeldPart => {
  const key = names.join("\0");
  const was = old.blocks.find((one) => one.names.join("\0") === key);
  return { names, ...(was && { lines: linesIn(was.range) }) };
};

/** The thing that a line belongs to: "named" is a symbol, an import or an export, which are known already. */
const linePlan = (
  analysed: Analysed | undefined,
  { blocks }: NamedPlaces,
  exports: Entries,
): ((line: number) => TitledPart | "named" | "free") => {
  const plan = new Map<number, TitledPart | "named">();
  const mark = (range: Range, as: TitledPart | "named"): void => {
    const { from, to } = linesIn(range);
    for (let line = from; line <= to; line += 1) plan.set(line, as);
  };
  const { symbols = [], imports = [] } = analysed?.outline ?? {};
  for (const block of blocks) mark(block.range, block);
  for (const { range } of exports.values()) mark(range, "named");
  for (const { scope, range } of imports) if (scope === "") mark(range, "named");
  for (const { range } of symbols) mark(range, "named");
  return (line) => plan.get(line) ?? "free";
};

export const linesIn = ({ start, end }: Range): LineRange => ({
  from: start.line,
  to: end.column === 1 && end.line > start.line ? end.line - 1 : end.line,
});

export const toRegions = (lines: readonly number[]): HeldPart[] => {
  const spans: { from: number; to: number }[] = [];
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && line <= last.to + 1) last.to = line;
    else spans.push({ from: line, to: line });
  }
  return spans.map(({ from, to }) => ({
    names: [from === to ? `lines:${from}` : `lines:${from}-${to}`],
  }));
};
