/** `sed -i`, `perl -pi -e`: programs that rewrite the files they are given. */
import { part } from "./program-arguments.ts";
import type { Running } from "./run-program.ts";
import type { Word } from "./syntax-tree.ts";

interface InPlace {
  /** Undefined: the files are only read. Empty: no copy of the old content is kept. */
  readonly suffix: string | undefined;
  readonly scripts: readonly Word[];
  readonly files: readonly Word[];
}

export const editInPlaceBySed = (words: readonly Word[], running: Running): void => {
  const { suffix, scripts, files } = readSed(words);
  // `w` and `e` in a script write files and run programs; what else has these letters is not told apart.
  const isPlain = scripts.every(({ known, text }) => known && !/[we]/i.test(text));
  if (!isPlain) running.sink.unsure("sed runs a script");
  if (suffix === undefined) return;
  writeAll("sed -i", files, suffix, running);
};

export const editInPlaceByPerl = (words: readonly Word[], running: Running): void => {
  running.sink.unsure("runs a script");
  const { suffix, scripts, files } = readPerl(words);
  if (suffix === undefined) return;
  writeAll("perl -i", scripts.length > 0 ? files : files.slice(1), suffix, running);
};

const writeAll = (
  by: string,
  files: readonly Word[],
  suffix: string,
  { sink, place }: Running,
): void => {
  for (const file of files) {
    sink.write(file, place, by);
    if (suffix !== "" && !/[*/]/.test(suffix)) {
      sink.write({ ...file, text: file.text + suffix }, place, by);
    }
  }
};

const readSed = (words: readonly Word[]): InPlace => {
  const scripts: Word[] = [];
  const operands: Word[] = [];
  let suffix: string | undefined;
  let hasFile = false;
  let isOver = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    const { text } = word;
    if (isOver || !text.startsWith("-") || text === "-") {
      operands.push(word);
    } else if (text === "--") {
      isOver = true;
    } else if (text.startsWith("--")) {
      const [name = ""] = text.split("=", 1);
      const value = name === text ? undefined : part(word, name.length + 1);
      if (name === "--in-place") suffix = value?.text ?? "";
      else if (name === "--expression") scripts.push(value ?? (words[(index += 1)] as Word));
      else if (name === "--file") {
        hasFile = true;
        if (!value) index += 1;
      }
    } else {
      for (let at = 1; at < text.length; at += 1) {
        const letter = text[at];
        if (letter === "i") {
          suffix = text.slice(at + 1);
          // BSD's sed takes the suffix from the next word; as a script an empty word makes no sense.
          const next = words[index + 1];
          if (suffix === "" && next?.known === true && next.text === "") index += 1;
          break;
        }
        if (letter !== "e" && letter !== "f" && letter !== "l") continue;
        const isInNext = at + 1 === text.length;
        if (isInNext) index += 1;
        const value = isInNext ? words[index] : part(word, at + 1);
        if (letter === "e" && value) scripts.push(value);
        if (letter === "f") hasFile = true;
        break;
      }
    }
  }
  if (hasFile) scripts.push(unknown);
  if (scripts.length > 0) return { suffix, scripts: scripts.filter(Boolean), files: operands };
  return { suffix, scripts: operands.slice(0, 1), files: operands.slice(1) };
};

const unknown: Word = { text: "", known: false, plain: false, tilde: false };

const readPerl = (words: readonly Word[]): InPlace => {
  const scripts: Word[] = [];
  let suffix: string | undefined;
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index] as Word;
    const { text } = word;
    if (!/^-./.test(text)) break;
    if (text === "--") {
      index += 1;
      break;
    }
    for (let at = 1; at < text.length; at += 1) {
      const letter = text[at] ?? "";
      if (letter === "i") {
        suffix = text.slice(at + 1);
        break;
      }
      if (/[eE]/.test(letter)) {
        if (at + 1 === text.length) index += 1;
        scripts.push(words[index] ?? unknown);
        break;
      }
      if (/[MmIFxCDr]/.test(letter)) {
        if (letter === "r" || letter === "I" || letter === "F") {
          if (at + 1 === text.length) index += 1;
        }
        break;
      }
    }
  }
  return { suffix, scripts, files: words.slice(index) };
};
