import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 SQL: what is created, with columns", async () => {
  const { outline, shape, span, body } = await outlined(
    "sql",
    `-- People.
CREATE TABLE IF NOT EXISTS shop.users (id INT PRIMARY KEY, name TEXT);
CREATE OR REPLACE VIEW v AS SELECT 1;
CREATE UNIQUE INDEX idx ON users (id);
CREATE FUNCTION f(a int) RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql;
CREATE TYPE colour AS ENUM ('red');
CREATE SCHEMA sc;
SELECT 1;
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "struct shop.users",
    "property shop.users.id",
    "property shop.users.name",
    "type v",
    "property idx",
    "function f",
    "type colour",
    "namespace sc",
  ]);
  expect(span("shop.users")).toBe(
    "-- People.\nCREATE TABLE IF NOT EXISTS shop.users (id INT PRIMARY KEY, name TEXT);",
  );
  expect(body("shop.users")).toBe("(id INT PRIMARY KEY, name TEXT)");
  expect(span("shop.users.id")).toBe("id INT PRIMARY KEY");
});
