import { expect, it } from "vitest";
import { settings } from "../../src/config/index.ts";
import { configPlace } from "../helpers/config-place.ts";

it("B03 a repository cannot have evidence forgotten, waits stretched or the server moved", async () => {
  for (const repository of [
    `{ "events": { "keepDays": 1 } }`,
    `{ "storeWaitMs": 600000 }`,
    `{ "server": { "port": 8080 } }`,
  ]) {
    await expect(configPlace({ repository }).load()).rejects.toMatchObject({
      code: "CONFIG_NOT_TRUSTED",
    });
  }
});

it("B03 what a repository may set is a closed list", () => {
  const open = settings.filter(({ tier }) => tier === "repository").map(({ key }) => key);
  // A new name here needs a reason why a stranger's repository may decide it.
  // `gate.protect` only makes the gate stricter.
  expect(open).toEqual(["gate.protect", "state.files"]);
});

it("B03 no key switches the tiers off", async () => {
  for (const repository of [`{ "trust": true }`, `{ "tier": "user" }`, `{ "$trusted": 1 }`]) {
    await expect(configPlace({ repository }).load()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  }
});
