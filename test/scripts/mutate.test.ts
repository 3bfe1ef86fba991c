import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

interface SourceMutant {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const scripts = resolve(import.meta.dirname, "../../scripts");
const load = (name: string) => import(pathToFileURL(resolve(scripts, "mutate", name)).href);

/** Each mutant as the line that it makes. */
const mutate = async (text: string): Promise<string[]> => {
  const { findMutants, applyMutant } = await load("operators.mjs");
  return findMutants("sample.ts", text).map((one: SourceMutant) => applyMutant(text, one));
};

describe("npm run mutate", () => {
  it.each([
    ["if (a) b;", ["if (!(a)) b;"]],
    ["x = a ? 'b' : 'c';", ["x = !(a) ? 'b' : 'c';"]],
    ["x = a < b;", ["x = a <= b;"]],
    ["x = a !== b;", ["x = a === b;"]],
    ["x = a && b;", ["x = a || b;"]],
    ["x = a + b;", ["x = a - b;"]],
    ["x = a + 'b';", []],
    ["await save(a);", [";"]],
    ["const f = () => { return a; };", ["const f = () => { return undefined; };"]],
    ["const f = () => { a; b; };", ["const f = () => { return; a; b; };"]],
    ["x = 1;", ["x = 2;"]],
    ["x = 4096;", []],
    ["x = true;", ["x = false;"]],
    ["x = [a, b, c];", ["x = [b, c];", "x = [a, b];"]],
    ["x = [a,];", ["x = [];"]],
    ["x = { ...a, b };", ["x = { ...{}, b };"]],
  ])("%s becomes %j", async (text, expected) => {
    expect(await mutate(text)).toEqual(expected);
  });

  it.each([
    'import { a } from "b"; export * from "c";',
    "type A = 1 | true; interface B { c: [1, 2] }",
    "const a = (b: 1 | 2): true => c as 3;",
    "// if (a < b) return 1;",
    "x = { 1: a };",
  ])("changes no import, type, comment or key: %s", async (text) => {
    expect(await mutate(text)).toEqual([]);
  });

  it("runs the tests of the room that reach the file, and never those that drive the built program", async () => {
    const { openTestSelection } = await load("select-tests.mjs");
    const select = openTestSelection(resolve(scripts, ".."), { others: 2 });
    const tests: string[] = select("src/config/load-config.ts");
    expect(tests).toContain("test/config/load-config.test.ts");
    expect(tests).not.toContain("test/surfaces/cli/config.test.ts");
    expect(tests.filter((path) => !/^test\/(?:config|contract|surfaces)\//.test(path))).toEqual([]);
    expect(select("src/store/sqlite/open-sqlite.ts")).toContain("test/contract/store.test.ts");
    // Reached by the program that the test starts, not by an import.
    expect(select("src/state/atomic-file.ts")).toContain("test/state/concurrency.test.ts");
    expect(select("src/no-such-file.ts")).toEqual([]);
  });
});
