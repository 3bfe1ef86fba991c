/**
 * A file of C or C++ with blanks in place of the macros that are no code by themselves: marks of functions
 * and classes, lines that stand alone, brackets for the other language's compiler. Only what the grammar
 * cannot read is read this way, and nothing moves: every place in the file stays what it was.
 */
import { type Token, tokensOf } from "../syntax/c-tokens.ts";

export const withoutMacros = (text: string): string => {
  const tokens = tokensOf(text);
  const gone = new Set<number>();
  const joined = new Map<number, number>();
  const ends = argumentEnds(tokens);
  const starts = new Map([...ends].map(([start, end]) => [end, start]));
  const blank = (from: number, to: number): void => {
    for (let index = from; index <= to; index += 1) gone.add(index);
  };
  blankLinkage(tokens, blank);
  // From the end: whether a word is a mark depends on what follows it.
  for (const [index, token] of [...tokens.entries()].toReversed()) {
    if (gone.has(index) || token.kind !== "word" || !isMacro(token.text)) continue;
    const end = tokens[index + 1]?.text === "(" ? ends.get(index + 1) : index;
    if (end === undefined) continue;
    const next = following(tokens, gone, end);
    const { at } = token;
    const place = { text, tokens, starts, index, at, next, hasArguments: end > index };
    if (
      marks.test(token.text) ||
      isCall(place) ||
      isMark(place) ||
      isBehind(place) ||
      isAlone(place)
    )
      blank(index, end);
    else if (isType(place)) joined.set(at, (tokens[end]?.at ?? at) + 1);
  }
  return [...joined].reduce(
    (made, [from, to]) => joinedText(made, from, to),
    blanked(text, tokens, gone),
  );
};

/** `LIST_OF(int)` as one word. */
const joinedText = (text: string, from: number, to: number): string =>
  text.slice(0, from) + text.slice(from, to).replaceAll(/[^\w\r\n]/g, "_") + text.slice(to);

const isMacro = (word: string): boolean =>
  /^_*[A-Z][A-Z0-9_]{2,}$/.test(word) || (/^__[a-z]/.test(word) && !ownWords.test(word));
/** Words with two lines before them that are part of the language, or types of systems. */
const ownWords =
  /^__(?:attribute|asm|inline|extension|restrict|const|volatile|signed|typeof|declspec|alignof|func|[us]\d|[bl]e\d|u?int|builtin|auto|label|real|imag|complex|thread|has_|cdecl|stdcall)/;

/** From each opening parenthesis to its end. */
const argumentEnds = (tokens: readonly Token[]): Map<number, number> => {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "sign") continue;
    if (text === "(") open.push(index);
    else if (text === ")") {
      const start = open.pop();
      if (start !== undefined) ends.set(start, index);
    } else if (/[{};]/.test(text)) open.length = 0;
  }
  return ends;
};

/** The next two tokens that are still there. */
const following = (
  tokens: readonly Token[],
  gone: ReadonlySet<number>,
  end: number,
): readonly [Token | undefined, Token | undefined] => {
  const after = (from: number): number => {
    let index = from + 1;
    while (gone.has(index)) index += 1;
    return index;
  };
  const first = after(end);
  return [tokens[first], tokens[after(first)]];
};

interface Place {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly starts: ReadonlyMap<number, number>;
  readonly index: number;
  readonly at: number;
  readonly next: readonly [Token | undefined, Token | undefined];
  readonly hasArguments: boolean;
}

/** The last token before a place and the marks there. */
const beforeMarks = ({ tokens }: Place, index: number): number => {
  let before = index - 1;
  for (; tokens[before]?.kind === "word"; before -= 1) {
    if (!isMacro(tokens[before]?.text ?? "")) break;
  }
  return before;
};

const startsStatement = (place: Place, at = place.index - 1): boolean => {
  const { tokens, starts, text } = place;
  const before = tokens[at];
  if (before === undefined || before.kind === "directive" || /^[;{}]$/.test(before.text)) {
    return true;
  }
  // Behind a macro with a line of its own.
  const start = starts.get(at);
  const name = start === undefined ? undefined : tokens[start - 1];
  const isEnd = /^[^\S\n]*\n/.test(text.slice(before.at + before.text.length));
  return isEnd && name?.kind === "word" && isMacro(name.text) && isLineStart(text, name.at);
};
const isLineStart = (text: string, at: number): boolean =>
  text.slice(text.lastIndexOf("\n", at) + 1, at).trim() === "";
const specifiers = /^(?:static|extern|inline|const|virtual|explicit|constexpr|friend|__inline)$/;
const verbs = /^(?:return|else|case|goto|do|new|delete|throw|sizeof)$/;
const tags = /^(?:class|struct|union|enum|namespace)$/;

