/** Keeps credentials out of everything that is shown or stored. */
import type { Json } from "../base/json.ts";
import { redactSecrets } from "../base/secrets.ts";

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
    hide: (text) => redactSecrets(hideKnown(text)),
  };
};
