/**
 * A small part of PowerShell: commands in a row with plain words, `>` and a few cmdlets. Script blocks,
 * variables, expressions and here-strings make the rest of the line uncertain.
 */
import type { EffectSink, Place } from "./effect-sink.ts";
import { runGit } from "./git-effects.ts";
import { readHeadgate } from "./personal-uses.ts";
import type { Word } from "./syntax-tree.ts";
import { type Budget, Cursor, NotUnderstood, TooMuch } from "./text-cursor.ts";

export interface PowershellOptions {
  readonly sink: EffectSink;
  readonly budget: Budget;
  readonly cwd: string;
}

/** Throws NotUnderstood and TooMuch. */
export const readPowershell = (text: string, { sink, budget, cwd }: PowershellOptions): void => {
  let place: Place = { cwd };
  for (const words of split(new Cursor(text, budget, 0))) {
    budget.commands -= 1;
    if (budget.commands < 0) throw new TooMuch("it has too many commands");
    place = run(redirected(words, place, sink), place, sink);
  }
};

/** Commands by `;`, `|`, `&&`, `||` and line breaks; `>` and `>>` stay as words of their own. */
const split = (cursor: Cursor): Word[][] => {
  const commands: Word[][] = [];
  let words: Word[] = [];
  const end = () => {
    if (words.length > 0) commands.push(words);
    words = [];
  };
  while (!cursor.isAtEnd) {
    const char = cursor.peek();
    if (/^[;|\n&]$/.test(char)) {
      cursor.next();
      end();
    } else if (/^\s$/.test(char)) cursor.next();
    else if (char === "#") while (!cursor.isAtEnd && cursor.peek() !== "\n") cursor.next();
    else if (cursor.startsWith("`\n")) cursor.skip(2);
    else if (cursor.startsWith("`\r\n")) cursor.skip(3);
    else words.push(readWord(cursor));
  }
  end();
  return commands;
};

