/** How characters are written in a target so that they mean themselves. */

/**
 * A literal path as target text. `index (1).ts` stays as it is, `[id].ts` becomes `\[id\].ts`. The
 * path is relative to the repository, with `/` between names.
 */
export const escapePath = (path: string): string => {
  let text = "";
  for (const letter of path) text += letter === "/" ? letter : writeLetter(letter, text, false);
  return guardStart(text);
};

/** One character that means itself, behind the text written so far. */
export const writeLetter = (letter: string, before: string, isInBraces: boolean): string => {
  if (special.has(letter) || (isInBraces && letter === ",")) return `\\${letter}`;
  if (letter === "(" && looksExtended(before.at(-1))) return "\\(";
  return letter;
};

/** Texts that would be another kind of target by their first characters. */
export const guardStart = (text: string): string => {
  if (/^(?:[!~]|@git(?:\/|$))/.test(text)) return `\\${text}`;
  return text.replace(/^name:/, "name\\:");
};

/** What a backslash may stand before: everything else would hide a mistake, `src\app.ts` above all. */
export const isEscapable = (letter: string): boolean => /^[ !-.:-@[-`{-~]$/.test(letter);

/** `@(a|b)` and its like mean something elsewhere; here they must not pass for plain characters. */
export const looksExtended = (before: string | undefined): boolean =>
  before !== undefined && "?*+@!".includes(before);

const special: ReadonlySet<string> = new Set("*?[]{}\\#");
