import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runStatic, staticRules } from "../../../src/review/static/index.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

/**
 * examples/<rule>.txt: `=== bad|good <ending>`, then examples with an empty line between two. `~` is taken
 * out: with it, no scanner for secrets takes an example for a real one.
 */
const folder = join(import.meta.dirname, "examples");
const analyser = sharedAnalyser();

interface Example {
  readonly isBad: boolean;
  readonly path: string;
  readonly content: string;
}

const examplesOf = (name: string): readonly Example[] =>
  readFileSync(join(folder, `${name}.txt`), "utf8")
    .split(/^=== /m)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf("\n");
      const [what, ending] = part.slice(0, end).split(" ");
      return part
        .slice(end + 1)
        .split(/\n\n/)
        .filter((text) => text.trim() !== "")
        .map((text) => ({
          isBad: what === "bad",
          path: `src/sample.${ending}`,
          content: `${ending === "go" ? "package a\n" : ""}${text.replaceAll("~", name === "secret-in-code" ? "" : "~")}\n`,
        }));
    });

describe("static rules", () => {
  it("every rule has its examples, and every file of examples its rule", () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.txt$/, ""));
    expect(files.toSorted()).toEqual(staticRules.map(({ name }) => name).toSorted());
    expect(staticRules.length).toBeGreaterThanOrEqual(20);
  });

  for (const rule of staticRules) {
    it(`${rule.name}: finds what is wrong and leaves alone what is right`, async () => {
      const examples = examplesOf(rule.name);
      const wrong: string[] = [];
      for (const { isBad, path, content } of examples) {
        const { findings, skipped } = await runStatic([{ path, content }], {
          rules: [rule],
          analyser,
        });
        if (skipped.length > 0) wrong.push(`not parsed: ${content}`);
        if (isBad && findings.length !== 1) wrong.push(`${findings.length} findings: ${content}`);
        if (!isBad && findings.length > 0) wrong.push(`found ${findings[0]?.title}: ${content}`);
      }
      expect(wrong).toEqual([]);
      expect(examples.filter(({ isBad }) => isBad).length).toBeGreaterThanOrEqual(6);
      expect(examples.filter(({ isBad }) => !isBad).length).toBeGreaterThanOrEqual(6);
    });
  }
});
