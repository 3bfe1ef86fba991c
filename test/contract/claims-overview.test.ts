import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { openClaimsAt } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";

describe.each(backends)("claims on $name: the whole picture", ({ migratedPlace: newPlace }) => {
  it("C-15 shows all live claims, who waits, what was asked, and who lives", async () => {
    const place = await openClaimsAt(await newPlace());
    const [ada, ben] = [place.as("ada"), place.as("claude:1/x")];
    expect(await ada.overview()).toEqual({
      ...{ live: 0, holders: [], waiters: [], requests: [], actors: [] },
    });
    const granted = await ada.claim({ targets: ["src/a.ts#f", "name:x"], reason: "work" });
    await ada.claim({ targets: ["gone"], ttlMs: 1000 });
    const ending = new AbortController();
    const waiting = ben.claim({ targets: ["name:x"], waitMs: 600_000, signal: ending.signal });
    while ((await ada.overview()).waiters.length === 0) await systemClock.sleep(20);
    const id = granted.ok ? granted.claims[0]!.id : "";
    await ben.ask(id, { reason: "please", withinMs: 600_000 });
    const shown = async () =>
      (await ada.all()).claims.map(({ target, actor }) => `${actor} ${target}`).toSorted();
    await expect.poll(shown).toEqual(["ada name:x", "ada src/a.ts#f"]);
    const overview = await ada.overview();
    expect(overview.waiters).toMatchObject([
      { actor: "claude:1/x", targets: ["name:x"], position: 1 },
    ]);
    expect(overview.requests).toMatchObject([{ asker: "claude:1/x", holder: "ada", claim: id }]);
    expect(
      overview.actors.map(({ id: name, session, harness }) => [name, session, harness]),
    ).toEqual(
      expect.arrayContaining([
        ["ada", "ada", undefined],
        ["claude:1/x", "claude:1", "claude"],
      ]),
    );
    expect(overview.actors.every(({ liveness }) => liveness.state === "alive")).toBe(true);
    ending.abort();
    await waiting;
  });

  it("shows more claims than a list does", async () => {
    const place = await openClaimsAt(await newPlace());
    const ada = place.as("ada");
    for (let from = 0; from < 1100; from += 55) {
      const targets = Array.from({ length: 55 }, (_, index) => `f${from + index}`);
      await ada.claim({ targets });
    }
    const { claims, isCut } = await ada.all();
    expect({ count: claims.length, isCut }).toEqual({ count: 1100, isCut: false });
  });
});
