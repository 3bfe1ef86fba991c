import { createHash } from "node:crypto";

/** SHA-256 of a content as 64 lower-case hexadecimal digits: the identity of a version. */
export const contentHash = (data: Uint8Array | string): string =>
  createHash("sha256").update(data).digest("hex");

/** The first `bits` of a hash in base 36, for names: short, and the same on case-blind file systems. */
export const shortHash = (hash: string, bits: 80 | 128): string =>
  BigInt(`0x${hash.slice(0, bits / 4)}`)
    .toString(36)
    .padStart(shortHashLength[bits], "0");

export const shortHashLength = { 80: 16, 128: 25 } as const;

export const isContentHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
