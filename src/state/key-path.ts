import { HeadgateError } from "../errors.ts";
import { showText } from "../base/text.ts";

/**
 * A place inside JSON or YAML as the user types it: `a.b.0`, or a JSON pointer (`/a.b/0`) when a key
 * has a dot in it.
 */
export const parseKeyPath = (text: string): readonly string[] => {
  const parts = text.startsWith("/")
    ? text
        .slice(1)
        .split("/")
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    : text.split(".");
  if (parts.some((part) => part === "" || part === "__proto__")) {
    throw new HeadgateError("USAGE", `not a key: ${showText(JSON.stringify(text))}`);
  }
  return parts;
};

/** The index a key stands for inside a list. */
export const listIndex = (part: string): number | undefined =>
  /^(0|[1-9]\d{0,8})$/.test(part) ? Number(part) : undefined;
