/**
 * Secrets in texts: the one list of their forms. Redaction takes out everything that looks like one, before a text is
 * kept or shown to others; it may take too much. The gate and the reviewers ask which ones are real by their form: the
 * prefix, the length, and the checksum where the service gives its keys one.
 */
export const redactSecrets = (text: string): string => {
  let safe = text;
  for (const { seen } of services) safe = safe.replaceAll(seen, removed);
  for (const [form, replacement] of described) safe = safe.replaceAll(form, replacement);
  return safe;
};

export const hasSecret = (text: string): boolean => redactSecrets(text) !== text;

export interface FoundSecret {
  /** "a GitHub token" */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /**
   * proven: the checksum or the inner structure fits. real: prefix, length and letters do, and there is no more to
   * look at. unproven: it should have a checksum and has a wrong one. doubtful: an example, or a part.
   */
  readonly form: "proven" | "real" | "unproven" | "doubtful";
}

/** In the order of the services; keys that are meant to be public are not among them. */
export const findSecrets = (text: string): readonly FoundSecret[] => {
  const found: FoundSecret[] = [];
  for (const { name, seen, real, isProven } of services) {
    if (name === undefined) continue;
    for (const match of text.matchAll(seen)) {
      const [value] = match;
      // Only the frame of a key, which code fills in.
      if (value.startsWith("-----") && !/[A-Za-z0-9+/]{32}/.test(value)) continue;
      const isWhole = real !== undefined && real.test(value) && looksDrawn(value);
      const isKnown = isProven ? (isProven(value) ? "proven" : "unproven") : "real";
      const form = isWhole ? isKnown : "doubtful";
      found.push({ name, from: match.index, to: match.index + value.length, form });
    }
  }
  return found;
};

/** Takes out what `findSecrets` finds, and leaves the rest of a code or diff as it is. */
export const hideSecrets = (text: string): string => {
  let safe = text;
  for (const { from, to } of findSecrets(text).toSorted((left, right) => right.from - left.from)) {
    safe = safe.slice(0, from) + removed + safe.slice(to);
  }
  return safe;
};

const removed = "[secret]";

interface Service {
  /** Absent: only taken out of texts. */
  readonly name?: string;
  /** All that may be one. */
  readonly seen: RegExp;
  /** The whole of a real one. */
  readonly real?: RegExp;
  readonly isProven?: (value: string) => boolean;
}

/** By a checksum or by the structure inside. */
const services: readonly Service[] = [
  {
    name: "a private key",
    seen: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
    real: /-----END [A-Z ]*PRIVATE KEY-----$/,
    isProven: (value) => isKeyBody(value),
  },
  {
    name: "an AWS access key",
    seen: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
    real: /^(?:AKIA|ASIA)[A-Z2-7]{16}$/,
  },
  {
    name: "a GitHub token",
    seen: /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
    real: /^gh[pousr]_[A-Za-z0-9]{36}$/,
    isProven: (value) => hasChecksum(value.slice(4)),
  },
  {
    name: "a GitHub token",
    seen: /\bgithub_pat_\w{20,}/g,
    real: /^github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/,
  },
  { name: "a GitLab token", seen: /\bglpat-[\w.-]{20,}/g, real: /^glpat-[\w-]{20}(?:\.\w+)*$/ },
  {
    name: "a Slack token",
    seen: /\bxox[abeoprs]-[\w-]{10,}/g,
    real: /^xox[abeoprs]-\d{10,13}-\d{10,13}(?:-\d{10,13})?-[A-Za-z0-9]{24,32}$/,
  },
  {
    name: "a Stripe live key",
    seen: /\b[rs]k_live_[A-Za-z0-9]{16,}/g,
    real: /^[rs]k_live_[A-Za-z0-9]{24,}$/,
  },
  { seen: /\b[rs]k_test_[A-Za-z0-9]{16,}/g },
  {
    name: "an Anthropic key",
    seen: /\bsk-ant-[\w-]{8,}/g,
    real: /^sk-ant-[a-z]+\d\d-[\w-]{93}AA$/,
  },
  {
    name: "an OpenAI key",
    seen: /\bsk-(?!ant-)[\w-]{20,}/g,
    // "OpenAI" in base64 is part of each.
    real: /^sk-(?:[a-z]+-)?[\w-]{20,80}T3BlbkFJ[\w-]{20,80}$/,
  },
  {
    name: "a SendGrid key",
    seen: /\bSG\.[\w-]{16,}\.[\w-]{30,}/g,
    real: /^SG\.[\w-]{22}\.[\w-]{43}$/,
  },
  {
    name: "an npm token",
    seen: /\bnpm_[A-Za-z0-9]{30,}/g,
    real: /^npm_[A-Za-z0-9]{36}$/,
    isProven: (value) => hasChecksum(value.slice(4)),
  },
  {
    name: "a PyPI token",
    seen: /\bpypi-[\w-]{30,}/g,
    // The address of the registry in base64 begins each.
    real: /^pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZ)[\w-]{70,}$/,
  },
  { name: "a Hugging Face token", seen: /\bhf_[A-Za-z0-9]{30,}/g, real: /^hf_[A-Za-z]{34}$/ },
  // Keys of Google's services for browsers are in every page that uses them.
  { seen: /\bAIza[\w-]{20,}/g },
  { seen: /\b(?:pk|xai|gsk|ya29)[-_.][\w.-]{12,}/g },
  // A JSON web token.
  { seen: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g },
];

