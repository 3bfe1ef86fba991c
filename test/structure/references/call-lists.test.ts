/** A part of the lists of eval/calls; `node eval/calls/main.ts` judges all of them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { lists, measure } from "../../../eval/calls/measure.ts";
import { Analyser } from "../../../src/structure/index.ts";

let analyser: Analyser;
beforeAll(() => {
  analyser = new Analyser();
});
afterAll(() => analyser.close());

const nothing = { list: () => [], read: () => undefined };

test.each(["python", "script"] as const)(
  "E-08 the written lists: missing calls of %s are seen, legal ones never refused",
  async (language) => {
    const { missing, legal } = await measure(
      lists[language],
      analyser,
      (universe) => universe.addLibrary(language, "the language itself", nothing),
      11,
    );
    const wrong = legal.filter(({ outcome }) => outcome === "edit" || outcome === "commit");
    expect(wrong.map(({ call }) => call)).toEqual([]);
    const missed = missing.filter(({ outcome }) => outcome === "nothing");
    expect(missed.length, missed.map(({ call }) => call).join(" ")).toBeLessThan(
      missing.length * 0.1,
    );
    expect(missing.length).toBeGreaterThan(15);
    expect(legal.length).toBeGreaterThan(80);
  },
);
