import { limits } from "./limits.ts";

/**
 * Text from outside (file names, reasons, agents' words) as one safe line: control characters and
 * terminal escapes become visible, bidi controls too, and the length is bounded.
 */
export const showText = (text: string, lengthMax: number = limits.shownTextLengthMax): string => {
  const safe = text.replace(unsafe, (char) => {
    if (char === "\n") return "\\n";
    if (char === "\t") return "\\t";
    if (char === "\r") return "\\r";
    return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
  return safe.length > lengthMax ? `${safe.slice(0, lengthMax)}…` : safe;
};

/** Controls that reorder or hide text; refused in paths, made visible everywhere else. */
export const hasBidiControl = (text: string): boolean => bidi.test(text);

/** The nearest of `known` names, for "did you mean"; undefined when nothing is close. */
export const nearestName = (name: string, known: Iterable<string>): string | undefined => {
  let best: string | undefined;
  // Of three letters, two others are another word.
  let bestDistance = (name.length <= 3 ? 1 : Math.max(2, Math.floor(name.length / 3))) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
};

export const plural = (count: number, noun: string, many = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : many}`;

const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const unsafe =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Levenshtein distance with transposition, cut off at `limit`. */
const editDistance = (left: string, right: string, limit: number): number => {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(
        (previous[j] ?? limit) + 1,
        (current[j - 1] ?? limit) + 1,
        (previous[j - 1] ?? limit) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? limit) + 1);
      }
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[right.length] ?? limit;
};

/** In Unicode's composed form (NFC). Asking for it loads tables, which most texts do not need. */
export const composed = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- all of ASCII is meant.
  /^[\0-\x7f]*$/.test(text) ? text : text.normalize("NFC");

/**
 * Long runs of white space made short; the indentation of the next line stays. For patterns that may look at a run more
 * than once: a file of blank lines must not keep everybody waiting.
 */
export const squeezeBlanks = (text: string): string =>
  text.replaceAll(/\s{9,}/g, (run) => {
    const line = run.lastIndexOf("\n");
    return line < 0 ? "        " : run.slice(line, line + 41);
  });

/** The words of a heading in Markdown, which may be closed by as many signs as it likes. */
export const withoutHashes = (text: string): string => {
  const words = text.trim();
  return words.replace(/(?<!#)#+$/, "").trimEnd() || words;
};
