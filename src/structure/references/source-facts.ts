/**
 * What the text of one source says about names, by scanning words: too many rather than too few, because
 * a name that is wrongly taken for existing costs nothing, and one wrongly taken for missing a refusal.
 */
import { squeezeBlanks } from "../../base/text.ts";
import { patchesOthers } from "./dynamic-code.ts";
import type { Family } from "./types.ts";

export interface SourceFacts {
  /** Every identifier that stands anywhere in it. */
  readonly words: ReadonlySet<string>;
  /** Those in a place that may define them: functions, classes, assignments, keys, parameters, strings. */
  readonly defined: ReadonlySet<string>;
  /** Functions and classes, whose names can be offered. */
  readonly functions: ReadonlySet<string>;
  /** Modules as written. */
  readonly imports: readonly string[];
  /** Objects in it may answer to any name (`__getattr__`, `Proxy`). */
  readonly answersAnything: boolean;
  /** Attributes of classes that may be anywhere are made in it under names that are computed. */
  readonly patchesOthers: boolean;
}

export const familyOf = (language: string): Family => {
  if (language === "python") return "python";
  return ["typescript", "tsx", "javascript", "vue", "svelte"].includes(language)
    ? "script"
    : "other";
};

const identifier = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;

export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(identifier));

export const factsOf = (whole: string, family: Family): SourceFacts => {
  const words = wordsOf(whole);
  const text = squeezeBlanks(whole);
  // Generated code on one line: patterns made for people's lines would take long.
  if (family === "other" || hasLongLine(text)) {
    return {
      words,
      defined: words,
      functions: none,
      imports: [],
      answersAnything: false,
      patchesOthers: false,
    };
  }
  const { definitions, functions, imports, anything } = patterns[family];
  const defined = new Set<string>();
  for (const pattern of definitions) collect(text, pattern, defined);
  const named = new Set<string>();
  collect(text, functions, named);
  for (const name of named) defined.add(name);
  const modules = new Set<string>();
  for (const [, from, list = ""] of text.matchAll(imports)) {
    for (const module of [from, ...firstWords(list)]) if (module) modules.add(module);
  }
  return {
    words,
    defined,
    functions: named,
    imports: [...modules],
    answersAnything: anything.test(text),
    patchesOthers: patchesOthers(text, family),
  };
};

/** A pattern for it would begin again at every letter. */
const hasLongLine = (text: string): boolean => {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end;
    if (to - from >= 5000) return true;
    from = to + 1;
  }
  return false;
};

/** `a as b, c` names a and c. */
const firstWords = (list: string): string[] =>
  list.split(",").flatMap((one) => /[\w.]+/.exec(one)?.[0] ?? []);

const none: ReadonlySet<string> = new Set();

/** All words of what the pattern's first group matched, without those that are called there. */
const collect = (text: string, pattern: RegExp, into: Set<string>): void => {
  for (const match of text.matchAll(pattern)) {
    for (const [word] of (match[1] ?? "").matchAll(notCalled)) into.add(word);
  }
};

const notCalled = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*(?![\w$\u0080-\uffff]|\s*\()/g;

interface Patterns {
  readonly definitions: readonly RegExp[];
  readonly functions: RegExp;
  readonly imports: RegExp;
  readonly anything: RegExp;
}

/** A literal of words and separators: names for `setattr`, fields of a named tuple, `__slots__`. */
const strings = /["'`]([\w$]+(?:[\s,.]+[\w$]+)*)["'`]/g;

// A word is looked at from its start only: from each of its letters, a long one would take minutes (T-05).
const patterns: Readonly<Record<"python" | "script", Patterns>> = {
  python: {
    functions: /\b(?:def|class)[ \t]+([^\s(:[]+)/g,
    definitions: [
      // Left of an assignment; keyword arguments too, which become attributes of many objects.
      /^([^=\n#]*)=(?!=)/gm,
      /(?<!\w)([A-Za-z_]\w*)\s*(?::[^=\n]*)?=(?!=)/g,
      /^[ \t]*([A-Za-z_]\w*)[ \t]*:/gm,
      /\b(?:as|import|for|global|nonlocal)\b([^\n:=]*)/g,
      /(?<!\w)([A-Za-z_]\w*)[ \t]+as\b/g,
      /^[ \t]*([A-Za-z_]\w*)[ \t]*(?:,[ \t]*)?$/gm,
      strings,
    ],
    imports: /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import|import[ \t]+([\w., \t]+))/gm,
    anything: /\bdef[ \t]+(?:__getattr__|__getattribute__)\b/,
  },
  script: {
    functions:
      /(?:\b(?:function|class|interface|enum|type|const|let|var|get|set)\b|^[ \t]*(?:(?:public|private|protected|static|async|override|abstract|declare|export|readonly|\*)\s*)*(?=#?[\w$]+[ \t]*(?:<[^\n]*>)?\([^\n]*\{[ \t]*$))[\s*]*#?([A-Za-z_$][\w$]*)/gm,
    definitions: [
      /(?<![\w$])([A-Za-z_$][\w$]*)\s*(?:[?!]\s*)?:/g,
      /(?<![\w$])([A-Za-z_$][\w$]*)\s*(?:[|&?]{0,2})=(?!=)/g,
      /(?<![\w$])([A-Za-z_$][\w$]*)\s*[,})\]]/g,
      // A method's head; a call where a statement or a member may begin counts as one.
      /(?:^|[{};,*])\s*(?:(?:public|private|protected|static|async|override|get|set|abstract|declare|export|readonly)\s+)*[*#\s]*([A-Za-z_$][\w$]*)(?=\s*[?!]?\s*(?:<[^\n]*?>)?\s*\()/gm,
      strings,
    ],
    imports: /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'`]([^"'`\n]+)["'`]/g,
    anything: /\bnew\s+Proxy\s*\(/,
  },
};

/**
 * Words of a new version that are more than the given calls: what else names them makes them exist.
 * Whole-line comments and docstrings do not: writers like to announce what they call.
 */
export const wordsBesides = (
  text: string,
  family: Family,
  calls: ReadonlySet<number>,
): ReadonlySet<string> => {
  const found = new Set<string>();
  const add = (part: string, offset: number): void => {
    for (const match of part.matchAll(identifier)) {
      if (!calls.has(offset + match.index)) found.add(match[0]);
    }
  };
  if (family !== "python") {
    for (const match of text.matchAll(/^(?![ \t]*(?:\/\/|\*|\/\*)).*$/gm)) {
      add(match[0], match.index);
    }
    return found;
  }
  for (const match of text.matchAll(pythonTokens)) {
    const [token] = match;
    if (token.startsWith("#")) continue;
    if (/^["']{3}/.test(token) && isAlone(text, match.index)) continue;
    add(token, match.index);
  }
  return found;
};

const pythonTokens =
  /"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|#[^\n]*|[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/g;

/** Nothing but white space before it on its line: a docstring. */
const isAlone = (text: string, index: number): boolean =>
  text.slice(text.lastIndexOf("\n", index - 1) + 1, index).trim() === "";
