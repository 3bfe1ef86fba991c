/**
 * Brackets, texts and conditionals of a file in a language that has no parser here but its grammar. Comments and texts
 * are read by that language's own rules, because brackets in them close nothing; code in the holes of a text is
 * read as code. Everything else is passed over.
 */
import type { Token } from "./c-tokens.ts";

interface TextRule {
  readonly open: RegExp;
  /** Its end; absent: `open` has matched all of it. */
  readonly close?: (opened: RegExpExecArray) => string;
  /** Takes the meaning from the next sign; default: a backslash. Empty: nothing does. */
  readonly escape?: (opened: RegExpExecArray) => string;
  /** Begins a hole with code; its last sign is a bracket. */
  readonly hole?: (opened: RegExpExecArray) => string;
  readonly isLong?: boolean;
  /** A sign of the end twice is one of the text. */
  readonly isDoubled?: boolean;
  /** Only where a value can begin: a regular expression, not a division. */
  readonly isValue?: boolean;
}

interface Lexicon {
  readonly comment: RegExp;
  readonly block?: { readonly open: string; readonly close: string; readonly nests: boolean };
  readonly texts: readonly TextRule[];
  /** Lines that begin so are for the preprocessor. */
  readonly directive?: RegExp;
  /** Words that open or close, and as what they count. */
  readonly words?: Readonly<Record<string, string>>;
}

