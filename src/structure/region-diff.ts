/** What changed between two versions of a file, in the words of its outline. */
import type { Analysed } from "./analyser.ts";
import type { OutlineSymbol, RegionDiff, Span } from "./types.ts";

/** A symbol's own text: what it is besides its children. */
export const ownTexts = (analysed: Analysed): ReadonlyMap<string, string> => describe(analysed).own;

export const diffRegions = (
  before: Analysed | undefined,
  after: Analysed | undefined,
): RegionDiff => {
  const old = before ? describe(before) : nothing;
  const now = after ? describe(after) : nothing;
  const added = [...now.own.keys()].filter((path) => !old.own.has(path));
  const removed = [...old.own.keys()].filter((path) => !now.own.has(path));
  const both = [...now.own.keys()].filter((path) => old.own.has(path));
  return {
    added,
    removed,
    changed: both.filter((path) => now.own.get(path) !== old.own.get(path)),
    resigned: both.filter((path) => now.signatures.get(path) !== old.signatures.get(path)),
    imports: now.imports !== old.imports,
    moduleLevel: now.rest !== old.rest,
  };
};

interface Described {
  /** Each symbol's own text without that of its children. */
  readonly own: ReadonlyMap<string, string>;
  readonly signatures: ReadonlyMap<string, string>;
  readonly imports: string;
  /** Everything else, blank lines left out. */
  readonly rest: string;
}

const nothing: Described = { own: new Map(), signatures: new Map(), imports: "", rest: "" };

const describe = ({ source, outline }: Analysed): Described => {
  const own = new Map<string, string>();
  const signatures = new Map<string, string>();
  const visit = (symbol: OutlineSymbol): void => {
    own.set(
      symbol.path,
      without(
        source.text,
        symbol.span,
        symbol.children.map((one) => one.span),
      ),
    );
    signatures.set(symbol.path, symbol.signature);
    symbol.children.forEach(visit);
  };
  outline.symbols.forEach(visit);
  const imports = outline.imports.filter((one) => one.scope === "").map((one) => one.span);
  const whole = { from: 0, to: source.text.length };
  const rest = without(source.text, whole, [...outline.symbols.map((one) => one.span), ...imports]);
  return {
    own,
    signatures,
    imports: imports.map(({ from, to }) => source.text.slice(from, to)).join("\n"),
    rest: trimmedLines(rest),
  };
};

/** One look at each character, however long a run of white space is. */
const trimmedLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");

/** Blank space around a part goes with it: putting one in changes nothing else. */
const without = (text: string, whole: Span, parts: readonly Span[]): string => {
  const sorted = parts.toSorted((a, b) => a.from - b.from);
  const left: string[] = [];
  let at = whole.from;
  for (const { from, to } of sorted) {
    left.push(text.slice(at, Math.max(at, from)));
    at = Math.max(at, to);
  }
  left.push(text.slice(at, whole.to));
  return sorted.length === 0
    ? left.join("")
    : left
        .map((one) => one.trim())
        .filter(Boolean)
        .join("\n");
};
