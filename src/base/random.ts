import { randomBytes } from "node:crypto";

/** Randomness as a port, so that simulations replay from a seed. */
export interface Random {
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1). Only for jitter, never for names that must be unguessable. */
  fraction(): number;
}

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  fraction: () => Math.random(),
};
