import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { buildSignalIndex, signalIndex, watchedPatterns } from "../../src/profile/signal-index.ts";
import { allSignals } from "../../src/profile/signals/index.ts";
import { domainSignalsSchema } from "../../src/profile/signals/schema.ts";
import { isWatched, watchedFolders } from "../../src/profile/watched.ts";

const names = allSignals.map(({ domain }) => domain);

describe("signals", () => {
  it.each(allSignals.map((one) => [one.domain, one] as const))(
    "%s follows the schema",
    (_, one) => {
      expect(v.safeParse(domainSignalsSchema, one).issues).toBeUndefined();
    },
  );

  it("there are at least 25 domains, each once", () => {
    expect(names.length).toBeGreaterThanOrEqual(25);
    expect(new Set(names).size).toBe(names.length);
  });

  it("domains that others speak of exist", () => {
    for (const { givesWay, combines, domain } of allSignals) {
      const to = givesWay && givesWay.to !== "all" ? givesWay.to : [];
      const mentioned = [...to, ...(givesWay?.except ?? []), ...(combines ?? [])];
      expect(
        mentioned.filter((name) => !names.includes(name)),
        domain,
      ).toEqual([]);
    }
  });

  it("the schema refuses a name twice, an unknown key and an endless expression", () => {
    const good = { domain: "x", about: "Something that is long enough.", nature: "field" };
    const isGood = (more: object) => v.safeParse(domainSignalsSchema, { ...good, ...more }).success;
    expect(isGood({})).toBe(true);
    expect(isGood({ directories: "a a" })).toBe(false);
    expect(isGood({ folders: "a" })).toBe(false);
    expect(isGood({ statements: ["(a+)+"] })).toBe(false);
    expect(isGood({ statements: ["("] })).toBe(false);
  });

  it("a signal of two domains counts half for each", () => {
    const one = { about: "Something that is long enough.", nature: "field" as const };
    const index = buildSignalIndex([
      { ...one, domain: "a", definingFiles: "shared.x own.x" },
      { ...one, domain: "b", definingFiles: "shared.x" },
    ]);
    const weight = (key: string) => index.byKey.get(key)?.map((weighed) => weighed.weight);
    expect(weight("defining-file:own.x")).toEqual([0.6]);
    expect(weight("defining-file:shared.x")).toEqual([0.3, 0.3]);
  });
});

describe("D-05 what is watched follows from the signals", () => {
  it("every file pattern, folder and manifest is in the list", () => {
    const watched = watchedPatterns();
    for (const name of ["package.json", "project.godot", "*.tf", "src-tauri/", "go.mod"]) {
      expect(watched).toContain(name);
    }
  });

  it.each([
    ["package.json", true],
    ["packages/a/b/Cargo.toml", true],
    ["deep/down/next.config.mjs", true],
    ["requirements-dev.txt", true],
    ["infra/net.tf", true],
    ["src-tauri/icons/x.png", false],
    [".gitattributes", true],
    ["src/util.ts", false],
    ["package.json.bak", false],
    ["tauri.conf.json5.md", false],
  ])("%s: %s", (path, expected) => {
    expect(isWatched(path, signalIndex())).toBe(expected);
  });

  it("folders that are signals are named for what lies in them", () => {
    expect(watchedFolders("a/src-tauri/icons/x.png")).toEqual(["a/src-tauri/icons", "a/src-tauri"]);
    expect(watchedFolders("src/util.ts")).toEqual([]);
  });

  it("a new signal is watched without another change", () => {
    const index = buildSignalIndex([
      {
        domain: "x",
        about: "Something that is long enough.",
        nature: "field",
        definingFiles: "x.conf",
      },
    ]);
    expect(isWatched("a/x.conf", index)).toBe(true);
    expect(isWatched("a/x.conf")).toBe(false);
  });
});
