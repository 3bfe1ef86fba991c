/**
 * The words of a C or C++ file as its preprocessor would see them, without its directives. What a macro
 * stands for is not known here; two signs that stand side by side do so for the compiler as well.
 */

export interface Token {
  readonly kind: "word" | "number" | "text" | "sign" | "directive" | "open-text";
  /** For a directive: its word and what is behind it. */
  readonly text: string;
  readonly at: number;
}

const patterns: readonly (readonly [Token["kind"] | "blank", RegExp])[] = [
  ["blank", /(?:\s|\\\r?\n|\/\/(?:\\\r?\n|[^\n])*|\/\*[^]*?\*\/)+/y],
  ["text", /(?:u8|[uUL])?R"([^()\s\\"]{0,16})\([^]*?\)\1"/y],
  ["text", /(?:u8|[uUL])?"(?:\\[^]|[^"\\\n])*"/y],
  ["text", /(?:u8|[uUL])?'(?:\\[^]|[^'\\\n])+'/y],
  ["open-text", /["'](?:\\[^]|[^\\\n])*/y],
  ["number", /\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*/y],
  ["word", /[\p{L}_$][\p{L}\p{N}_$]*/uy],
  [
    "sign",
    /<=>|->\*|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|\.\*|##|[^]/y,
  ],
];

/** A directive with its continued lines; comments in it may go on behind it. */
const directive =
  /[ \t]*#[ \t]*((?:\\\r?\n|\/\*[^]*?\*\/|\/\/(?:\\\r?\n|[^\n])*|[^\n\\/]|[\\/])*)/y;

export const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = [];
  let at = 0;
  let isLineStart = true;
  while (at < text.length) {
    if (isLineStart) {
      directive.lastIndex = at;
      const found = directive.exec(text);
      if (found) {
        tokens.push({ kind: "directive", text: found[1] ?? "", at });
        at = directive.lastIndex;
        isLineStart = false;
        continue;
      }
    }
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (!found) continue;
      if (kind === "blank") isLineStart ||= found[0].includes("\n");
      else {
        tokens.push({ kind, text: found[0], at });
        isLineStart = false;
      }
      at = pattern.lastIndex;
      break;
    }
  }
  return tokens;
};
