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
  const reasons = {
    "claims.edits":
      "every other value than the default makes edits wait more; lines are never lost",
    "claims.across": "every other value than the default refuses more",
    "gate.protect": "only makes the gate stricter",
    "profile.domains":
      "says what the project is; decides who reviews it, never what may be written",
    "profile.add": "as profile.domains",
    "profile.remove": "as profile.domains",
    "profile.primary": "as profile.domains",
    "profile.ignore": "as profile.domains",
    "routing.path": "a tracked file inside the repository, which its commits change anyway (R-07)",
    "routing.guarded": "only adds reviewers that need a confirmation",
    "state.files": "only says what is checked",
  };
  expect(open.toSorted()).toEqual(Object.keys(reasons).toSorted());
});

it("B03 no key switches the tiers off", async () => {
  for (const repository of [`{ "trust": true }`, `{ "tier": "user" }`, `{ "$trusted": 1 }`]) {
    await expect(configPlace({ repository }).load()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  }
});
