/**
 * `primaryLocationLineHash` as GitHub's upload action computes it (github/codeql-action, fingerprints): a rolling hash
 * over the 100 characters from a line's beginning on, blanks and tabs dropped, CR and CRLF read as LF, to the base
 * of 37 in 64 bits; lines with the same hash are numbered. Another value under that name draws a warning there.
 */

/** One entry per line, the first line first. */
export const lineHashes = (text: string): string[] => {
  const window = new Uint16Array(windowSize);
  const lineAt = new Int32Array(windowSize).fill(-1);
  const counts = new Map<string, number>();
  const hashes: string[] = [];
  let low = 0;
  let high = 0;
  let at = 0;
  let lines = 0;
  let isLineStart = true;
  let isAfterReturn = false;

  const take = (): void => {
    const line = lineAt[at] ?? -1;
    if (line === -1) return;
    const hash = toHex(high, low);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    hashes[line] = `${hash}:${count}`;
    lineAt[at] = -1;
  };
  // 64 bits in two halves of 32; every product stays below 2^53.
  const roll = (unit: number): void => {
    const gone = window[at] ?? 0;
    window[at] = unit;
    const nextLow = low * base + unit - outLow * gone;
    const carry = Math.floor(nextLow / half);
    low = nextLow - carry * half;
    const nextHigh = high * base + carry - outHigh * gone;
    high = nextHigh - Math.floor(nextHigh / half) * half;
    at = (at + 1) % windowSize;
  };
  const read = (unit: number): void => {
    if (unit === space || unit === tab || (isAfterReturn && unit === lineFeed)) {
      isAfterReturn = false;
      return;
    }
    isAfterReturn = unit === carriageReturn;
    const current = isAfterReturn ? lineFeed : unit;
    take();
    if (isLineStart) {
      isLineStart = false;
      lineAt[at] = lines;
      lines += 1;
    }
    if (current === lineFeed) isLineStart = true;
    roll(current);
  };

  for (let index = 0; index < text.length; index += 1) read(text.charCodeAt(index));
  read(endOfFile);
  for (let step = 0; step < windowSize; step += 1) {
    take();
    roll(0);
  }
  return hashes;
};

const windowSize = 100;
const base = 37;
const half = 2 ** 32;
/** 37^100, by which a character that leaves the window has been multiplied. */
const outgoing = BigInt.asUintN(64, 37n ** 100n);
const outLow = Number(outgoing & 0xffff_ffffn);
const outHigh = Number(outgoing >> 32n);
const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const endOfFile = 65_535;

const toHex = (high: number, low: number): string =>
  high === 0 ? low.toString(16) : `${high.toString(16)}${low.toString(16).padStart(8, "0")}`;
