import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { type Queue, Waiting } from "../../src/store/sqlite/waiting.ts";

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
    yield: () => {
      calls.push("yield");
      return settled();
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

/** A queue in which nobody else stands. */
const fakeTurn = () => {
  const moves: string[] = [];
  let isHeld = false;
  const turn: Queue = {
    get isHeld() {
      return isHeld;
    },
    take: async () => {
      moves.push("take");
      isHeld = true;
    },
    give: () => {
      if (isHeld) moves.push("give");
      isHeld = false;
    },
    close: () => {},
  };
  return { turn, moves };
};

const start = (waitMs = 10_000) => {
  const fake = fakeClock();
  const { turn, moves } = fakeTurn();
  const random = { bytes: () => new Uint8Array(), fraction: () => 0.999 };
  const ports = { clock: fake.clock, random, waitMs, path: "store.db" };
  return { ...fake, moves, waiting: new Waiting({ ...ports, turn: async () => turn }) };
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
  it("neither waits nor queues when nobody else is there, however long a burst lasts", async () => {
    const { waiting, calls, moves, pass } = start();
    for (let index = 0; index < 1000; index += 1) {
      await waiting.begin(() => pass(0.2));
      waiting.ended();
    }
    expect([...calls, ...moves]).toEqual([]);
  });

  it("begins with short pauses and lets the event loop run between later ones", async () => {
    const { waiting, calls, pauses } = start();
    expect(await waiting.retry(refusing(30))).toBe("done");
    expect(Math.max(...pauses.slice(0, 3))).toBeLessThanOrEqual(1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6);
    // Never two blocking pauses in a row once the first moments are over.
    expect(calls.slice(8).join(" ")).not.toContain("block block");
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

  it("queues when it is refused for longer than a commit takes, and tries often once it has the turn", async () => {
    const { waiting, moves, pauses } = start();
    await waiting.begin(refusing(3));
    expect(moves).toEqual([]);
    await waiting.begin(refusing(10));
    expect(moves).toEqual(["take"]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1);
  });

  it("queues at once while others were met in the last second, and not later", async () => {
    const { waiting, moves, pass } = start();
    await waiting.retry(refusing(1));
    await waiting.begin(() => "done");
    expect(moves).toEqual(["take"]);
    waiting.ended();
    await settled();
    pass(1100);
    await waiting.begin(() => "done");
    expect(moves).toEqual(["take", "give"]);
  });

  it("keeps its turn for a burst, then hands it on; and at once when there is nothing more to write", async () => {
    const { waiting, moves, pass } = start();
    await waiting.retry(refusing(1));
    const write = async (ms: number) => {
      await waiting.begin(() => pass(ms));
      waiting.ended();
    };
    for (let index = 0; index < 4; index += 1) await write(1);
    expect(moves).toEqual(["take"]);
    await write(2);
    expect(moves).toEqual(["take", "give"]);
    await write(1);
    expect(moves).toEqual(["take", "give", "take"]);
    await settled();
    expect(moves).toEqual(["take", "give", "take", "give"]);
  });
});

/** Everything that was put off has run. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));
