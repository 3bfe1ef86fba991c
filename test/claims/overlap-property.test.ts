import { describe, expect, it } from "vitest";
import { covers, exampleOutside, examplePath, overlap } from "../../src/claims/targets/overlap.ts";
import { parseTarget, type Target } from "../../src/claims/targets/target.ts";
import { HeadgateError } from "../../src/errors.ts";
import { countRounds } from "../helpers/rounds.ts";
import {
  allCases,
  enumeratePaths,
  foldPath,
  type Known,
  type Oracle,
  oracleFor,
} from "./overlap-oracle.ts";
import {
  type Alphabet,
  lower,
  mixedCase,
  pick,
  type Random,
  randomPattern,
  seeded,
} from "./overlap-patterns.ts";

/**
 * The truth is enumeration: all paths of some names and depth, matched by the oracle. What enumeration
 * cannot see is closed from the other side: for every overlap that is claimed, a path is asked for, and for
 * every inclusion that is denied, too; the oracle must agree about that path, however long it is.
 */
interface Subject {
  readonly known: Known;
  readonly target: Target;
  readonly oracle: Oracle;
  /** Numbers of the enumerated paths that it holds. */
  readonly paths: ReadonlySet<number>;
  /** The same for folded paths. */
  readonly folded: ReadonlySet<number>;
}

interface World {
  readonly paths: readonly (readonly string[])[];
  readonly foldedNumbers: readonly number[];
}

