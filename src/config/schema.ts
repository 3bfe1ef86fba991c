import * as v from "valibot";
import { limits } from "../base/limits.ts";
import { characterProblem } from "../base/path-spelling.ts";
import { runnersSchema } from "./runners-schema.ts";
import { domain, domains, facts, isPlainRelative, ruleLevels } from "./parts-schema.ts";
import { reviewPanel } from "./review-schema.ts";
import { settingFacts } from "./settings.ts";

/** Every key has a default: an empty file, or none, is a complete configuration. */
export const configSchema = v.strictObject({
  $schema: v.optional(v.pipe(v.string(), v.description("For editors; Headgate does not read it."))),
  store: v.optional(
    v.pipe(
      v.string(),
      v.check((address) => characterProblem(address) === undefined, "holds control characters"),
      v.description(settingFacts.store.description),
      facts(settingFacts.store),
    ),
    settingFacts.store.default,
  ),
  storeWaitMs: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(limits.storeWaitMsMax),
      v.description(settingFacts.storeWaitMs.description),
      facts(settingFacts.storeWaitMs),
    ),
    settingFacts.storeWaitMs.default,
  ),
  events: v.optional(
    v.strictObject({
      keepDays: v.optional(
        v.pipe(
          v.nullable(
            v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.eventsKeepDaysMax)),
          ),
          v.description(settingFacts["events.keepDays"].description),
          facts(settingFacts["events.keepDays"]),
        ),
        settingFacts["events.keepDays"].default,
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
          v.description(settingFacts["server.port"].description),
          facts(settingFacts["server.port"]),
        ),
        settingFacts["server.port"].default,
      ),
      watch: v.optional(
        v.pipe(
          v.boolean(),
          v.description(settingFacts["server.watch"].description),
          facts(settingFacts["server.watch"]),
        ),
        settingFacts["server.watch"].default,
      ),
    }),
    {},
  ),
  claims: v.optional(
    v.strictObject({
      idle: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.maxValue(86_400),
          v.description(settingFacts["claims.idle"].description),
          facts(settingFacts["claims.idle"]),
        ),
        settingFacts["claims.idle"].default,
      ),
      edits: v.optional(
        v.pipe(
          byPath(["lines", "symbols", "files"]),
          v.description(settingFacts["claims.edits"].description),
          facts(settingFacts["claims.edits"]),
        ),
        settingFacts["claims.edits"].default,
      ),
      across: v.optional(
        v.pipe(
          byPath(["warn", "exclude"]),
          v.description(settingFacts["claims.across"].description),
          facts(settingFacts["claims.across"]),
        ),
        settingFacts["claims.across"].default,
      ),
    }),
    {},
  ),
  commit: v.optional(
    v.strictObject({
      agents: v.optional(
        v.pipe(
          v.picklist(["own", "refuse"]),
          v.description(settingFacts["commit.agents"].description),
          facts(settingFacts["commit.agents"]),
        ),
        settingFacts["commit.agents"].default,
      ),
      openEnds: v.optional(
        v.pipe(
          v.union([
            v.picklist(["refuse", "note"]),
            v.pipe(
              v.array(
                v.strictObject({ branches: patterns(), rule: v.picklist(["refuse", "note"]) }),
              ),
              v.maxLength(limits.policiesMax),
            ),
          ]),
          v.description(settingFacts["commit.openEnds"].description),
          facts(settingFacts["commit.openEnds"]),
        ),
        [...settingFacts["commit.openEnds"].default],
      ),
    }),
    {},
  ),
  gate: v.optional(
    v.strictObject({
      protect: v.optional(
        v.pipe(
          patterns(),
          v.description(settingFacts["gate.protect"].description),
          facts(settingFacts["gate.protect"]),
        ),
        [...settingFacts["gate.protect"].default],
      ),
      policies: v.optional(
        v.pipe(
          v.array(v.strictObject({ paths: patterns(), rules: v.strictObject(ruleLevels()) })),
          v.maxLength(limits.policiesMax),
          v.description(settingFacts["gate.policies"].description),
          facts(settingFacts["gate.policies"]),
        ),
        [...settingFacts["gate.policies"].default],
      ),
    }),
    {},
  ),
  routing: v.optional(
    v.strictObject({
      path: v.optional(
        v.pipe(
          v.string(),
          v.check(isPlainRelative, "must be a path relative to the repository, without .."),
          v.description(settingFacts["routing.path"].description),
          facts(settingFacts["routing.path"]),
        ),
        settingFacts["routing.path"].default,
      ),
      guarded: v.optional(
        v.pipe(
          patterns(),
          v.description(settingFacts["routing.guarded"].description),
          facts(settingFacts["routing.guarded"]),
        ),
        [...settingFacts["routing.guarded"].default],
      ),
      autoRevert: v.optional(
        v.pipe(
          v.boolean(),
          v.description(settingFacts["routing.autoRevert"].description),
          facts(settingFacts["routing.autoRevert"]),
        ),
        settingFacts["routing.autoRevert"].default,
      ),
      eValue: v.optional(
        v.pipe(
          v.number(),
          v.minValue(2),
          v.maxValue(1_000_000),
          v.description(settingFacts["routing.eValue"].description),
          facts(settingFacts["routing.eValue"]),
        ),
        settingFacts["routing.eValue"].default,
      ),
      sessions: count("routing.sessions", 1_000),
      changes: count("routing.changes", 1_000),
      changesPerDay: count("routing.changesPerDay", 10_000),
      lockWaitMs: count("routing.lockWaitMs", limits.storeWaitMsMax),
      harmless: share("routing.harmless"),
      harmful: share("routing.harmful"),
      alpha: share("routing.alpha"),
      beta: share("routing.beta"),
      shadowsMax: count("routing.shadowsMax", 1_000),
      canaryDays: count("routing.canaryDays", 365),
    }),
    {},
  ),
  runners: v.optional(
    v.pipe(
      runnersSchema,
      v.description(settingFacts.runners.description),
      facts(settingFacts.runners),
    ),
    settingFacts.runners.default,
  ),
  review: v.optional(
    v.strictObject({
      runner: v.optional(
        v.pipe(
          v.string(),
          v.nonEmpty(),
          v.description(settingFacts["review.runner"].description),
          facts(settingFacts["review.runner"]),
        ),
        settingFacts["review.runner"].default,
      ),
      ...reviewPanel(),
      concurrency: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.maxValue(limits.dispatchConcurrencyMax),
          v.description(settingFacts["review.concurrency"].description),
          facts(settingFacts["review.concurrency"]),
        ),
        settingFacts["review.concurrency"].default,
      ),
      budgetUsd: v.optional(
        v.pipe(
          v.nullable(v.pipe(v.number(), v.minValue(0))),
          v.description(settingFacts["review.budgetUsd"].description),
          facts(settingFacts["review.budgetUsd"]),
        ),
        settingFacts["review.budgetUsd"].default,
      ),
      timeoutMs: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1_000),
          v.maxValue(limits.runnerTimeoutMsMax),
          v.description(settingFacts["review.timeoutMs"].description),
          facts(settingFacts["review.timeoutMs"]),
        ),
        settingFacts["review.timeoutMs"].default,
      ),
    }),
    {},
  ),
  profile: v.optional(
    v.strictObject({
      domains: v.optional(
        v.pipe(
          v.nullable(v.pipe(domains(), v.minLength(1))),
          v.description(settingFacts["profile.domains"].description),
          facts(settingFacts["profile.domains"]),
        ),
        settingFacts["profile.domains"].default,
      ),
      add: v.optional(
        v.pipe(
          domains(),
          v.description(settingFacts["profile.add"].description),
          facts(settingFacts["profile.add"]),
        ),
        [...settingFacts["profile.add"].default],
      ),
      remove: v.optional(
        v.pipe(
          domains(),
          v.description(settingFacts["profile.remove"].description),
          facts(settingFacts["profile.remove"]),
        ),
        [...settingFacts["profile.remove"].default],
      ),
      primary: v.optional(
        v.pipe(
          v.nullable(domain()),
          v.description(settingFacts["profile.primary"].description),
          facts(settingFacts["profile.primary"]),
        ),
        settingFacts["profile.primary"].default,
      ),
      ignore: v.optional(
        v.pipe(
          patterns(),
          v.description(settingFacts["profile.ignore"].description),
          facts(settingFacts["profile.ignore"]),
        ),
        [...settingFacts["profile.ignore"].default],
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
          v.description(settingFacts["state.files"].description),
          facts(settingFacts["state.files"]),
        ),
        [...settingFacts["state.files"].default],
      ),
    }),
    {},
  ),
});

