/** The kinds of files Headgate has a part in: members of a JSON file, a marked block, a whole file. */
import { parse as parseToml, TomlError } from "smol-toml";
import type { Json } from "../../base/json.ts";
import { isHookLine } from "../../base/hook-line.ts";
import type { HookTable } from "./hook-tables.ts";
import {
  addMember,
  cutItems,
  cutKey,
  isOnly,
  itemsAt,
  jsonFile,
  type Member,
  requireObject,
  valueAt,
} from "./json-members.ts";
import { type ClientName, type FilePart, SetupRefusal } from "./types.ts";

interface JsonPartOptions {
  readonly path: string;
  readonly client: ClientName;
  /** Added to the lists below `hooks`. */
  readonly hooks?: HookTable;
  /** The server's entry, by its keys. */
  readonly server?: { readonly keys: readonly string[]; readonly value: Json };
  /** What a new file begins with. */
  readonly scaffold?: Readonly<Record<string, Json>>;
}

export const jsonPart = (options: JsonPartOptions): FilePart => {
  const { path, client, hooks = {}, server, scaffold = {} } = options;
  const items: Member[] = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.map((value) => ({ kind: "item" as const, keys: ["hooks", event], value })),
  );
  const isServerDone = (text: string): boolean => {
    if (!server) return true;
    const present = valueAt(text, server.keys);
    // An entry of the user's own under this name is theirs.
    return isSame(present, server.value) || (present !== undefined && !isOurServer(present));
  };
  return {
    path,
    client,
    isDone: (text) => {
      if (text === undefined) return false;
      requireObject(text);
      const isComplete = items.every(({ keys, value }) =>
        itemsAt(text, keys).some((item) => isSame(item, value)),
      );
      return isComplete && isServerDone(text) && foundHooks(text) === items.length;
    },
    add: (text) => {
      let result = text ?? newFile(scaffold);
      requireObject(result);
      for (const member of items) result = addMember(result, member);
      if (server && !isServerDone(result)) result = addMember(result, { kind: "key", ...server });
      return result;
    },
    strip: (text, before) => {
      requireObject(text);
      let result = text;
      for (const event of eventsOf(text)) {
        result = cutItems(result, ["hooks", event], isOurItem, before);
      }
      if (server && isOurServer(valueAt(result, server.keys))) {
        result = cutKey(result, server.keys, before);
      }
      return result;
    },
    isBlank: (text) => isOnly(text, Object.keys(scaffold)),
  };
};

const newFile = (scaffold: Readonly<Record<string, Json>>): string =>
  Object.keys(scaffold).length === 0 ? "{\n}\n" : jsonFile(scaffold);

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
};

const isOurHandler = (handler: unknown): boolean => {
  if (typeof handler !== "object" || handler === null) return false;
  const { command, url } = handler as { readonly command?: unknown; readonly url?: unknown };
  const isOurUrl =
    typeof url === "string" && /^http:\/\/127\.0\.0\.1:\d+\/hooks\/claude$/.test(url);
  return isHookLine(command) || isOurUrl;
};

/** A group is ours when every handler in it is. */
const isOurItem = (item: unknown): boolean => {
  if (isOurHandler(item)) return true;
  const hooks = (item as { readonly hooks?: unknown } | null)?.hooks;
  return Array.isArray(hooks) && hooks.length > 0 && hooks.every(isOurHandler);
};

const isOurServer = (entry: unknown): boolean => {
  if (typeof entry !== "object" || entry === null) return false;
  const { command, args } = entry as { readonly command?: unknown; readonly args?: unknown };
  return [command, args].flat().some(isHookLine);
};

const eventsOf = (text: string): string[] => {
  const hooks = valueAt(text, ["hooks"]);
  return typeof hooks === "object" && hooks !== null ? Object.keys(hooks) : [];
};

/** How many items of ours there are, current or not. */
const foundHooks = (text: string): number =>
  eventsOf(text).flatMap((event) => itemsAt(text, ["hooks", event]).filter(isOurItem)).length;

interface BlockOptions {
  readonly path: string;
  readonly client?: ClientName;
  readonly begin: string;
  readonly end: string;
  readonly content: string;
  /** Looks at a text without the block. */
  readonly check?: (text: string) => "room" | "occupied";
}

/** A block between two marks, at the end of the file. */
export const blockPart = (options: BlockOptions): FilePart => {
  const { path, client, begin, end, content, check = () => "room" } = options;
  const wanted = `${begin}\n${content}\n${end}`;
  const find = (text: string): { readonly from: number; readonly to: number } | undefined => {
    const from = text.indexOf(begin);
    if (from < 0) return undefined;
    const to = text.indexOf(end, from);
    if (to < 0 || text.indexOf(begin, from + 1) >= 0) {
      throw new SetupRefusal(
        `its marks ${begin} … ${end} are broken`,
        "Remove the marks and what stands between them, then run it again.",
      );
    }
    return { from, to: to + end.length };
  };
  const strip = (text: string): string => {
    const found = find(text);
    if (!found) return text;
    const before = text.slice(0, found.from);
    const behind = text.slice(found.to).replace(/^\r?\n/, "");
    // The blank line that was put before the block goes with it.
    return (/\n\r?\n$/.test(before) ? before.replace(/\r?\n$/, "") : before) + behind;
  };
  return {
    path,
    ...(client === undefined ? {} : { client }),
    isDone: (text) => {
      if (text === undefined) return false;
      const found = find(text);
      if (!found) return check(text) === "occupied";
      return text.slice(found.from, found.to).replaceAll("\r\n", "\n") === wanted;
    },
    add: (text) => {
      if (text === undefined || text === "") return `${wanted}\n`;
      if (check(text) === "occupied") return text;
      const eol = /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
      const lines = `${wanted}\n`.replaceAll("\n", eol);
      return text + (text.endsWith("\n") ? eol : eol + eol) + lines;
    },
    strip,
    isBlank: (text) => text.trim() === "",
  };
};

/** Whether a TOML text has the table already; refuses a broken one. */
export const checkToml =
  (keys: readonly string[]) =>
  (text: string): "room" | "occupied" => {
    try {
      let value: unknown = parseToml(text);
      for (const key of keys) value = (value as Record<string, unknown> | undefined)?.[key];
      return value === undefined ? "room" : "occupied";
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const { line, column } = error;
      const [message = ""] = error.message.split("\n");
      throw new SetupRefusal(
        `it is broken at line ${line}, column ${column}: ${message}`,
        "Mend the file, then run it again.",
      );
    }
  };

interface WholeOptions {
  readonly path: string;
  readonly client?: ClientName;
  readonly content: string;
  readonly mode?: number;
  readonly isPackaged?: true;
  /** The user edits it: what is there stays. */
  readonly isTheirs?: true;
}

/** A file that is ours from the first byte to the last. */
export const wholePart = (options: WholeOptions): FilePart => {
  const { content, isTheirs, path, client, mode, isPackaged } = options;
  return {
    path,
    ...(client === undefined ? {} : { client }),
    ...(mode === undefined ? {} : { mode }),
    ...(isPackaged && { isPackaged }),
    isDone: (text) => (isTheirs ? text !== undefined : text === content),
    add: () => content,
    strip: (text) => (isTheirs && text !== content ? text : ""),
    isBlank: (text) => text === "",
  };
};
