import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { createIdSource, idPrefixes, idTimeMs, isId, newId } from "../../src/base/ids.ts";
import { systemRandom } from "../../src/base/random.ts";

const at = (...times: number[]) => {
  let index = 0;
  return { ...systemClock, wallMs: () => times[Math.min(index++, times.length - 1)]! };
};

describe("ids", () => {
  it("C-11 every kind has its own two-letter prefix and one format", () => {
    const prefixes = Object.values(idPrefixes);
    expect(new Set(prefixes).size).toBe(prefixes.length);
    for (const kind of Object.keys(idPrefixes) as (keyof typeof idPrefixes)[]) {
      expect(newId(kind)).toMatch(/^[a-z]{2}_[0-9a-hjkmnp-tv-z]{18}$/);
      expect(isId(kind, newId(kind))).toBe(true);
    }
    expect(isId("claim", newId("event"))).toBe(false);
    expect(isId("claim", "cl_short")).toBe(false);
  });

  it("C-11 ids sort by creation, also within a millisecond and when the clock goes back", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 ** 43 }), { minLength: 1, maxLength: 50 }),
        (times) => {
          const next = createIdSource({ clock: at(...times) });
          const ids = times.map(() => next("event"));
          expect(ids.toSorted()).toEqual(ids);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
    );
  });

  it("C-11 an id tells the millisecond it was made", () => {
    const next = createIdSource({ clock: at(1_795_000_000_123) });
    expect(idTimeMs(next("run"))).toBe(1_795_000_000_123);
  });

  it("C-11 order holds when a millisecond's random part is nearly used up", () => {
    const random = { ...systemRandom, bytes: (length: number) => new Uint8Array(length).fill(255) };
    const next = createIdSource({ clock: at(5), random });
    const ids = Array.from({ length: 1000 }, () => next("event"));
    expect(ids.toSorted()).toEqual(ids);
  });
});