/** Values after a name, a header or a user that says what they are. */
const described: readonly (readonly [form: RegExp, replacement: string])[] = [
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:)[^\s/@]+@/gi, `$1${removed}@`],
  [/(\b(?:bearer|basic|token)\s+)[\w.~+/=-]{16,}/gi, `$1${removed}`],
  [
    /((?<![\w-])[\w-]*(?:password|passwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token)["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/gi,
    `$1${removed}`,
  ],
];

/** Not typed by a person as an example: no words that say so, no rows of letters, enough different ones. */
const looksDrawn = (value: string): boolean => {
  if (value.startsWith("-----BEGIN")) return true;
  const body = value.replace(/^[A-Za-z]+[_-](?:(?:live|ant|pat|proj)[_-])?/, "");
  if (/example|sample|dummy|fake|test|placeholder|your|secret|changeme|redacted/i.test(body))
    return false;
  if (/(.)\1{3}/.test(body) || rows.some((row) => row.test(body))) return false;
  return new Set(body).size >= Math.min(9, body.length / 2);
};

const rows = [/abcde|bcdef|vwxyz/i, /12345|23456|98765|54321/, /qwert/i, /(.{2,8})\1\1/];

/** The last six letters are the CRC-32 of those before, in base 62. */
const hasChecksum = (body: string): boolean => {
  let crc = ~0;
  for (const byte of Buffer.from(body.slice(0, -6))) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  let left = ~crc >>> 0;
  let written = "";
  while (written.length < 6) {
    written = base62.charAt(left % 62) + written;
    left = Math.floor(left / 62);
  }
  return body.endsWith(written);
};

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The body of a PEM block is DER of just that length, or OpenSSH's own form; strings of code may be around its lines. */
const isKeyBody = (value: string): boolean => {
  const body = value
    .replace(/^-----BEGIN [A-Z ]*-----/, "")
    .replace(/-----END [A-Z ]*-----$/, "")
    .replaceAll(/\\[nrt]/g, "\n")
    .replaceAll(/^[\s"'`+.,#*/]+(?=[\s"'`])|["'`][\s"'`+.,;\\]*$|\s+\\?$/gm, "")
    .replaceAll(/[\s"'`,]/g, "");
  if (!/^[A-Za-z0-9+/]{40,}={0,2}$/.test(body)) return false;
  const bytes = Buffer.from(body, "base64");
  if (bytes.subarray(0, 14).toString("latin1") === "openssh-key-v1") return true;
  if (bytes[0] !== 0x30) return false;
  const [length = 0] = bytes.subarray(1);
  if (length < 0x80) return bytes.length === length + 2;
  const width = length & 0x7f;
  return width <= 3 && bytes.length === 2 + width + bytes.readUIntBE(2, width);
};
