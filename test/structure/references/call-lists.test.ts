/** The lists of eval/calls in one form; `node eval/calls/main.ts` judges them in all of theirs. */
import { expect, test } from "vitest";
import { addLibraries, lists, measureTogether } from "../../../eval/calls/measure.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

test.each(["python", "script"] as const)(
  "E-08 the written lists of %s: nine of ten missing calls are seen, no legal one is refused",
  async (language) => {
    const list = lists[language];
    const { missing, legal } = await measureTogether(list, analyser, addLibraries);
    expect(legal.refused).toEqual([]);
    const count = list.missing.length + list.missingInClass.length;
    expect(missing.told.length).toBeGreaterThanOrEqual(count * 0.9);
    expect(missing.refused.length).toBeGreaterThanOrEqual(count * 0.7);
  },
);
