import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { configJsonSchema } from "../../scripts/generate-config-schema.ts";
import { settings } from "../../src/config/index.ts";

describe("the schema", () => {
  it("has these keys, in these tiers, under these variables", () => {
    expect(settings.map(({ key, tier, environment = "" }) => [key, tier, environment])).toEqual([
      ["store", "user", "HEADGATE_STORE"],
      ["storeWaitMs", "user", ""],
      ["events.keepDays", "user", "HEADGATE_EVENTS_KEEP_DAYS"],
      ["server.port", "user", "HEADGATE_PORT"],
      ["state.files", "repository", ""],
    ]);
  });

  it("is published as it is: run `npm run generate` after changing it", () => {
    const published = readFileSync(new URL("../../schema/config.json", import.meta.url), "utf8");
    expect(published).toBe(configJsonSchema());
  });
});
