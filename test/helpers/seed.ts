/** What random inputs are made from. HEADGATE_SEED repeats a run; failures must name it. */
export const testSeed: number = Number(
  process.env["HEADGATE_SEED"] ?? Math.floor(Math.random() * 2 ** 31),
);
