import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCheckstyle, readEslint, readSarif } from "../../../src/review/index.ts";

const recorded = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../fixtures/linters", name), "utf8");
const asked = { run: "run-1", reviewer: "linter", root: "/srv/app/lint" };
const places = (found: readonly { path?: string; line?: number; rule?: string }[]) =>
  found.map(({ path, line, rule }) => `${path}:${line} ${rule}`).toSorted();

describe("V-11 what linters really print", () => {
  it("V-11 Biome 2.6.8 prints whole paths in SARIF", () => {
    expect(places(readSarif(recorded("biome-2.6.8.sarif"), asked))).toEqual(
      ["-odd.js", "src/a.js"].flatMap((path) => [
        `${path}:2 lint/style/useConst`,
        `${path}:3 lint/suspicious/noDebugger`,
        `${path}:4 lint/suspicious/noDoubleEquals`,
      ]),
    );
  });

  it("V-11 ESLint 10.15.0 prints whole paths in JSON, and says which files it ignores", () => {
    expect(places(readEslint(recorded("eslint-10.15.0.json"), asked))).toEqual([
      ...["2 prefer-const", "3 no-debugger", "4 eqeqeq"].map((said) => `-odd.js:${said}`),
      "ignored.js:undefined undefined",
      ...["2 prefer-const", "3 no-debugger", "4 eqeqeq"].map((said) => `src/a.js:${said}`),
    ]);
  });

  it("V-11 ShellCheck 0.9.0 escapes names and messages in checkstyle", () => {
    const found = readCheckstyle(recorded("shellcheck-0.9.0.xml"), asked);
    expect(places(found)).toEqual([
      "-odd.sh:1 SC2086",
      ...["3 SC2086", "4 SC2164", "5 SC2086", "5 SC3014"].map((said) => `bin/run.sh:${said}`),
    ]);
    expect(found[1]?.title).toBe("Use 'cd ... || exit' or 'cd ... || return' in case cd fails.");
  });

  it("V-11 Oxlint 1.89.0 names ESLint's rules, which are the same rules", () => {
    expect(places(readCheckstyle(recorded("oxlint-1.89.0.xml"), asked))).toEqual([
      ...["3 no-debugger", "4 eqeqeq"].map((said) => `-odd.js:${said}`),
      ...["3 no-debugger", "4 eqeqeq"].map((said) => `src/a.js:${said}`),
    ]);
  });
});
