import type { Parsed } from "./problem.ts";
import { contentHash } from "./content-hash.ts";

/**
 * `{"checksum":"sha256:…","value":…}` for files in which damage must be noticed even where the damaged
 * text is still JSON. The checksum covers the value's compact form, so spacing is free.
 */
export interface Envelope {
  readonly checksum: string;
  readonly value: unknown;
}

export const jsonChecksum = (value: unknown): string =>
  `sha256:${contentHash(JSON.stringify(value))}`;

export const seal = (value: unknown): Envelope => ({ checksum: jsonChecksum(value), value });

export const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === 2 &&
  "value" in value &&
  "checksum" in value &&
  typeof value.checksum === "string" &&
  value.checksum.startsWith("sha256:");

/** Values without an envelope pass unless one is required. */
export const unseal = (value: unknown, options: { isRequired: boolean }): Parsed<unknown> => {
  if (!isEnvelope(value)) {
    return options.isRequired
      ? { ok: false, problem: { message: "the checksum is missing" } }
      : { ok: true, value };
  }
  if (jsonChecksum(value.value) === value.checksum) return { ok: true, value: value.value };
  return { ok: false, problem: { message: "the checksum does not fit the value" } };
};
