/**
 * A second opinion on C and C++. A grammar without a preprocessor takes macros for mistakes, so its word
 * alone proves nothing near them. Two things can be said without knowing any macro: brackets must close, as
 * long as the directives leave no doubt, and some signs never stand side by side.
 */
import { closes, type BracketError, wrongBracket } from "./brackets.ts";
import { type Token, tokensOf } from "./c-tokens.ts";

/** What is certainly wrong; undefined when nothing is, or when it cannot be said. */
export const proofAgainst = (text: string): BracketError | undefined => {
  const tokens = tokensOf(text);
  const isHidden = tokens.some(isUnbalancedMacro);
  const bracket = isHidden ? undefined : wrongBracket(tokens);
  return bracket ?? wrongNeighbours(tokens, text, isHidden);
};

/** A macro may bring a bracket with it that its use does not show. */
const isUnbalancedMacro = ({ kind, text }: Token): boolean => {
  if (kind !== "directive" || !text.startsWith("define")) return false;
  const signs = tokensOf(text).filter((one) => one.kind === "sign");
  const count = (sign: string): number => signs.filter((one) => one.text === sign).length;
  return count("{") !== count("}") || count("(") !== count(")") || count("[") !== count("]");
};

const list = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Signs that want something behind them; not those that may end a type: * & && >. */
const dangling = list(
  "= + - / % ^ | || == != <= += -= *= /= %= &= ^= |= <<= >>= << ! ~ ? , . -> ::",
);
const binary = list("= + - / % ^ | || == != <= += -= *= /= %= &= ^= |= <<= >>= <<");
const onlyOnce = list(
  "return if else for while switch case goto break continue struct enum union typedef static extern void int char float class namespace using typename virtual public private protected",
);
const statements = list("return break continue goto case");
const openStatements = list("if for while switch else do");
const types = list("int char float double long short unsigned signed void");
const heads = list("if for while switch");
const access = list("public private protected");
const storage = list("static extern typedef");

/** A bracket that is open, and what was before it. */
interface Bracket {
  readonly sign: string;
  readonly index: number;
  readonly isHead: boolean;
  /** The body of a function, a loop or a branch. */
  readonly isBody: boolean;
  hasStatement: boolean;
}

const wrongNeighbours = (
  tokens: readonly Token[],
  source: string,
  isHidden: boolean,
): BracketError | undefined => {
  // Other languages come in these files too.
  if (tokens.some(({ kind, text }) => kind === "sign" && text === "@")) return undefined;
  let open: Bracket[] = [];
  /** What was open before each conditional: its branches all begin there. */
  const before: Bracket[][] = [];
  const starts = new Map<number, number>();
  const outside: Token[] = [];
  const isPlusPlus = tokens.some(({ text }) => text === "::" || text === "class");
  for (const [index, token] of tokens.entries()) {
    const [first, last] = [tokens[index - 2], tokens[index - 1]];
    const { kind, text, at } = token;
    if (kind === "directive") {
      if (text.startsWith("if")) before.push([...open]);
      else if (text.startsWith("el")) open = [...(before.at(-1) ?? open)];
      else if (text.startsWith("endif")) before.pop();
    }
    if (kind === "sign" && "([{".includes(text)) {
      open.push({
        sign: text,
        index,
        isHead: last?.kind === "word" && heads.has(last.text),
        isBody: text === "{" && /^(?:\)|else|do)$/.test(last?.text ?? ""),
        hasStatement: false,
      });
    }
    const isClosing = kind === "sign" && text in closes;
    const around = isClosing ? open.pop() : open.at(-1);
    if (isClosing && around) starts.set(index, around.index);
    if (text === ";" && around) around.hasStatement = true;
    if (open.length === 0 && kind === "word" && isStatement(text)) outside.push(token);
    if (!last || isApart(last) || isApart(token)) continue;
    const isWrong =
      isLeftOpen(first, last, token, around) ||
      isRepeated(last, token) ||
      isCutOff(last, token, source) ||
      isNameless(first, last, token, around?.sign) ||
      (text === "}" && isUnended(first, last, around, open)) ||
      isRunTogether(first, last, token, source) ||
      (text === "{" && isHeadless(tokens, index)) ||
      (text === ":" && access.has(last.text) && isPlusPlus && isFunction(tokens, around)) ||
      (text === "else" && kind === "word" && isStrayElse(tokens, index, starts));
    if (isWrong) return { at, message: `'${last.text}' cannot stand before '${text}'` };
  }
  const [only] = outside;
  // More than one of them means that macros open and close the functions here.
  return only && outside.length === 1 && !isHidden
    ? { at: only.at, message: `'${only.text}' outside of functions` }
    : undefined;
};

/** Whether a block belongs to a function or a statement in it, not to a class. */
const isFunction = (tokens: readonly Token[], block: Bracket | undefined): boolean => {
  if (!block?.isBody) return false;
  for (let at = block.index - 1; at >= 0; at -= 1) {
    const text = tokens[at]?.text ?? "";
    if (/^(?:class|struct|union)$/.test(text)) return false;
    if (/^[;{}]$/.test(text)) break;
  }
  return true;
};

/** `static int {` */
const isHeadless = (tokens: readonly Token[], index: number): boolean => {
  let at = index - 1;
  for (; tokens[at]?.kind === "word"; at -= 1) {
    const text = tokens[at]?.text ?? "";
    if (/[A-Z]|^(?:struct|union|enum|class|namespace|extern)$/.test(text)) return false;
  }
  const before = tokens[at];
  const isStart = before === undefined || before.kind === "directive" || /^[;}]$/.test(before.text);
  return isStart && at < index - 1 && tokens[at + 1]?.text === "static";
};

