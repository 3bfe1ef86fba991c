import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemEnvironment } from "../../src/base/environment.ts";
import { systemFiles } from "../../src/base/files.ts";
import { limits } from "../../src/base/limits.ts";
import { readJsoncFile } from "../../src/config/jsonc-file.ts";
import { loadConfig, settings, userConfigFile } from "../../src/config/index.ts";
import { configPlace } from "../helpers/config-place.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const defaults = {
  store: "",
  storeWaitMs: 10_000,
  events: { keepDays: null },
  server: { port: 0, watch: true },
  claims: { idle: 300, edits: "lines", across: "warn" },
  commit: { agents: "own", openEnds: [] },
  gate: { protect: [], policies: [] },
  runners: {},
  review: {
    runner: "none",
    runners: {},
    linters: ["ruff"],
    linterRepositories: [],
    contextTokens: 6_000,
    concurrency: 4,
    budgetUsd: null,
    timeoutMs: 600_000,
  },
  profile: { domains: null, add: [], remove: [], primary: null, ignore: [] },
  routing: {
    path: ".headgate/routing-overrides.json",
    guarded: [],
    autoRevert: false,
    eValue: 20,
    sessions: 3,
    changes: 2,
    changesPerDay: 5,
    lockWaitMs: 30_000,
    harmless: 0.02,
    harmful: 0.15,
    alpha: 0.05,
    beta: 0.1,
    shadowsMax: 60,
    canaryDays: 14,
  },
  state: { files: [] },
};

const userFileAt = (platform: NodeJS.Platform, variables: Record<string, string>) =>
  userConfigFile({ ...systemEnvironment(), platform, home: "/home/ada", variables });

const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

const codeOf = async (user: string) =>
  configPlace({ user })
    .load()
    .then(
      () => "accepted",
      (error) => error.code,
    );

describe("where a setting comes from", () => {
  it("without any source every key has its default", async () => {
    const { config, origins } = await configPlace().load();
    expect(config).toEqual(defaults);
    expect(Object.keys(origins)).toEqual(settings.map(({ key }) => key));
    expect(new Set(Object.values(origins).map(({ from }) => from))).toEqual(new Set(["default"]));
  });

  it("a flag beats the environment, that the repository, that the user, that the default", async () => {
    const user = `{
      // comments and trailing commas are fine
      "store": "/srv/store.db",
      "server": { "port": 1, },
      "state": { "files": [{ "path": "user.json", "kind": "json" }] },
    }`;
    const repository = `{ "state": { "files": [{ "path": "a.md", "kind": "markdown", "required": ["plan"] }] } }`;
    const { load, userFile, configFile } = configPlace({ user, repository });
    const { config, origins } = await load({ HEADGATE_PORT: "2", HEADGATE_EVENTS_KEEP_DAYS: "30" });
    expect(config).toEqual({
      ...defaults,
      store: "/srv/store.db",
      events: { keepDays: 30 },
      server: { port: 2, watch: true },
      state: { files: [{ path: "a.md", kind: "markdown", required: ["plan"] }] },
    });
    expect(origins).toEqual({
      store: { from: "user-file", place: `${userFile}:3:7` },
      storeWaitMs: { from: "default" },
      "events.keepDays": { from: "environment", place: "HEADGATE_EVENTS_KEEP_DAYS" },
      "server.port": { from: "environment", place: "HEADGATE_PORT" },
      "server.watch": { from: "default" },
      "claims.idle": { from: "default" },
      "claims.edits": { from: "default" },
      "claims.across": { from: "default" },
      "commit.agents": { from: "default" },
      "commit.openEnds": { from: "default" },
      "gate.protect": { from: "default" },
      "gate.policies": { from: "default" },
      ...Object.fromEntries(
        Object.keys(defaults.routing).map((key) => [`routing.${key}`, { from: "default" }]),
      ),
      runners: { from: "default" },
      "review.runner": { from: "default" },
      "review.runners": { from: "default" },
      "review.linters": { from: "default" },
      "review.linterRepositories": { from: "default" },
      "review.contextTokens": { from: "default" },
      "review.concurrency": { from: "default" },
      "review.budgetUsd": { from: "default" },
      "review.timeoutMs": { from: "default" },
      ...Object.fromEntries(
        ["domains", "add", "remove", "primary", "ignore"].map((key) => [
          `profile.${key}`,
          { from: "default" },
        ]),
      ),
      "state.files": { from: "repository-file", place: `${configFile}:1:14` },
    });
    const flagged = await load({ HEADGATE_PORT: "2" }, { "server.port": 3, store: undefined });
    expect(flagged.config.server.port).toBe(3);
    expect(flagged.config.store).toBe("/srv/store.db");
    expect(flagged.origins["server.port"]).toEqual({ from: "flag", place: "command line" });
  });

  it("null and an empty variable mean what they say", async () => {
    const { load } = configPlace({ user: `{ "events": { "keepDays": 7 }, "store": "/x" }` });
    const { config } = await load({ HEADGATE_EVENTS_KEEP_DAYS: "null", HEADGATE_STORE: "" });
    expect(config.events.keepDays).toBeNull();
    expect(config.store).toBe("/x");
  });

  it("the result cannot be changed", async () => {
    const { load } = configPlace({
      repository: `{"state":{"files":[{"path":"a","kind":"text"}]}}`,
    });
    const { config } = await load();
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.events)).toBe(true);
    expect(Object.isFrozen(config.state.files[0])).toBe(true);
  });

  it("the user file lies where the platform wants it, never at a relative place", () => {
    expect(userFileAt("linux", {})).toBe("/home/ada/.config/headgate/config.jsonc");
    expect(userFileAt("darwin", { XDG_CONFIG_HOME: "/xdg" })).toBe("/xdg/headgate/config.jsonc");
    expect(userFileAt("linux", { XDG_CONFIG_HOME: "xdg" })).toBe(
      "/home/ada/.config/headgate/config.jsonc",
    );
    expect(userFileAt("win32", { APPDATA: "C:\\Users\\ada\\AppData\\Roaming" })).toBe(
      "C:\\Users\\ada\\AppData\\Roaming\\headgate\\config.jsonc",
    );
  });

  it("without a repository the user's settings count", async () => {
    const { home } = configPlace({ user: `{ "server": { "port": 5 } }` });
    const environment = { ...systemEnvironment(), home, variables: {}, platform: "linux" as const };
    expect((await loadConfig({ environment })).config.server.port).toBe(5);
  });

  it("an empty file and one with comments only set nothing", async () => {
    for (const user of ["", "// nothing yet\n", "\ufeff{}", `{ "$schema": "./config.json" }`]) {
      expect((await configPlace({ user }).load()).config, user).toMatchObject({ store: "" });
    }
    const { userFile } = configPlace({ user: "// nothing yet\n" });
    const empty = await readJsoncFile(userFile, { files: systemFiles, noFollow: false });
    expect(empty?.placeOf(["store"])).toBe(`${userFile}:1:1`);
  });
});

