import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemFiles } from "../../src/base/files.ts";
import { Turn } from "../../src/store/sqlite/turn.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** Each has a handle of its own, so the kernel takes them for different processes. */
const turnsAt = (path: string) => () => {
  const turn = new Turn({ path, files: systemFiles, clock: systemClock });
  onTestFinished(() => turn.close());
  return turn;
};

const later = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));

describe("the turn at a database file", () => {
  it("is had by one at a time; the next sleeps until it is given on", async () => {
    const open = turnsAt(join(temporaryFolder(), "store.db"));
    const [first, second] = [open(), open()];
    await first.take();
    let isTaken = false;
    const waiting = second.take().then(() => (isTaken = true));
    await later(50);
    expect([first.isHeld, second.isHeld, isTaken]).toEqual([true, false, false]);
    first.give();
    await waiting;
    expect([first.isHeld, second.isHeld]).toEqual([false, true]);
  });

  it("G8 is done without when whoever has it does not move, and comes back to the queue when it does", async () => {
    const path = join(temporaryFolder(), "store.db");
    const open = turnsAt(path);
    const [stuck, second] = [open(), open()];
    await stuck.take();
    await second.take();
    expect(second.isHeld).toBe(false);
    // It was left aside: asking again does not wait.
    await second.take();
    expect(second.isHeld).toBe(false);
    stuck.give();
    // The kernel still had it in line; it gives at once what it does not need any more.
    const nextHasIt = async (): Promise<boolean> => {
      const next = open();
      await next.take();
      return next.isHeld;
    };
    await expect.poll(nextHasIt).toBe(true);
  });

  it("is done without where there can be no side file", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "store.db-turn"));
    const turn = turnsAt(join(folder, "store.db"))();
    await turn.take();
    expect(turn.isHeld).toBe(false);
  });

  it("leaves no handle behind, also when it is closed in the queue", async () => {
    const folder = temporaryFolder();
    // Only those of this store: the process opens and closes others by itself.
    const handles = () =>
      readdirSync("/proc/self/fd").filter((name) => linkTarget(name).startsWith(folder));
    const open = turnsAt(join(folder, "store.db"));
    const [first, second] = [open(), open()];
    await first.take();
    expect(handles()).not.toEqual([]);
    const waiting = second.take();
    second.close();
    first.close();
    await waiting;
    await expect.poll(handles).toEqual([]);
  });
});

/** Empty for a handle that was closed since it was listed. */
const linkTarget = (name: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
};