const none = (): string => "";
const slashes = { open: "/*", close: "*/" };
const character: TextRule = { open: /b?'(?:\\u\{[^}'\n]*\}|\\[^\n][^'\n]{0,8}?|[^'\\\n])'/uy };
const plain: TextRule = { open: /"/y, close: () => '"' };
const quotedName: TextRule = { open: /`[^`\n]+`/y };
const tripled = (more: Partial<TextRule> = {}): TextRule => ({
  ...{ open: /"""/y, close: () => '"""', isLong: true, ...more },
});
const dollars = (opened: RegExpExecArray): string => `${opened[1] || "$"}{`;
const hashes = (sign: string) => (opened: RegExpExecArray) => `${sign}${opened[1] ?? ""}`;

const lexicons: Readonly<Record<string, Lexicon>> = {
  java: {
    comment: /\/\/[^\n]*/y,
    block: { ...slashes, nests: false },
    texts: [tripled(), plain, character],
  },
  csharp: {
    comment: /\/\/[^\n]*/y,
    block: { ...slashes, nests: false },
    directive: /[ \t]*#[ \t]*([^\n]*)/y,
    texts: [
      {
        open: /(\$*)("{3,})/y,
        close: (opened) => opened[2] ?? "",
        escape: none,
        hole: (opened) => "{".repeat(opened[1]?.length ?? 0),
        isLong: true,
      },
      {
        open: /(\$?)@(\$?)"/y,
        close: () => '"',
        escape: none,
        hole: (opened) => (opened[1] || opened[2] ? "{" : ""),
        isLong: true,
        isDoubled: true,
      },
      { open: /\$"/y, close: () => '"', hole: () => "{" },
      plain,
      character,
    ],
  },
  kotlin: {
    comment: /\/\/[^\n]*/y,
    block: { ...slashes, nests: true },
    texts: [
      tripled({ open: /(\$*)"""/y, escape: none, hole: dollars }),
      { open: /(\$*)"/y, close: () => '"', hole: dollars },
      character,
      quotedName,
    ],
  },
  swift: {
    comment: /\/\/[^\n]*/y,
    block: { ...slashes, nests: true },
    directive: /[ \t]*#((?:if|elseif|else|endif)\b[^\n]*)/y,
    texts: [
      tripled({
        open: /(#*)"""/y,
        close: hashes('"""'),
        escape: hashes("\\"),
        hole: (opened) => `\\${opened[1]}(`,
      }),
      {
        open: /(#*)"/y,
        close: hashes('"'),
        escape: hashes("\\"),
        hole: (opened) => `\\${opened[1]}(`,
      },
      { open: /(#+)\//y, close: hashes("/"), escape: none, isLong: true },
      {
        open: /\/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\n[\s*])(?:\\[^\n]|[^/\\\n])*\//y,
        isValue: true,
      },
      quotedName,
    ],
  },
  scala: {
    comment: /\/\/[^\n]*/y,
    block: { ...slashes, nests: true },
    texts: [
      tripled({ open: /\b[A-Za-z]\w*"""/y, escape: none, hole: () => "${" }),
      tripled({ escape: none }),
      { open: /\b[A-Za-z]\w*"/y, close: () => '"', hole: () => "${" },
      plain,
      character,
      quotedName,
    ],
  },
  rust: {
    comment: /\/\/[^\n]*/y,
    block: { ...slashes, nests: true },
    texts: [
      { open: /\b[bc]?r(#*)"/y, close: hashes('"'), escape: none, isLong: true },
      { open: /(?:\b[bc])?"/y, close: () => '"', isLong: true },
      character,
    ],
  },
  lua: {
    comment: /--(?!\[=*\[)[^\n]*|^#![^\n]*/y,
    texts: [
      { open: /(?:--)?\[(=*)\[/y, close: (opened) => `]${opened[1]}]`, escape: none, isLong: true },
      plain,
      { open: /'/y, close: () => "'" },
    ],
    words: { function: "do", if: "do", do: "do", repeat: "repeat", end: "end", until: "until" },
  },
};

export const hasLexicon = (language: string): boolean => lexicons[language] !== undefined;

export const codeTokens = (language: string, text: string): Token[] => {
  const lexicon = lexicons[language];
  if (!lexicon) return [];
  const reader: CodeReading = { text, lexicon, tokens: [] };
  readCode(reader, 0, undefined);
  return reader.tokens;
};

interface CodeReading {
  readonly text: string;
  readonly lexicon: Lexicon;
  readonly tokens: Token[];
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /\d(?:[\w.']*\w)?/y;

/** Up to the end, or up to the bracket that closes the hole around it; the place after it. */
const readCode = (reader: CodeReading, start: number, hole: string | undefined): number => {
  const { text, lexicon, tokens } = reader;
  let at = start;
  let depth = 0;
  while (at < text.length) {
    const isLineStart = hole === undefined && (at === 0 || text[at - 1] === "\n");
    const directive = isLineStart && lexicon.directive && matchAt(lexicon.directive, text, at);
    if (directive) {
      tokens.push({ kind: "directive", text: directive[1] ?? "", at });
      at += Math.max(1, directive[0].length);
      continue;
    }
    const comment = matchAt(lexicon.comment, text, at);
    if (comment && comment[0] !== "") {
      at += comment[0].length;
      continue;
    }
    if (lexicon.block && text.startsWith(lexicon.block.open, at)) {
      at = skipComment(reader, at);
      continue;
    }
    const behind = readText(reader, at);
    if (behind !== undefined) {
      at = behind;
      continue;
    }
    const name = matchAt(word, text, at);
    if (name) {
      const sign = lexicon.words?.[name[0]];
      if (sign !== undefined) tokens.push({ kind: "sign", text: sign, at });
      at += name[0].length;
      continue;
    }
    const digits = lexicon.words ? matchAt(number, text, at) : null;
    const sign = text[at] ?? "";
    if ("()[]{}".includes(sign)) {
      if ("([{".includes(sign)) depth += 1;
      else if (hole !== undefined && depth === 0) return at;
      else depth -= 1;
      tokens.push({ kind: "sign", text: sign, at });
    }
    at += digits?.[0].length ?? 1;
  }
  return at;
};

const skipComment = ({ text, lexicon, tokens }: CodeReading, start: number): number => {
  const { open, close, nests } = lexicon.block ?? { ...slashes, nests: false };
  let depth = 0;
  for (let at = start; at < text.length;) {
    if (text.startsWith(open, at) && (nests || depth === 0)) {
      depth += 1;
      at += open.length;
    } else if (text.startsWith(close, at)) {
      depth -= 1;
      at += close.length;
      if (depth === 0) return at;
    } else at += 1;
  }
  tokens.push({ kind: "open-text", text: open, at: start });
  return text.length;
};

/** The end of a text that begins here; undefined: none does. */
const readText = (reader: CodeReading, start: number): number | undefined => {
  const { text, lexicon, tokens } = reader;
  for (const rule of lexicon.texts) {
    if (
      rule.isValue &&
      !/(?:^|[=(,:[{!&|?;]|\breturn|\bin)\s*$/.test(text.slice(Math.max(0, start - 40), start))
    )
      continue;
    const opened = matchAt(rule.open, text, start);
    if (!opened) continue;
    const inside = start + opened[0].length;
    if (!rule.close) return inside;
    const end = rule.close(opened);
    const escape = rule.escape?.(opened) ?? "\\";
    const hole = rule.hole?.(opened) ?? "";
    for (let at = inside; at < text.length;) {
      if (text[at] === "\n" && !rule.isLong) break;
      const isHole = hole !== "" && text.startsWith(hole, at);
      // `{{` is a brace of the text; where a hole begins with several, more of them belong to the text.
      if (isHole && /^\{+$/.test(hole)) {
        const run = /^\{+/.exec(text.slice(at, at + 20))?.[0].length ?? 0;
        if (hole === "{" && run % 2 === 0) {
          at += run;
          continue;
        }
        at += run - hole.length;
      }
      if (isHole) {
        const closed = readCode(reader, at + hole.length, hole);
        at = closed + (/^\{+$/.test(hole) ? hole.length : 1);
        continue;
      }
      if (escape !== "" && text.startsWith(escape, at)) {
        at += escape.length + 1;
        continue;
      }
      if (text.startsWith(end, at)) {
        at += end.length;
        if (rule.isDoubled && text.startsWith(end, at)) {
          at += end.length;
          continue;
        }
        // Quotes of the text may stand directly before those that end it.
        return end === '"""' ? at + (/^"*/.exec(text.slice(at, at + 10))?.[0].length ?? 0) : at;
      }
      at += 1;
    }
    tokens.push({ kind: "open-text", text: opened[0], at: start });
    const line = text.indexOf("\n", start);
    return rule.isLong || line < 0 ? text.length : line;
  }
  return undefined;
};