const worldOf = (names: readonly string[], depth: number): World => {
  const paths = enumeratePaths(names, depth);
  const numbers = new Map<string, number>();
  const foldedNumbers = paths.map((path) => {
    const key = foldPath(path);
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
  return { paths, foldedNumbers };
};

interface Making {
  readonly random: Random;
  readonly alphabet: Alphabet;
  readonly folds: readonly boolean[];
}

const makeSubject = (world: World, { random, alphabet, folds }: Making): Subject | undefined => {
  const text = randomPattern(random, alphabet);
  const extent = pick(random, ["file", "tree"] as const);
  const known = { text, extent, folds: pick(random, folds) };
  const target = readIfValid(known);
  if (target === undefined) return undefined;
  const oracle = oracleFor(known);
  const found = world.paths.flatMap((path, number) => (oracle.has(path) ? [number] : []));
  const folded = new Set(found.map((number) => world.foldedNumbers[number]!));
  return { known, target, oracle, paths: new Set(found), folded };
};

/** Some alternatives make no path of a repository (`{,a}/b`); those are refused, and are few. */
const readIfValid = ({ text, ...options }: Known): Target | undefined => {
  try {
    return parseTarget(text, options);
  } catch (error) {
    expect(HeadgateError.isInstance(error) && error.code, text).toBe("TARGET_INVALID");
    return undefined;
  }
};

const makeSubjects = (world: World, making: Making, count: number): Subject[] => {
  const subjects: Subject[] = [];
  let refused = 0;
  while (subjects.length < count) {
    const subject = makeSubject(world, making);
    if (subject) subjects.push(subject);
    else refused += 1;
  }
  expect(refused).toBeLessThan(count / 10);
  return subjects;
};

const share = (left: ReadonlySet<number>, right: ReadonlySet<number>): boolean => {
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  for (const one of few) if (many.has(one)) return true;
  return false;
};

const namesOf = (path: string): string[] => (path === "." ? [] : path.split("/"));

const isPath = (names: readonly string[]): boolean =>
  names.every((name) => name !== "" && name !== "." && name !== "..");

/** Whether it holds the path, or where case is ignored: some way to write it. */
const holds = ({ oracle, known }: Subject, names: readonly string[], ignoresCase: boolean) =>
  ignoresCase && !known.folds ? allCases(names).some((one) => oracle.has(one)) : oracle.has(names);

const countOverlaps = (subjects: readonly Subject[], random: Random, pairs: number) => {
  const counts = { pairs, overlaps: 0, misses: 0, falseAlarms: 0, beyondEnumeration: 0 };
  for (let pair = 0; pair < pairs; pair += 1) {
    const [a, b] = [pick(random, subjects), pick(random, subjects)];
    const ignoresCase = a.known.folds || b.known.folds;
    const truth = ignoresCase ? share(a.folded, b.folded) : share(a.paths, b.paths);
    const answer = overlap(a.target, b.target);
    if (answer) counts.overlaps += 1;
    if (!answer && truth) counts.misses += 1;
    if (answer && !truth) counts.beyondEnumeration += 1;
    // Every alarm is checked by its example, even where enumeration agrees.
    const names = answer ? namesOf(examplePath(a.target, b.target)!) : [];
    const isReal = isPath(names) && [a, b].every((one) => holds(one, names, ignoresCase));
    if (answer && !isReal) counts.falseAlarms += 1;
  }
  return counts;
};

const countCovers = (subjects: readonly Subject[], random: Random, pairs: number) => {
  const counts = { pairs, covered: 0, wrongYes: 0, wrongNo: 0, undecided: 0 };
  for (let pair = 0; pair < pairs; pair += 1) {
    const [outer, inner] = [pick(random, subjects), pick(random, subjects)];
    const answer = covers(outer.target, inner.target);
    if (answer) {
      counts.covered += 1;
      if (![...inner.paths].every((path) => outer.paths.has(path))) counts.wrongYes += 1;
      continue;
    }
    const example = outsideIfDecided(outer, inner);
    if (example === undefined) counts.undecided += 1;
    else {
      const names = namesOf(example);
      const isReal = isPath(names) && inner.oracle.has(names) && !outer.oracle.has(names);
      if (!isReal) counts.wrongNo += 1;
    }
  }
  return counts;
};

const outsideIfDecided = (outer: Subject, inner: Subject): string | undefined => {
  try {
    return exampleOutside(outer.target, inner.target);
  } catch (error) {
    expect(HeadgateError.isInstance(error) && error.code).toBe("TARGET_TOO_COMPLEX");
    return undefined;
  }
};

describe("overlap against enumeration", () => {
  const plainWorld = worldOf(["a", "b", "aa", "ab", "ba", ".a"], 4);
  const cases = worldOf(["a", "A", "b", "B", "aB", "Ab"], 3);
  const random = seeded(20_261_101);
  const plainPairs = countRounds("random pairs of targets", 100_000);
  const foldingPairs = countRounds("random pairs of targets of which some ignore case", 40_000);
  const plainTargets = { random, alphabet: lower, folds: [false] };
  const plain = makeSubjects(plainWorld, plainTargets, Math.min(1000, plainPairs / 40));
  const foldingTargets = { random, alphabet: mixedCase, folds: [true, false] };
  const folding = makeSubjects(cases, foldingTargets, Math.min(800, foldingPairs / 20));

  it("C-16 random pairs: no miss, no false alarm", () => {
    const counts = countOverlaps(plain, random, plainPairs);
    console.log("overlap", JSON.stringify(counts));
    expect(counts).toMatchObject({ misses: 0, falseAlarms: 0 });
    expect(counts.overlaps / counts.pairs).toBeGreaterThan(0.3);
    expect(counts.overlaps / counts.pairs).toBeLessThan(0.6);
  });

  it("C-12 C-16 pairs of which some ignore case: no miss, no false alarm", () => {
    const counts = countOverlaps(folding, random, foldingPairs);
    console.log("overlap ignoring case", JSON.stringify(counts));
    expect(counts).toMatchObject({ misses: 0, falseAlarms: 0 });
    expect(counts.overlaps / counts.pairs).toBeGreaterThan(0.3);
    expect(counts.overlaps / counts.pairs).toBeLessThan(0.6);
  });

  it("C-16 whether one covers the other: no wrong answer", () => {
    const counts = countCovers(plain, random, plainPairs / 5);
    console.log("covers", JSON.stringify(counts));
    expect(counts).toMatchObject({ wrongYes: 0, wrongNo: 0 });
    expect(counts.covered / counts.pairs).toBeGreaterThan(0.05);
    expect(counts.undecided / counts.pairs).toBeLessThan(0.001);
  });

  it("C-12 C-16 the same with targets that ignore case", () => {
    const counts = countCovers(folding, random, foldingPairs / 4);
    console.log("covers ignoring case", JSON.stringify(counts));
    expect(counts).toMatchObject({ wrongYes: 0, wrongNo: 0 });
    expect(counts.covered / counts.pairs).toBeGreaterThan(0.05);
  });
});

describe("symbols and resources against enumeration", () => {
  /** A thing that can be held: a path, and in it a symbol; or a resource. */
  const paths = enumeratePaths(["a", "b"], 2);
  const symbols = enumeratePaths(["C", "D", "C2"], 2);
  const resources = ["name:a", "name:b", "@git/index", "@git/head"];
  const patterns = ["a", "b", "a/b", "a/a", "*", "**", "a/*", "{a,b}/a", ".", "[!a]", "?/b"];
  const files = ["a", "b", "a/b", "b/b"];

  const held = (text: string): Set<string> => {
    if (resources.includes(text)) return new Set([text]);
    const [path = "", symbol] = text.split("#");
    const extent = symbol === undefined ? "tree" : "file";
    const oracle = oracleFor({ text: path, extent, folds: false });
    const wanted = symbol?.split(".") ?? [];
    const things = new Set<string>();
    for (const one of paths.filter((path) => oracle.has(path))) {
      for (const inner of symbols) {
        if (wanted.every((name, level) => inner[level] === name)) {
          things.add(`${one.join("/")}#${inner.join(".")}`);
        }
      }
    }
    return things;
  };

  it("C-14 C-16 every pair of them: no miss, no false alarm, and covers agrees", () => {
    const texts = [
      ...resources,
      ...patterns,
      ...files.flatMap((file) =>
        symbols.filter(({ length }) => length > 0).map((symbol) => `${file}#${symbol.join(".")}`),
      ),
    ];
    const all = texts.map((text) => ({ text, target: parseTarget(text), things: held(text) }));
    let overlaps = 0;
    for (const a of all) {
      for (const b of all) {
        const truth = [...a.things].some((thing) => b.things.has(thing));
        expect(overlap(a.target, b.target), `${a.text} and ${b.text}`).toBe(truth);
        if (truth) overlaps += 1;
        // Deeper paths than are enumerated exist, so only the positive answer can be checked.
        if (covers(a.target, b.target)) {
          expect([...b.things].every((thing) => a.things.has(thing))).toBe(true);
        }
      }
    }
    expect(overlaps).toBeGreaterThan(all.length);
  });
});

describe("overlap by construction", () => {
  /** Replaces pieces of a path by things that fit them, so that the result overlaps the path. */
  const generalise = (path: string, random: Random): string => {
    const names = path.split("/").map((name) => {
      if (random() < 0.15) return "*";
      return [...name].map((letter) => generaliseLetter(letter, random)).join("");
    });
    for (let times = 0; times < 2; times += 1) {
      if (random() < 0.5) continue;
      const at = Math.floor(random() * names.length);
      names.splice(at, Math.floor(random() * 3), "**");
    }
    return names.join("/");
  };
  const generaliseLetter = (letter: string, random: Random): string => {
    const dice = random();
    const escaped = /[\w.é💡-]/u.test(letter) ? letter : `\\${letter}`;
    if (dice < 0.6) return escaped;
    if (dice < 0.7) return "?";
    if (dice < 0.78) return "*";
    if (dice < 0.86) return `[${escaped}z]`;
    if (dice < 0.92) return "[!q]";
    return pick(random, [`{x*,${escaped}}`, `{${escaped},{y,zz}}`, `{,q}${escaped}{,/nothing}`]);
  };

  it("C-16 long paths and patterns that fit them: no miss", () => {
    const random = seeded(7);
    const letters = [..."abcdefgh._-+é💡[]{}*? ,#"];
    const name = () =>
      pick(random, ["x", "src", "a"]) +
      Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(random, letters)).join("");
    const missed: string[] = [];
    const rounds = countRounds("long paths and patterns that fit them", 3_000);
    for (let count = 0; count < rounds; count += 1) {
      const path = Array.from({ length: 1 + Math.floor(random() * 10) }, name).join("/");
      const [a, b] = [generalise(path, random), generalise(path, random)];
      if (!overlap(parseTarget(a), parseTarget(b))) missed.push(`${a} and ${b}`);
    }
    expect(missed).toEqual([]);
  });
});
