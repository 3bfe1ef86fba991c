import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { whereToLook } from "../../src/claims/targets/candidates.ts";
import { overlap } from "../../src/claims/targets/overlap.ts";
import { parseTarget, type Target } from "../../src/claims/targets/target.ts";
import { HeadgateError } from "../../src/errors.ts";
import { lower, mixedCase, pick, type Random, randomPattern, seeded } from "./overlap-patterns.ts";

/** As both back ends compare texts. */
const before = (left: string, right: string): boolean =>
  Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
const isInRange = (text: string, range: { from: string; to: string } | undefined): boolean =>
  range !== undefined && !before(text, range.from) && before(text, range.to);

const isFound = (wanted: Target, stored: Target): boolean => {
  const { places, below, tails, tailRange } = whereToLook(wanted);
  return (
    (places.includes(stored.place) || isInRange(stored.place, below)) &&
    (tails === undefined || tails.includes(stored.tail) || isInRange(stored.tail, tailRange))
  );
};

const file = (text: string) => parseTarget(text, { extent: "file" });

describe("where to look", () => {
  it("C-16 a file: its folders and itself, and what its name ends with", () => {
    expect(whereToLook(file("src/a.ts"))).toEqual({
      places: ["/", "/src/", "/src/a.ts/"],
      below: undefined,
      tails: ["", "s", "st", "st.", "st.a"],
      tailRange: undefined,
    });
  });

  it("C-16 a folder: also everything below, whatever its end", () => {
    expect(whereToLook(parseTarget("src"))).toEqual({
      places: ["/", "/src/"],
      below: { from: "/src/", to: "/src0" },
      tails: undefined,
      tailRange: undefined,
    });
    expect(whereToLook(parseTarget(".")).below).toEqual({ from: "/", to: "0" });
  });

  it("C-16 a pattern: below its literal folders, with a fitting end", () => {
    expect(whereToLook(parseTarget("Src/**/*.md"))).toEqual({
      places: ["/", "/src/"],
      below: { from: "/src/", to: "/src0" },
      tails: ["", "d", "dm", "dm."],
      tailRange: { from: "dm.", to: "dm/" },
    });
  });

  it("C-14 a resource: itself only, and no path looks there", () => {
    for (const text of ["name:dev", "@git/index"]) {
      expect(whereToLook(parseTarget(text))).toEqual({
        places: [text],
        below: undefined,
        tails: undefined,
        tailRange: undefined,
      });
      expect(isFound(parseTarget("."), parseTarget(text))).toBe(false);
    }
  });

  it("C-16 what cannot overlap is mostly not even looked at", () => {
    expect(isFound(file("src/a.ts"), file("src/b.ts"))).toBe(false);
    expect(isFound(file("src/a.ts"), parseTarget("src/*.md"))).toBe(false);
    expect(isFound(parseTarget("src/**/*.ts"), file("src/x/a.md"))).toBe(false);
    expect(isFound(parseTarget("src/**/*.ts"), file("lib/a.ts"))).toBe(false);
    expect(isFound(parseTarget("src/**/*.ts"), parseTarget("src/x/a.ts#C"))).toBe(true);
  });

  const unusual = ["\u{10ffff}", "\ud7ff", "\u{1f4a1}", "é", "ß", "Σ", "\uffff", "ſ", "0"];

  it("C-16 ends that are awkward to count up from are found", () => {
    for (const end of [...unusual, "\u{10ffff}\u{10ffff}", "\ud7ff\u{10ffff}"]) {
      const pattern = parseTarget(`**/*${end}`);
      for (const text of [`a${end}`, `x/${end}`, `x/aaaaaaaaaaaaaaaaaaaaaaaaaaa${end}`]) {
        expect(overlap(pattern, file(text)), text).toBe(true);
        expect(isFound(pattern, file(text)), text).toBe(true);
        expect(isFound(file(text), pattern), text).toBe(true);
        expect(isFound(pattern, parseTarget(`*/*${text}`)), text).toBe(true);
      }
    }
  });

  it("C-16 the end of a range is a text that a store can keep, and the next one possible", () => {
    const ends = (text: string) => whereToLook(parseTarget(text)).tailRange?.to;
    expect(ends("*a")).toBe("b");
    expect(ends("*\ud7ff")).toBe("\ue000");
    expect(ends("*\u{10ffff}b")).toBe("c");
    for (const end of unusual) {
      expect(ends(`*${end}`)?.isWellFormed()).toBe(true);
      expect(ends(`*${end}${end}`)?.isWellFormed()).toBe(true);
    }
  });

  it("C-16 long places are cut, and still nothing is missed", () => {
    const folder = (count: number) => Array.from({ length: count }, () => "longname").join("/");
    const texts = [100, 113, 114, 120, 200].flatMap((count) => [
      folder(count),
      `${folder(count)}/*.ts`,
      `${folder(count)}/a.ts`,
    ]);
    const missed: string[] = [];
    for (const a of texts) {
      for (const b of texts) {
        for (const [left, right] of [
          [parseTarget(a), parseTarget(b)],
          [file(a), parseTarget(b)],
          [parseTarget(a), file(b)],
        ] as const) {
          if (overlap(left, right) && !isFound(left, right)) missed.push(`${a} and ${b}`);
        }
      }
    }
    expect(missed).toEqual([]);
  });

  const randomTarget = (random: Random): Target => {
    const alphabet = pick(random, [
      lower,
      mixedCase,
      { letters: [...unusual, "a"], classes: ["[a]", "[!é]"] },
    ]);
    for (;;) {
      const pattern = randomPattern(random, alphabet);
      const text =
        random() < 0.3 ? `${pick(random, ["a", "b", "a/b", "A", "ß"])}/${pattern}` : pattern;
      const extent = pick(random, ["file", "tree"] as const);
      try {
        if (random() < 0.1) return parseTarget(`${pick(random, ["a", "b/a", "a/ab"])}#C`);
        if (random() < 0.2) return parseTarget(pick(random, ["a", "b", "a/b", "A/ab"]), { extent });
        return parseTarget(text, { extent, folds: random() < 0.4 });
      } catch (error) {
        if (!HeadgateError.isInstance(error)) throw error;
      }
    }
  };

  it("C-16 60,000 random pairs: whatever overlaps is found, from both sides", () => {
    const random = seeded(16);
    const targets = Array.from({ length: 1500 }, () => randomTarget(random));
    const counts = { overlaps: 0, found: 0, missed: 0 };
    for (let pair = 0; pair < 60_000; pair += 1) {
      const [a, b] = [pick(random, targets), pick(random, targets)];
      const isBoth = isFound(a, b) && isFound(b, a);
      if (isBoth) counts.found += 1;
      if (!overlap(a, b)) continue;
      counts.overlaps += 1;
      if (!isBoth) counts.missed += 1;
    }
    console.log("candidates", JSON.stringify(counts));
    expect(counts.missed).toBe(0);
    expect(counts.overlaps).toBeGreaterThan(10_000);
    expect(counts.found).toBeLessThan(60_000);
  });

  it("C-16 SQLite orders texts as the ranges assume", () => {
    const random = seeded(3);
    const targets = Array.from({ length: 300 }, () => randomTarget(random));
    const database = new Database(":memory:");
    const look = database.prepare("SELECT ? >= ? AND ? < ? AS isIn");
    for (const wanted of targets) {
      const { below, tailRange } = whereToLook(wanted);
      for (const stored of targets.slice(0, 60)) {
        for (const [text, range] of [
          [stored.place, below],
          [stored.tail, tailRange],
        ] as const) {
          if (!range) continue;
          const { isIn } = look.get(text, range.from, text, range.to) as { isIn: number };
          expect(isIn === 1).toBe(isInRange(text, range));
        }
      }
    }
    database.close();
  });
});
