/**
 * `column IN (…)` for a list of any length, with few different statements: lists are filled up to the
 * next power of two by repeating their last value, so that prepared statements are used again.
 */
import type { Row } from "../store/index.ts";

export const inList = (column: string, name: string, count: number): string =>
  `${column} IN (${names(name, count).join(", ")})`;

export const listSize = (values: readonly unknown[]): number => {
  let size = 1;
  while (size < values.length) size *= 2;
  return size;
};

export const listParameters = (name: string, values: readonly string[]): Row => {
  const last = values.at(-1) ?? null;
  return Object.fromEntries(
    names(name, listSize(values)).map((one, index) => [one.slice(1), values[index] ?? last]),
  );
};

const names = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `:${name}${index}`);
