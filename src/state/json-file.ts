import type { Json } from "../base/json.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import {
  updateFileAtomic,
  writeFileAtomic,
  type WriteOptions,
  type WriteResult,
} from "./atomic-file.ts";
import { setInJsonText } from "./json-edit.ts";
import { seal, unseal } from "./json-envelope.ts";
import { type JsonRules, parseJsonText } from "./json-text.ts";
import { mayCreate, parseKeyPath } from "./key-path.ts";
import { type Problem, problemError } from "./problem.ts";
import { readContent } from "./read-content.ts";
import { checkSchema, type Schema } from "./schema.ts";
import { showPath } from "./state-failure.ts";
import { decodeText, encodeText, type TextContent } from "./text-content.ts";

export interface JsonOptions<T> extends Omit<WriteOptions, "expect" | "allowEmpty"> {
  readonly schema?: Schema<T>;
  /** Keep the value in a checksummed envelope, and demand one when reading. */
  readonly hasChecksum?: boolean;
  /** Comments and trailing commas are allowed when reading. */
  readonly hasComments?: boolean;
}

/** The value, checked; STATE_NOT_FOUND without a file, STATE_CORRUPT when it is not what it must be. */
export const readJson = <T = unknown>(path: string, options: JsonOptions<T> = {}): T => {
  const bytes = readContent(path, options.files);
  if (!bytes) throw missing(path);
  return openValue(path, bytes, options).value;
};

export const writeJson = <T>(
  path: string,
  value: T,
  options: JsonOptions<T> & Pick<WriteOptions, "expect"> = {},
): Promise<WriteResult> => writeFileAtomic(path, toText(path, value, options), options);

/**
 * Read, transform, validate, write. The transform gets undefined when there is no file; a corrupt file
 * is an error, never undefined. A transform that throws or returns nothing leaves the file alone.
 */
export const updateJson = async <T = unknown>(
  path: string,
  transform: (present: T | undefined) => T | Promise<T>,
  options: JsonOptions<T> = {},
): Promise<WriteResult & { readonly value: T }> => {
  let value: T | undefined;
  const toBytes = (answer: T): string => {
    value = answer;
    return toText(path, answer, options);
  };
  const result = await updateFileAtomic(
    path,
    (bytes) => {
      const present = bytes && openValue(path, bytes, options, { isRewritten: true }).value;
      const answer = transform(present);
      // Any thenable, as `await` would take it.
      return isThenable(answer) ? Promise.resolve(answer).then(toBytes) : toBytes(answer);
    },
    options,
  );
  return { ...result, value: value as T };
};

/** Sets one value and keeps the rest of the file byte for byte; the result must fit the schema. */
export const setJsonValue = async (
  path: string,
  change: { readonly key: string; readonly value: Json; readonly canCreate?: boolean },
  options: JsonOptions<unknown> = {},
): Promise<WriteResult> => {
  const keys = parseKeyPath(change.key);
  return updateFileAtomic(
    path,
    (bytes) => {
      if (!bytes) throw missing(path);
      const { content } = openValue(path, bytes, options);
      const set = (canCreate: boolean) =>
        setInJsonText(content, { keys, value: change.value, canCreate });
      const text = set(false) ?? (mayCreate(change) ? set(true) : undefined);
      if (text === undefined) throw missing(path, change.key);
      const result = encodeText(text, content);
      requireValid(path, Buffer.from(result), options);
      return result;
    },
    options,
  );
};

export const missing = (path: string, key?: string): HeadgateError =>
  new HeadgateError(
    "STATE_NOT_FOUND",
    key === undefined
      ? `${showPath(path)} does not exist`
      : `${showPath(path)} has no ${showText(key)}`,
    { data: { path, ...(key === undefined ? {} : { key }) } },
  );

const isThenable = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === "object" &&
  value !== null &&
  "then" in value &&
  typeof value.then === "function";

interface Opened<T> {
  readonly value: T;
  readonly content: TextContent;
}

const openValue = <T>(
  path: string,
  bytes: Uint8Array,
  options: JsonOptions<T>,
  rules: JsonRules = {},
): Opened<T> => {
  const opened = examine(bytes, options, rules);
  if ("problem" in opened) throw problemError("STATE_CORRUPT", path, opened.problem);
  return opened;
};

const requireValid = <T>(path: string, bytes: Uint8Array, options: JsonOptions<T>): void => {
  const opened = examine(bytes, options, {});
  if ("problem" in opened) throw problemError("STATE_INVALID", path, opened.problem);
};

const examine = <T>(
  bytes: Uint8Array,
  options: JsonOptions<T>,
  rules: JsonRules,
): Opened<T> | { readonly problem: Problem } => {
  const content = decodeText(bytes);
  if (!content) return { problem: { message: "not UTF-8 text" } };
  const hasComments = options.hasComments ?? false;
  const parsed = parseJsonText(content.text, { ...rules, hasComments });
  if (!parsed.ok) return parsed;
  const unsealed = unseal(parsed.value, { isRequired: options.hasChecksum ?? false });
  if (!unsealed.ok) return unsealed;
  const checked = checkSchema(options.schema, unsealed.value);
  return checked.ok ? { value: checked.value, content } : checked;
};

const toText = <T>(path: string, value: T, options: JsonOptions<T>): string => {
  const plain = serialize(path, value);
  const text = options.hasChecksum === true ? serialize(path, seal(JSON.parse(plain))) : plain;
  requireValid(path, Buffer.from(text), options);
  return text;
};

const serialize = (path: string, value: unknown): string => {
  const text = JSON.stringify(
    value,
    (key, part: unknown) => {
      const isLost =
        typeof part === "bigint" || (typeof part === "number" && !Number.isFinite(part));
      if (!isLost) return part;
      const message = `${showText(key)} is ${String(part)}, which JSON cannot hold`;
      throw problemError("STATE_INVALID", path, { message });
    },
    2,
  ) as string | undefined;
  if (text !== undefined) return `${text}\n`;
  throw problemError("STATE_INVALID", path, { message: "there is no value to write" });
};
