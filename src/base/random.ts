import type { randomFillSync } from "node:crypto";
import { createRequire } from "node:module";
import { errnoOf, openFlags, systemFiles } from "./files.ts";

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
  if (length > pool.length / 4) return fill(Buffer.allocUnsafeSlow(length));
  if (poolUsed + length > pool.length) {
    fill(pool);
    poolUsed = 0;
  }
  const bytes = Uint8Array.prototype.slice.call(pool, poolUsed, poolUsed + length);
  // What was handed out must not lie around in the pool as well.
  pool.fill(0, poolUsed, poolUsed + length);
  poolUsed += length;
  return bytes;
};

/** From the kernel's own device where there is one: loading `node:crypto` costs a command dearly. */
const fill = (into: Buffer): Buffer =>
  readDevice(into) ? into : cryptography().randomFillSync(into);

const cryptography = (): { randomFillSync: typeof randomFillSync } =>
  createRequire(import.meta.url)("node:crypto");

const readDevice = (into: Buffer): boolean => {
  let fd: number | undefined;
  try {
    fd = systemFiles.open("/dev/urandom", openFlags.read);
    if (!systemFiles.statHandle(fd).isCharacterDevice()) return false;
    // The kernel gives up to 256 bytes whole, and more unless a signal comes in between.
    for (let filled = 0, count = 0; filled < into.length; filled += count) {
      count = systemFiles.read(fd, into, filled);
      if (count === 0) return false;
    }
    return true;
  } catch (error) {
    if (errnoOf(error) !== undefined) return false;
    throw error;
  } finally {
    if (fd !== undefined) systemFiles.close(fd);
  }
};
