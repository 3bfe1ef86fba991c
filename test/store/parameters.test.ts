import { expect, it } from "vitest";
import { numberParameters } from "../../src/store/parameters.ts";

it.each([
  ["SELECT :a, :b, :a", "SELECT $1, $2, $1", ["a", "b"]],
  ["SELECT :a::text, x::int", "SELECT $1::text, x::int", ["a"]],
  ["SELECT ':a', \":b\", ':it''s :c' || :d", "SELECT ':a', \":b\", ':it''s :c' || $1", ["d"]],
  [
    "SELECT 1 -- :a '\n, :b /* :c\n' */ , :d",
    "SELECT 1 -- :a '\n, $1 /* :c\n' */ , $2",
    ["b", "d"],
  ],
  ["SELECT $$ :a $$, $x$ :b $$ $x$, :c", "SELECT $$ :a $$, $x$ :b $$ $x$, $1", ["c"]],
  ["SELECT a[1:2]", "SELECT a[1:2]", []],
])("C-02 parameters are numbered outside of quotes and comments: %j", (sql, text, names) => {
  expect(numberParameters(sql)).toEqual({ text, names });
});
