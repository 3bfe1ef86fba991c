import { existsSync, globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { bannedWords, countTexts, repositoryRoot } from "./budget-counts.ts";
import { compareBudgets, readBudgets } from "./budgets.ts";

describe("budgets", () => {
  it("no number of the tree is above its budget, and none is below without the budget being lowered", () => {
    const { higher, lower } = compareBudgets();
    expect([...higher, ...lower].map(({ message }) => message).join("\n")).toBe("");
  });

  it("the totals of banned words are the sums of their words", () => {
    for (const group of ["bannedWordsInSource", "bannedWordsInDocs"] as const) {
      const { total, ...words } = readBudgets()[group] as Record<string, number>;
      expect(Object.keys(words).toSorted()).toEqual(Object.keys(bannedWords).toSorted());
      expect(total).toBe(Object.values(words).reduce((sum, count) => sum + count, 0));
    }
  });

  it("each mutation score is the score of its committed list of mutants", () => {
    const lists = globSync("mutants/*.json", { cwd: import.meta.dirname }).map((name) =>
      JSON.parse(readFileSync(resolve(import.meta.dirname, name), "utf8")),
    );
    const scores = lists.map(({ folder, mutants }) => {
      expect(existsSync(resolve(repositoryRoot, folder)), folder).toBe(true);
      const killed = mutants.filter((one: { result: string }) =>
        ["killed", "timed out"].includes(one.result),
      );
      return [folder, Math.floor((killed.length / mutants.length) * 100) / 100];
    });
    expect(Object.fromEntries(scores)).toEqual(readBudgets().mutation);
  });
});

const source = `
/** Done anew by whoever asks; the file is
 * no link. There is no other, and it is no longer here. */
// What it holds is kept.
// What does it hold?
import { toldOf } from "../told.ts";
export const linesOf = (behind: string) => \`stands \${behind} told\`;
export class Place { nameOf() { return { keyOf: () => 1, textOf: 2, sizeOf() {} }; } }
function partOf() {}
const countOf = 3;
`;

const count = (): Record<string, unknown> => {
  const { bannedWordsInSource, bannedWordsInDocs, ...rest } = countTexts(
    [
      ["src/a.ts", source],
      [
        "src/b.ts",
        "interface Place {}\ntype Other = { Place: 1 };\nfoo(() => { type Other = 1; });",
      ],
    ],
    [["docs/a.md", "## What it does\n\nNobody is told?\n"]],
  );
  const shown = (places: readonly { file: string; line: number; text: string }[]) =>
    places.map(({ file, line, text }) => `${file}:${line} ${text}`);
  const some = (words: typeof bannedWordsInDocs) =>
    Object.fromEntries(
      Object.entries(words)
        .filter(([, places]) => places.length > 0)
        .map(([word, places]) => [word, places.map(({ line }) => line)]),
    );
  return {
    source: some(bannedWordsInSource),
    docs: some(bannedWordsInDocs),
    types: shown(rest.repeatedTypeNames),
    accessors: rest.functionsNamedOf.map(({ text }) => text),
  };
};

describe("counting", () => {
  it("finds banned words in comments, strings and pages, also over the end of a line, and in no name", () => {
    expect(count()).toMatchObject({
      source: { anew: [2], whoever: [2], "is no": [2], "What …": [4], stands: [7], told: [6, 7] },
      docs: { "What …": [1], nobody: [3], told: [3] },
    });
  });

  it("counts a second declaration of a type at the top level, and functions that end in Of", () => {
    expect(count()).toMatchObject({
      types: ["src/b.ts:1 Place (first in src/a.ts:8)"],
      accessors: ["linesOf", "nameOf", "keyOf", "sizeOf", "partOf"],
    });
  });

  it("a rise names the new places, a fall the command that lowers the budget", () => {
    const now = countTexts([["src/a.ts", "// told\n// told, nobody\n"]], []);
    const none = countTexts([], []);
    const numbers = (counts: typeof now, told: number, nobody: number) => ({
      ...(Object.fromEntries(Object.keys(counts).map((name) => [name, 0])) as Record<
        keyof typeof now,
        number
      >),
      bannedWordsInSource: { told, nobody },
      bannedWordsInDocs: {},
    });
    const rise = compareBudgets(now, numbers(none, 1, 1), ({ line }) => line === 2);
    expect(rise.higher.map(({ message }) => message)).toEqual([
      "bannedWordsInSource: told may only fall: now 2, budget 1; fix the new ones:\n  src/a.ts:2 told, nobody",
    ]);
    const fall = compareBudgets(now, numbers(none, 2, 3), () => true);
    expect(fall.higher).toEqual([]);
    expect(fall.lower.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^bannedWordsInSource: nobody: now 1, budget 3; .*npm run budgets$/),
    ]);
  });
});
