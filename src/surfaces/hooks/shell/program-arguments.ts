/** A program's words as options and operands, by the rules that nearly all of them keep. */
import type { Word } from "./syntax-tree.ts";

export interface ArgumentRules {
  /** Short options with a value, as letters. */
  readonly valued?: string;
  /** Long options with a value that stands in the next word. */
  readonly longValued?: readonly string[];
  /** Options end at the first operand, as with programs that run another one. */
  readonly stopsAtOperand?: boolean;
}

export interface Arguments {
  /** `-r`, `--recursive`; clusters taken apart. */
  readonly flags: ReadonlySet<string>;
  /** Last value of each option. */
  readonly values: ReadonlyMap<string, Word>;
  readonly operands: readonly Word[];
  /** Where the operands begin behind an explicit `--`; undefined without one. */
  readonly dashesAt: number | undefined;
}

/** `words` without the program's name. */
export const readArguments = (words: readonly Word[], rules: ArgumentRules = {}): Arguments => {
  const { valued = "", longValued = [], stopsAtOperand = false } = rules;
  const flags = new Set<string>();
  const values = new Map<string, Word>();
  const operands: Word[] = [];
  let dashesAt: number | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    const { text } = word;
    const isOption = dashesAt === undefined && text.length > 1 && text.startsWith("-");
    if (!isOption) {
      operands.push(word);
      if (stopsAtOperand) {
        operands.push(...words.slice(index + 1));
        break;
      }
    } else if (text === "--") {
      dashesAt = operands.length;
    } else if (text.startsWith("--")) {
      const [name = text] = text.split("=", 1);
      flags.add(name);
      if (name.length < text.length) values.set(name, part(word, name.length + 1));
      else if (longValued.includes(name.slice(2))) {
        index += 1;
        setValue(values, name, words[index]);
      }
    } else {
      const at = text.split("").findIndex((letter, place) => place > 0 && valued.includes(letter));
      const letters = at < 0 ? text.slice(1) : text.slice(1, at + 1);
      for (const letter of letters) flags.add(`-${letter}`);
      if (at >= 0) {
        const name = `-${text[at]}`;
        if (at + 1 < text.length) values.set(name, part(word, at + 1));
        else {
          index += 1;
          setValue(values, name, words[index]);
        }
      }
    }
  }
  return { flags, values, operands, dashesAt };
};

/** The rest of a word, which then is a word of its own. */
export const part = (word: Word, from: number): Word => ({
  ...word,
  text: word.text.slice(from),
  plain: false,
  tilde: false,
});

const setValue = (values: Map<string, Word>, name: string, word: Word | undefined): void => {
  if (word) values.set(name, word);
};

export const hasFlag = ({ flags }: Arguments, ...names: readonly string[]): boolean =>
  names.some((name) => flags.has(name));

export const valueOf = ({ values }: Arguments, ...names: readonly string[]): Word | undefined =>
  names.map((name) => values.get(name)).find((word) => word !== undefined);
