/** What .gitattributes files say about which files count, and patterns of that form. */
import { limits } from "../base/limits.ts";

export interface AttributeRule {
  readonly matches: (path: string) => boolean;
  /** True: it counts whatever its name says; false: it does not; undefined: nothing was said. */
  readonly counts?: boolean;
  readonly language?: string;
}

/** Rules of one file, which lies in `folder` ("" at the top), in its order. */
export const readAttributes = (text: string, folder: string): AttributeRule[] => {
  const rules: AttributeRule[] = [];
  for (const line of text.split(/\r?\n/, limits.profileAttributesMax * 20)) {
    if (!line.includes("linguist-") || line.startsWith("#")) continue;
    const [pattern = "", ...attributes] = line.trim().split(/\s+/);
    const matches = pathPattern(pattern, folder);
    if (matches === undefined || rules.length >= limits.profileAttributesMax) continue;
    let counts: boolean | undefined;
    let language: string | undefined;
    for (const attribute of attributes) {
      const match = /^(-|!)?linguist-([a-z]+)(?:=(.*))?$/.exec(attribute);
      if (!match) continue;
      const isOn = match[1] === undefined && match[3] !== "false";
      if (/^(?:vendored|generated|documentation)$/.test(match[2] ?? "")) counts = !isOn;
      else if (match[2] === "detectable") counts = isOn;
      else if (match[2] === "language") language = match[3];
    }
    if (counts === undefined && language === undefined) continue;
    rules.push({
      matches,
      ...(counts !== undefined && { counts }),
      ...(language !== undefined && { language }),
    });
  }
  return rules;
};

/** The last rule that says something decides, as in git. */
export const ruleFor = (
  rules: readonly AttributeRule[],
  path: string,
): { counts?: boolean; language?: string } => {
  let counts: boolean | undefined;
  let language: string | undefined;
  for (const rule of rules) {
    if (!rule.matches(path)) continue;
    counts = rule.counts ?? counts;
    language = rule.language ?? language;
  }
  return {
    ...(counts !== undefined && { counts }),
    ...(language !== undefined && { language }),
  };
};

/**
 * A pattern as in .gitattributes and .gitignore: without a slash it matches names in any folder, with
 * one it is bound to `folder`; a folder matches what lies in it. Undefined when it is too long.
 */
export const pathPattern = (
  pattern: string,
  folder: string,
): ((path: string) => boolean) | undefined => {
  if (pattern === "" || pattern.length > limits.profilePatternLengthMax) return undefined;
  const trimmed = pattern.replace(/^\.?\//, "").replace(/\/(?:\*\*?)?$/, "");
  const isBound = pattern.replace(/\/$/, "").includes("/");
  const parts = trimmed.split("/");
  const before = folder === "" ? [] : folder.split("/");
  return (path) => {
    const names = path.split("/");
    if (before.some((name, at) => names[at] !== name)) return false;
    const rest = names.slice(before.length);
    if (!isBound) return rest.some((name) => matchesName(trimmed, name));
    return matchesParts(parts, rest);
  };
};

/** `parts` match a beginning of `names` that ends at a folder or at the end. */
const matchesParts = (parts: readonly string[], names: readonly string[]): boolean => {
  // Which beginnings of the names are matched by the parts so far: no backtracking.
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === "**") for (let to = at; to <= names.length; to += 1) next.add(to);
      else if (at < names.length && matchesName(part, names[at] ?? "")) next.add(at + 1);
    }
    reached = next;
    if (reached.size === 0) return false;
  }
  return [...reached].some((at) => at > 0);
};

/** `*` and `?` inside one name, in time proportional to both lengths. */
const matchesName = (pattern: string, name: string): boolean => {
  let p = 0;
  let n = 0;
  let star = -1;
  let retry = 0;
  while (n < name.length) {
    if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) {
      if (pattern[p] !== "*") {
        p += 1;
        n += 1;
        continue;
      }
    }
    if (pattern[p] === "*") {
      star = p;
      p += 1;
      retry = n;
    } else if (star >= 0) {
      p = star + 1;
      retry += 1;
      n = retry;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
};
