import { HeadgateError } from "../errors.ts";
import { showText } from "../base/text.ts";

/**
 * A place inside JSON or YAML as the user types it: `a.b.0`, or a JSON pointer (`/a.b/0`) when a key
 * has a dot in it.
 */
export const parseKeyPath = (text: string): readonly string[] => {
  // `entries/-` can only mean the end of a list.
  const isPointer = text.startsWith("/") || /.\/-$/.test(text);
  const parts = isPointer
    ? text
        .replace(/^\//, "")
        .split("/")
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    : text.split(".");
  if (parts.some((part) => part === "" || part === "__proto__")) {
    throw new HeadgateError("USAGE", `not a key: ${showText(JSON.stringify(text))}`);
  }
  return parts;
};

/** For a key that does not exist. A way through the file makes no key with slashes in it. */
export const mayCreate = (change: {
  readonly key: string;
  readonly canCreate?: boolean;
}): boolean => {
  const { key: text, canCreate = false } = change;
  if (!canCreate || text.startsWith("/") || !text.includes("/")) return canCreate;
  const asKey = `/${text
    .split(".")
    .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
    .join("/")}`;
  throw new HeadgateError(
    "USAGE",
    `there is no key ${showText(text)}; to create it write ${showText(asKey)}, for a way through the file /${showText(text)}`,
  );
};

/** The place after the last entry of a list, as in JSON pointers. */
export const listEnd = "-";

/** The index a key stands for inside a list. */
export const listIndex = (part: string): number | undefined =>
  /^(0|[1-9]\d{0,8})$/.test(part) ? Number(part) : undefined;
