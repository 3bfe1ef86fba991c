/** Character classes: `[abc]`, `[a-z]`, `[!a-z]` (or `[^a-z]`). */
import { slash, toRanges } from "./pattern-characters.ts";
import type { One } from "./pattern-program.ts";
import { isEscapable } from "./pattern-text.ts";
import { invalidTarget, meantLiterally } from "./target-problem.ts";

export interface ClassRead {
  readonly one: One;
  readonly text: string;
  /** The index behind the closing bracket. */
  readonly end: number;
}

/** `at` is the opening bracket; messages show `given`. */
export const readClass = (text: string, at: number, given: string): ClassRead => {
  const isNegated = text[at + 1] === "!" || text[at + 1] === "^";
  const pairs: [number, number][] = [];
  let written = isNegated ? "[!" : "[";
  let next = at + (isNegated ? 2 : 1);
  while (text[next] !== "]") {
    const from = readMember(text, next, given);
    next = from.end;
    if (text[next] !== "-" || text[next + 1] === "]") {
      pairs.push([from.letter, from.letter]);
      written += writeMember(from.letter);
      continue;
    }
    const to = readMember(text, next + 1, given);
    next = to.end;
    if (to.letter < from.letter) {
      const right = `${writeMember(to.letter)}-${writeMember(from.letter)}`;
      throw invalidTarget(given, `a range in brackets runs backwards; write ${right}`);
    }
    pairs.push([from.letter, to.letter]);
    written += `${writeMember(from.letter)}-${writeMember(to.letter)}`;
  }
  if (pairs.length === 0) {
    throw invalidTarget(given, `brackets with nothing in them; ${meantLiterally(given)}`);
  }
  const ranges = toRanges(pairs);
  return { one: { kind: "class", ranges, isNegated }, text: `${written}]`, end: next + 1 };
};

const readMember = (text: string, at: number, given: string): { letter: number; end: number } => {
  const letter = text.codePointAt(at);
  if (letter === undefined) {
    throw invalidTarget(given, `a bracket is not closed; ${meantLiterally(given)}`);
  }
  if (letter === slash)
    throw invalidTarget(given, 'brackets stand for one character, never for "/"');
  const character = String.fromCodePoint(letter);
  if (character === "[") {
    throw invalidTarget(given, "write \\[ for a bracket in brackets; [:names:] are not known here");
  }
  if (character !== "\\") return { letter, end: at + character.length };
  const escaped = text[at + 1];
  if (escaped === undefined || !isEscapable(escaped)) {
    throw invalidTarget(given, "a backslash only takes the meaning from a special character");
  }
  return { letter: escaped.codePointAt(0) ?? 0, end: at + 2 };
};

const writeMember = (letter: number): string => {
  const character = String.fromCodePoint(letter);
  return "[]\\-!^".includes(character) ? `\\${character}` : character;
};
