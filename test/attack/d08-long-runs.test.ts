import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSecrets, redactSecrets } from "../../src/base/secrets.ts";
import { factsOf } from "../../src/structure/references/source-facts.ts";
import { diffRegions } from "../../src/structure/index.ts";
import { hookPlace } from "../helpers/hook-place.ts";
import { sharedParsers } from "../helpers/shared-parsers.ts";

const runs = { spaces: " ", lines: "\n", widest: "\u3000" };

/** Looked at once for each of its characters, a run takes a moment; at worst it took minutes (T-05). */
describe("D08 T-05 a file that is one long run of blanks", () => {
  it.each(Object.entries(runs))("D08 T-05 %s: the edit is answered", async (_, blank) => {
    const place = await hookPlace();
    const content = `a${blank.repeat(20_000)}b\n`;
    for (const name of ["a.txt", "a.py", "a.ts", "requirements.txt"]) {
      const file = join(place.root, name);
      const tool = { kind: "write", name: "Write", file, content } as const;
      const decision = await place.before(tool, { session: "s1", toolUseId: name });
      expect(["pass", "tell", "refuse"], name).toContain(decision.kind);
    }
  });

  it("D08 T-05 the difference of two such files", async () => {
    const { analyser } = await sharedParsers();
    const text = (end: string) => Buffer.from(`a${" ".repeat(1_000_000)}${end}\n`);
    const [before, after] = await Promise.all(
      ["b", "c"].map((end) => analyser.outline(text(end), "a.txt")),
    );
    expect(diffRegions(before, after).moduleLevel).toBe(true);
  });
});

const texts: Readonly<Record<string, (text: string) => unknown>> = {
  redactSecrets,
  findSecrets,
  "factsOf Python": (text) => factsOf(text, "python"),
  "factsOf a script": (text) => factsOf(text, "script"),
};
const pumps = [" ", "\n", "a", "0", ".", "-", "a-", "a ", "a.", '"', "(", "\\"];

/** In milliseconds of processor time, which a busy machine does not stretch. */
const cost = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

describe("D08 T-05 a megabyte of the worst characters", () => {
  it.each(Object.keys(texts))("D08 T-05 %s takes what a few passes over it take", (name) => {
    for (const pump of pumps) {
      const text = `${pump.repeat(1_000_000 / pump.length)}!`;
      const pass = cost(() => text.split("").reduce((sum, one) => sum + one.charCodeAt(0), 0));
      // Quadratic it would be thousands of passes, and minutes.
      expect(
        cost(() => texts[name]?.(text)),
        JSON.stringify(pump),
      ).toBeLessThan(50 * (pass + 20));
    }
  });
});
