/** Go, Java and Rust: only the modules that a file asks for. Their names are not looked into. */
import type { OutlineImport, OutlineSymbol } from "../types.ts";
import { emptyShape, type ImportedName, type ModuleShape } from "./module-shape.ts";

export const shapedLanguages: ReadonlySet<string> = new Set(["go", "java", "rust"]);

export const readOutlineShape = (
  language: string,
  outline: {
    readonly imports: readonly OutlineImport[];
    readonly symbols: readonly OutlineSymbol[];
  },
  text: string,
): ModuleShape => ({
  ...emptyShape,
  openBecause: "its names are not looked into",
  imports:
    language === "rust"
      ? outline.symbols.flatMap((symbol) => declaredFile(symbol, text))
      : outline.imports.flatMap((one) => askedModules(language, one)),
});

const askedModules = (language: string, { from, names, range }: OutlineImport): ImportedName[] => {
  const { line } = range.start;
  if (language === "go") return [{ from, name: "", as: "", line }];
  const inside = /^static\s+(\S.*)\.(\w+)$/.exec(from);
  if (inside) return [{ from: `${inside[1]}.${inside[2]}`, name: "", as: "", line }];
  return names
    .filter(({ name }) => name !== "*")
    .map(({ name }) => ({ from: `${from}.${name}`, name: "", as: "", line }));
};

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
