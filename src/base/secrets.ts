/**
 * Secrets that people paste into prompts and messages, taken out before the text is kept or shown to others. A small
 * set of forms with hardly any false alarm: keys of well-known services by their prefix, private keys, tokens in
 * addresses and headers, and values after a name that says what they are.
 */
export const redactSecrets = (text: string): string =>
  secretForms.reduce((safe, [form, replacement]) => safe.replaceAll(form, replacement), text);

export const hasSecret = (text: string): boolean => redactSecrets(text) !== text;

const removed = "[secret]";

const secretForms: readonly (readonly [form: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, removed],
  // AWS, GitHub, GitLab, Slack, Stripe, OpenAI and Anthropic, Google, npm, PyPI, Hugging Face.
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, removed],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}/g, removed],
  [/\bgithub_pat_\w{20,}/g, removed],
  [/\bglpat-[\w-]{20,}/g, removed],
  [/\bxox[abeoprs]-[\w-]{10,}/g, removed],
  [/\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g, removed],
  [/\bsk-[\w-]{20,}/g, removed],
  [/\bAIza[\w-]{30,}/g, removed],
  [/\bnpm_[A-Za-z0-9]{30,}/g, removed],
  [/\bpypi-[\w-]{30,}/g, removed],
  [/\bhf_[A-Za-z0-9]{30,}/g, removed],
  // A JSON web token.
  [/\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g, removed],
  // https://user:password@host
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi, `$1${removed}@`],
  [/(\b(?:bearer|basic|token)\s+)[\w.~+/=-]{16,}/gi, `$1${removed}`],
  [
    /(\b[\w-]*(?:password|passwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token)["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/gi,
    `$1${removed}`,
  ],
];
