import { describe, expect, it } from "vitest";
import { systemRandom } from "../../src/base/random.ts";

describe("systemRandom", () => {
  it("hands out every byte once, across refills of its pool", () => {
    const seen = new Set<string>();
    for (let index = 0; index < 5000; index += 1) {
      const bytes = systemRandom.bytes(16);
      expect(bytes).toHaveLength(16);
      seen.add(Buffer.from(bytes).toString("hex"));
    }
    expect(seen.size).toBe(5000);
    expect(systemRandom.bytes(10_000)).toHaveLength(10_000);
  });

  it("gives bytes that later calls do not change", () => {
    const first = systemRandom.bytes(32);
    const copy = Buffer.from(first).toString("hex");
    for (let index = 0; index < 1000; index += 1) systemRandom.bytes(32);
    expect(Buffer.from(first).toString("hex")).toBe(copy);
    expect(copy).not.toBe("0".repeat(64));
  });

  it("a fraction lies in [0, 1)", () => {
    const fraction = systemRandom.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
  });
});
