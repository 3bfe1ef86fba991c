import { describe, expect, it } from "vitest";
import { type Store, type StoreStep, verifyEvents } from "../../src/store/index.ts";
import { runStoreWorker, type WorkerEnd } from "../helpers/run-store-worker.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

/** What was acknowledged is there, numbers have no gap, the chain holds; the rest is before or after. */
const checkAfterKill = async (
  store: Store,
  scope: Awaited<ReturnType<typeof openScope>>["scope"],
  ends: readonly WorkerEnd[],
): Promise<{ acks: number; kept: number }> => {
  const acks = ends.flatMap((end) => end.lines.flatMap((line) => line.ack ?? []));
  const { events, head } = await store.readEvents({ scope });
  const ids = new Set(events.map((event) => event.id));
  expect(acks.filter((id) => !ids.has(id))).toEqual([]);
  expect(events.map((event) => event.seq)).toEqual(Array.from({ length: head }, (_, i) => i + 1));
  expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: head });
  return { acks: acks.length, kept: head - 1 };
};

describe.each(backends)("kill -9 on $name", ({ place: newPlace }) => {
  const steps: [step: StoreStep, keptMore: number][] = [
    ["before-begin", 0],
    ["after-begin", 0],
    ["before-commit", 0],
    ["after-commit", 1],
  ];
  it.each(steps)("G6 killed at %s, the write is whole or not there", async (step, keptMore) => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    const { address, localDir } = place;
    const end = await runStoreWorker({
      address,
      localDir,
      work: "append",
      times: 10,
      killAt: { step, time: 5 },
    });
    expect(end.signal).toBe("SIGKILL");
    const { acks, kept } = await checkAfterKill(store, scope, [end]);
    expect([acks, kept]).toEqual([4, 4 + keptMore]);
    // The next process goes on without a human.
    const next = await runStoreWorker({ address, localDir, work: "append", times: 3 });
    expect(next.code).toBe(0);
    expect((await checkAfterKill(store, scope, [end, next])).kept).toBe(kept + 3);
  });

  it("G6 G2 killed at any moment among other writers, nothing acknowledged is lost", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    const { address, localDir } = place;
    const ends: WorkerEnd[] = [];
    const pauses = [0, 1, 2, 3, 5, 8];
    for (const pause of pauses) {
      const doomed = runStoreWorker(
        { address, localDir, work: "append", times: 100_000 },
        {
          onLine: (line, kill) => {
            if (line.ack) setTimeout(kill, pause);
          },
        },
      );
      const other = runStoreWorker({ address, localDir, work: "append", times: 10 });
      ends.push(...(await Promise.all([doomed, other])));
    }
    expect(ends.filter((end) => end.signal === "SIGKILL")).toHaveLength(pauses.length);
    const { acks, kept } = await checkAfterKill(store, scope, ends);
    expect(acks).toBeGreaterThanOrEqual(pauses.length * 11);
    // At most the one write in flight of each killed process is there without an acknowledgement.
    expect(kept - acks).toBeGreaterThanOrEqual(0);
    expect(kept - acks).toBeLessThanOrEqual(pauses.length);
  });

  it("C-05 F12 G6 killed inside a migration, the next start finds before or after and finishes", async () => {
    const place = await newPlace();
    const { address, localDir } = place;
    const killAt = { step: "mid-migration", time: 1 } as const;
    const end = await runStoreWorker({ address, localDir, work: "open", killAt });
    expect([end.signal, end.lines.some((line) => line.opened)]).toEqual(["SIGKILL", false]);
    const open = place.open({ readOnly: true });
    await expect(open).rejects.toMatchObject({ code: "STORE_ABSENT" });
    const next = await runStoreWorker({ address, localDir, work: "append", times: 2 });
    expect(next.code).toBe(0);
    const { store, scope } = await openScope(place);
    expect((await checkAfterKill(store, scope, [next])).kept).toBe(2);
  });

  it("C-05 F12 F13 migrators that are killed do not hold up those that wait for them", async () => {
    const place = await newPlace();
    const { address, localDir } = place;
    const killAt = { step: "mid-migration", time: 1 } as const;
    const ends = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0
          ? runStoreWorker({ address, localDir, work: "append", times: 2, killAt })
          : runStoreWorker({ address, localDir, work: "append", times: 2 }),
      ),
    );
    const survivors = ends.filter((end) => end.signal === null);
    expect(survivors.map((end) => end.code)).toEqual(survivors.map(() => 0));
    expect(survivors.length).toBeGreaterThanOrEqual(3);
    const { store, scope } = await openScope(place);
    expect((await checkAfterKill(store, scope, ends)).kept).toBe(survivors.length * 2);
  });
});