describe("a configuration that may be broken", () => {
  it("a broken file of the repository is named and the other sources count; one of the user is refused", async () => {
    const { load } = configPlace({
      user: `{ "server": { "port": 5 } }`,
      repository: `{ "servr": {} }`,
    });
    await expect(load()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    const borne = await load({ HEADGATE_EVENTS_KEEP_DAYS: "3" }, {}, true);
    expect(borne.problem).toMatchObject({ code: "CONFIG_INVALID" });
    expect(borne.config).toMatchObject({ server: { port: 5 }, events: { keepDays: 3 } });

    const own = configPlace({ user: `{ "servr": {} }`, repository: "{}" });
    await expect(own.load({}, {}, true)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });
});

describe("what is wrong with a file", () => {
  it("every unknown key and wrong type is listed with its place and what was meant", async () => {
    const user = `{
  "stor": "/x",
  "server": { "port": "80", "prot": 1 },
  "keepDays": 3,
  "storeWaitMs": 1.5,
  "state": { "files": [{ "path": "/etc/passwd", "kind": "xml", "requird": [] }, { "kind": "json" }] }
}`;
    const { load, userFile } = configPlace({ user });
    const error = await load().catch((caught) => caught);
    expect(error).toMatchObject({ code: "CONFIG_INVALID" });
    expect(error.message).toMatch(/\(and 8 more problems\)$/);
    const lines = error.data.problems.map(
      (one: { place: string; message: string }) =>
        `${one.place.replace(userFile, "")} ${one.message}`,
    );
    expect(new Set(lines)).toEqual(
      new Set([
        ":2:3 unknown key stor, did you mean store?",
        ":3:15 server.port must be a whole number from 0 to 65535",
        ":3:29 unknown key server.prot, did you mean server.port?",
        ":4:3 unknown key keepDays, did you mean events.keepDays?",
        ":5:3 storeWaitMs must be a whole number from 0 to 600000",
        ":6:26 state.files[0].path must be a path relative to the repository, without ..",
        `:6:49 state.files[0].kind must be ("json" | "yaml" | "markdown" | "text"), not "xml"`,
        ":6:64 unknown key state.files[0].requird, did you mean required?",
        ":6:81 state.files[1].path is missing",
      ]),
    );
  });

  it("the message is one line that begins with the place", async () => {
    const { load, userFile } = configPlace({ user: `{\n  "servr": {}\n}` });
    await expect(load()).rejects.toThrow(
      new RegExp(
        `^${userFile.replaceAll(".", "\\.")}:2:3: unknown key servr, did you mean server\\?$`,
      ),
    );
  });

  it("a variable or flag of the wrong type is named", async () => {
    const { load } = configPlace();
    for (const value of ["99999", "-1", "1.5", "http", "0x50", " 80"]) {
      await expect(load({ HEADGATE_PORT: value })).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: "HEADGATE_PORT: server.port must be a whole number from 0 to 65535",
      });
    }
    const flag = load({}, { "server.port": -1 });
    await expect(flag).rejects.toThrow(/^command line: server\.port must be/);
    await expect(load({}, { prot: 1 })).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("broken JSON is told with line and column", async () => {
    const broken = {
      '{\n  "store": \n}': ":3:1",
      '{ "store": "x" "y" }': ":1:16",
      "{ store: 1 }": ":1:3",
      '{ "store": "x"': ":1:15",
      "{} {}": ":1:4",
      "{ /* open": ":1:3",
    };
    for (const [user, place] of Object.entries(broken)) {
      const { load, userFile } = configPlace({ user });
      await expect(load(), user).rejects.toMatchObject({
        code: "CONFIG_UNREADABLE",
        data: { place: `${userFile}${place}` },
      });
    }
  });

  it("a doubled key, __proto__ and a list instead of an object are refused", async () => {
    expect(await codeOf(`{ "store": "a", "store": "b" }`)).toBe("CONFIG_UNREADABLE");
    expect(await codeOf(`{ "store": "a", "st\\u006fre": "b" }`)).toBe("CONFIG_UNREADABLE");
    expect(await codeOf(`{ "__proto__": { "store": "b" } }`)).toBe("CONFIG_UNREADABLE");
    expect(await codeOf(`{ "server": { "__proto__": { "port": 1 } } }`)).toBe("CONFIG_UNREADABLE");
    expect(await codeOf(`{ "constructor": {} }`)).toBe("CONFIG_INVALID");
    for (const user of ["null", "1", '"x"', '{"state": {"files": {}}}'])
      expect(await codeOf(user)).toBe("CONFIG_INVALID");
    for (const [user, name] of [
      ["[]", "the configuration"],
      ['{"server": []}', "server"],
    ] as const) {
      await expect(configPlace({ user }).load()).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(`: ${name} must be an object: { … }`),
      });
    }
    expect(({} as Record<string, unknown>)["port"]).toBeUndefined();
  });

  it("a file that is too large, too deep, not text or not a file is refused", async () => {
    const { home, load, userFile } = configPlace({ user: "" });
    const refused = () => expect(load()).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
    writeFileSync(userFile, `{}${" ".repeat(limits.configFileBytesMax)}`);
    await refused();
    writeFileSync(userFile, "[".repeat(500_000));
    await refused();
    writeFileSync(userFile, nested(limits.configDepthMax + 1));
    await refused();
    // As deep as is allowed: only its key is wrong.
    writeFileSync(userFile, nested(limits.configDepthMax));
    await expect(load()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    writeFileSync(userFile, Buffer.from([0x7b, 0xff, 0x7d]));
    await refused();
    const other = join(home, "elsewhere");
    mkdirSync(join(other, "headgate/config.jsonc"), { recursive: true });
    await expect(load({ XDG_CONFIG_HOME: other })).rejects.toThrow(/not a plain file/);
  });

  it("a password in the store address is never repeated", async () => {
    const { load } = configPlace();
    const error = await load({ HEADGATE_STORE: "postgres://u:s3cret@h/\u0007" }).catch(
      (one) => one,
    );
    expect(error).toMatchObject({ code: "CONFIG_INVALID" });
    expect(JSON.stringify(error)).not.toContain("s3cret");
    expect(settings.find(({ key }) => key === "store")?.secret).toBe(true);
  });
});

describe("links and pipes in the way", () => {
  it("a repository file that leads outside is refused, inside it is read", async () => {
    const { root, configFile, load } = configPlace();
    mkdirSync(join(root, ".headgate"));
    put(join(root, "real.jsonc"), `{ "state": { "files": [{ "path": "a", "kind": "text" }] } }`);
    symlinkSync("../real.jsonc", configFile);
    expect((await load()).config.state.files).toHaveLength(1);

    const escaping = configPlace();
    const outside = temporaryFolder();
    put(join(outside, "config.jsonc"), "{}");
    symlinkSync(outside, join(escaping.root, ".headgate"));
    await expect(escaping.load()).rejects.toMatchObject({
      code: "CONFIG_UNREADABLE",
      message: expect.stringContaining("leads outside"),
    });
  });

  it("the user's own file may be a link", async () => {
    const { home, userFile, load } = configPlace();
    put(join(home, "dotfiles/headgate.jsonc"), `{ "server": { "port": 9 } }`);
    mkdirSync(join(userFile, ".."), { recursive: true });
    symlinkSync(join(home, "dotfiles/headgate.jsonc"), userFile);
    expect((await load()).config.server.port).toBe(9);
  });
});

describeWith(
  { platforms: ["linux", "darwin"], programs: ["mkfifo"] },
  "a pipe as configuration",
  () => {
    it("is refused at once instead of waiting for a writer", async () => {
      const { root, configFile, load } = configPlace();
      mkdirSync(join(root, ".headgate"));
      execFileSync("mkfifo", [configFile]);
      await expect(load()).rejects.toThrow(/not a plain file/);
    });
  },
);
