/**
 * Where something stands in a program's output: `usage.input_tokens`, `choices[0].text`, `items[-1]`,
 * `[type=result].text` (only where `type` is `result`; in a list the items for which it is so), `[*]`.
 */
import type { Json } from "../../base/json.ts";

type Step =
  | { readonly name: string }
  | { readonly index: number }
  | { readonly all: true }
  | { readonly key: string; readonly value: string };

export type JsonPath = readonly Step[];

/** Undefined when it cannot be read. */
export const parseJsonPath = (text: string): JsonPath | undefined => {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== "") {
    const [whole, name, index, all, key, value] = stepShape.exec(rest) ?? [];
    if (whole === undefined || whole === "") return undefined;
    if (name !== undefined) steps.push({ name });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else if (all !== undefined) steps.push({ all: true });
    else if (key !== undefined) steps.push({ key, value: value ?? "" });
    rest = rest.slice(whole.length);
  }
  return steps.length > 0 ? steps : undefined;
};

const stepShape = /^(?:\.?([^.[\]=]+)|\[(-?\d+)\]|\[(\*)\]|\.?\[([^\]=]+)=([^\]]*)\])/;

/** Everything the path leads to. */
export const valuesAt = (value: Json, path: JsonPath): Json[] => {
  let found: Json[] = [value];
  for (const step of path) found = found.flatMap((one) => follow(one, step));
  return found;
};

const follow = (value: Json, step: Step): readonly Json[] => {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if ("all" in step) return list;
    if ("index" in step) return present(list.at(step.index));
    if ("key" in step) return list.flatMap((one) => (Array.isArray(one) ? [] : follow(one, step)));
    return [];
  }
  if (typeof value !== "object" || value === null) return [];
  const object = value as Readonly<Record<string, Json>>;
  if ("all" in step) return Object.values(object);
  if ("key" in step) {
    const own = Object.hasOwn(object, step.key) ? object[step.key] : undefined;
    return typeof own !== "object" && String(own) === step.value ? [object] : [];
  }
  return "name" in step && Object.hasOwn(object, step.name) ? present(object[step.name]) : [];
};

const present = (value: Json | undefined): readonly Json[] => (value === undefined ? [] : [value]);
