/**
 * The client's JSON, read with suspicion: what two readers could understand in two ways (a key twice), what
 * could reach into an object's prototype, and what is too large or too deep is refused before it is used.
 */
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** Throws HOOK_INPUT_INVALID. */
export const readPayload = (bytes: Uint8Array): Payload => {
  if (bytes.byteLength > limits.hookPayloadBytesMax) {
    throw invalid(`it is larger than ${limits.hookPayloadBytesMax} bytes`);
  }
  const text = decode(bytes);
  if (text.trim() === "") throw invalid("it is empty");
  checkShape(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid("it is not JSON", cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("it is not an object");
  }
  return value as Payload;
};

const invalid = (why: string, cause?: unknown): HeadgateError =>
  new HeadgateError("HOOK_INPUT_INVALID", `The hook's input cannot be used: ${why}.`, {
    ...(cause !== undefined && { cause }),
  });

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid("it is not UTF-8", cause);
  }
};

/**
 * Walks over the text once, before anything is built from it: depth and keys. What is no JSON at all may
 * pass here; the parser finds it afterwards.
 */
const checkShape = (text: string): void => {
  const keys: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      const end = endOfString(text, at);
      if (keys.at(-1) && isFollowedByColon(text, end)) {
        noteKey(keys.at(-1), text.slice(at, end));
      }
      at = end - 1;
    } else if (char === openBrace || char === openBracket) {
      keys.push(char === openBrace ? new Set() : undefined);
      if (keys.length > limits.hookNestingMax) throw invalid("it is nested too deeply");
    } else if (char === closeBrace || char === closeBracket) keys.pop();
  }
};

const noteKey = (known: Set<string> | undefined, raw: string): void => {
  const key = raw.includes("\\") ? parsedKey(raw) : raw.slice(1, -1);
  if (key === "__proto__") throw invalid("it has a key __proto__");
  if (known?.has(key)) throw invalid("it has the same key twice in one object");
  known?.add(key);
};

const parsedKey = (raw: string): string => {
  try {
    return String(JSON.parse(raw));
  } catch (cause) {
    throw invalid("it is not JSON", cause);
  }
};

/** Behind its closing quote. */
const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  throw invalid("it is not JSON");
};

const isFollowedByColon = (text: string, from: number): boolean => {
  let at = from;
  while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === ":";
};

const [quote, backslash] = [34, 92];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];
