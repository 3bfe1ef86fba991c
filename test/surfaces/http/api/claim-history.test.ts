import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { type Headgate, openHeadgate } from "../../../../src/compose.ts";
import { ClaimHistory, type Moment } from "../../../../src/surfaces/http/api/claim-history.ts";
import { EventTimes } from "../../../../src/surfaces/http/api/event-times.ts";
import { temporaryFolder } from "../../../helpers/temporary-folder.ts";

const open = async (): Promise<Headgate> => {
  const headgate = await openHeadgate({ repo: temporaryFolder(), actor: "ada" });
  onTestFinished(() => headgate.close());
  return headgate;
};

/** A small generator of our own, so that a failure can be repeated. */
const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

const live = async ({ claims, events }: Headgate) => {
  const all = await claims.all();
  const { head } = await events.page({ last: 1 });
  const held = all.claims
    .map(({ id, target, actor, mode, fence }) => ({ id, target, actor, mode, fence }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { head, held };
};

const told = (moment: Moment | number) => {
  if (typeof moment === "number") throw new Error("not ready");
  return [...moment.held.values()]
    .map(({ id, target, actor, mode, fence }) => ({ id, target, actor, mode, fence }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
};

describe("who held what in the past", () => {
  it("C-06 is told from the events alone, exactly as it was at every moment", async () => {
    const headgate = await open();
    const next = numbers(20_260_731);
    const actors = ["ada", "ben", "claude:1", "claude:1/x"];
    const moments: Awaited<ReturnType<typeof live>>[] = [];
    for (let step = 0; step < 250; step += 1) {
      const { claims } = headgate.as(actors[next(actors.length)]!);
      const own = (await claims.list({ actor: claims.actor.id })).claims;
      const one = own[next(Math.max(1, own.length))];
      const action = next(7);
      if (action <= 2 || !one) {
        const mode = next(4) === 0 ? "shared" : "exclusive";
        await claims.claim({ targets: [`d${next(6)}/f${next(8)}`], mode, partial: true });
      } else if (action === 3) await claims.release({ claims: [one.id] });
      else if (action === 4) await claims.renew({ claims: [one.id] });
      else if (action === 5 && !one.target.includes("part")) {
        await claims.narrow(one.id, [`${one.target}/part1`, `${one.target}/part2`]);
      } else {
        await claims.transfer({ claims: [one.id] }, { to: "carol", force: true });
      }
      moments.push(await live(headgate));
    }
    const history = new ClaimHistory(headgate.events);
    // Forwards first, then to and fro.
    for (const { head, held } of moments) {
      expect(told(await history.at(head, Number.POSITIVE_INFINITY))).toEqual(held);
    }
    for (let look = 0; look < 40; look += 1) {
      const { head, held } = moments[next(moments.length)]!;
      expect(told(await history.at(head, Number.POSITIVE_INFINITY))).toEqual(held);
    }
  });

  it("says how far it is when its time is used up, and goes on there", async () => {
    const headgate = await open();
    const store = await headgate.store();
    const scope = await headgate.scope();
    for (let part = 0; part < 4; part += 1) {
      await store.write({ scope }, async (tx) => {
        for (let n = 0; n < 1000; n += 1) {
          const subject = `cl_${part}_${n}`;
          tx.emit({
            kind: "claim.granted",
            actor: "ada",
            subject,
            data: { target: "x", ttlMs: 1e6 },
          });
        }
        // A transaction without a change of its own leaves no trace otherwise.
        return null;
      });
    }
    const { head } = await headgate.events.page({ last: 1 });
    const history = new ClaimHistory(headgate.events, systemClock);
    const first = await history.at(head, -1);
    expect(first).toBeTypeOf("number");
    expect(first).toBeLessThan(head);
    let answer = first;
    let asked = 0;
    while (typeof answer === "number") {
      answer = await history.at(head, -1);
      asked += 1;
    }
    expect(asked).toBeGreaterThan(1);
    expect(answer.held.size).toBe(4000);
  });

  it("waiters come and go with their events", async () => {
    const headgate = await open();
    const { claims } = headgate.as("ada");
    const held = await claims.claim({ targets: ["a"] });
    const waiting = headgate.as("ben").claims.claim({ targets: ["a"], waitMs: 600_000 });
    for (;;) {
      if ((await claims.overview()).waiters.length > 0) break;
      await systemClock.sleep(20);
    }
    const during = (await headgate.events.page({ last: 1 })).head;
    expect(held.ok).toBe(true);
    await claims.release({ all: true });
    await waiting;
    const after = (await headgate.events.page({ last: 1 })).head;
    const history = new ClaimHistory(headgate.events);
    const then = (await history.at(after, 1e9)) as Moment;
    expect(then.waiting.size).toBe(0);
    expect([...then.held.values()].map(({ actor }) => actor)).toEqual(["ben"]);
    const before = (await history.at(during, 1e9)) as Moment;
    expect([...before.waiting.values()]).toEqual([{ actor: "ben", targets: ["a"] }]);
    expect([...before.held.values()].map(({ actor }) => actor)).toEqual(["ada"]);
  });
});

describe("moments in the log", () => {
  it("finds the last event at a time, and counts events per stretch", async () => {
    const headgate = await open();
    for (let n = 0; n < 30; n += 1) {
      await headgate.events.append({ kind: "test.tick", data: { n } });
      await systemClock.sleep(4);
    }
    const { events } = await headgate.events.page({ since: 0 });
    const times = new EventTimes(headgate.events);
    const bounds = (await times.bounds())!;
    expect(bounds).toMatchObject({ oldest: 1, head: events.length });
    for (const { at } of events) {
      const atMs = Date.parse(at);
      const last = events.findLast((one) => Date.parse(one.at) <= atMs)!;
      expect(await times.seqAt(atMs, bounds)).toBe(last.seq);
    }
    expect(await times.seqAt(bounds.fromMs - 1, bounds)).toBe(0);
    const toMs = Date.parse(events.at(-1)!.at);
    const buckets = await times.histogram({ ...bounds, toMs }, 10);
    expect(buckets.reduce((sum, count) => sum + count, 0)).toBe(events.length);
    expect(buckets.filter((count) => count > 0).length).toBeGreaterThan(5);
  });
});
