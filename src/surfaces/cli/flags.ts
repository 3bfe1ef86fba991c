import { assert } from "../../base/assert.ts";
import { showText } from "../../base/text.ts";
import { type OptionTable, usageError, type Values } from "./arguments.ts";
import type { Flags } from "./command.ts";

export const createFlags = (values: Values, options: OptionTable, words: string): Flags => {
  const valueOf = (name: string) => {
    assert(Object.hasOwn(options, name), `option --${name} is not declared by ${words}`);
    return Object.hasOwn(values, name) ? values[name] : undefined;
  };
  const text = (name: string): string | undefined => {
    const value = valueOf(name);
    return typeof value === "string" ? value : undefined;
  };
  return {
    has: (name) => valueOf(name) !== undefined,
    text,
    texts: (name) => {
      const value = valueOf(name);
      return Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
    },
    integer: (name, { min, max }) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const number = /^-?\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
      if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
      const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
      throw usageError(
        `option --${name} is a whole number ${range}; got "${showText(given)}"`,
        words,
      );
    },
  };
};
