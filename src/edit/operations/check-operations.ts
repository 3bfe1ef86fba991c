/** Operations come as JSON from agents and scripts: what is missing or misspelt is said before anything is read. */
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Operation } from "../types.ts";

type Kind = "text" | "number" | "boolean";
type Fields = Readonly<Record<string, Kind>>;

const file = { file: "text" } as const;
const beside = { before: "text", after: "text" } as const;
const symbol = { ...file, symbol: "text" } as const;
const code = { ...file, code: "text" } as const;

/** What each operation needs, and what it may have besides. */
const forms: Readonly<Record<Operation["do"], readonly [needs: Fields, may: Fields]>> = {
  add: [code, { into: "text", ...beside }],
  modify: [{ ...symbol, code: "text" }, {}],
  remove: [symbol, {}],
  rename: [
    { ...symbol, to: "text" },
    { fileOnly: "boolean", force: "boolean" },
  ],
  move: [symbol, { toFile: "text", into: "text", ...beside }],
  "add-import": [code, {}],
  "remove-import": [{ ...file, from: "text" }, { name: "text" }],
  insert: [code, beside],
  replace: [
    { ...file, old: "text", new: "text" },
    { nth: "number", all: "boolean" },
  ],
  write: [{ ...file, content: "text" }, { seen: "text" }],
  create: [{ ...file, content: "text" }, { executable: "boolean" }],
  delete: [file, {}],
  "move-file": [{ ...file, to: "text" }, {}],
  patch: [{ patch: "text" }, {}],
};

/** Throws USAGE, naming the operation by its place in the list. */
export const checkOperations = (operations: readonly unknown[]): void => {
  for (const [index, operation] of operations.entries()) {
    const problem = problemOf(operation);
    if (problem === undefined) continue;
    throw new HeadgateError("USAGE", `operation ${index + 1} ${problem}`);
  }
};

const problemOf = (operation: unknown): string | undefined => {
  if (typeof operation !== "object" || operation === null) return "is not an object";
  const given = operation as Readonly<Record<string, unknown>>;
  const name = given["do"];
  if (typeof name !== "string" || !Object.hasOwn(forms, name)) {
    const shown = typeof name === "string" ? ` "${showText(name, 40)}"` : "";
    return `has an unknown "do"${shown}; one of: ${Object.keys(forms).join(", ")}`;
  }
  const [needs, may] = forms[name as Operation["do"]];
  for (const [field, kind] of Object.entries(needs)) {
    if (given[field] === undefined) return `(${name}) needs "${field}"`;
    if (!isA(kind, given[field])) return `(${name}): "${field}" is not a ${kind}`;
  }
  for (const [field, value] of Object.entries(given)) {
    if (field === "do" || Object.hasOwn(needs, field) || value === undefined) continue;
    if (!Object.hasOwn(may, field)) return `(${name}) has no field "${showText(field, 40)}"`;
    if (!isA(may[field], value)) return `(${name}): "${field}" is not a ${may[field]}`;
  }
  return undefined;
};

const isA = (kind: Kind | undefined, value: unknown): boolean =>
  kind === "text" ? typeof value === "string" : typeof value === kind;
