import { expect, it } from "vitest";
import { settings } from "../../src/config/index.ts";
import { configPlace } from "../helpers/config-place.ts";

it("B01 a repository cannot set a key of the user's tier, and is told where it belongs", async () => {
  const userKeys = settings.filter(({ tier }) => tier === "user");
  expect(userKeys.length).toBeGreaterThan(0);
  for (const { key } of userKeys) {
    for (const value of [1, "x", null, {}, []]) {
      const nested = key
        .split(".")
        .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      const { load, configFile, userFile } = configPlace({ repository: JSON.stringify(nested) });
      await expect(load(), key).rejects.toMatchObject({
        code: "CONFIG_NOT_TRUSTED",
        message: expect.stringMatching(/^.*:1:\d+: a repository may not set .*; if you want it/),
        data: {
          problems: [
            {
              key,
              place: expect.stringContaining(`${configFile}:1:`),
              message: expect.stringContaining(userFile),
            },
          ],
        },
      });
    }
  }
});

it("B01 keys that would run commands do not exist for a repository", async () => {
  for (const repository of [
    `{ "hooks": { "preEdit": "touch x" } }`,
    `{ "state": { "files": [{ "path": "a", "kind": "text", "command": "id" }] } }`,
    `{ "env": { "NODE_OPTIONS": "--require x" } }`,
  ]) {
    await expect(configPlace({ repository }).load()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  }
  // Runners are programs: a person's own settings name them, never a repository's.
  const repository = `{ "runners": { "claude": ["sh", "-c", "id"] } }`;
  await expect(configPlace({ repository }).load()).rejects.toMatchObject({
    code: "CONFIG_NOT_TRUSTED",
  });
});
