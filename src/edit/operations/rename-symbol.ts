/**
 * Renames a definition and its uses in the same file. A name of the file is followed wherever it stands
 * by itself; a member only behind `self`, `this`, the class's own name and the like, as nothing is known
 * about other receivers. Functions that bind the name themselves (parameter, local) are left alone. Uses
 * in other files are rename-project.ts's.
 */
import { HeadgateError } from "../../errors.ts";
import type { OutlineSymbol, Span } from "../../structure/index.ts";
import type { Document } from "./document.ts";
import { everySymbol, findSymbol, type Found } from "./find-symbol.ts";
import type { Splice } from "./text-lines.ts";

export const renaming = (
  document: Document,
  { symbol: path, to }: { readonly symbol: string; readonly to: string },
): Splice[] => {
  const found = findSymbol(document, path);
  refuseUnfit(document, found.symbol, to);
  const { name, nameSpan } = found.symbol;
  const isMember = found.parent !== undefined && containers.has(found.parent.kind);
  const twins = sameNamed(found);
  const uses = wordsIn(document, name).filter((use) =>
    isMember ? isOwnMember(document, found, use) : isFreeUse(document, found, use),
  );
  const spans = [
    nameSpan,
    ...twins.map((twin) => twin.nameSpan),
    ...uses,
    ...(found.parent ? [] : namedInList(document, name)),
  ];
  const unique = new Map(spans.map((span) => [span.from, span]));
  return [...unique.values()].map((span) => replaceUse(document, span, name, to));
};

export const replaceUse = (document: Document, span: Span, name: string, to: string): Splice => ({
  ...span,
  text: isShorthand(document, span) ? `${name}: ${to}` : to,
});

/** Uses of a name that the file has at its top without defining it: an import. */
export const freeUses = (document: Document, name: string): Span[] =>
  wordsIn(document, name).filter(
    (use) =>
      (!/(?:\.|->|::|\?\.)\s*$/.test(before(document, use)) || isSpread(document, use)) &&
      !isKey(document, use) &&
      !isBound(document, { name }, use) &&
      !everySymbol(document).some(({ symbol }) => symbol.nameSpan.from === use.from),
  );

const containers = new Set(["class", "interface", "enum", "struct", "trait", "impl"]);

const refuseUnfit = (document: Document, { name, path, kind }: OutlineSymbol, to: string): void => {
  const isName =
    /^[\p{L}_$#@][\p{L}\p{N}_$]*[?!=]?$/u.test(to) && to !== name && name !== "default";
  if (isName && kind !== "constructor") return;
  const why = isName
    ? "a constructor's name is not its own; rename its class"
    : "it is no new name";
  throw new HeadgateError(
    "CODE_UNFIT",
    `${path} cannot be renamed to ${JSON.stringify(to.slice(0, 80))}: ${why}.`,
    { data: { path: document.path, symbol: path, to } },
  );
};

/** Getter and setter, overloads, conditional definitions: one name, several definitions. */
const sameNamed = ({ symbol, siblings }: Found): OutlineSymbol[] =>
  siblings.filter((one) => one !== symbol && one.name === symbol.name);

/** The word in code, outside of strings and comments. */
export const wordsIn = ({ text, scanned }: Document, name: string): Span[] => {
  const found: Span[] = [];
  const inert = [...scanned.texts, ...scanned.comments].toSorted((a, b) => a.from - b.from);
  let next = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    while ((inert[next]?.to ?? Infinity) <= at) next += 1;
    const isInert = inert.slice(next, next + 2).some(({ from, to }) => from <= at && at < to);
    const isWord = !isLetter(text[at - 1]) && !isLetter(text[at + name.length]);
    if (isWord && !isInert) found.push({ from: at, to: at + name.length });
  }
  return found;
};

const isLetter = (char: string | undefined): boolean => /[\p{L}\p{N}_$]/u.test(char ?? " ");

const within = (outer: Span, { from, to }: Span): boolean => outer.from <= from && to <= outer.to;

const before = ({ text }: Document, { from }: Span): string =>
  text.slice(Math.max(0, from - 200), from);

const isOwnMember = (
  document: Document,
  { symbol, parent, siblings }: Found,
  use: Span,
): boolean => {
  if (!parent) return false;
  const receiver = /([\p{L}\p{N}_$]+|\))\s*(?:\?\.|!\.|\.|->|::)\s*$/u.exec(
    before(document, use),
  )?.[1];
  if (receiver === undefined) {
    // Ruby's and Java's calls without a receiver, Python's decorators inside the class body.
    return (
      within(parent.span, use) &&
      (callsBare.has(document.language) || isInBodyItself(document, siblings, use)) &&
      !isBound(document, symbol, use) &&
      !isKey(document, use)
    );
  }
  if (receiver === parent.name || isMadeHere(document, parent, use)) return true;
  const isSuper = receiver === ")" && /\bsuper\s*\(\s*\)\s*\.\s*$/.test(before(document, use));
  return within(parent.span, use) && (isSuper || ownReceivers.has(receiver));
};

/** `Service().login`: made on the spot, so its class is known. */
const isMadeHere = (document: Document, { name }: OutlineSymbol, use: Span): boolean =>
  new RegExp(`\\b${name.replaceAll("$", "\\$")}\\s*\\([^()]*\\)\\s*\\.\\s*$`).test(
    before(document, use),
  );

const ownReceivers = new Set(["self", "this", "cls", "Self", "static", "super"]);
const callsBare = new Set(["ruby", "java", "csharp", "cpp", "kotlin", "swift", "scala"]);

