/** Random target texts over a small alphabet, the same for the same seed. */

export type Random = () => number;

/** mulberry32: small, and good enough to pick patterns. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)]!;

export interface Alphabet {
  readonly letters: readonly string[];
  readonly classes: readonly string[];
}

export const lower: Alphabet = {
  letters: ["a", "b"],
  classes: ["[ab]", "[a-b]", "[!a]", "[^b]", "[a]", "[!.]", "[a-z]", "[.a]", "[b\\]]"],
};
export const mixedCase: Alphabet = {
  letters: ["a", "A", "b", "B"],
  classes: ["[ab]", "[A]", "[!a]", "[^B]", "[a-b]", "[A-Z]", "[!A-Za]", "[!a-zA-Z]", "[aB]"],
};

export const randomPattern = (random: Random, alphabet: Alphabet): string => {
  const count = pick(random, [1, 1, 2, 2, 2, 3]);
  return Array.from({ length: count }, () => randomName(random, alphabet, 0)).join("/");
};

const randomName = (random: Random, alphabet: Alphabet, depth: number): string => {
  if (random() < 0.18) return pick(random, ["**", "**", "*"]);
  const count = pick(random, [1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => randomPiece(random, alphabet, depth)).join("");
};

const randomPiece = (random: Random, alphabet: Alphabet, depth: number): string => {
  const dice = random();
  if (dice < 0.46) return pick(random, alphabet.letters);
  if (dice < 0.6) return "*";
  if (dice < 0.66) return "?";
  if (dice < 0.7) return pick(random, [".", "\\.", "**", "\\*", "***"]);
  if (dice < 0.82 || depth >= 2) return pick(random, alphabet.classes);
  const count = pick(random, [2, 2, 3]);
  const alternatives = Array.from({ length: count }, () =>
    randomAlternative(random, alphabet, depth),
  );
  return `{${alternatives.join(",")}}`;
};

const randomAlternative = (random: Random, alphabet: Alphabet, depth: number): string => {
  const dice = random();
  if (dice < 0.1) return "";
  const name = randomName(random, alphabet, depth + 1);
  if (dice < 0.7) return name;
  if (dice < 0.8) return `${name}/`;
  return `${name}/${randomName(random, alphabet, depth + 1)}`;
};
