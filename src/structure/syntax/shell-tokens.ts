/**
 * Brackets and block words (`if … fi`, `do … done`, `case … esac`) of a shell script. Words only count where a command
 * begins; texts, here-documents, arithmetic and the patterns of `case` are passed over.
 */
import type { Token } from "./c-tokens.ts";

const blockWords: Readonly<Record<string, string>> = {
  ...{ if: "if", fi: "fi", case: "case", esac: "esac", do: "loop", done: "done" },
};
/** Another command begins after these. */
const leading = new Set(["if", "then", "else", "elif", "while", "until", "do", "!", "time", "{"]);

interface ShellReading {
  readonly text: string;
  readonly tokens: Token[];
  /** Marks of here-documents whose text begins with the next line. */
  readonly marks: string[];
}

/** Undefined where it cannot be read with certainty. */
export const shellTokens = (text: string): Token[] | undefined => {
  const reading: ShellReading = { text, tokens: [], marks: [] };
  return readCommands(reading, 0, "") === undefined ? undefined : reading.tokens;
};

const match = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

const word = /[^\s;&|()<>"'`\\$#{}]+|[{}](?=[\s;&|)]|$)/y;
const hereDocument = /<<-?[ \t]*(["']?)([\w.-]+)\1(?!<)/y;

/** Up to the end or to the sign that ends a substitution; the place after it. */
const readCommands = (reading: ShellReading, start: number, end: string): number | undefined => {
  const { text, tokens, marks } = reading;
  const open: string[] = [];
  let isStart = true;
  let at = start;
  const push = (sign: string, place: number): void => {
    tokens.push({ kind: "sign", text: sign, at: place });
  };
  while (at < text.length) {
    const sign = text[at] ?? "";
    if (sign === "\n") {
      at += 1;
      isStart = true;
      for (const mark of marks.splice(0)) {
        const closing = new RegExp(String.raw`^\t*${mark.replaceAll(/[.-]/g, "\\$&")}$`, "gm");
        const found = match(closing, text, at);
        if (!found) return undefined;
        at = found.index + found[0].length;
      }
    } else if (/\s/.test(sign)) at += 1;
    else if (text.startsWith("\\\n", at)) at += 2;
    else if (sign === "#" && /[\s;&|(]|^$/.test(text[at - 1] ?? "")) {
      const line = text.indexOf("\n", at);
      at = line < 0 ? text.length : line;
    } else if (";&|".includes(sign)) {
      isStart = true;
      at += 1;
    } else if (text.startsWith("<<", at) && !text.startsWith("<<<", at)) {
      const found = match(hereDocument, text, at);
      if (!found) return undefined;
      marks.push(found[2] ?? "");
      at += found[0].length;
    } else if (text.startsWith("<<<", at)) at += 3;
    else if (text.startsWith("((", at)) {
      const behind = closingPlace(text, at);
      if (behind === undefined) return undefined;
      at = behind;
      isStart = false;
    } else if (sign === "(") {
      push("(", at);
      open.push("(");
      isStart = true;
      at += 1;
    } else if (sign === ")") {
      if (open.at(-1) === "(") {
        open.pop();
        push(")", at);
      } else if (open.at(-1) !== "case") {
        if (end === ")") return at + 1;
        push(")", at);
      }
      isStart = true;
      at += 1;
    } else {
      const quoted = readQuoted(reading, at);
      if (quoted === undefined) return undefined;
      if (quoted > at) {
        at = quoted;
        isStart = false;
        continue;
      }
      const found = match(word, text, at);
      if (!found) {
        at += 1;
        isStart = false;
        continue;
      }
      const [name] = found;
      const place = at;
      at += name.length;
      const next = text[at] ?? "\n";
      const isWhole = /[\s;&|()<>]/.test(next) || text.startsWith("\\\n", at);
      const isPattern = open.at(-1) === "case" && /^\s*[)|]/.test(text.slice(at, at + 20));
      if (!isStart || !isWhole || isPattern) {
        isStart = false;
        continue;
      }
      if (name === "[[") {
        const close = text.indexOf("]]", at);
        if (close < 0) return undefined;
        at = close + 2;
      }
      if (name === "function") {
        at += /^\s+[^\s(){};]+/.exec(text.slice(at, at + 200))?.[0].length ?? 0;
        continue;
      }
      const block = name === "{" || name === "}" ? name : blockWords[name];
      if (block !== undefined) push(block, place);
      if (name === "case") open.push("case");
      if (name === "esac" && open.at(-1) === "case") open.pop();
      isStart = leading.has(name);
    }
  }
  if (end !== "") push("(", start);
  return at;
};

/** The place after a text or an expansion that begins here; the same place where none does. */
const readQuoted = (reading: ShellReading, at: number): number | undefined => {
  const { text } = reading;
  const sign = text[at];
  if (sign === "\\") return at + 2;
  if (sign === "'" || text.startsWith("$'", at)) {
    const from = text.indexOf("'", at) + 1;
    if (sign === "'") return endAfter(reading, text.indexOf("'", from), at);
    const found = match(/(?:\\[^]|[^'\\])*'/y, text, from);
    return endAfter(reading, found ? from + found[0].length - 1 : -1, at);
  }
  if (sign === "`") {
    const found = match(/`(?:\\[^]|[^`\\])*`/y, text, at);
    return found ? at + found[0].length : undefined;
  }
  if (sign === '"') return readUntil(reading, at + 1, '"', at);
  if (text.startsWith("${", at)) return readUntil(reading, at + 2, "}", at);
  if (text.startsWith("$((", at)) return closingPlace(text, at + 1);
  if (text.startsWith("$(", at)) return readCommands(reading, at + 2, ")");
  return sign === "$" ? at + 1 : at;
};

const endAfter = ({ text, tokens }: ShellReading, close: number, at: number): number => {
  if (close >= 0) return close + 1;
  tokens.push({ kind: "open-text", text: text[at] ?? "", at });
  return text.length;
};

const readUntil = (
  reading: ShellReading,
  start: number,
  end: string,
  from: number,
): number | undefined => {
  const { text } = reading;
  for (let at = start; at < text.length;) {
    if (text[at] === end) return at + 1;
    const isText = end === '"' && text[at] === "'";
    const next = isText ? at + 1 : readQuoted(reading, at);
    if (next === undefined) return undefined;
    at = Math.max(next, at + 1);
  }
  return endAfter(reading, -1, from);
};

/** After the parenthesis that closes this one, by counting. */
const closingPlace = (text: string, start: number): number | undefined => {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")" && (depth -= 1) === 0) return at + 1;
  }
  return undefined;
};
