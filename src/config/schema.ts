import * as v from "valibot";
import { limits } from "../base/limits.ts";
import { characterProblem, spellingProblem } from "../base/path-spelling.ts";

/** What the schema alone does not say about a setting. */
export interface SettingFacts {
  /**
   * "user": a repository file naming it is refused. It is the tier of everything that runs commands,
   * changes addresses, widens what is reachable or weakens a gate.
   */
  readonly tier: "user" | "repository";
  /** In words, for messages and docs. */
  readonly type: string;
  readonly environment?: string;
  /** May carry a password: never shown as it is. */
  readonly secret?: boolean;
}

// Under one name, because the words of a JSON schema share the object when it is generated.
const facts = <Input>(setting: SettingFacts) =>
  v.metadata<Input, { setting: SettingFacts }>({ setting });

/** Every key has a default: an empty file, or none, is a complete configuration. */
export const configSchema = v.strictObject({
  $schema: v.optional(v.pipe(v.string(), v.description("For editors; Headgate does not read it."))),
  store: v.optional(
    v.pipe(
      v.string(),
      v.check((address) => characterProblem(address) === undefined, "holds control characters"),
      v.description(
        "Where claims and events are kept: a file path or postgres://user@host/database. " +
          "Empty means the repository's own .headgate/local/store.db.",
      ),
      facts({ tier: "user", type: "text", environment: "HEADGATE_STORE", secret: true }),
    ),
    "",
  ),
  storeWaitMs: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(limits.storeWaitMsMax),
      v.description(
        "How long a command waits for its turn to write to the store, in milliseconds.",
      ),
      facts({ tier: "user", type: `whole number from 0 to ${limits.storeWaitMsMax}` }),
    ),
    limits.storeWaitMs,
  ),
  events: v.optional(
    v.strictObject({
      keepDays: v.optional(
        v.pipe(
          v.nullable(
            v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.eventsKeepDaysMax)),
          ),
          v.description("How many days of events are kept; null keeps them for ever."),
          facts({
            tier: "user",
            type: `whole number from 1 to ${limits.eventsKeepDaysMax}, or null`,
            environment: "HEADGATE_EVENTS_KEEP_DAYS",
          }),
        ),
        null,
      ),
    }),
    {},
  ),
  server: v.optional(
    v.strictObject({
      port: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.maxValue(65_535),
          v.description("Port of the local server; 0 lets the system choose a free one."),
          facts({
            tier: "user",
            type: "whole number from 0 to 65535",
            environment: "HEADGATE_PORT",
          }),
        ),
        0,
      ),
    }),
    {},
  ),
  state: v.optional(
    v.strictObject({
      files: v.optional(
        v.pipe(
          v.array(
            v.strictObject({
              path: v.pipe(
                v.string(),
                v.check(isPlainRelative, "must be a path relative to the repository, without .."),
                v.description("Relative to the repository, with / between names."),
              ),
              kind: v.picklist(["json", "yaml", "markdown", "text"]),
              required: v.optional(
                v.pipe(
                  v.array(v.pipe(v.string(), v.nonEmpty())),
                  v.maxLength(limits.stateRequiredKeysMax),
                  v.description("Keys that must be there: at the top, or in the front matter."),
                ),
              ),
            }),
          ),
          v.maxLength(limits.stateFilesMax),
          v.description("Files that `headgate state check` looks at, and what each must be."),
          facts({ tier: "repository", type: "list of {path, kind, required}" }),
        ),
        [],
      ),
    }),
    {},
  ),
});

/** Frozen once it is loaded. */
export type Config = DeepReadonly<v.InferOutput<typeof configSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

// Judged by the rules of every platform, because the file is shared between them.
function isPlainRelative(path: string): boolean {
  return (
    spellingProblem(path, "linux") === undefined &&
    spellingProblem(path, "win32") === undefined &&
    !/^[\\/]/.test(path) &&
    !/^[a-z]:/i.test(path) &&
    !path.split(/[\\/]/).includes("..")
  );
}
