/**
 * The calls of Headgate in a client's settings, taken from their structure: an entry is the place (names of the
 * keys on the way) with everything that decides whether it is called. A renamed event, a narrower matcher and
 * a time limit of nothing are other entries; line breaks, order and other people's entries are not.
 */
import { clientOfLine, clientOfWords } from "../../base/hook-line.ts";
import { HeadgateError } from "../../errors.ts";
import { parseJsonText } from "../../state/index.ts";

/** Undefined: not to be understood, so the client does not either. */
export const readSettings = async (path: string, text: string): Promise<unknown> => {
  if (text.trim() === "") return {};
  if (!path.endsWith(".toml")) {
    const parsed = parseJsonText(text, { hasComments: true });
    return parsed.ok ? parsed.value : undefined;
  }
  const { parse, TomlError } = await import("smol-toml");
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError || HeadgateError.isInstance(error)) return undefined;
    throw error;
  }
};

/** One call: where it is, and how much it covers. */
export interface HookEntry {
  /** The keys on the way, and everything that decides whether it is called but for these two. */
  readonly id: string;
  /** Alternatives; undefined: all tools. */
  readonly matcher: readonly string[] | undefined;
  readonly timeouts: readonly number[];
}

export const entriesIn = (settings: unknown): readonly HookEntry[] => {
  const found: HookEntry[] = [];
  const add = (keys: readonly string[], value: unknown): void => {
    const { rest, matcher, timeouts } = takeApart(withoutOthers(value));
    found.push({ id: JSON.stringify([keys, sorted(rest)]), matcher, timeouts });
  };
  const walk = (value: unknown, keys: readonly string[]): void => {
    if (isEntry(keys)) {
      if (keys.at(-1) === "headgate" || isOurs(value)) add(keys, value);
    } else if (typeof value === "string") {
      if (/headgate[/\\]hook\b|\bheadgate (?:hook|mcp)\b/.test(value)) add(keys, value);
    } else for (const [key, inner] of members(value)) walk(inner, [...keys, key]);
  };
  walk(settings, []);
  return found;
};

/** A newer release covers more tools, or waits longer; it never covers less. */
export const isCovered = (old: HookEntry, fresh: HookEntry): boolean => {
  const hasTime =
    old.timeouts.length === fresh.timeouts.length &&
    old.timeouts.every((one, index) => (fresh.timeouts[index] ?? 0) >= one);
  if (old.id !== fresh.id || !hasTime) return false;
  const { matcher } = fresh;
  if (matcher === undefined) return true;
  const known = old.matcher;
  if (known === undefined) return false;
  // A pattern that is none matches nothing at all.
  const isPlain = matcher.every((one) => known.includes(one) || /^[\w:-]+(?:\.\*)?$/.test(one));
  return isPlain && known.every((one) => matcher.includes(one));
};

const takeApart = (value: unknown) => {
  const timeouts: number[] = [];
  const strip = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(strip);
    if (typeof one !== "object" || one === null) return one;
    const left = Object.entries(one).filter(([key, inner]) => {
      if (key !== "timeout" || typeof inner !== "number") return true;
      timeouts.push(inner);
      return false;
    });
    return Object.fromEntries(left.map(([key, inner]) => [key, strip(inner)]));
  };
  const stripped = strip(value);
  const isGroup = typeof stripped === "object" && stripped !== null && "matcher" in stripped;
  if (!isGroup || typeof stripped.matcher !== "string") {
    return { rest: stripped, matcher: undefined, timeouts };
  }
  const { matcher, ...rest } = stripped;
  const isAll = matcher === "" || matcher === "*";
  return { rest, matcher: isAll ? undefined : (matcher as string).split("|"), timeouts };
};

/** A group in the list of an event, or the MCP server of that name. */
const isEntry = (keys: readonly string[]): boolean =>
  (keys[0] === "hooks" && keys.at(-1) === element) ||
  (keys.length === 2 && keys[1] === "headgate" && /^(?:mcp|servers)/i.test(keys[0] ?? ""));

/** The order in a list decides nothing. */
const element = "[]";

const members = (value: unknown): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(value)) return value.map((one: unknown) => [element, one]);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
};

const isOurs = (value: unknown): boolean => /headgate/i.test(JSON.stringify(value) ?? "");

/** Others may have put a call of theirs into the same group. */
const withoutOthers = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const isList = value.every((one) => typeof one === "object" && one !== null);
    return (isList ? value.filter(isOurs) : value).map(withoutOthers);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutOthers(one)]));
};

const sorted = (value: unknown): unknown => {
  // Lines of this release and of earlier ones stand for each other: `init` replaces them.
  if (typeof value === "string") return clientOfLine(value) ?? value;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(withOneCommand(value)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
};

/** `command` with `args`, or all words in `command`: the client instead, where they start our hook. */
const withOneCommand = (entry: object): object => {
  const { command, args = [], ...rest } = entry as { command?: unknown; args?: unknown };
  const client = clientOfWords([command, args].flat());
  return client === undefined ? entry : { ...rest, command: client };
};

/** Settings that switch hooks off, or change the surroundings in which they run, with their values. */
export const switchesIn = (settings: unknown): readonly string[] => {
  const found: string[] = [];
  const walk = (value: unknown, keys: readonly string[]): void => {
    const name = keys.filter((key) => key !== element).join(".");
    const isOff = switches.some(([place, off]) => place.test(name) && off(value));
    if (isOff) found.push(`${name}=${JSON.stringify(value)}`);
    for (const [key, inner] of members(value)) walk(inner, [...keys, key]);
  };
  walk(settings, []);
  return found;
};

const isTrue = (value: unknown): boolean => value === true || value === "true";
const isFalse = (value: unknown): boolean => value === false || value === "false";
const isText = (value: unknown): boolean => typeof value !== "object";

const switches: readonly (readonly [RegExp, (value: unknown) => boolean])[] = [
  [/^(?:disableAllHooks|allowManagedHooksOnly)$/, isTrue],
  [/^(?:hooks|hooksConfig)\.enabled$|^tools\.enableHooks$|^features\.(?:codex_)?hooks$/, isFalse],
  [/^(?:hooks|hooksConfig)\.disabled$/, isOurs],
  [/^hooks\.disabled$/, isTrue],
  [/^disabledMcpjsonServers$/, isOurs],
  [
    /^(?:env|environment|shell_environment_policy\.set)\.(?:HEADGATE_\w+|GIT_\w+|NODE_OPTIONS|LD_\w+|DYLD_\w+|BASH_ENV|ENV|HOME|PATH|XDG_\w+|CLAUDE_CONFIG_DIR|CODEX_HOME)$/,
    isText,
  ],
];
