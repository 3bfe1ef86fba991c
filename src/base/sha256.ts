import type { hash } from "node:crypto";
import { createRequire } from "node:module";

/**
 * SHA-256 of a text, in hex. The first few short texts are hashed here, because loading `node:crypto`
 * takes longer than all else a command does before its first write; programs that go on get Node's. A
 * test compares the two. For fingerprints and for the chain of events, not for secrets.
 */
export const sha256 = (text: string): string => {
  count += 1;
  if (count > countMax || text.length > lengthMax) {
    native ??= (createRequire(import.meta.url)("node:crypto") as { hash: typeof hash }).hash;
    return native("sha256", text);
  }
  return ownSha256(text);
};

let native: typeof hash | undefined;
let count = 0;
const countMax = 16;
const lengthMax = 4096;

/** As FIPS 180-4 says it. */
export const ownSha256 = (text: string): string => {
  const length = Buffer.byteLength(text, "utf8");
  // Behind the text one set bit, zeros, and the length in bits, which ends the last block.
  const bytes = Buffer.alloc((((length + 8) >> 6) + 1) << 6);
  bytes.write(text, 0, "utf8");
  bytes[length] = 0x80;
  bytes.writeUInt32BE(Math.floor(length / 0x2000_0000), bytes.length - 8);
  bytes.writeUInt32BE((length << 3) >>> 0, bytes.length - 4);
  const state = Int32Array.from(roots(8, Math.sqrt));
  const words = new Int32Array(64);
  for (let offset = 0; offset < bytes.length; offset += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = bytes.readInt32BE(offset + at * 4);
    addBlock(state, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

const addBlock = (state: Int32Array, words: Int32Array): void => {
  for (let at = 16; at < 64; at += 1) {
    const near = words[at - 2] ?? 0;
    const far = words[at - 15] ?? 0;
    const nearMix = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    const farMix = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    words[at] = (nearMix + (words[at - 7] ?? 0) + farMix + (words[at - 16] ?? 0)) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const eMix = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + eMix + choice + (constants[at] ?? 0) + (words[at] ?? 0)) | 0;
    const aMix = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + aMix + majority) | 0;
  }
  state.set([a, b, c, d, e, f, g, h].map((value, at) => (state[at] ?? 0) + value));
};

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The standard's constants: the first 32 fractional bits of the roots of the first primes. */
const roots = (amount: number, root: (prime: number) => number): number[] =>
  primes.slice(0, amount).map((prime) => ((root(prime) % 1) * 0x1_0000_0000) | 0);

// oxfmt-ignore
const primes = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233,
  239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
];
const constants = Int32Array.from(roots(64, Math.cbrt));
