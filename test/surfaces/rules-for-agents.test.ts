import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rulesText } from "../../src/surfaces/hooks/index.ts";
import { instructions, rules } from "../../src/surfaces/mcp/rules.ts";
import { hookPlace } from "../helpers/hook-place.ts";
import { setupPlace } from "../helpers/setup-place.ts";

const root = join(import.meta.dirname, "../..");

describe("E-06 rules for agents", () => {
  it("E-06 are shipped as text wherever an agent looks, each within its client's limit", async () => {
    expect(rulesText.length).toBeLessThanOrEqual(1_500);
    expect(instructions.length).toBeLessThanOrEqual(512);
    expect(
      readFileSync(join(root, "doors/claude-plugin/skills/headgate/SKILL.md"), "utf8"),
    ).toContain(rules);
    const place = setupPlace({});
    expect((await place.headgate("init", "--yes", "--client", "claude")).code).toBe(0);
    for (const name of ["AGENTS.md", "CLAUDE.md"]) {
      expect(place.read(name)).toMatch(
        /headgate:begin[^]*Headgate judges every edit[^]*headgate:end/,
      );
    }
  });

  it("E-06 name the refusals that the code makes, and the code makes them", async () => {
    const place = await hookPlace();
    const file = place.file("a.ts", "export class A {\n  one() {}\n}\n");
    const write = (content: string, session: string) =>
      place.before({ kind: "write", file, content, name: "Write" }, { session });
    expect(await write("export class A {\n  one() {}\n  one() {}\n}\n", "s1")).toMatchObject({
      code: "DUPLICATE_SYMBOL",
    });
    expect(await write("export class A {\n", "s1")).toMatchObject({ code: "SYNTAX_ERROR" });
    expect(await write("export class A {\n  one() { return 2; }\n}\n", "s1")).toMatchObject({
      kind: "pass",
    });
    expect(await write("export class A {\n  one() { return 3; }\n}\n", "s2")).toMatchObject({
      code: "LINES_HELD",
    });
    for (const code of [
      ...["DUPLICATE_SYMBOL", "SYNTAX_ERROR", "CLAIM_CONFLICT", "LINES_HELD", "STALE_VIEW"],
    ]) {
      expect(rulesText).toContain(code);
    }
  });
});
