/** Plain JSON values: what may be stored, sent and hashed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

// Reading what others sent: whatever is not of the expected shape counts as absent.

export const asObject = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const asList = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

export const asText = (value: Json | undefined): string => (typeof value === "string" ? value : "");