const readWord = (cursor: Cursor): Word => {
  const operator = /^(?:[1-6*]?>>?(?:&1)?)/.exec(cursor.text.slice(cursor.at, cursor.at + 5))?.[0];
  if (operator !== undefined) {
    cursor.skip(operator.length);
    return { text: operator, known: true, plain: true, tilde: false };
  }
  let text = "";
  let known = true;
  let plain = true;
  const start = cursor.at;
  while (!cursor.isAtEnd && !/^[\s;|&>]$/.test(cursor.peek())) {
    const char = cursor.next();
    if (char === "'" || char === '"') {
      if (char === '"' || text.endsWith("@")) known &&= !text.endsWith("@");
      plain = false;
      const inside = readQuoted(cursor, char);
      if (char === '"' && /[$`]/.test(inside)) known = false;
      text += inside;
    } else if (/^[(){}@]$/.test(char)) throw new NotUnderstood("an expression");
    else if (char === "`") {
      text += cursor.next();
      plain = false;
    } else {
      if (/^[$*?[\]]$/.test(char)) known = false;
      text += char;
    }
  }
  if (cursor.at === start) throw new NotUnderstood("an unusual character");
  return { text, known, plain, tilde: text.startsWith("~") };
};

const readQuoted = (cursor: Cursor, quote: string): string => {
  let text = "";
  for (;;) {
    if (cursor.isAtEnd) throw new NotUnderstood("a quote is not closed");
    const char = cursor.next();
    if (char !== quote) text += char === "`" && quote === '"' ? char + cursor.next() : char;
    else if (cursor.peek() === quote) text += cursor.next();
    else return text;
  }
};

const redirected = (words: readonly Word[], place: Place, sink: EffectSink): readonly Word[] => {
  const left: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    if (!word.plain || !/^[1-6*]?>/.test(word.text)) left.push(word);
    else if (!word.text.endsWith("&1")) {
      index += 1;
      const target = words[index];
      if (!target) throw new NotUnderstood("a redirection without a target");
      if (!/^\$null$/i.test(target.text)) sink.write(slashes(target), place, ">");
    }
  }
  return left;
};

const slashes = (word: Word): Word => ({ ...word, text: word.text.replaceAll("\\", "/") });

const run = ([program, ...rest]: readonly Word[], place: Place, sink: EffectSink): Place => {
  if (program === undefined) return place;
  const name = program.text.toLowerCase();
  const variable = /^\$env:(\w+)$/i.exec(program.text)?.[1];
  if (variable !== undefined) {
    // `$env:NAME = 'value'`
    const [equals, value] = rest;
    if (equals?.text === "=") sink.variable(`${variable}=${value?.text ?? ""}`, place);
  }
  const running = {
    ...{ sink, place, hasInput: false },
    runText: () => sink.unsure("runs a text"),
    runWords: () => sink.unsure("runs a program"),
  };
  if (readHeadgate([program, ...rest], running)) {
    sink.unsure("runs headgate");
    return place;
  }
  if (!program.known) {
    sink.unsure("runs something");
    return place;
  }
  if (name === "git" || name === "git.exe") {
    runGit(rest, running);
    return place;
  }
  if (movers.has(name)) {
    const [to] = positional(rest);
    const found = to && sink.locate(slashes(to), place);
    if (!found?.certain) return { ...place, cwd: undefined };
    return { ...place, cwd: found.path, folder: found.path };
  }
  if (rest.some(({ text }) => /^-whatif$/i.test(text))) return place;
  if (writers.has(name)) writeTo(program.text, rest, place, sink);
  else if (removers.has(name)) {
    const isTree = rest.some(({ text }) => /^-r(?:e|$)/i.test(text));
    for (const word of pathWords(rest)) {
      sink.file("delete", slashes(word), place, program.text, { ...(isTree && { isTree }) });
    }
  } else if (movingPrograms.has(name)) {
    const [from, to] = positional(rest);
    const target = valueOf(rest, "destination") ?? to;
    const source = valueOf(rest, "path") ?? valueOf(rest, "literalpath") ?? from;
    if (!source || !target) sink.unsure(`runs ${program.text}`);
    else if (/^(?:copy-item|copy|cp|cpi)$/.test(name)) {
      const isUnsure = rest.some(({ text }) => /^-rec/i.test(text));
      sink.write(slashes(target), place, program.text, { isUnsure, into: baseName(source) });
    } else {
      const into = baseName(source);
      sink.move(slashes(source), slashes(target), place, { by: program.text, into });
    }
  } else if (!readers.has(name)) sink.unsure(`runs ${program.text}`);
  return place;
};

const baseName = (word: Word): string => slashes(word).text.split("/").at(-1) ?? "";

const writeTo = (by: string, rest: readonly Word[], place: Place, sink: EffectSink): void => {
  const [target] = pathWords(rest);
  if (target) sink.write(slashes(target), place, by);
  else sink.unsure(`runs ${by}`);
};

const switches = /^-(?:force|recurse|append|nonewline|noclobber|passthru|verbose|whatif|confirm)/i;

const valueOf = (words: readonly Word[], name: string): Word | undefined => {
  const at = words.findIndex(({ text }) => text.toLowerCase() === `-${name}`);
  return at < 0 ? undefined : words[at + 1];
};

/** Words that belong to no parameter. */
const positional = (words: readonly Word[]): Word[] => {
  const found: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    if (!/^-[A-Za-z]/.test(word.text)) found.push(word);
    else if (!switches.test(word.text)) index += 1;
  }
  return found;
};

const pathWords = (words: readonly Word[]): readonly Word[] => {
  const names = ["path", "literalpath", "filepath", "lp"];
  const named = names.map((name) => valueOf(words, name)).find((word) => word !== undefined);
  const found = named ? [named] : positional(words).slice(0, 1);
  // `a, b` is a list.
  return found.map((word) => ({ ...word, known: word.known && !word.text.includes(",") }));
};

const movers = new Set(["cd", "chdir", "sl", "set-location", "push-location", "pushd"]);
const writers = new Set([
  "set-content",
  "sc",
  "add-content",
  "ac",
  "out-file",
  "tee-object",
  "clear-content",
]);
const removers = new Set(["remove-item", "rm", "del", "erase", "rd", "ri", "rmdir"]);
const movingPrograms = new Set(["move-item", "mv", "mi", "move", "copy-item", "cp", "cpi", "copy"]);
const readers = new Set(
  `get-content gc cat type get-childitem gci ls dir write-output write-host echo select-string sls
  get-location pwd test-path measure-object select-object sort-object format-table format-list get-date
  get-command get-help where-object resolve-path join-path split-path get-item`.split(/\s+/),
);
