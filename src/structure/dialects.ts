/** How each language writes comments and strings, for the scanner in scan-text.ts. */

export interface StringForm {
  /** Sticky. */
  readonly open: RegExp;
  readonly close: (found: RegExpExecArray) => string;
  /** How its end can be written inside it; a backslash unless told. */
  readonly escape?: "\\" | "double" | "none";
  /** What begins code inside it; a closing brace ends the code. */
  readonly code?: string | ((found: RegExpExecArray) => string | undefined);
  /** Ends with its line, closed or not. */
  readonly isOneLine?: boolean;
  /** An opening bracket that must be closed inside. */
  readonly nests?: (found: RegExpExecArray) => string | undefined;
  /** Whether it may begin after this last word or sign. */
  readonly after?: (lastCode: string, text: string, at: number) => boolean;
  /** The body begins on the next line and ends with a line of this mark. */
  readonly heredoc?: (found: RegExpExecArray) => { mark: string; isIndented: boolean };
}

export interface Dialect {
  readonly line: readonly string[];
  readonly block: readonly (readonly [string, string])[];
  readonly nestsComments?: boolean;
  /** `#` opens a comment only at the beginning of a word. */
  readonly commentNeedsBlank?: boolean;
  /** `#[` is an attribute. */
  readonly attributes?: boolean;
  readonly strings: readonly StringForm[];
}

export const dialectOf = (language: string): Dialect => dialects[language] ?? plain;

const closeBy = (mark: string) => (): string => mark;
const quoted = (mark: string, rest: Partial<StringForm> = {}): StringForm => ({
  open: new RegExp(mark.replace("$", "\\$"), "y"),
  close: closeBy(mark),
  ...rest,
});
const oneLine = { isOneLine: true } as const;
const raw = { escape: "none" } as const;
const cComments = { line: ["//"], block: [["/*", "*/"]] } as const;
const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** A quote after a letter is part of a word (`1'000`, `don't`), a Rust label or a Ruby `$'`. */
const notInWord = (_last: string, text: string, at: number): boolean =>
  !/[\p{L}\p{N}_$]/u.test(text[at - 1] ?? "");

