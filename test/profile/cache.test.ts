import { createHash } from "node:crypto";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildSignalIndex } from "../../src/profile/signal-index.ts";
import { allSignals } from "../../src/profile/signals/index.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  cachedService,
  cacheFile,
  cacheFiles,
  cacheFolder,
  check,
  detect,
  open,
  readCache,
  service,
} from "./project.ts";

/** As the program seals it. */
const writeCache = (root: string, value: unknown): string => {
  const checksum = `sha256:${createHash("sha256").update(JSON.stringify(value)).digest("hex")}`;
  const text = JSON.stringify({ checksum, value });
  put(cacheFile(root), text);
  return text;
};

describe("the cache", () => {
  it("D-03 carries format, signal set and digests by name, and times with a zone", async () => {
    const root = await cachedService();
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(readCache(root)).toMatchObject({
      format: 1,
      generation: 1,
      writtenAt: expect.stringMatching(/Z$/),
      rules: { looked: digest, weighed: digest },
      head: expect.stringMatching(/^[0-9a-f]{40}$/),
      tree: expect.stringMatching(/^[0-9a-f]{40}$/),
      dirtyDigest: digest,
      evidenceDigest: digest,
      profile: { primary: "web-api" },
    });
  });

  it("is used: the same answer as without it, and not written again", async () => {
    const root = await cachedService();
    const profile = await open(root);
    expect(await profile.detect()).toEqual(await profile.detect({ cache: false }));
    expect(readCache(root).generation).toBe(1);
    expect(profile.cached()).toEqual(await profile.detect());
  });

  it("is neither read nor written when that is asked for", async () => {
    const root = makeRepository(join(temporaryFolder(), "shop"));
    put(join(root, "package.json"), service());
    const profile = await open(root);
    expect(await profile.detect({ cache: false })).toMatchObject({ primary: "web-api" });
    expect(await profile.check()).toMatchObject({ state: "none", why: "nothing is cached yet" });
    expect(profile.cached()).toBeUndefined();
    const reading = await open(root, { readOnly: true });
    await reading.detect();
    expect(await reading.check()).toMatchObject({ state: "none" });
  });

  it("D-08 keeps that there is no domain", async () => {
    const root = makeRepository(join(temporaryFolder(), "empty"));
    expect(await detect(root)).toMatchObject({ domains: [], primary: null });
    expect(await check(root)).toMatchObject({ state: "fresh" });
    expect(readCache(root)).toMatchObject({ generation: 1, profile: { domains: [] } });
  });

  it("follows a stale profile with the next generation", async () => {
    const root = await cachedService();
    put(join(root, "package.json"), service({ "discord.js": "14" }));
    expect(await detect(root)).toMatchObject({ primary: "bot" });
    expect(readCache(root)).toMatchObject({ generation: 2, profile: { primary: "bot" } });
    expect(await check(root)).toMatchObject({ state: "fresh" });
  });
});

describe("D-03 other rules are stale once, with the reason", () => {
  const [first, ...others] = allSignals;

  it("other signals: looked for again, then fresh", async () => {
    const root = await cachedService();
    const more = { ...first!, frameworks: { ...first!.frameworks, npm: "quite-new" } };
    const index = buildSignalIndex([more, ...others]);
    const found = await check(root, { index });
    expect(found).toMatchObject({ state: "stale", why: expect.stringContaining("other signals") });
    await detect(root, { index });
    expect(await check(root, { index })).toMatchObject({ state: "fresh" });
    expect(readCache(root).generation).toBe(2);
  });

  it("other weights: what was found is weighed again, and fresh if the domains are the same", async () => {
    const root = await cachedService();
    const index = buildSignalIndex([{ ...first!, against: { ...first!.against } }, ...others]);
    const altered = { ...index, signals: [...index.signals].toReversed() };
    const before = readCache(root);
    expect(await check(root, { index: altered })).toMatchObject({ state: "fresh" });
    const after = readCache(root);
    expect(after.rules.looked).toBe(before.rules.looked);
    expect(after.rules.weighed).not.toBe(before.rules.weighed);
    expect(await check(root, { index: altered })).toMatchObject({ state: "fresh" });
    expect(readCache(root).generation).toBe(2);
  });

  it("other weights that change the domains: stale, and which", async () => {
    const root = await cachedService();
    const { byKey, ...rest } = buildSignalIndex(allSignals);
    const lighter = new Map(
      [...byKey].map(([key, list]) => [key, list.map((one) => ({ ...one, weight: 0.01 }))]),
    );
    const index = { ...rest, byKey: lighter, signals: [...rest.signals].toReversed() };
    const found = await check(root, { index });
    expect(found).toMatchObject({ state: "stale", why: expect.stringContaining("differently") });
    expect(found.removed).toEqual(expect.arrayContaining(["web-api detected", "web-api primary"]));
    await detect(root, { index });
    expect(await check(root, { index })).toMatchObject({ state: "fresh" });
  });

  it("another override: stale, then fresh; one that names the domains is always fresh", async () => {
    const root = await cachedService();
    const override = { add: ["bot"] };
    expect(await check(root, { override })).toMatchObject({ state: "stale" });
    expect(await detect(root, { override })).toMatchObject({ domains: [{ name: "bot" }, {}] });
    expect(await check(root, { override })).toMatchObject({ state: "fresh" });
    const named = { override: { domains: ["cli-tool"] } };
    expect(await detect(root, named)).toMatchObject({ primary: "cli-tool" });
    put(join(root, "package.json"), service({ "discord.js": "14" }));
    expect(await check(root, named)).toMatchObject({ state: "fresh" });
  });

  it("an older format: stale once", async () => {
    const root = await cachedService();
    writeCache(root, { format: 0, generation: 7 });
    expect(await check(root)).toMatchObject({
      state: "stale",
      why: expect.stringMatching(/format 0/),
    });
    await detect(root);
    expect(await check(root)).toMatchObject({ state: "fresh", cache: { generation: 8 } });
  });
});

