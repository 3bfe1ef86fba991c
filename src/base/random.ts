import { randomFillSync } from "node:crypto";

/** Randomness as a port, so that simulations replay from a seed. */
export interface Random {
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1). Only for jitter, never for names that must be unguessable. */
  fraction(): number;
}

export const systemRandom: Random = {
  bytes: (length) => takeFromPool(length),
  fraction: () => Math.random(),
};

// One trip to the system's generator for many small requests; each byte is handed out once.
const pool = Buffer.allocUnsafeSlow(2048);
let poolUsed = pool.length;

const takeFromPool = (length: number): Uint8Array => {
  if (length > pool.length / 4) return randomFillSync(Buffer.allocUnsafeSlow(length));
  if (poolUsed + length > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const bytes = Uint8Array.prototype.slice.call(pool, poolUsed, poolUsed + length);
  // What was handed out must not lie around in the pool as well.
  pool.fill(0, poolUsed, poolUsed + length);
  poolUsed += length;
  return bytes;
};
