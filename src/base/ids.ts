import { type Clock, systemClock } from "./clock.ts";
import { type Random, systemRandom } from "./random.ts";

/**
 * One short id format everywhere (C-11): a prefix that says the kind, then 18 characters that sort by
 * creation: nine for the millisecond (45 bits, enough until the year 3084) and nine random ones.
 * Ids made in the same millisecond by one process still sort in the order they were made.
 */
export const idPrefixes = {
  scope: "sc",
  actor: "ac",
  claim: "cl",
  waiter: "wa",
  request: "rq",
  event: "ev",
  operation: "op",
  edit: "ed",
  review: "re",
  finding: "fi",
  cluster: "ct",
  proposal: "pr",
  override: "ov",
  canary: "ca",
  evidence: "en",
  sample: "sa",
  probe: "pb",
  run: "rn",
  refusal: "rf",
  agent: "ag",
  notice: "nt",
  receipt: "rc",
} as const;

export type IdKind = keyof typeof idPrefixes;
export type IdSource = (kind: IdKind) => string;

export const createIdSource = (options: { clock?: Clock; random?: Random } = {}): IdSource => {
  const { clock = systemClock, random = systemRandom } = options;
  let lastMs = -1;
  let lastTail = 0;
  return (kind) => {
    const now = clock.wallMs();
    if (now > lastMs) {
      lastMs = now;
      lastTail = randomTail(random);
    } else {
      // Same millisecond, or the clock went back: keep the order by counting up.
      lastTail += 1;
      if (lastTail >= tailLimit) {
        lastMs += 1;
        lastTail = randomTail(random);
      }
    }
    return `${idPrefixes[kind]}_${encode(lastMs)}${encode(lastTail)}`;
  };
};

export const newId: IdSource = createIdSource();

export const isId = (kind: IdKind, text: string): boolean =>
  text.startsWith(`${idPrefixes[kind]}_`) && /^[0-9a-hjkmnp-tv-z]{18}$/.test(text.slice(3));

/** The millisecond an id was made, for humans and for bounded look-ups. */
export const idTimeMs = (id: string): number => {
  let value = 0;
  for (const char of id.slice(3, 3 + digits)) value = value * 32 + alphabet.indexOf(char);
  return value;
};

// Crockford's base 32 without letters that look like digits.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const digits = 9;
const tailLimit = 2 ** 45;

/** Plain numbers, because big ones cost a microsecond per digit; 48 bits stay exact. */
const randomTail = (random: Random): number => {
  let value = 0;
  for (const byte of random.bytes(6)) value = value * 256 + byte;
  // One bit is left free so that counting up rarely overflows.
  return value % 2 ** 44;
};

const encode = (value: number): string => {
  let text = "";
  for (let index = 0; index < digits; index += 1) {
    text = alphabet.charAt(value % 32) + text;
    value = Math.floor(value / 32);
  }
  return text;
};
