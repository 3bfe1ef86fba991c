import { describe, expect, it } from "vitest";
import { verifyEvents } from "../../src/store/index.ts";
import { granted, openClaimsAt } from "../helpers/claims.ts";
import { makeOldStore } from "../helpers/old-store.ts";
import { runStoreWorker } from "../helpers/run-store-worker.ts";
import { backends } from "../helpers/store-backends.ts";

describe.each(backends)("F12 kill -9 while $name gets its claims", ({ place: newPlace }) => {
  it("F12 C-05 G6 the old store is whole, and the next start finishes with all it held", async () => {
    const there = await newPlace();
    await makeOldStore(there, 40);
    const { address, localDir } = there;
    const killAt = { step: "mid-migration", time: 1 } as const;
    for (let times = 0; times < 2; times += 1) {
      const end = await runStoreWorker({ address, localDir, work: "open", killAt });
      expect([end.signal, end.lines.some((line) => line.opened)]).toEqual(["SIGKILL", false]);
      // Nothing of it is there: who may only read is told that the store is old.
      await expect(there.open({ readOnly: true })).rejects.toMatchObject({
        code: "STORE_SCHEMA_OLDER",
      });
    }
    const place = await openClaimsAt(there);
    expect(granted(await place.as("alice").claim({ targets: ["a"] })).fence).toBe(1);
    const { store, scope } = place;
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: 41 });
    expect(await store.outcome(scope, "old 7")).toMatchObject({ state: "committed" });
  });
});
