import { clean, fault } from "../define.ts";

export const dataMigration = [
  fault(
    "data-migration/column-dropped-while-read",
    {
      severity: "P0",
      path: "migrations/0042_split_name.sql",
      about:
        "the old column goes in the same step while running servers still read it, and cannot come back",
    },
    `
-- Customers get first and last name instead of one column.
ALTER TABLE customers ADD COLUMN first_name text;
ALTER TABLE customers ADD COLUMN last_name text;
UPDATE customers SET first_name = split_part(name, ' ', 1), last_name = split_part(name, ' ', 2);
ALTER TABLE customers DROP COLUMN name; ◀
`,
  ),
  fault(
    "data-migration/not-null-without-default",
    {
      severity: "P1",
      path: "migrations/0043_currency.sql",
      about: "existing rows have no value, so the migration fails or locks the table",
    },
    `
-- Invoices carry their currency from now on.
ALTER TABLE invoices ADD COLUMN currency char(3) NOT NULL; ◀
CREATE INDEX invoices_by_currency ON invoices (currency);
`,
  ),
  clean(
    "data-migration/added-nullable",
    "migrations/0044_note.sql",
    `
-- A free remark; absent for all that exist.
ALTER TABLE invoices ADD COLUMN note text;
`,
  ),
];
