/**
 * A second opinion on targets that shares no code with the product: alternatives are written out, names
 * are matched by trying everything, and a set of paths is what enumeration finds.
 */

type Token =
  | { readonly kind: "letter"; readonly letter: string }
  | { readonly kind: "any" }
  | {
      readonly kind: "class";
      readonly isNegated: boolean;
      readonly members: readonly (readonly [string, string])[];
    }
  | { readonly kind: "stars"; readonly count: number }
  | { readonly kind: "slash" };
type Item =
  | Token
  | { readonly kind: "braces"; readonly alternatives: readonly (readonly Item[])[] };

export interface Known {
  readonly text: string;
  readonly extent: "file" | "tree";
  readonly folds: boolean;
}

/** One alternative written out: its names, each a list of tokens. */
type Plain = readonly (readonly Token[])[];

export interface Oracle {
  /** In the target's own eyes, case included. */
  has(path: readonly string[]): boolean;
}

export const oracleFor = ({ text, extent, folds }: Known): Oracle => {
  const { items } = readItems([...text], 0);
  const plains = writeOut(items).map(toNames);
  return {
    has: (path) => plains.some((plain) => fitsPlain(plain, path, extent, folds)),
  };
};

const readItems = (text: readonly string[], from: number, isInBraces = false) => {
  const items: Item[] = [];
  let at = from;
  const ends = isInBraces ? ",}" : "";
  while (at < text.length && !ends.includes(text[at]!)) {
    const letter = text[at]!;
    if (letter === "\\") {
      items.push({ kind: "letter", letter: text[at + 1]! });
      at += 2;
    } else if (letter === "/") {
      items.push({ kind: "slash" });
      at += 1;
    } else if (letter === "?") {
      items.push({ kind: "any" });
      at += 1;
    } else if (letter === "*") {
      let count = 0;
      while (text[at + count] === "*") count += 1;
      items.push({ kind: "stars", count });
      at += count;
    } else if (letter === "[") {
      const { token, end } = readBrackets(text, at);
      items.push(token);
      at = end;
    } else if (letter === "{") {
      const alternatives: Item[][] = [];
      do {
        const inner = readItems(text, at + 1, true);
        alternatives.push(inner.items);
        at = inner.end;
      } while (text[at] === ",");
      items.push({ kind: "braces", alternatives });
      at += 1;
    } else {
      items.push({ kind: "letter", letter });
      at += 1;
    }
  }
  return { items, end: at };
};

const readBrackets = (text: readonly string[], from: number): { token: Token; end: number } => {
  let at = from + 1;
  const isNegated = text[at] === "!" || text[at] === "^";
  if (isNegated) at += 1;
  const members: [string, string][] = [];
  const one = (): string => {
    if (text[at] === "\\") at += 1;
    at += 1;
    return text[at - 1]!;
  };
  while (text[at] !== "]") {
    const first = one();
    if (text[at] === "-" && text[at + 1] !== "]") {
      at += 1;
      members.push([first, one()]);
    } else members.push([first, first]);
  }
  return { token: { kind: "class", isNegated, members }, end: at + 1 };
};

const writeOut = (items: readonly Item[]): Token[][] => {
  let ways: Token[][] = [[]];
  for (const item of items) {
    const next = item.kind === "braces" ? item.alternatives.flatMap(writeOut) : [[item]];
    ways = ways.flatMap((way) => next.map((more) => [...way, ...more]));
  }
  return ways;
};

const toNames = (tokens: readonly Token[]): Plain => {
  const names: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "slash") names.push([]);
    else names.at(-1)!.push(token);
  }
  return names.filter((name) => {
    const [only] = name;
    const isDot = name.length === 1 && only!.kind === "letter" && only!.letter === ".";
    return name.length > 0 && !isDot;
  });
};

const fitsPlain = (plain: Plain, path: readonly string[], extent: string, folds: boolean) => {
  const isLiteral = plain.every((name) => name.every(({ kind }) => kind === "letter"));
  // The root is a folder, whatever is said.
  if (!isLiteral || (extent === "file" && plain.length > 0)) return fits(plain, path, folds);
  return path.length >= plain.length && fits(plain, path.slice(0, plain.length), folds);
};

const fits = (plain: Plain, path: readonly string[], folds: boolean): boolean => {
  const [first, ...rest] = plain;
  if (first === undefined) return path.length === 0;
  const [only] = first;
  if (first.length === 1 && only!.kind === "stars" && only!.count === 2) {
    return (
      path.some((_, skipped) => fits(rest, path.slice(skipped), folds)) || fits(rest, [], folds)
    );
  }
  const [name, ...names] = path;
  if (name === undefined) return false;
  return fitsName(first, [...name], folds) && fits(rest, names, folds);
};

const fitsName = (tokens: readonly Token[], name: readonly string[], folds: boolean): boolean => {
  const [token, ...rest] = tokens;
  if (token === undefined) return name.length === 0;
  if (token.kind === "stars") {
    for (let skipped = 0; skipped <= name.length; skipped += 1) {
      if (fitsName(rest, name.slice(skipped), folds)) return true;
    }
    return false;
  }
  const [letter, ...letters] = name;
  if (letter === undefined) return false;
  return fitsLetter(token, letter, folds) && fitsName(rest, letters, folds);
};

const fitsLetter = (token: Token, letter: string, folds: boolean): boolean => {
  if (token.kind === "any") return true;
  if (token.kind === "letter") return same(token.letter, letter, folds);
  if (token.kind !== "class") return false;
  // Where case is ignored, a member stands for all its cases before the class is negated.
  const isMember = (folds ? casesOf(letter) : [letter]).some((one) =>
    token.members.some(([from, to]) => between(from, one, to)),
  );
  return isMember !== token.isNegated;
};

const between = (from: string, letter: string, to: string): boolean =>
  from.codePointAt(0)! <= letter.codePointAt(0)! && letter.codePointAt(0)! <= to.codePointAt(0)!;

const same = (left: string, right: string, folds: boolean): boolean =>
  folds ? casesOf(left).includes(right) : left === right;

/** The cases of all letters that the tests use; three ASCII letters have one outside of it. */
const families = ["iIı", "sSſ", "kK\u212a", "σςΣ", "éÉ", ..."abcdefghjlmnopqrtuvwxyz"].map(
  (family) => [...(family.length > 1 ? family : family + family.toUpperCase())],
);

export const casesOf = (letter: string): readonly string[] =>
  families.find((family) => family.includes(letter)) ?? [letter];

/** One spelling for all cases. */
export const foldPath = (path: readonly string[]): string =>
  path.map((name) => [...name].map((letter) => casesOf(letter)[0]!).join("")).join("/");

/** Every way to write a path in upper and lower case. */
export const allCases = (path: readonly string[]): string[][] => {
  let ways = [""];
  for (const letter of path.join("/")) {
    ways = ways.flatMap((way) => casesOf(letter).map((one) => way + one));
  }
  return ways.map((way) => (way === "" ? [] : way.split("/")));
};

/** All paths of at most `depth` names, the root (no names) included. */
export const enumeratePaths = (names: readonly string[], depth: number): string[][] => {
  const paths: string[][] = [[]];
  let last: string[][] = [[]];
  for (let level = 1; level <= depth; level += 1) {
    last = last.flatMap((path) => names.map((name) => [...path, name]));
    paths.push(...last);
  }
  return paths;
};