/** `a = b c`: two names side by side where one value is wanted. */
const isRunTogether = (
  first: Token | undefined,
  last: Token,
  token: Token,
  source: string,
): boolean =>
  isWanting(first) && [last, token].every((one) => isName(one) && !isDefined(one.text, source));

const isWanting = (token: Token | undefined): boolean =>
  token?.text === "return" || token?.text === "=";
/** No macro by its letters, and no word of the language. */
const isName = ({ kind, text }: Token): boolean =>
  kind === "word" && /^[a-z][a-z0-9_]*$/.test(text) && !reserved.has(text);
const reserved = list(
  "alignas alignof and and_eq asm auto bitand bitor bool case char class co_await co_return co_yield compl const consteval constexpr constinit const_cast decltype default delete do double dynamic_cast else enum explicit extern false final float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected public register reinterpret_cast requires restrict return short signed sizeof static static_cast struct switch template this thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq break continue",
);
const isDefined = (name: string, source: string): boolean =>
  new RegExp(String.raw`#\s*define\s+${name}\b`).test(source);

/** `return 5 }` */
const isUnended = (
  first: Token | undefined,
  { kind, text }: Token,
  block: Bracket | undefined,
  outer: readonly Bracket[],
): boolean => {
  if (!block?.isBody || outer.some(({ sign }) => sign !== "{")) return false;
  if (kind === "word" && statements.has(text)) return true;
  if (!block.hasStatement) return false;
  if (kind === "word") return isWanting(first) && isName({ kind, text, at: 0 });
  return kind === "number" || kind === "text";
};

/** An `else` behind a statement without any word that could have been an `if`. */
const isStrayElse = (
  tokens: readonly Token[],
  index: number,
  starts: ReadonlyMap<number, number>,
): boolean => {
  const last = tokens[index - 1];
  if (last?.kind !== "sign") return false;
  if (last.text === "{") return true;
  if (last.text !== ";" && last.text !== "}") return false;
  let at = last.text === "}" ? (starts.get(index - 1) ?? 0) - 1 : index - 2;
  for (; at >= 0; at -= 1) {
    const token = tokens[at];
    if (!token || isApart(token) || (token.kind === "word" && mayBranch.test(token.text)))
      return false;
    if (token.kind !== "sign") continue;
    const isValue = token.text === "}" && /^(?:[;,).([\]]|->|::)$/.test(tokens[at + 1]?.text ?? "");
    // What is between brackets says nothing about the statement.
    if (/^[)\]]$/.test(token.text) || isValue) at = starts.get(at) ?? 0;
    else if (/^[;{}]$/.test(token.text)) return true;
  }
  return false;
};
const mayBranch = /if|else|for|while|each|until|case|switch|when|try|catch|loop|do/i;

/** Nothing can be said about what stands beside it: a directive, or a macro's paste of words. */
const isApart = ({ kind, text }: Token): boolean =>
  kind === "directive" || kind === "open-text" || text === "##";
const isStatement = (word: string): boolean => statements.has(word) || openStatements.has(word);
const isOperand = (token: Token | undefined): boolean =>
  token !== undefined &&
  (/word|number|text/.test(token.kind) || /^[)\]]$/.test(token.text)) &&
  token.text !== "operator";

/** `x = ;`, `if (a ==)`, `f(a +)`. */
const isLeftOpen = (
  before: Token | undefined,
  last: Token,
  { kind, text }: Token,
  around: Bracket | undefined,
): boolean => {
  if (last.kind !== "sign" || before?.text === "operator") return false;
  if (kind === "word")
    return isStatement(text) && (binary.has(last.text) || /^[*&<]$/.test(last.text));
  if (kind !== "sign") return false;
  // A macro takes anything between its parentheses.
  const isArgument = around?.sign === "(" && !around.isHead;
  if (text === ";") return dangling.has(last.text) && !isArgument;
  if (text === "}") return dangling.has(last.text) && last.text !== ",";
  return text === ")" && binary.has(last.text) && (!isArgument || isOperand(before));
};

const isRepeated = (last: Token, { kind, text }: Token): boolean =>
  kind === "word" && last.kind === "word" && last.text === text && onlyOnce.has(text);

/** `total return x;`: a name in small letters is no macro, unless this file makes it one. */
const isCutOff = (last: Token, { kind, text }: Token, source: string): boolean =>
  kind === "word" &&
  statements.has(text) &&
  last.kind === "word" &&
  /^[a-z][a-z0-9_]*$/.test(last.text) &&
  !keywordsBefore.has(last.text) &&
  !isDefined(last.text, source);
const keywordsBefore = list("else do try emit forever");

/** `int = 1`, `static ;`, `while {`, `case :`; a macro takes all of them between its parentheses. */
const isNameless = (
  before: Token | undefined,
  last: Token,
  { kind, text }: Token,
  around: string | undefined,
): boolean => {
  if (kind !== "sign" || last.kind !== "word") return false;
  if (around === "(") return false;
  // `[](int x) static {` and `[] static {` are lambdas of C++23.
  if (last.text === "static" && /^[)\]]$/.test(before?.text ?? "")) return false;
  if (storage.has(last.text) || heads.has(last.text)) return /^[;{}=]$/.test(text);
  if (last.text === "case") return /^[:;}]$/.test(text);
  // Parameters of templates may have a default without a name.
  const isParameter = /^[<,]$/.test(before?.text ?? "");
  return text === "=" && types.has(last.text) && !isParameter;
};
