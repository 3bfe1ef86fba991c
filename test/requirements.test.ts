import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documentPath, provenBy, withTests } from "../scripts/generate-requirements-doc.ts";

describe("docs/requirements.md", () => {
  it("names the tests that prove each requirement (npm run generate renews it)", () => {
    const text = readFileSync(documentPath, "utf8");
    expect(text).toBe(withTests(text));
  });

  it("lists each id once", () => {
    const ids = [...readFileSync(documentPath, "utf8").matchAll(/^\| ([A-Z]-\d\d) \|/gm)];
    const names = ids.map(([, id]) => id);
    expect(names.length).toBeGreaterThan(70);
    expect(names).toEqual([...new Set(names)]);
  });

  it("lists every id that a test title carries", () => {
    const text = readFileSync(documentPath, "utf8");
    for (const id of provenBy().keys()) expect(text).toContain(`| ${id} |`);
  });
});
