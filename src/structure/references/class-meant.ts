/** The class of an object that a member is called of, where the text says it once and for all. */
import type { Reference } from "../types.ts";
import { classAround, type ClassPlace } from "./class-chain.ts";
import { type CallPlace, findDefinition, type Hop, type World } from "./find-definition.ts";
import { familyOf } from "./source-facts.ts";

export interface MeantClass extends ClassPlace {
  /** Empty for the class around the call. */
  readonly hops: readonly Hop[];
}

/** The class of the receiver: `self`, `Class`, `Class()`, a name or an attribute that is set to one once. */
export const classMeant = async (
  { receiver = "", within }: Reference,
  at: CallPlace,
  world: World,
): Promise<MeantClass | undefined> => {
  const { analysed } = at;
  const isPython = familyOf(analysed.outline.language) === "python";
  if (isPython ? /^(?:self|cls)$/.test(receiver) : receiver === "this") {
    const symbol = classAround(analysed, within);
    return symbol && { ...at, symbol, hops: [] };
  }
  const around = classAround(analysed, within);
  const own = around && analysed.source.text.slice(around.span.from, around.span.to);
  const attribute = /^(?:self|this)\.([\w$]+)$/.exec(receiver)?.[1];
  const name =
    attribute === undefined
      ? (madeOnce(receiver, analysed.source.text, isPython) ?? madeHere(receiver, isPython))
      : own && attributeMade(attribute, own, isPython);
  const wanted = name ?? (/^[A-Z][\w$]*$/.test(receiver) ? receiver : undefined);
  if (wanted === undefined || !/^[A-Z]/.test(wanted)) return undefined;
  const found = await findDefinition(wanted, at, world);
  return found?.symbol.kind === "class" ? found : undefined;
};

/** `Cart(…)`, `new Cart(…)`, and nothing after its last parenthesis. */
const madeHere = (receiver: string, isPython: boolean): string | undefined => {
  const head = isPython ? /^([A-Z]\w*)\(/ : /^\(?new\s+([A-Z][\w$]*)\(/;
  const name = head.exec(receiver)?.[1];
  if (name === undefined || /["'\x60]/.test(receiver.replaceAll(/"[^"()]*"|'[^'()]*'/g, "")))
    return undefined;
  let depth = 0;
  for (const [at, letter] of [...receiver].entries()) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === ")" && depth === 0 && at < receiver.length - 1) return undefined;
  }
  return name;
};

const madeOnce = (variable: string, text: string, isPython: boolean): string | undefined => {
  if (!/^[a-z_]\w*$/.test(variable)) return undefined;
  const set = [
    ...text.matchAll(
      new RegExp(String.raw`(?<![\w$.])${variable}\s*(?::[^=\n]*)?=(?![=>])\s*([^\n;]*)`, "g"),
    ),
  ];
  const others = new RegExp(
    String.raw`[(,{[]\s*\*{0,2}(?:\.\.\.)?${variable}\s*[,:)}\]=]|\b(?:for|as|global|nonlocal|del)\s+${variable}\b|\b${variable}\s*(?:,|=>|:=|\+\+|in\b|of\b)|\b(?:let|var)\s+${variable}\b|,\s*${variable}\b`,
  );
  const value = set[0]?.[1] ?? "";
  return set.length === 1 && !others.test(text) ? madeBy(value, isPython) : undefined;
};

const attributeMade = (name: string, own: string, isPython: boolean): string | undefined => {
  const set = [
    ...own.matchAll(
      new RegExp(String.raw`(?:\b(?:self|this)\.|(?<![\w$.]))${name}\s*=(?![=>])\s*([^\n;]*)`, "g"),
    ),
  ];
  const isTyped = new RegExp(String.raw`(?<![\w$.])${name}\s*[?!]?:`).test(own);
  return set.length === 1 && !isTyped ? madeBy(set[0]?.[1] ?? "", isPython) : undefined;
};

const madeBy = (value: string, isPython: boolean): string | undefined =>
  madeHere(value.trim(), isPython);