/** In the class's own block, not inside one of its methods: Python sees the name bare only there. */
const isInBodyItself = (
  { language }: Document,
  siblings: readonly OutlineSymbol[],
  use: Span,
): boolean => language === "python" && !siblings.some(({ body }) => body && within(body, use));

const isFreeUse = (document: Document, found: Found, use: Span): boolean => {
  const { parent, symbol } = found;
  if (parent && !within(parent.span, use)) return false;
  if (/(?:\.|->|::|\?\.)\s*$/.test(before(document, use)) && !isSpread(document, use)) return false;
  return (
    !isKey(document, use) &&
    !isBound(document, symbol, use) &&
    !isDefinitionElsewhere(document, symbol, use)
  );
};

const isSpread = (document: Document, use: Span): boolean =>
  /\.\.\.\s*$/.test(before(document, use));

/** `name:` in an object and `name=` among arguments are names of something else. */
const isKey = (document: Document, { from, to }: Span): boolean => {
  const behind = document.text.slice(to, to + 50);
  const start = /[({,]\s*$/.test(before(document, { from, to }));
  if (document.language === "python")
    return start && /^\s*=(?!=)/.test(behind) && depthAt(document, from) > 0;
  return start && /^\s*:(?!:)/.test(behind);
};

const depthAt = ({ text, scanned }: Document, at: number): number => {
  const line = scanned.lines.findLast(({ from }) => from <= at);
  let depth = line?.depth ?? 0;
  for (const char of text.slice(line?.from ?? 0, at)) {
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
  }
  return depth;
};

/** Another definition that happens to have the same name, such as a method. */
const isDefinitionElsewhere = (document: Document, symbol: OutlineSymbol, use: Span): boolean =>
  everySymbol(document).some(
    ({ symbol: one }) =>
      one !== symbol &&
      one.kind !== "constructor" &&
      one.nameSpan.from === use.from &&
      one.scope !== symbol.scope,
  );

/** A function around the use binds the name for itself, so another thing is meant. */
const isBound = (
  document: Document,
  symbol: Pick<OutlineSymbol, "name"> & Partial<OutlineSymbol>,
  use: Span,
): boolean =>
  everySymbol(document).some(({ symbol: one }) => {
    if (!bindable.has(one.kind) || !within(one.core, use) || one === symbol) return false;
    if (symbol.core && within(one.core, symbol.core)) return false;
    return bindsName(document, one, symbol.name);
  });

const bindable = new Set(["function", "method", "constructor", "getter", "setter"]);

const bindsName = (
  document: Document,
  { core, nameSpan, body }: OutlineSymbol,
  name: string,
): boolean => {
  const { text, language } = document;
  const word = name.replaceAll("$", "\\$");
  const head = text.slice(nameSpan.to, body?.from ?? core.to);
  const inner = body ? text.slice(body.from, body.to) : "";
  if (
    language === "python" &&
    new RegExp(`\\b(?:global|nonlocal)\\s[^\\n]*\\b${word}\\b`).test(inner)
  )
    return false;
  const parameter = new RegExp(`[(,*&\\s]${word}\\s*(?=[,):=?]|$)`);
  if (parameter.test(head.replaceAll(/=[^,)]*/g, ""))) return true;
  const local =
    language === "python" || language === "ruby"
      ? new RegExp(
          `^[ \\t]*(?:[\\w, ]+,\\s*)?${word}\\s*(?:,[\\w, ]+)?(?::[^=\\n]+)?=(?!=)|\\b(?:for|as|import)\\s+(?:[\\w, ]+,\\s*)?${word}\\b`,
          "m",
        )
      : new RegExp(
          `\\b(?:let|const|var|val|function|class)\\s+(?:mut\\s+)?${word}\\b|\\b${word}\\s*:=|[\\w>\\]]\\s+${word}\\s*(?:=(?!=)|;)`,
        );
  const isReturn = new RegExp(`\\breturn\\s+${word}\\s*;`);
  return [...inner.matchAll(new RegExp(local.source, "gm"))].some(
    ({ 0: found, index }) =>
      !isReturn.test(found) &&
      // A line of its own among arguments, `name=name`, binds nothing.
      !(
        language === "python" &&
        found.endsWith("=") &&
        isAmongArguments(document, (body?.from ?? 0) + index)
      ),
  );
};

const isAmongArguments = ({ scanned }: Document, at: number): boolean =>
  (scanned.lines.findLast(({ from }) => from <= at)?.depth ?? 0) > 0;

const scripts = new Set(["javascript", "typescript", "tsx"]);

/** `{ name }` in an object is key and value in one; the key stays. */
const isShorthand = (document: Document, { from, to }: Span): boolean => {
  const { text, language } = document;
  if (!scripts.has(language) || !/^\s*[,}]/.test(text.slice(to, to + 50))) return false;
  if (!/[{,]\s*$/.test(before(document, { from, to }))) return false;
  let depth = 0;
  for (let at = from - 1; at >= 0; at -= 1) {
    const char = text[at] ?? "";
    if (")]}".includes(char)) depth += 1;
    else if ("([{".includes(char)) depth -= 1;
    if (depth < 0)
      return char === "{" && !/\b(?:export|import)\s*(?:type\s*)?$/.test(text.slice(0, at));
  }
  return false;
};

/** Python's `__all__` names what a module offers, in strings. */
export const namedInList = ({ text, language }: Document, name: string): Span[] => {
  const list = language === "python" ? /^__all__\s*\+?=\s*[[(][^\])]*/m.exec(text) : null;
  if (!list) return [];
  const names = list[0].matchAll(new RegExp(`(["'])${name}\\1`, "g"));
  return [...names].map(({ index }) => {
    const from = list.index + index + 1;
    return { from, to: from + name.length };
  });
};
