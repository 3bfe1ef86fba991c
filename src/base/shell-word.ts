import { showText } from "./text.ts";

/** A word as it is typed in a shell, for commands that people are told to run. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-][\w./:@%+=,#-]*$/.test(text)
    ? text
    : `'${showText(text, lengthMax).replaceAll("'", `'\\''`)}'`;

export const commandLine = (words: readonly string[]): string => words.map(shellWord).join(" ");

// Targets may be long paths, and a cut command would be wrong.
const lengthMax = 8192;
