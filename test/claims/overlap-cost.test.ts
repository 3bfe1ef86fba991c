import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { covers, overlap } from "../../src/claims/targets/overlap.ts";
import { parseTarget, type Target, type TargetOptions } from "../../src/claims/targets/target.ts";
import { HeadgateError } from "../../src/errors.ts";

/** Shapes that are costly for matchers; each is made as large as it is accepted. */
const families: Readonly<Record<string, (size: number) => string>> = {
  stars: (size) => "*a".repeat(size),
  otherStars: (size) => `${"*b".repeat(size)}c`,
  alternatingStars: (size) => `${"*a*b".repeat(size)}c`,
  questions: (size) => `${"?".repeat(size)}*`,
  deep: (size) => `${"**/a/".repeat(size)}x`,
  deepStars: (size) => `${"**/*/".repeat(size)}y`,
  folders: (size) => `${"*a/".repeat(size)}z`,
  lengths: (size) => "{a,aa}".repeat(size),
  optional: (size) => `x${"{,a}".repeat(size)}`,
  optionalFolders: (size) => `${"{a/,}".repeat(size)}b`,
  starsInBraces: (size) => `${"{a,b}*".repeat(size)}d`,
  deepInBraces: (size) => `${"{**/,a/,*/}".repeat(size)}b`,
  maybeDeep: (size) => `${"{*,**}".repeat(size)}{/x,y}`,
  classes: (size) => "[a-ce-gi-km-o]*".repeat(size),
  negated: (size) => "[!a-ce-gi-km-o]*".repeat(size),
  letters: (size) => "[ɐ-ʯ]*".repeat(size),
  negatedLetters: (size) => "[!ɐ-ʯa-cx-z]*".repeat(size),
  manyAlternatives: (size) =>
    `{${Array.from({ length: size }, (_, i) => `*a${"b".repeat(i % 5)}`).join()}}`,
  dots: (size) => `${"{.*,*.,.?}".repeat(size)}q`,
  foldersOfDots: (size) => `${"{*/.*,**/?}".repeat(size)}/.*q`,
};

const readIfSimple = (text: string, options: TargetOptions): Target | undefined => {
  try {
    return parseTarget(text, options);
  } catch (error) {
    expect(HeadgateError.isInstance(error) && error.code).toBe("TARGET_TOO_COMPLEX");
    return undefined;
  }
};

const largest = (make: (size: number) => string, options: TargetOptions): Target => {
  let [fits, tooLarge] = [1, 2];
  while (readIfSimple(make(tooLarge), options)) [fits, tooLarge] = [tooLarge, tooLarge * 2];
  while (tooLarge - fits > 1) {
    const middle = (fits + tooLarge) >> 1;
    if (readIfSimple(make(middle), options)) fits = middle;
    else tooLarge = middle;
  }
  return parseTarget(make(fits), options);
};

describe("the cost of comparing", () => {
  const hostile = [{}, { folds: true }].flatMap((options) =>
    Object.values(families).map((make) => largest(make, options)),
  );
  const literals = [
    `${`${"a".repeat(250)}/`.repeat(16)}x`,
    `${"a/".repeat(2047)}a`,
    `${"*/b".repeat(0)}${"ab/".repeat(1300)}c`,
  ].flatMap((text) => [parseTarget(text), parseTarget(text, { extent: "file" })]);

  it("C-04 D04 the worst pairs stay within the bound that limits.ts states", () => {
    const { pathBytesMax, targetSizeMax, overlapStepsMax } = limits;
    expect(overlapStepsMax).toBe(pathBytesMax * targetSizeMax + 5 * targetSizeMax ** 2);
    let most = 0;
    for (const a of hostile) {
      for (const b of [...hostile, ...literals]) {
        const budget = { steps: overlapStepsMax };
        overlap(a, b, budget);
        most = Math.max(most, overlapStepsMax - budget.steps);
      }
    }
    console.log(`worst pair: ${most} of ${overlapStepsMax} steps`);
    expect(most).toBeGreaterThan(100_000);
    expect(most).toBeLessThanOrEqual(overlapStepsMax);
  });

  it("C-04 D04 each pattern of the family is near the limit of size, so larger ones are refused", () => {
    const sizes = hostile.map(({ shape, folds }) => shape.pattern!.automaton(folds).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.targetSizeMax);
    expect(sizes.filter((size) => size > limits.targetSizeMax * 0.9).length).toBeGreaterThan(25);
    // Compared with a target that ignores case, no pattern grows beyond it either.
    const inCase = hostile.map(({ shape }) => shape.pattern!.automaton(true).size);
    expect(Math.max(...inCase)).toBeLessThanOrEqual(limits.targetSizeMax);
  });

  it("C-04 every range that is compared is a step", () => {
    const stepsFor = (a: string, b: string): number => {
      const budget = { steps: limits.overlapStepsMax };
      expect(overlap(parseTarget(a), parseTarget(b), budget)).toBe(false);
      return limits.overlapStepsMax - budget.steps;
    };
    const [few, many] = [stepsFor("[a]?", "[b]?"), stepsFor("[acegikmoqs]?", "[bdfhjlnprt]?")];
    expect(many - few).toBe(18);
  });

  it("C-04 matching a path is linear in its length", () => {
    const stepsFor = (length: number): number => {
      const pattern = parseTarget("**/*a*b/*.{ts,tsx}");
      const path = parseTarget(`${"xayb/".repeat(length)}q.ts`, { extent: "file" });
      const budget = { steps: limits.overlapStepsMax };
      expect(overlap(pattern, path, budget)).toBe(true);
      return limits.overlapStepsMax - budget.steps;
    };
    const [short, long] = [stepsFor(50), stepsFor(500)];
    expect(long).toBeLessThan(short * 11);
  });

  it("C-04 the question whether one covers the other ends, whatever is asked", () => {
    for (const a of hostile) {
      for (const b of hostile.slice(0, 6)) {
        const budget = { steps: limits.coversStepsMax };
        covers(a, b, budget);
        // What the last step needed is taken before it is noticed that it was too much.
        expect(budget.steps).toBeGreaterThan(-limits.targetSizeMax * 10);
      }
    }
  });
});
