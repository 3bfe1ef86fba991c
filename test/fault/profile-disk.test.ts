import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mount, runProgram } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put } from "../helpers/temporary-folder.ts";
import {
  cachedService,
  cacheFile,
  cacheFiles,
  cacheFolder,
  check,
  detect,
  service,
} from "../profile/project.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const needs = { platforms: ["linux"], root: true, programs: ["mount"] } as const;
const other = service({ "discord.js": "14" });

describeWith(needs, "a disk that does not take the cache", () => {
  it("D-04 full: the profile is shown, the old cache stays whole, and it is told", async () => {
    const root = await cachedService();
    const before = readFileSync(cacheFile(root));
    mount(cacheFolder(root), "-t", "tmpfs", "-o", "size=16k", "none");
    writeFileSync(cacheFile(root), before);
    try {
      writeFileSync(join(cacheFolder(root), "filler"), "x".repeat(16_384));
    } catch {
      // As much as there was room for.
    }
    put(join(root, "package.json"), other);
    const profile = await detect(root);
    expect(profile).toMatchObject({ primary: "bot" });
    expect(profile.notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^not cached: .*(no space|full)/i),
    ]);
    expect(readFileSync(cacheFile(root))).toEqual(before);
    expect(cacheFiles(root)).toEqual(["filler", "profile.json"]);
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("D-04 read-only: shown and told, with a cache and without one", async () => {
    const root = await cachedService();
    const local = stateFolder(root);
    mount(local, "--bind", local);
    runProgram("mount", "-o", "remount,bind,ro", local);
    expect(await check(root)).toMatchObject({ state: "fresh" });
    expect((await detect(root)).notes).toEqual([]);
    put(join(root, "package.json"), other);
    const profile = await detect(root);
    expect(profile).toMatchObject({ primary: "bot" });
    expect(profile.notes).toEqual([
      { path: cacheFile(root), message: expect.stringMatching(/^not cached: /) },
    ]);
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("D-09 read-only and damaged: it stays where it is, and both are told", async () => {
    const root = await cachedService();
    writeFileSync(cacheFile(root), "{");
    const local = stateFolder(root);
    mount(local, "--bind", local);
    runProgram("mount", "-o", "remount,bind,ro", local);
    const profile = await detect(root);
    expect(profile).toMatchObject({ primary: "web-api" });
    expect(profile.notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/damaged .*could not be set aside/),
      expect.stringMatching(/^not cached: /),
    ]);
  });
});
