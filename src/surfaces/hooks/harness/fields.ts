/** Fields of a payload, each of its right type or refused: a wrong type must never be read as "nothing to do". */
import { isAbsolute, resolve } from "node:path";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Payload } from "../read-payload.ts";
import type { HookEvent } from "../types.ts";

export const invalidField = (name: string, problem: string): HeadgateError =>
  new HeadgateError(
    "HOOK_INPUT_INVALID",
    `The hook's input cannot be used: "${showText(name, 60)}" ${problem}.`,
  );

/** The first of these names that is there; undefined when none is. */
export const textOf = (from: Payload, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = own(from, name);
    if (value === undefined || value === null) continue;
    if (typeof value !== "string") throw invalidField(name, "is not a text");
    return value;
  }
  return undefined;
};

/** The user's words; whatever else a client calls a prompt is left alone. */
export const promptIn = (from: Payload): string | undefined => {
  const value = own(from, "prompt");
  return typeof value === "string" ? value : undefined;
};

export const neededText = (from: Payload, ...names: readonly string[]): string => {
  const value = textOf(from, ...names);
  if (value === undefined) throw invalidField(names[0] ?? "", "is missing");
  return value;
};

export const flagOf = (from: Payload, ...names: readonly string[]): boolean => {
  for (const name of names) {
    const value = own(from, name);
    if (value === undefined || value === null) continue;
    if (value === true || value === "true") return true;
    if (value === false || value === "false") return false;
    throw invalidField(name, "is neither true nor false");
  }
  return false;
};

export const objectOf = (from: Payload, name: string): Payload | undefined => {
  const value = own(from, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value)) throw invalidField(name, "is no object");
  return value as Payload;
};

export const objectsOf = (from: Payload, name: string): readonly Payload[] | undefined => {
  const value = own(from, name);
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalidField(name, "is no list");
  return value.map((one: unknown) => {
    if (typeof one !== "object" || one === null || Array.isArray(one)) {
      throw invalidField(name, "holds something that is no object");
    }
    return one as Payload;
  });
};

export const textsOf = (from: Payload, name: string): readonly string[] | undefined => {
  const value = own(from, name);
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalidField(name, "is no list");
  return value.map((one: unknown) => {
    if (typeof one !== "string") throw invalidField(name, "holds something that is no text");
    return one;
  });
};

export const hasField = (from: Payload, ...names: readonly string[]): boolean =>
  names.some((name) => own(from, name) !== undefined && own(from, name) !== null);

/**
 * A session or sub-agent as part of an actor's name. Clients use letters and digits; anything else would
 * let a payload name another session's sub-agent.
 */
export const nameOf = (from: Payload, ...names: readonly string[]): string | undefined => {
  const value = textOf(from, ...names);
  if (value === undefined || value === "") return undefined;
  if (!/^[\w.:@+=-]{1,128}$/.test(value)) throw invalidField(names[0] ?? "", "is no name");
  return value;
};

/** As the client will open it. */
export const absolute = (path: string, cwd: string, home?: string): string => {
  if (path === "") throw invalidField("file_path", "is empty");
  if (path.includes("\0")) throw invalidField("file_path", "holds a NUL character");
  if (home !== undefined && (path === "~" || path.startsWith("~/"))) {
    return resolve(home, path.slice(2));
  }
  // What goes up is left as it is: where a link comes before `..`, only the system knows where that leads.
  if (path.split("/").includes("..")) return isAbsolute(path) ? path : `${cwd}/${path}`;
  return resolve(cwd, path);
};

const own = (from: Payload, name: string): unknown =>
  Object.hasOwn(from, name) ? from[name] : undefined;

/** What a client's own name of an event means. */
export const eventNamed = (name: string, events: Readonly<Record<string, HookEvent>>): HookEvent =>
  (Object.hasOwn(events, name) ? events[name] : undefined) ?? "other";

/** What is undefined is left out: an absent field of a call is not there at all. */
export const given = <T extends object>(
  fields: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** A tool of Headgate's own MCP server, which judges by itself: `mcp__headgate__claim`, `headgate_claim`. */
export const isOwnTool = (name: string): boolean =>
  /^mcp__(?:plugin_headgate_)?headgate__|^(?:mcp_|mcp:)?headgate[_:-]/i.test(name) ||
  // Cursor leaves the server's name out.
  (name.startsWith("MCP:") && ownTools.has(name.slice("MCP:".length)));

const ownTools: ReadonlySet<string> = new Set(
  `answer apply ask check claim claims commit edit events find_symbol findings inbox judge outline profile read
  release renew review_result review_start review_status routing_status run_decide run_status tell undo
  wait`.split(/\s+/),
);