describe("D-04 a cache of a newer format", () => {
  it.each([
    ["sealed as ours", (root: string) => writeCache(root, { format: 2, generation: 9, new: true })],
    [
      "sealed in its own way",
      (root: string) => {
        put(cacheFile(root), '{"format":2,"crc":"x"}');
        return '{"format":2,"crc":"x"}';
      },
    ],
  ])("%s is left alone: the profile is detected, and it is told", async (_, write) => {
    const root = await cachedService();
    const text = write(root);
    expect(await check(root)).toMatchObject({
      state: "unknown",
      why: expect.stringContaining("format 2"),
    });
    const profile = await detect(root);
    expect(profile.primary).toBe("web-api");
    expect(profile.notes).toEqual([
      { path: cacheFile(root), message: expect.stringMatching(/^not cached: .*format 2/) },
    ]);
    expect(readFileSync(cacheFile(root), "utf8")).toBe(text);
    expect(cacheFiles(root)).toEqual(["profile.json"]);
  });
});

describe("D-09 a damaged cache", () => {
  const damages: [string, (text: string) => string | Uint8Array][] = [
    ["empty", () => ""],
    ["cut off", (text) => text.slice(0, text.length / 2)],
    ["a flipped bit", (text) => text.replace("web-api", "web-apj")],
    ["other JSON", () => "[1, 2]"],
    ["null", () => "null"],
    ["bytes", () => Uint8Array.of(0, 255, 254)],
    ["deep", () => "[".repeat(100_000)],
  ];
  it.each(damages)("%s: set aside, told, detected anew", async (_, damage) => {
    const root = await cachedService();
    const damaged = damage(readFileSync(cacheFile(root), "utf8"));
    writeFileSync(cacheFile(root), damaged);
    const profile = await detect(root);
    expect(profile).toMatchObject({ primary: "web-api" });
    expect(profile.notes).toEqual([
      {
        path: cacheFile(root),
        message: expect.stringMatching(/damaged .* set aside as .*\.corrupt-/),
      },
    ]);
    const kept = cacheFiles(root).find((name) => name.includes(".corrupt-"));
    expect(readFileSync(join(cacheFolder(root), kept!))).toEqual(Buffer.from(damaged));
    expect(await detect(root)).toMatchObject({ notes: [] });
    expect(await check(root)).toMatchObject({ state: "fresh" });
  });

  it("by a check: none, and told", async () => {
    const root = await cachedService();
    writeFileSync(cacheFile(root), "{");
    const found = await check(root);
    expect(found).toMatchObject({ state: "none", why: expect.stringContaining(".corrupt-") });
    expect(cacheFiles(root)).toEqual([expect.stringMatching(/^profile\.json\.corrupt-/)]);
  });

  it("one that a repository brought along, sealed but of another shape, is damaged too", async () => {
    const root = await cachedService();
    const value = readCache(root);
    for (const bad of [
      { ...value, tree: "--output=/etc/passwd" },
      { ...value, survey: { ...value.survey, packages: [{ path: "" }] } },
      { ...value, profile: { ...value.profile, domains: [{ name: 1 }] } },
      { ...value, extra: true },
    ]) {
      writeCache(root, bad);
      expect(await check(root)).toMatchObject({ state: "none" });
    }
    writeCache(root, { ...value, worktree: "/somewhere/else" });
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("a link in its place is not followed", async () => {
    const root = makeRepository(join(temporaryFolder(), "shop"));
    const victim = put(join(temporaryFolder(), "victim"), "keep me");
    put(join(cacheFolder(root), "x"));
    symlinkSync(victim, cacheFile(root));
    const profile = await detect(root);
    expect(profile.notes).toEqual([expect.objectContaining({ path: cacheFile(root) })]);
    expect(readFileSync(victim, "utf8")).toBe("keep me");
  });
});
