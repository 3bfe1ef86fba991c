/** Parts of the settings' schema that say nothing of a setting by itself. */
import * as v from "valibot";
import { limits } from "../base/limits.ts";
import { spellingProblem } from "../base/path-spelling.ts";
import type { Setting } from "./settings.ts";

// Under one name, because the words of a JSON schema share the object when it is generated.
export function facts<Input>(setting: Omit<Setting, "key">) {
  return v.metadata<Input, { setting: Omit<Setting, "key"> }>({ setting });
}

/** Those that src/review/linters/tools.ts can run. */
export const linterNames = ["ruff", "oxlint", "biome", "shellcheck", "semgrep", "eslint"] as const;

export function domain() {
  return v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/, "is not the name of a domain"));
}

export function domains() {
  return v.pipe(v.array(domain()), v.maxLength(limits.reviewerDomainsMax));
}

/** Paths and claims are not in the list: nothing weakens those. */
export function ruleLevels() {
  const level = v.optional(v.picklist(["deny", "warn", "off"]));
  return {
    freshness: level,
    judgeable: level,
    duplicates: level,
    syntax: level,
    placeholders: level,
    wrapping: level,
    characters: level,
    lineEnds: level,
    secrets: level,
    generated: level,
    tests: level,
    suppressions: level,
    losses: level,
    debugging: level,
    references: level,
    imports: level,
    signatures: level,
    arguments: level,
  };
}

// Judged by the rules of every platform, because the file is shared between them.
export function isPlainRelative(path: string): boolean {
  return (
    spellingProblem(path, "linux") === undefined &&
    spellingProblem(path, "win32") === undefined &&
    !/^[\\/]/.test(path) &&
    !/^[a-z]:/i.test(path) &&
    !path.split(/[\\/]/).includes("..")
  );
}