/** `API_EXPORT int f()`, `class API_EXPORT A {`, `class A API_FINAL :`, `int API_CALL f()`. */
const isMark = (place: Place): boolean => {
  const { tokens, index, hasArguments } = place;
  const [first, second] = place.next;
  const at = beforeMarks(place, index);
  const before = tokens[at];
  const last = tokens[index - 1];
  if (/^[{:]$/.test(first?.text ?? "") && last?.kind === "word") {
    return tags.test(tokens[beforeMarks(place, index - 1)]?.text ?? "");
  }
  if (first?.kind !== "word") return false;
  if (tags.test(before?.text ?? "")) return /^(?:\{|:|final)$/.test(second?.text ?? "");
  const isTyped = second?.kind === "word" || /^(?:[*&<]|::|&&)$/.test(second?.text ?? "");
  if (startsStatement(place, at) || specifiers.test(before?.text ?? "")) {
    if (isTyped || isMacro(first.text) || (hasArguments && second?.text !== "(")) return true;
  }
  const isWord = last?.kind === "word" && !specifiers.test(last.text) && !verbs.test(last.text);
  const isAfterType = isWord || /^[*&>]$/.test(last?.text ?? "");
  return isAfterType && !hasArguments && second?.text === "(";
};

/** `void (API_CALL *f)(int)`. */
const isCall = ({ tokens, index, next: [first], hasArguments }: Place): boolean => {
  if (hasArguments || tokens[index - 1]?.text !== "(") return false;
  const name = first?.text === "*" ? index + 2 : index + 1;
  const [word, close, open] = tokens.slice(name, name + 3);
  return word?.kind === "word" && close?.text === ")" && open?.text === "(";
};

/** Marks of systems that stand anywhere. */
const marks =
  /^__(?:flexarr|packed|aligned|user|iomem|rcu|percpu|force|unused|maybe_unused|init|exit|wur|owur)$/;

/** `int x GUARDED_BY(mutex);`, `void f() NOTHROW;` */
const isBehind = (place: Place): boolean => {
  const { tokens, index, hasArguments } = place;
  const first = place.next[0]?.text ?? "";
  if (!/^(?:[;={]|__attribute__)$/.test(first)) return false;
  const before = tokens[beforeMarks(place, index)];
  if (/^(?:[)\]]|const|override|noexcept|final)$/.test(before?.text ?? "")) return first !== "=";
  const type = tokens[index - 2];
  const isDeclared =
    tokens[index - 1]?.kind === "word" &&
    (type?.kind === "word" || /^[*&>]$/.test(type?.text ?? ""));
  return hasArguments && isDeclared && first !== "{";
};

/** `BEGIN_DECLS` or `DEFINE_LIST(a, b)` on a line of its own, without an end. */
const isAlone = (place: Place): boolean => {
  const { text, at, hasArguments } = place;
  const [first, second] = place.next;
  if (!startsStatement(place) || !isLineStart(text, at)) return false;
  if (first === undefined || first.kind === "directive") return true;
  if (!text.slice(at, first.at).includes("\n")) return false;
  if (first.text === "}") return true;
  // `DWORD`, and on the next line the function's name.
  const isReturned = !hasArguments && second?.text === "(" && !isMacro(first.text);
  return first.kind === "word" && !isReturned;
};

/** `LIST_OF(int) *list`, `API(int) f()`. */
const isType = (place: Place): boolean => {
  const { tokens, index, next, hasArguments } = place;
  const before = tokens[index - 1]?.text ?? "";
  const [first, second] = next;
  if (!hasArguments) return false;
  if (first?.kind === "word") return second?.text === "(" && specifiers.test(before);
  return first?.text === "*" && /^(?:[(,;{}]|const|static|extern)$/.test(before);
};

/** `#ifdef __cplusplus`, `extern "C" {`, `#endif`, and the same with the end of it. */
const blankLinkage = (
  tokens: readonly Token[],
  blank: (from: number, to: number) => void,
): void => {
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "directive" || !/^if.*\b__cplusplus\b/.test(text)) continue;
    const end = tokens.findIndex((one, at) => at > index && one.kind === "directive");
    if (tokens[end]?.text.startsWith("endif") !== true) continue;
    const code = tokens
      .slice(index + 1, end)
      .map((one) => one.text)
      .join(" ");
    if (/^(?:extern "C(?:\+\+)?" \{|\})$/.test(code)) blank(index, end);
  }
};

const blanked = (text: string, tokens: readonly Token[], gone: ReadonlySet<number>): string => {
  let made = "";
  let at = 0;
  for (const [index, token] of tokens.entries()) {
    if (!gone.has(index)) continue;
    const length =
      token.kind === "directive" ? lineLength(text, token.at, token.text) : token.text.length;
    made +=
      text.slice(at, token.at) + text.slice(token.at, token.at + length).replaceAll(/\S/g, " ");
    at = token.at + length;
  }
  return made + text.slice(at);
};

/** A directive's text leaves out its sign and the blanks before it. */
const lineLength = (text: string, at: number, words: string): number =>
  text.indexOf(words, at) + words.length - at;