const regexWords = new Set(
  "return typeof case in of delete void throw new else do instanceof yield await if unless and or not when while until then puts".split(
    " ",
  ),
);
const regexMayBegin = (last: string, text: string, at: number): boolean => {
  if (last === "" || regexWords.has(last)) return true;
  if (/^[\p{L}\p{N}_$"'`)\]]/u.test(last)) return false;
  return last !== "<" || text[at - 1] !== "<";
};
const rubyRegexMayBegin = (last: string, text: string, at: number): boolean =>
  regexMayBegin(last, text, at) ||
  (/^[a-z_]/.test(last) && / /.test(text[at - 1] ?? "") && !/[\s=]/.test(text[at + 1] ?? ""));

const regexText = /\/(?![*/])(?:[^/\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*\])+\//y;

const javascript: Dialect = {
  ...cComments,
  strings: [
    quoted('"', oneLine),
    quoted("'", oneLine),
    quoted("`", { code: "${" }),
    { open: regexText, close: closeBy(""), ...raw, after: regexMayBegin },
  ],
};

const pythonForm = (mark: string, isOneLine: boolean): StringForm => ({
  open: new RegExp(`(?:\\b[rRbBuUfFtT]{1,2})?${mark}`, "y"),
  close: closeBy(mark),
  code: (found) => (/^[rR]?[fFtT]/.test(found[0]) ? "{" : undefined),
  isOneLine,
});
const python: Dialect = {
  line: ["#"],
  block: [],
  strings: [
    pythonForm('"""', false),
    pythonForm("'''", false),
    pythonForm('"', true),
    pythonForm("'", true),
  ],
};

const cFamily: Dialect = {
  ...cComments,
  strings: [
    { open: /(?:u8|[uUL])?R"([^\s()\\"]{0,16})\(/y, close: (found) => `)${found[1]}"`, ...raw },
    quoted('"', oneLine),
    quoted("'", { ...oneLine, after: notInWord }),
  ],
};

const tripleQuoted: Dialect = {
  ...cComments,
  nestsComments: true,
  strings: [quoted('"""'), quoted('"', oneLine), quoted("'", { ...oneLine, after: notInWord })],
};

const rubyCode = "#{";
const ruby: Dialect = {
  line: ["#"],
  block: [["=begin", "=end"]],
  strings: [
    {
      open: /<<([~-]?)(?:(["'`])([^\r\n]+?)\2|([A-Z_]\w*|(?<=[~-])\w+))/y,
      close: closeBy(""),
      after: (last, text, at) => !/[\p{L}\p{N}_)\]"]$/u.test(last) || /\s/.test(text[at - 1] ?? ""),
      heredoc: (found) => ({ mark: found[3] ?? found[4] ?? "", isIndented: found[1] !== "" }),
    },
    {
      open: /%[qQwWiIrxs]?([([{<|!/])/y,
      close: (found) => closers[found[1] ?? ""] ?? found[1] ?? "",
      nests: (found) => (closers[found[1] ?? ""] === undefined ? undefined : found[1]),
      code: (found) => (/^%[qwis]/.test(found[0]) ? undefined : rubyCode),
      after: (last, text, at) =>
        /[a-zA-Z]/.test(text[at + 1] ?? "")
          ? !/[\p{L}\p{N}_)\]]$/u.test(last) || (/\s/.test(text[at - 1] ?? "") && !/^\d/.test(last))
          : rubyRegexMayBegin(last, text, at),
    },
    { open: /\?[^\s\w](?!\w)|\?\w(?!\w)/y, close: closeBy(""), ...raw, after: regexMayBegin },
    { open: /\$["'`/]/y, close: closeBy(""), ...raw },
    quoted('"', { code: rubyCode }),
    quoted("'"),
    quoted("`", { code: rubyCode }),
    { open: /\//y, close: closeBy("/"), code: rubyCode, after: rubyRegexMayBegin },
  ],
};

const php: Dialect = {
  line: ["//", "#"],
  block: [["/*", "*/"]],
  attributes: true,
  strings: [
    { open: /\?>/y, close: closeBy("<?"), ...raw },
    {
      open: /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1/y,
      close: closeBy(""),
      heredoc: (found) => ({ mark: found[2] ?? "", isIndented: true }),
    },
    quoted('"'),
    quoted("'"),
    quoted("`"),
  ],
};

const dialects: Readonly<Record<string, Dialect>> = {
  python,
  javascript,
  typescript: javascript,
  tsx: javascript,
  vue: javascript,
  svelte: javascript,
  go: { ...cComments, strings: [quoted('"', oneLine), quoted("'", oneLine), quoted("`", raw)] },
  java: { ...tripleQuoted, nestsComments: false },
  kotlin: tripleQuoted,
  scala: tripleQuoted,
  swift: tripleQuoted,
  csharp: {
    ...cComments,
    strings: [
      { open: /\$*("{3,})/y, close: (found) => found[1] ?? "", ...raw },
      { open: /(?:@\$?|\$@)"/y, close: closeBy('"'), escape: "double" },
      quoted('"', oneLine),
      quoted("'", oneLine),
    ],
  },
  rust: {
    ...cComments,
    nestsComments: true,
    strings: [
      { open: /\b[bc]?r(#*)"/y, close: (found) => `"${found[1]}`, ...raw },
      { open: /'(?:\\u\{[^}]*\}|\\x..|\\.|[^\\'\r\n])'/uy, close: closeBy(""), ...raw },
      quoted('"'),
    ],
  },
  c: cFamily,
  cpp: cFamily,
  ruby,
  php,
  bash: {
    line: ["#"],
    block: [],
    commentNeedsBlank: true,
    strings: [
      {
        open: /<<(-?)\s*(["']?)([A-Za-z_]\w*)\2/y,
        close: closeBy(""),
        heredoc: (found) => ({ mark: found[3] ?? "", isIndented: found[1] !== "" }),
      },
      quoted('"'),
      quoted("'", raw),
    ],
  },
  lua: {
    line: ["--"],
    block: [["--[[", "]]"]],
    strings: [
      { open: /\[(=*)\[/y, close: (found) => `]${found[1]}]`, ...raw },
      quoted('"', oneLine),
      quoted("'", oneLine),
    ],
  },
  elixir: {
    line: ["#"],
    block: [],
    strings: [
      quoted('"""', { code: rubyCode }),
      quoted("'''", { code: rubyCode }),
      quoted('"', { code: rubyCode }),
    ],
  },
  css: { line: [], block: [["/*", "*/"]], strings: [quoted('"', oneLine), quoted("'", oneLine)] },
  sql: { line: ["--"], block: [["/*", "*/"]], strings: [quoted("'", { escape: "double" })] },
};

/** Nothing is known: no string is seen, so nothing inside one is protected. */
const plain: Dialect = { line: [], block: [], strings: [] };
