import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { staticRules } from "../../../src/review/static/index.ts";

it("docs/static-rules.md lists exactly the rules, with severity and languages", () => {
  const text = readFileSync(new URL("../../../docs/static-rules.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (P\d)[^|]*\| ([^|]+) \|/gm)];
  expect(rows.map(([, name, severity, languages]) => `${name} ${severity} ${languages}`)).toEqual(
    staticRules.map(
      ({ name, severity, languages }) => `${name} ${severity} ${languages.join(", ")}`,
    ),
  );
});
