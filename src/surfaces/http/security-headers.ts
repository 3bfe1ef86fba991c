const policy = (sources: string): string =>
  `default-src 'none'; ${sources}` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

/** On every answer, refusals included. There is no CORS header anywhere, on purpose. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy(""),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** The dashboard's page alone may load anything: its own files, and nobody else's. */
export const pagePolicy = policy(
  "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; ",
);
