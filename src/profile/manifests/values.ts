/**
 * Looking into parsed manifests. They come from anywhere: only own properties count, every list is
 * bounded, and what has another type than expected is as if it were not there.
 */
import type { ParseError } from "jsonc-parser";
import { limits } from "../../base/limits.ts";
import type { Ecosystem } from "../signals/schema.ts";
import type { Use } from "../signals/weights.ts";
import type { Dependency } from "./types.ts";

export const member = (value: unknown, ...keys: string[]): unknown => {
  let current = value;
  for (const key of keys) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) {
      return undefined;
    }
    current = (current as Record<string, unknown>)[key];
  }
  return current;
};

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.slice(0, limits.profileNamesMax).filter((one): one is string => typeof one === "string")
    : [];

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.slice(0, limits.profileNamesMax) : [];

export const keysOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.keys(value).slice(0, limits.profileNamesMax)
    : [];

export const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== "";

export const dependenciesOf = (
  ecosystem: Ecosystem,
  names: readonly string[],
  use?: Use,
): Dependency[] => names.map((name) => ({ ecosystem, name, ...(use && { use }) }));

/** The optional fields of the facts that are plain text. */
export const nameAndDescription = (
  name: unknown,
  description: unknown,
): { name?: string; description?: string } => ({
  ...(typeof name === "string" && { name }),
  ...(typeof description === "string" && { description }),
});

export const parseJson = async (text: string): Promise<unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    // Comments and commas at the end are usual in some of these files.
    const { parse } = await import("jsonc-parser");
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw new Error("it is not JSON");
    return value;
  }
};

export const parseToml = async (text: string): Promise<unknown> => {
  const { parse } = await import("smol-toml");
  return parse(text);
};

export const parseYaml = async (text: string): Promise<unknown> => {
  const { parse } = await import("yaml");
  // Aliases of aliases grow without end; real manifests have a handful.
  return parse(text, { maxAliasCount: 100, logLevel: "error", schema: "core" }) as unknown;
};

/** Lines without comments and blanks; `comment` is what begins a comment. */
export const linesOf = (text: string, comment: string): string[] => {
  const lines: string[] = [];
  for (const line of text.split("\n", limits.profileNamesMax * 4)) {
    const at = line.indexOf(comment);
    const rest = (at < 0 ? line : line.slice(0, at)).trim();
    if (rest !== "") lines.push(rest);
  }
  return lines;
};
