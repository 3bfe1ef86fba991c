import { hash } from "node:crypto";

/** SHA-256 of a content as 64 lower-case hexadecimal digits: the identity of a version. */
export const contentHash = (data: Uint8Array | string): string => hash("sha256", data, "hex");

/** The first `bits` of a hash, for names. */
export const shortHash = (hash: string, bits: 80 | 128): string => hash.slice(0, bits / 4);

export const isContentHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
