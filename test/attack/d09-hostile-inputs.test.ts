import { afterAll, describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { judge, treeOf, type Verdict } from "../../src/gate/index.ts";
import { Analyser } from "../../src/structure/index.ts";
import { hostileInputs } from "../helpers/hostile-inputs.ts";

// Slow is slow at any limit: at the product's own, a few inputs would spend most of the suite's time.
const analyser = new Analyser({
  ...{ timeMs: 700, wallMs: limits.parseWallMs, memoryBytes: limits.parserMemoryBytes },
});
afterAll(() => analyser.close());

const ask = (path: string, after: string): Promise<Verdict> =>
  judge({ writes: [{ path, after }] }, { analyser, tree: treeOf({}), policy: {} });
const inputs = hostileInputs();

describe("D09 T-06 source that ends its parser", () => {
  it("T-06 there are more than a hundred of them", () => {
    expect(inputs.length).toBeGreaterThan(150);
  });

  it.each(Object.entries(Object.groupBy(inputs, ({ path }) => path)))(
    "T-06 %s: each is refused or named, and none hides its fault",
    async (path, own = []) => {
      expect(await ask(path, own[0]!.fault)).toMatchObject({ verdict: "deny" });
      for (const { name, text } of own) {
        const { verdict, reasons, notes } = await ask(path, text);
        const said = verdict === "deny" ? reasons : notes;
        const codes = said.map(({ code }) => code);
        expect(codes.filter((code) => code !== "NOT_ANALYSED").length, name).toBeGreaterThan(0);
        if (name.includes("NUL")) expect(codes).toContain("NOT_JUDGEABLE");
      }
    },
  );
});
