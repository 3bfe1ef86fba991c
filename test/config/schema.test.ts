import { readFileSync } from "node:fs";
import { parse } from "valibot";
import { describe, expect, it } from "vitest";
import { configJsonSchema } from "../../scripts/generate-config-schema.ts";
import { configSchema, settings } from "../../src/config/index.ts";
import { configPlace } from "../helpers/config-place.ts";

interface JsonSchema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** Every key that holds a value, with its default. */
const leaves = (properties: Readonly<Record<string, JsonSchema>>, prefix = ""): unknown[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties
      ? leaves(schema.properties, `${prefix}${name}.`)
      : [[prefix + name, schema.default]],
  );

describe("the schema", () => {
  it("has these keys, in these tiers, under these variables", () => {
    expect(settings.map(({ key, tier, environment = "" }) => [key, tier, environment])).toEqual([
      ["store", "user", "HEADGATE_STORE"],
      ["storeWaitMs", "user", ""],
      ["events.keepDays", "user", "HEADGATE_EVENTS_KEEP_DAYS"],
      ["server.port", "user", "HEADGATE_PORT"],
      ["server.watch", "user", ""],
      ["claims.idle", "user", ""],
      ["claims.edits", "repository", ""],
      ["claims.across", "repository", ""],
      ["commit.agents", "user", ""],
      ["commit.openEnds", "user", ""],
      ["gate.protect", "repository", ""],
      ["gate.policies", "user", ""],
      ["routing.path", "repository", "HEADGATE_ROUTING_PATH"],
      ["routing.guarded", "repository", ""],
      ["routing.autoRevert", "user", ""],
      ["routing.eValue", "user", ""],
      ["routing.sessions", "user", ""],
      ["routing.changes", "user", ""],
      ["routing.changesPerDay", "user", ""],
      ["routing.lockWaitMs", "user", ""],
      ["routing.harmless", "user", ""],
      ["routing.harmful", "user", ""],
      ["routing.alpha", "user", ""],
      ["routing.beta", "user", ""],
      ["routing.shadowsMax", "user", ""],
      ["routing.canaryDays", "user", ""],
      ["runners", "user", ""],
      ["review.runner", "user", "HEADGATE_REVIEW_RUNNER"],
      ["review.runners", "user", ""],
      ["review.linters", "user", ""],
      ["review.linterRepositories", "user", ""],
      ["review.contextTokens", "user", ""],
      ["review.concurrency", "user", ""],
      ["review.budgetUsd", "user", ""],
      ["review.timeoutMs", "user", ""],
      ["profile.domains", "repository", ""],
      ["profile.add", "repository", ""],
      ["profile.remove", "repository", ""],
      ["profile.primary", "repository", ""],
      ["profile.ignore", "repository", ""],
      ["state.files", "repository", ""],
    ]);
  });

  it("has the keys and defaults of the settings, and no others", async () => {
    const { properties } = JSON.parse(configJsonSchema()) as Required<JsonSchema>;
    const forEditors = ["$schema", undefined];
    expect(leaves(properties)).toEqual([
      forEditors,
      ...settings.map((setting) => [setting.key, setting.default]),
    ]);
    expect((await configPlace().load()).config).toEqual(parse(configSchema, {}));
  });

  it("is published as it is: run `npm run generate` after changing it", () => {
    const published = readFileSync(new URL("../../schema/config.json", import.meta.url), "utf8");
    expect(published).toBe(configJsonSchema());
  });
});
