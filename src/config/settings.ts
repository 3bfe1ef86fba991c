import * as v from "valibot";
import { assert } from "../base/assert.ts";
import type { Json } from "../base/json.ts";
import { configSchema, type SettingFacts } from "./schema.ts";

/** One key a user can set, for the `config` command, the docs and the loader. */
export interface Setting extends SettingFacts {
  /** With dots: `events.keepDays`. */
  readonly key: string;
  readonly default: Json;
  readonly description: string;
}

type Entries = Readonly<Record<string, v.GenericSchema>>;
type Schema = v.GenericSchema & {
  readonly wrapped?: v.GenericSchema;
  readonly entries?: Entries;
};

const collect = (entries: Entries, parents: readonly string[]): Setting[] =>
  Object.entries(entries).flatMap(([name, entry]: [string, Schema]) => {
    const inner: Schema = entry.wrapped ?? entry;
    const path = [...parents, name];
    const { setting } = v.getMetadata(inner) as { setting?: SettingFacts };
    if (!setting && inner.entries) return collect(inner.entries, path);
    // For editors only.
    if (name === "$schema") return [];
    const description = v.getDescription(inner);
    const key = path.join(".");
    assert(setting && description, `the setting ${key} says not what it is`);
    const value = v.getDefault(entry as v.OptionalSchema<v.GenericSchema, Json>);
    return [Object.freeze({ key, ...setting, default: value, description })];
  });

export const settings: readonly Setting[] = Object.freeze(collect(configSchema.entries, []));
