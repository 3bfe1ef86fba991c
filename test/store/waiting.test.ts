import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { Waiting } from "../../src/store/sqlite/waiting.ts";

/** A clock that moves only when somebody waits, and notes how. */
const fakeClock = () => {
  let nowMs = 1_000_000;
  const calls: string[] = [];
  const pauses: number[] = [];
  const clock: Clock = {
    wallMs: () => nowMs,
    monoMs: () => nowMs,
    sleep: async (ms) => {
      calls.push("sleep");
      nowMs += ms;
    },
    yield: async () => {
      calls.push("yield");
    },
    sleepSync: (ms) => {
      calls.push("block");
      pauses.push(ms);
      nowMs += ms;
    },
  };
  return { clock, calls, pauses, pass: (ms: number) => (nowMs += ms) };
};

const busy = () => Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
const start = (waitMs = 10_000) => {
  const fake = fakeClock();
  const random = { bytes: () => new Uint8Array(), fraction: () => 0.999 };
  return { ...fake, waiting: new Waiting({ clock: fake.clock, random, waitMs, path: "store.db" }) };
};
const refusing = (times: number) => {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) throw busy();
    return "done";
  };
};

describe("waiting at a SQLite file", () => {
  it("does not wait at all when nobody else is there, however long a burst lasts", async () => {
    const { waiting, calls, pass } = start();
    for (let index = 0; index < 1000; index += 1) {
      await waiting.stepBack();
      await waiting.retry(() => pass(0.2));
    }
    expect(calls).toEqual([]);
  });

  it("begins with short pauses and lets the event loop run between later ones", async () => {
    const { waiting, calls, pauses } = start();
    expect(await waiting.retry(refusing(30))).toBe("done");
    expect(Math.max(...pauses.slice(0, 3))).toBeLessThanOrEqual(1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(12);
    // Never two blocking pauses in a row once the first moments are over.
    expect(calls.slice(8).join(" ")).not.toContain("block block");
  });

  it("tries more often the longer it has waited", async () => {
    const { waiting, pauses } = start();
    await waiting.retry(refusing(100));
    const longest = Math.max(...pauses);
    expect(pauses.at(-1)).toBeLessThan(longest * 0.6);
  });

  it("gives up after the waiting time with STORE_BUSY and passes other errors on at once", async () => {
    const { waiting, calls } = start(500);
    await expect(waiting.retry(refusing(1_000_000))).rejects.toMatchObject({ code: "STORE_BUSY" });
    const before = calls.length;
    const fail = () => {
      throw new Error("no such table");
    };
    await expect(waiting.retry(fail)).rejects.toThrow("no such table");
    expect(calls).toHaveLength(before);
  });

  it("steps back after a burst while others want the file, and only then", async () => {
    const { waiting, calls, pass } = start();
    await waiting.retry(refusing(1));
    calls.length = 0;
    const burst = async (times: number) => {
      for (let index = 0; index < times; index += 1) {
        await waiting.stepBack();
        await waiting.retry(() => pass(0.2));
      }
    };
    await burst(40);
    expect(calls).toEqual([]);
    await burst(100);
    expect(calls).toContain("sleep");
    // A second without refusals: nobody is waiting any more.
    pass(1100);
    calls.length = 0;
    await burst(500);
    expect(calls).toEqual([]);
  });
});
