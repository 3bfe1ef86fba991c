/**
 * Go, Java and Rust: the modules that a file asks for, and in Rust the names it asks them for. A name counts as
 * exported where the file's code holds the word at all: this proves absence, not presence.
 */
import { scan } from "../scan-text.ts";
import type { OutlineImport, OutlineSymbol } from "../types.ts";
import { emptyShape, type ImportedName, type ModuleShape } from "./module-shape.ts";

export const shapedLanguages: ReadonlySet<string> = new Set(["go", "java", "rust"]);

interface ShapedOutline {
  readonly imports: readonly OutlineImport[];
  readonly symbols: readonly OutlineSymbol[];
}

export const readOutlineShape = (
  language: string,
  outline: ShapedOutline,
  text: string,
): ModuleShape => {
  if (language === "go") return readGo(outline);
  if (language === "rust") return readRust(outline, text);
  return {
    ...emptyShape,
    openBecause: "its names are not looked into",
    imports: outline.imports.flatMap(askedClasses),
  };
};

const askedClasses = ({ from, names, range }: OutlineImport): ImportedName[] => {
  const { line } = range.start;
  const inside = /^static\s+(\S.*)\.(\w+)$/.exec(from);
  if (inside) return [{ from: `${inside[1]}.${inside[2]}`, name: "", as: "", line }];
  return names
    .filter(({ name }) => name !== "*")
    .map(({ name }) => ({ from: `${from}.${name}`, name: "", as: "", line }));
};

/** Which packages it asks for. Their functions are looked up where they are called (go-packages.ts). */
const readGo = ({ imports }: ShapedOutline): ModuleShape => ({
  ...emptyShape,
  openBecause: "its names are not looked into",
  imports: imports.map(({ from, range }) => ({ from, name: "", as: "", line: range.start.line })),
});

const readRust = ({ imports, symbols }: ShapedOutline, text: string): ModuleShape => {
  const code = withoutTexts(text, "rust");
  const isOpen = makesItems.test(code) || hasForeignAttribute(code);
  return {
    ...emptyShape,
    ...(isOpen && { openBecause: "macros may make names in it" }),
    exports: wordsIn(code, /(?<![\w.])[A-Za-z_]\w*/g),
    imports: [
      ...symbols.flatMap((symbol) => declaredFile(symbol, text)),
      ...imports.flatMap(({ from, names, range, scope }) =>
        from.startsWith("crate::") && scope === ""
          ? names
              .filter(({ name }) => /^[A-Za-z_]\w*$/.test(name) && name !== "self")
              .map(({ name, as }) => ({ from, name, as, line: range.start.line }))
          : [],
      ),
    ],
  };
};

/** Macros at the level of items, and everything of another module passed on. */
const makesItems = /^[^\S\n]*\w+![^\S\n]*[({[]|\bmacro_rules!|\buse\b[^;]{0,500}\*|\binclude!/m;

/** An attribute of a library may add items: builders, tables, flags. */
const hasForeignAttribute = (code: string): boolean =>
  Array.from(code.matchAll(/#!?\[\s*([\w:]+)\s*(\([^\]]*\))?/g)).some(
    ([, name = "", inside = ""]) =>
      name === "derive" ? !ownDerives.test(inside) : !ownAttributes.has(name),
  );

const ownDerives =
  /^\(\s*(?:(?:Debug|Clone|Copy|PartialEq|Eq|Hash|PartialOrd|Ord|Default|(?:serde::)?(?:De)?[Ss]erialize)\b\s*(?:,\s*)?)*\)$/;

const ownAttributes = new Set(
  `allow warn deny forbid expect cfg inline must_use test ignore should_panic doc deprecated non_exhaustive repr default
  track_caller cold serde automatically_derived rustfmt::skip no_mangle`.split(/\s+/),
);

/** `mod x;` without an attribute, which could place it elsewhere or leave it out. */
const declaredFile = (
  { kind, name, body, span, core }: OutlineSymbol,
  text: string,
): ImportedName[] => {
  const line = text.slice(0, core.from).split("\n").length;
  const head = text.slice(span.from, core.to);
  const isFile = kind === "module" && !body && /\bmod\s+\w+\s*;/.test(head) && !head.includes("#[");
  return isFile ? [{ from: name, name: "", as: "", line }] : [];
};

/** The code alone; comments and texts become empty space, so that all places stay. */
const withoutTexts = (text: string, language: string): string => {
  const { texts, comments } = scan(text, language);
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of [...texts, ...comments].toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue;
    parts.push(text.slice(at, from), blank(text.slice(from, to)));
    at = to;
  }
  return [...parts, text.slice(at)].join("");
};

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, " ");

const wordsIn = (code: string, pattern: RegExp): { name: string; line: number }[] =>
  [...new Set(code.match(pattern))].map((name) => ({ name, line: 1 }));
