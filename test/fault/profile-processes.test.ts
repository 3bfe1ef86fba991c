import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundleProgram } from "../helpers/bundled-program.ts";
import { countRounds } from "../helpers/rounds.ts";
import { put } from "../helpers/temporary-folder.ts";
import {
  cachedService,
  cacheFile,
  cacheFiles,
  check,
  readCache,
  service,
} from "../profile/project.ts";

const start = async (root: string, rounds: number) => {
  const { argv, env } = await bundleProgram(join(import.meta.dirname, "profile-worker.ts"));
  const [file, program] = argv;
  const child = spawn(file, [program, root, `${rounds}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  const ready = new Promise<void>((done) => child.stdout.once("data", () => done()));
  const ended = new Promise<string[]>((done) => {
    child.on("close", () => done(JSON.parse(text.split("\n")[1] || "[]") as string[]));
  });
  return { child, ready, ended };
};

const other = service({ "discord.js": "14" });

describe("several processes at once", () => {
  it("D-04 many rounds on a tree that does not change: one of them writes, once", async () => {
    const root = await cachedService();
    put(join(root, "package.json"), other);
    const seen = await Promise.all([0, 1, 2, 3].map(async () => (await start(root, 12)).ended));
    expect(seen).toEqual([["bot"], ["bot"], ["bot"], ["bot"]]);
    expect(readCache(root)).toMatchObject({ generation: 2, profile: { primary: "bot" } });
    expect(cacheFiles(root)).toEqual(["profile.json"]);
  });

  it("D-01 on a tree that changes all the time, nothing is damaged and the last word is right", async () => {
    const root = await cachedService();
    const workers = await Promise.all([0, 1, 2].map(() => start(root, 10)));
    await Promise.all(workers.map(({ ready }) => ready));
    const over = new AbortController();
    const turning = (async () => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        put(join(root, "package.json"), turn % 2 ? other : service());
        await new Promise((done) => setTimeout(done, 40));
      }
    })();
    const seen = (await Promise.all(workers.map(({ ended }) => ended))).flat();
    over.abort();
    await turning;
    // A manifest that is half written at that moment is told as such.
    for (const one of seen)
      expect(one).toMatch(
        /^(bot|web-api|null|not cached: the files keep changing|not read: it is not JSON|unknown: .*)$/,
      );
    for (const [text, primary] of [
      [other, "bot"],
      [service(), "web-api"],
    ] as const) {
      put(join(root, "package.json"), text);
      expect(await (await start(root, 1)).ended).toEqual([primary]);
      expect(await check(root)).toMatchObject({ state: "fresh" });
    }
    expect(cacheFiles(root)).toEqual(["profile.json"]);
  });

  it("D-04 killed at any moment, the cache is the old or the new one, or it is told", async () => {
    const root = await cachedService();
    const rounds = 2 * Math.ceil(countRounds("kills of a process that detects", 80) / 2);
    for (let round = 0; round < rounds; round += 1) {
      put(join(root, "package.json"), round % 2 ? service() : other);
      const { child, ready, ended } = await start(root, 50);
      await ready;
      await new Promise((done) => setTimeout(done, 30 + 23 * (round % 8)));
      child.kill("SIGKILL");
      await ended;
      expect(JSON.parse(readFileSync(cacheFile(root), "utf8")).value.format).toBe(1);
      expect(["fresh", "stale"]).toContain((await check(root)).state);
    }
    expect(await (await start(root, 1)).ended).toEqual(["web-api"]);
  });
});
