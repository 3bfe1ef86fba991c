import { assert } from "../base/assert.ts";
import { HeadgateError } from "../errors.ts";
import type { Value } from "./port.ts";
import { isStorableText } from "./storable-text.ts";

/** Checks one statement parameter; both back ends accept exactly the same values. */
export const checkParameter = (name: string, value: unknown): Value => {
  if (typeof value === "string") {
    if (isStorableText(value)) return value;
    throw new HeadgateError(
      "STORE_TEXT_INVALID",
      `the value :${name} holds a NUL character or half of a surrogate pair`,
    );
  }
  if (typeof value === "number") {
    assert(Number.isFinite(value), `the parameter :${name} is not a finite number`);
    assert(
      !Number.isInteger(value) || Number.isSafeInteger(value),
      `the parameter :${name} is too large for an exact integer`,
    );
    return value;
  }
  assert(value === null, `the parameter :${name} is missing or not a string, number or null`);
  return value;
};

/** The names of a statement's `:name` parameters, with the text in PostgreSQL's `$1` form. */
export interface NumberedStatement {
  readonly text: string;
  readonly names: readonly string[];
}

/** Numbers the parameters; quoted text, comments, dollar quotes and `::` casts are left alone. */
export const numberParameters = (sql: string): NumberedStatement => {
  const names: string[] = [];
  const text = sql.replace(token, (match, _tag, name: string | undefined) => {
    if (name === undefined) return match;
    let index = names.indexOf(name);
    if (index < 0) index = names.push(name) - 1;
    return `$${index + 1}`;
  });
  return { text, names };
};

const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|::|:([a-zA-Z_]\w*)/g;
