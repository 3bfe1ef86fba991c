/**
 * Whether the brackets of a file close, whatever is between them. Conditionals of a preprocessor are followed as
 * far as they leave no doubt: every branch must leave the same brackets open.
 */
import type { Token } from "./c-tokens.ts";

export interface BracketError {
  readonly at: number;
  readonly message: string;
}

interface OpenBracket {
  readonly sign: string;
  readonly at: number;
}

/** A conditional of the preprocessor: every branch of it must leave the same brackets open. */
interface Branches {
  readonly start: readonly OpenBracket[];
  readonly condition: string;
  readonly from: number;
  readonly at: number;
  ends: (readonly OpenBracket[])[];
  isDead: boolean;
  hasElse: boolean;
  isBroken: boolean;
}

/** In Lua and in shells words open and close as well. */
export const closes: Readonly<Record<string, string>> = {
  ...{ ")": "(", "]": "[", "}": "{" },
  ...{ end: "do", until: "repeat" },
  ...{ fi: "if", done: "loop", esac: "case" },
};
const opens: ReadonlySet<string> = new Set(Object.values(closes));
const shape = (open: readonly OpenBracket[]): string => open.map(({ sign }) => sign).join("");

export const wrongBracket = (tokens: readonly Token[]): BracketError | undefined => {
  const inner = withoutGuard(tokens);
  let open: OpenBracket[] = [];
  const branches: Branches[] = [];
  const split: BracketError[] = [];
  for (const [index, token] of inner.entries()) {
    const { kind, text, at } = token;
    const around = branches.at(-1);
    if (kind === "directive") {
      const word = /^[a-z]+/.exec(text)?.[0] ?? "";
      if (word.startsWith("if")) {
        branches.push({
          start: open,
          condition: text,
          from: index,
          at,
          ends: [],
          isDead: /^if\s+0\b/.test(text),
          hasElse: false,
          isBroken: false,
        });
        open = [...open];
      } else if (around && (word.startsWith("el") || word === "endif")) {
        if (!around.isDead) around.ends.push(open);
        around.isDead = false;
        if (word === "else") around.hasElse = true;
        open = [...around.start];
        if (word !== "endif") continue;
        branches.pop();
        const end = behindBranches(around, inner.slice(around.from + 1, index));
        if (!end && around.condition.includes("__cplusplus")) return undefined;
        if (!end) split.push({ at: around.at, message: splitMessage });
        open = [...(end ?? around.start)];
      }
      continue;
    }
    if (around?.isDead) continue;
    if (kind === "open-text") {
      if (branches.length > 0) return undefined;
      return { at, message: "the text has no end" };
    }
    if (kind !== "sign") continue;
    if (opens.has(text)) open.push({ sign: text, at });
    else if (text in closes) {
      const last = open.pop();
      if (last?.sign !== closes[text]) {
        if (around) {
          around.isBroken = true;
          continue;
        }
        if (split.length > 0) return undefined;
        const what = last ? `while '${last.sign}' is open` : "without an opening one";
        return { at, message: `'${text}' ${what}` };
      }
    }
  }
  // What one conditional opens another one may close; alone it is wrong either with or without it.
  if (split.length > 0) return split.length === 1 && open.length === 0 ? split[0] : undefined;
  const last = open.at(-1);
  return last && { at: last.at, message: `'${last.sign}' is never closed` };
};

const splitMessage = "the brackets inside this conditional do not match";

/** The brackets that are open behind a conditional; undefined when that depends on the condition. */
const behindBranches = (
  { start, condition, ends, hasElse, isBroken }: Branches,
  inside: readonly Token[],
): readonly OpenBracket[] | undefined => {
  // Where there are several branches one of them is meant to hold.
  const all = hasElse || ends.length > 1 ? ends : [...ends, start];
  const [first = start] = all;
  if (!isBroken && all.every((one) => shape(one) === shape(first))) return first;
  // `extern "C" {` and its end are for C++ only, and for both languages neither opens anything.
  const code = inside.map(({ text }) => text).join(" ");
  const isLinkage = /^(?:extern "C(?:\+\+)?" \{|\})$/.test(code);
  return isLinkage && condition.includes("__cplusplus") ? start : undefined;
};

/** A header's guard is around everything, so whether it holds changes nothing. */
const withoutGuard = (tokens: readonly Token[]): readonly Token[] => {
  const [first, second] = tokens;
  const last = tokens.at(-1);
  const name = /^if(?:ndef\s+|\s+!\s*defined\s*(?:\(\s*)?)(\w+)/.exec(first?.text ?? "")?.[1];
  const isGuard =
    first?.kind === "directive" &&
    name !== undefined &&
    second?.text.startsWith(`define ${name}`) === true &&
    last?.kind === "directive" &&
    last.text.startsWith("endif");
  return isGuard ? tokens.slice(2, -1) : tokens;
};
