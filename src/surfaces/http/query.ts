import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";

/** A whole number from a query or header, or USAGE naming it. */
export const wholeNumber = (
  text: string | undefined,
  name: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER } = {},
): number | undefined => {
  if (text === undefined) return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new HeadgateError(
    "USAGE",
    `${name} is a whole number from ${min} to ${max}; got "${showText(text)}"`,
  );
};
