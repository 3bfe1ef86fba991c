/**
 * One seed for everything that tests draw at random: HEADGATE_SEED, or a new one. Properties of fast-check name
 * theirs when they fail; `drawing` does it for tests that draw by hand.
 */
const given = process.env["HEADGATE_SEED"];

if (given !== undefined) {
  const { default: fc } = await import("fast-check");
  fc.configureGlobal({ seed: Number(given) });
}

export const testSeed: number = Number(given ?? Math.floor(Math.random() * 2 ** 31));

/** Runs a test on the seed, and says in its failure how to run it on the same one. */
export const drawing = async <T>(work: (seed: number) => T | Promise<T>): Promise<T> => {
  try {
    return await work(testSeed);
  } catch (error) {
    if (error instanceof Error) error.message += `\nRepeat it with HEADGATE_SEED=${testSeed}`;
    throw error;
  }
};
