import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyEvents } from "../../src/store/index.ts";
import { freshDir, granted, openClaimsAt, refused } from "../helpers/claims.ts";
import { faketimeLibrary } from "../helpers/faketime.ts";
import { describeWith } from "../helpers/not-run.ts";
import { type FaultWorker, startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { backends, type StorePlace } from "../helpers/store-backends.ts";

const hour = 3_600_000;
const minute = 60_000;

interface Scene {
  start(actor: string, env?: Record<string, string>): Promise<FaultWorker>;
  /** Puts the wall clock of all workers forward or back by this much, as libfaketime writes it. */
  jump(text: string): void;
  whole(): Promise<void>;
}

/** Workers whose wall clock the test moves while they run; their monotonic clock stays true. */
const newScene = async (there: StorePlace): Promise<Scene> => {
  const localDir = freshDir();
  const file = join(localDir, "clock");
  const jump = (text: string): void => writeFileSync(file, `${text}\n`);
  jump("+0");
  const faked = {
    LD_PRELOAD: faketimeLibrary()!,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    // A monotonic clock that goes back hangs Node's timers, and no real one does.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  return {
    start: (actor, env = {}) =>
      startFaultWorker({ address: there.address, localDir, actor }, { env: { ...faked, ...env } }),
    jump,
    whole: async () => {
      const { store, scope } = await openClaimsAt(there, { dir: localDir });
      expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
    },
  };
};

const wallMs = async (worker: FaultWorker): Promise<number> => (await worker.self()).wallMs;

describeWith({ platforms: ["linux"], programs: ["faketime"] }, "clocks that jump", () => {
  describe.each(backends)("on $name", ({ place: newPlace }) => {
    it("G4 F04 two hours forward: what is held stays held, and nobody else gets it", async () => {
      const scene = await newScene(await newPlace());
      const [alice, bob] = [await scene.start("alice"), await scene.start("bob")];
      const held = granted(await alice.call("claim", { targets: ["a"], ttlMs: 5 * minute }));
      const before = await wallMs(bob);
      scene.jump("+2h");
      expect((await wallMs(bob)) - before).toBeGreaterThan(1.9 * hour);
      expect(refused(await bob.call("claim", { targets: ["a"] })).blockers).toMatchObject([
        { id: held.id, actor: "alice" },
      ]);
      expect((await bob.call("sweep")).expired).toEqual([]);
      expect(await alice.call("verify", held.fence, ["a"])).toMatchObject({ ok: true });
      // Another process, started after the jump, thinks the same.
      const carol = await scene.start("carol");
      expect((await carol.call("check", ["a"])).clear).toBe(false);
      await alice.call("renew", { all: true });
      await alice.call("release", { all: true });
      granted(await bob.call("claim", { targets: ["a"] }));
      await scene.whole();
    });

    it.each(["-2h", "+2h"])(
      "G4 F04 %s while held and waited for: it lasts its time, and no longer",
      async (jump) => {
        const ttlMs = 2_500;
        const scene = await newScene(await newPlace());
        const [alice, bob, carol] = await Promise.all(
          ["alice", "bob", "carol"].map((name) => scene.start(name)),
        );
        granted(await alice!.call("claim", { targets: ["a"], ttlMs: hour }));
        const waiting = bob!.call("claim", { targets: ["a"], waitMs: 10 * minute });
        await expect.poll(async () => (await carol!.call("list")).waiters.length).toBe(1);
        const before = await wallMs(carol!);
        const { monoMs: from } = await alice!.self();
        await alice!.call("shorten", { all: true }, ttlMs);
        scene.jump(jump);
        expect(Math.abs((await wallMs(carol!)) - before)).toBeGreaterThan(1.9 * hour);
        const got = granted(await waiting);
        expect(got).toMatchObject({ actor: "bob", fence: 2 });
        const { monoMs: to } = await bob!.self();
        expect(to - from).toBeGreaterThanOrEqual(ttlMs);
        await scene.whole();
      },
    );
  });

  it("G4 time zones are for showing only", async () => {
    const [backend] = backends;
    const scene = await newScene(await backend!.place());
    const east = await scene.start("east", { TZ: "Pacific/Kiritimati" });
    const west = await scene.start("west", { TZ: "America/Los_Angeles" });
    const held = granted(await east.call("claim", { targets: ["a"], ttlMs: minute }));
    const { blockers } = refused(await west.call("claim", { targets: ["a"] }));
    expect(blockers).toMatchObject([{ id: held.id, grantedAt: held.grantedAt }]);
    expect(Math.abs(Date.parse(blockers[0]!.expiresAt) - Date.parse(held.expiresAt))).toBeLessThan(
      minute,
    );
    await scene.whole();
  });

  it.each(["@2100-06-15 12:00:00", "@2038-06-15 12:00:00"])(
    "D08 G4 %s is a day like any other, also for who is back from it",
    async (day) => {
      const [backend] = backends;
      const scene = await newScene(await backend!.place());
      const [alice, bob] = [await scene.start("alice"), await scene.start("bob")];
      const before = granted(await alice.call("claim", { targets: ["before"], ttlMs: hour }));
      scene.jump(day);
      const year = Number(day.slice(1, 5));
      expect(new Date(await wallMs(bob)).getUTCFullYear()).toBe(year);
      const then = granted(await bob.call("claim", { targets: ["then"], ttlMs: 1_000 }));
      expect(then.grantedAt).toMatch(new RegExp(`^${year}-`));
      expect(then.fence).toBe(before.fence + 1);
      expect((await bob.call("check", ["before"])).blockers).toMatchObject([{ id: before.id }]);
      expect(
        granted(await alice.call("claim", { targets: ["then"], waitMs: 10 * minute })).fence,
      ).toBe(3);
      scene.jump("+0");
      expect((await bob.call("check", ["then"])).clear).toBe(false);
      await alice.call("renew", { all: true });
      expect((await alice.call("release", { all: true })).released).toHaveLength(2);
      await scene.whole();
    },
  );
});
