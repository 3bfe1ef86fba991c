/** What .gitattributes files say about which files count, and patterns of that form. */
import { limits } from "../base/limits.ts";
import { matchedBeginnings, matchesName } from "../base/path-glob.ts";

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
    // A beginning that ends at a folder counts for all that lies in it.
    return [...matchedBeginnings(parts, rest)].some((at) => at > 0);
  };
};