/** Frozen once it is loaded. */
export type Config = DeepReadonly<v.InferOutput<typeof configSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

function patterns() {
  return v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.maxLength(limits.policyPatternsMax));
}

/** One word for all paths, or words for some of them. */
function byPath<const Words extends readonly string[]>(words: Words) {
  return v.union([
    v.picklist(words),
    v.pipe(
      v.array(v.strictObject({ paths: patterns(), rule: v.picklist(words) })),
      v.maxLength(limits.policiesMax),
    ),
  ]);
}

function count(
  key:
    | "routing.sessions"
    | "routing.changes"
    | "routing.changesPerDay"
    | "routing.lockWaitMs"
    | "routing.shadowsMax"
    | "routing.canaryDays",
  most: number,
) {
  return v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(most),
      v.description(settingFacts[key].description),
      facts(settingFacts[key]),
    ),
    settingFacts[key].default,
  );
}

/** A rate or a probability of error; 0 and 1 would decide before anything is seen. */
function share(key: `routing.${"harmless" | "harmful" | "alpha" | "beta"}`) {
  return v.optional(
    v.pipe(
      v.number(),
      v.gtValue(0),
      v.ltValue(1),
      v.description(settingFacts[key].description),
      facts(settingFacts[key]),
    ),
    settingFacts[key].default,
  );
}
