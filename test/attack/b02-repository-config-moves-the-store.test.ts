import { expect, it } from "vitest";
import { configPlace } from "../helpers/config-place.ts";

it("B02 a repository cannot redirect the store, in no spelling of the key", async () => {
  for (const repository of [
    `{ "store": "postgres://evil.example/x" }`,
    `{ "st\\u006fre": "postgres://evil.example/x" }`,
    `{ "unknown": 1, "store": "postgres://evil.example/x" }`,
    `{ /* "x" */ "store": "", }`,
  ]) {
    await expect(configPlace({ repository }).load()).rejects.toMatchObject({
      code: "CONFIG_NOT_TRUSTED",
    });
  }
  for (const repository of [
    `{ "Store": "postgres://evil.example/x" }`,
    `{ "store ": "postgres://evil.example/x" }`,
    `{ "__proto__": { "store": "postgres://evil.example/x" } }`,
    `{ "constructor": { "prototype": { "store": "x" } } }`,
  ]) {
    await expect(configPlace({ repository }).load()).rejects.toMatchObject({
      code: expect.stringMatching(/^CONFIG_(INVALID|UNREADABLE)$/),
    });
  }
});

it("B02 a path in a repository file is not expanded", async () => {
  const files = ["$HOME/x", "%APPDATA%x", "${HEADGATE_STORE}"];
  const repository = JSON.stringify({
    state: { files: files.map((path) => ({ path, kind: "text" })) },
  });
  const { config } = await configPlace({ repository }).load({ HEADGATE_STORE: "secret" });
  expect(config.state.files.map(({ path }) => path)).toEqual(files);
});

it("B02 a state file outside the repository cannot be named", async () => {
  for (const path of [
    "../x",
    "/etc/passwd",
    "a/../../x",
    "~/x",
    "C:\\x",
    "C:x",
    "\\x",
    "a\\..\\..\\x",
    "file:///x",
    "a\nb",
    "nul",
  ]) {
    const repository = JSON.stringify({ state: { files: [{ path, kind: "text" }] } });
    await expect(configPlace({ repository }).load(), path).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  }
});
