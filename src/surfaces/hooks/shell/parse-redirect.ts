/** Redirections and here-documents of a POSIX or bash command line. */
import { readWord, type WordReader } from "./read-word.ts";
import type { CommandList, Redirect, Word } from "./syntax-tree.ts";
import { type Cursor, NotUnderstood } from "./text-cursor.ts";

/** A here-document whose text begins behind the next line break. */
export interface PendingHere {
  readonly redirect: { body?: string; inner?: readonly CommandList[] };
  readonly end: string;
  readonly stripsTabs: boolean;
  readonly isQuoted: boolean;
}

interface RedirectReader extends WordReader {
  readonly pendingHere: PendingHere[];
  skipBlanks(): void;
  /** What a here-document runs whose text the shell expands. */
  readHere(text: string): readonly CommandList[];
}

const operators = ["&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">&", ">>", ">|", ">"];

/** Undefined where none begins. */
export const parseRedirect = (reader: RedirectReader): Redirect | undefined => {
  const { cursor } = reader;
  const start = cursor.text.slice(cursor.at, cursor.at + 40);
  const prefix = /^(?:\d{1,4}|\{[A-Za-z_]\w{0,30}\})(?=[<>])/.exec(start)?.[0] ?? "";
  const rest = start.slice(prefix.length);
  const operator = operators.find((one) => rest.startsWith(one));
  if (operator === undefined) return undefined;
  // `<(` and `>(` begin a word.
  if (prefix === "" && /^[<>]$/.test(operator) && rest[1] === "(") return undefined;
  cursor.skip(prefix.length + operator.length);
  reader.skipBlanks();
  const isHere = operator === "<<" || operator === "<<-";
  const raw = cursor.at;
  const target = readWord(reader);
  if (target === undefined) throw new NotUnderstood("a redirection without a target");
  const redirect: {
    operator: string;
    target: Word;
    body?: string;
    inner?: readonly CommandList[];
  } = { operator, target };
  if (isHere) {
    const isQuoted = /['"\\]/.test(cursor.text.slice(raw, cursor.at));
    const stripsTabs = operator === "<<-";
    reader.pendingHere.push({ redirect, end: target.text, stripsTabs, isQuoted });
  }
  if (operator === "<<<" && target.known && !target.tilde) redirect.body = `${target.text}\n`;
  return redirect;
};

/** Stands behind a line break. */
export const readHereBodies = (reader: RedirectReader): void => {
  for (const here of reader.pendingHere.splice(0)) {
    const body = readBody(reader.cursor, here);
    if (here.isQuoted || !/[\\$`]/.test(body)) here.redirect.body = body;
    else here.redirect.inner = reader.readHere(body);
  }
};

const readBody = (cursor: Cursor, { end, stripsTabs }: PendingHere): string => {
  const lines: string[] = [];
  while (!cursor.isAtEnd) {
    const start = cursor.at;
    while (!cursor.isAtEnd && cursor.peek() !== "\n") cursor.next();
    const line = cursor.text.slice(start, cursor.at);
    cursor.next();
    const text = stripsTabs ? line.replace(/^\t+/, "") : line;
    if (text === end) return lines.map((one) => `${one}\n`).join("");
    lines.push(text);
  }
  // Shells take what there is and warn.
  return lines.map((one) => `${one}\n`).join("");
};
