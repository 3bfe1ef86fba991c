/**
 * Definitions of a file in a language without an independent parser for Node: the gate's own outline finds
 * them. What is then done to them is text work, and the oracle still has the last word.
 */
import type { Analyser, OutlineSymbol } from "../../src/structure/index.ts";
import type { ClassLike, Located, Member } from "../types.ts";

const holders = new Set(["class", "interface", "struct", "trait", "impl", "enum", "module"]);
const callables = new Set(["function", "method", "constructor"]);

export const locateByOutline = async (
  analyser: Analyser,
  text: string,
  path: string,
): Promise<Located | undefined> => {
  const { outline } = await analyser.outline(text, path);
  if (outline.coverage.outline.state === "off") return undefined;
  const classes: ClassLike[] = [];
  const functions: Member[] = [];
  const visit = (symbols: readonly OutlineSymbol[], isTop: boolean): void => {
    for (const symbol of symbols) {
      const own = toMember(symbol, text, outline.language);
      if (own && holders.has(symbol.kind)) {
        const members = symbol.children
          .filter(isDirect(symbol, outline.language))
          .flatMap((one) => {
            const inner = toMember(one, text, outline.language);
            return inner && callables.has(one.kind) ? [inner] : [];
          });
        classes.push({ ...own, members, isNested: !isTop });
        visit(symbol.children, false);
      } else if (own && callables.has(symbol.kind) && isTop) functions.push(own);
      else if (symbol.kind === "namespace") visit(symbol.children, true);
    }
  };
  visit(outline.symbols, true);
  return {
    classes,
    functions,
    imports: outline.imports
      .filter(({ scope, names }) => scope === "" && names.every(({ name }) => name !== "*"))
      .map(({ span }) => ({ from: span.from, to: span.to }))
      .filter(({ from, to }) => isAlone(text, from, to)),
    isIndependent: false,
  };
};

/** Methods of a block inside of a Ruby class are not the class's own. */
const isDirect =
  ({ body }: OutlineSymbol, language: string) =>
  ({ scope }: OutlineSymbol): boolean =>
    language !== "ruby" || scope.endsWith(`@${body?.from}`);

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
};
const isAlone = (text: string, from: number, to: number): boolean =>
  text.slice(lineStart(text, from), from).trim() === "" &&
  /^[\s;]*(?:\/\/.*|#.*)?$/.test(text.slice(to, lineEnd(text, to)));

const toMember = (symbol: OutlineSymbol, text: string, language: string): Member | undefined => {
  const { span, core, name, kind, nameSpan } = symbol;
  if (!isAlone(text, span.from, span.to) || !isAlone(text, core.from, core.to)) return undefined;
  const from = lineStart(text, span.from);
  const to = lineEnd(text, span.to);
  const body = bodyOf(symbol, text, language);
  return {
    name,
    kind: holders.has(kind) ? "class" : kind === "function" ? "function" : "method",
    from,
    core: lineStart(text, core.from),
    to,
    indent: text.slice(from, span.from),
    nameFrom: nameSpan.from,
    ...(body !== undefined && { body }),
    decorators: symbol.decorators,
    isStatic: /\bstatic\b/.test(symbol.signature),
    isPlain: symbol.body !== undefined && !isTwin(symbol, text, language),
  };
};

/** What a language lets stand twice; said here again, on purpose not taken from the gate's rules. */
const isTwin = (
  { name, kind, core, span, signature }: OutlineSymbol,
  text: string,
  language: string,
) => {
  const head = text.slice(span.from, core.from);
  if (language === "go") return name === "init" || name === "_";
  if (language === "rust") return kind === "impl" || /\bcfg/.test(head) || name === "_";
  if (language === "csharp") return /\bpartial\b/.test(signature);
  if (language === "ruby") return kind === "class" || kind === "module";
  // A macro that makes a definition has no type before its name.
  if (language === "c" || language === "cpp") {
    const isFunction = !holders.has(kind);
    const isByMacro = /\b[A-Z][A-Z0-9_]{4,}\b/.test(signature.slice(0, signature.indexOf(name)));
    return (
      isByMacro ||
      (isFunction && !/[\w>][\s*&]+[\w:~]*$/.test(signature.slice(0, signature.indexOf(name))))
    );
  }
  return false;
};

const bodyOf = ({ body, core, nameSpan }: OutlineSymbol, text: string, language: string) => {
  if (!body) return undefined;
  if (language === "ruby") {
    const end = lineEnd(text, nameSpan.to);
    const header = text.slice(nameSpan.from, end);
    return header.includes(";") || /[,(\\]\s*$/.test(header) ? undefined : end + 1;
  }
  const open = text.indexOf("{", body.from);
  if (open < 0 || open >= core.to) return undefined;
  const blank = /^[^\S\n]*\n/.exec(text.slice(open + 1));
  return blank ? open + 1 + blank[0].length : undefined;
};
