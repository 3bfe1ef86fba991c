import * as v from "valibot";
import { HeadgateError } from "../errors.ts";
import type { Json } from "../base/json.ts";
import { nearestName, plural, showText } from "../base/text.ts";
import { configSchema } from "./schema.ts";
import { settings } from "./settings.ts";

export interface ConfigProblem {
  readonly key: string;
  readonly place: string;
  readonly message: string;
}

type Keys = readonly (string | number)[];

/** All that is wrong with one source's values, one problem per key. */
export const findProblems = (
  value: Json,
  placeOf: (keys: Keys) => string,
): readonly ConfigProblem[] => {
  const problems = new Map<string, ConfigProblem>();
  const add = (keys: Keys, message: string) => {
    const key = keyText(keys);
    if (!problems.has(key)) problems.set(key, { key, place: placeOf(keys), message });
  };
  checkShape(configSchema, value, [], add);
  const { issues = [] } = v.safeParse(configSchema, value);
  for (const issue of issues) {
    const keys = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
    add(keys, describe(issue, keys));
  }
  return [...problems.values()];
};

export const problemsError = (
  code: "CONFIG_INVALID" | "CONFIG_NOT_TRUSTED",
  problems: readonly [ConfigProblem, ...ConfigProblem[]],
): HeadgateError => {
  const [{ place, message }, ...others] = problems;
  const more = others.length > 0 ? ` (and ${plural(others.length, "more problem")})` : "";
  return new HeadgateError(code, `${place}: ${message}${more}`, { data: { problems } });
};

type Schema = v.GenericSchema & {
  readonly wrapped?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
};

/** The library takes a list for an object, and names only the first unknown key of each. */
const checkShape = (
  schema: Schema,
  value: unknown,
  keys: Keys,
  add: (keys: Keys, message: string) => void,
): void => {
  const { entries, item } = schema.wrapped ?? schema;
  if (typeof value !== "object" || value === null) return;
  if (entries && Array.isArray(value)) {
    const name = keys.length === 0 ? "the configuration" : keyText(keys);
    add(keys, `${name} must be an object: { … }`);
  } else if (entries) {
    for (const [name, inner] of Object.entries(value)) {
      const path = [...keys, name];
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (entry) checkShape(entry, inner, path, add);
      else add(path, unknownKey(path));
    }
  } else if (item && Array.isArray(value)) {
    for (const [index, inner] of value.entries()) checkShape(item, inner, [...keys, index], add);
  }
};

/** `state.files[0].kind` */
const keyText = (keys: Keys): string =>
  keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${showText(key)}`))
    .join("")
    .replace(/^\./, "");

const describe = (issue: v.BaseIssue<unknown>, keys: Keys): string => {
  const key = keyText(keys);
  if (keys.length === 0) return "the configuration must be an object: { … }";
  if (issue.type === "strict_object" && issue.received === "undefined") return `${key} is missing`;
  // Written in the schema for this very case. The value stays out: it may be a secret.
  if (issue.type === "check") return `${key} ${issue.message}`;
  // Of an object that is one of several kinds, which the shape alone does not tell.
  if (issue.type === "strict_object" && issue.expected === "never") return unknownKey(keys);
  const setting = settings.find((one) => one.key === key);
  if (setting) return `${key} must be a ${setting.type}`;
  return `${key} must be ${issue.expected ?? "something else"}, not ${showText(issue.received)}`;
};

const unknownKey = (keys: Keys): string => {
  const key = keyText(keys);
  const depth = keys.length;
  const known = settings.map((one) => one.key.split(".").slice(0, depth).join("."));
  const inside = keys.some((part) => typeof part === "number") ? fileKeys : [];
  const last = String(keys.at(-1));
  // A name may be misspelled, or right but at the wrong level.
  const elsewhere = settings.find((one) => one.key.endsWith(`.${last}`))?.key;
  const near = elsewhere ?? nearestName(key, known) ?? nearestName(last, inside);
  return `unknown key ${key}${near === undefined ? "" : `, did you mean ${near}?`}`;
};

const fileKeys = ["path", "kind", "required"];
