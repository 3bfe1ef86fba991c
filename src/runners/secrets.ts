/** Keeps credentials out of everything that is shown or stored. */
import type { Json } from "../base/json.ts";

export interface Mask {
  /** For what a program or service said about itself: known values, and all that looks like a key. */
  hide(text: string): string;
  /** For answers: known values only, because code under review may well look like a key. */
  hideKnown(text: string): string;
  /** The same for an answer as data: in all of its texts. */
  hideIn(value: Json): Json;
}

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE|PRIVATE/i;
/** Shorter values are words like "true" or "gpt", which stand in many texts. */
const secretLengthMin = 8;
const hidden = "[secret]";

export const maskFor = (
  variables: Readonly<Record<string, string | undefined>>,
  known: readonly string[] = [],
): Mask => {
  const values = Object.entries(variables)
    .filter(([name]) => secretName.test(name))
    .map(([, value]) => value ?? "")
    .concat(known)
    .filter((value) => value.length >= secretLengthMin && !/^(\/|[a-z]:\\)/i.test(value))
    // The longest first: one may be a part of another.
    .toSorted((left, right) => right.length - left.length);
  const hideKnown = (text: string): string => {
    let result = text;
    for (const value of values) result = result.replaceAll(value, hidden);
    return result;
  };
  const hideIn = (value: Json): Json => {
    if (typeof value === "string") return hideKnown(value);
    if (Array.isArray(value)) return value.map(hideIn);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [hideKnown(name), hideIn(one)]),
    );
  };
  return {
    hideKnown,
    hideIn,
    hide: (text) => {
      let result = hideKnown(text);
      for (const [pattern, replacement] of shapes) result = result.replaceAll(pattern, replacement);
      return result;
    },
  };
};

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|pk|rk|xai|gsk|hf|glpat|npm|AIza|ya29)[-_.][A-Za-z0-9_.-]{12,}/g, hidden],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, hidden],
  [/\b(gh[pousr]|github_pat|xox[abprs])[_-][A-Za-z0-9_-]{10,}/g, hidden],
  [/\bAKIA[A-Z0-9]{16}\b/g, hidden],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(\.[A-Za-z0-9_-]*)?/g, hidden],
  [/\b(bearer|authorization:?\s*(?:basic|token))\s+[A-Za-z0-9_.~+/=-]{8,}/gi, `$1 ${hidden}`],
  [
    /((?:x-api-key|api[_-]?key|authorization|token|password|secret)["']?\s*[:=]\s*["']?)[^\s"',;&]{8,}/gi,
    `$1${hidden}`,
  ],
  [/(:\/\/[^\s/:@]+:)[^\s/@]+@/g, `$1${hidden}@`],
];
