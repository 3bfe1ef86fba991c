import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  type Event,
  followEvents,
  pruneEvents,
  type Scope,
  type Store,
  verifyEvents,
} from "../../src/store/index.ts";
import { runStoreWorker } from "../helpers/run-store-worker.ts";
import { backends, openScope, type StorePlace } from "../helpers/store-backends.ts";

/** Events 2 to `count` + 1; the first one is scope.created. */
const fill = async (store: Store, scope: Scope, count: number): Promise<void> => {
  for (let index = 1; index <= count; index += 1) {
    await store.write({ scope }, async (tx) => {
      const kind = index % 2 === 0 ? "claim.granted" : "review.started";
      return tx.emit({ kind, actor: "ac_1", subject: `s${index}`, data: { index } });
    });
  }
};

const dropTriggers = async (place: StorePlace): Promise<void> => {
  for (const name of ["events_never_change", "events_stay"]) {
    await place.sql(`DROP TRIGGER ${name}${place.backend === "postgres" ? " ON events" : ""}`);
  }
};

describe.each(backends)("event log on $name", ({ migratedPlace: newPlace }) => {
  it("C-06 numbers follow the commits without gaps, with writers in several processes", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    const { address, localDir } = place;
    const ends = await Promise.all(
      Array.from({ length: 4 }, () =>
        runStoreWorker({ address, localDir, work: "append", times: 20 }),
      ),
    );
    const acks = ends.flatMap((end) => end.lines.flatMap((line) => line.ack ?? []));
    const { events, head, cursor } = await store.readEvents({ scope });
    expect([acks.length, head, cursor]).toEqual([80, 81, 81]);
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 81 }, (_, i) => i + 1));
    expect(new Set(events.map((event) => event.id))).toEqual(new Set([events[0]!.id, ...acks]));
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: 81 });
  });

  it("C-06 the events of one transaction stand together and share its operation", async () => {
    const { store, scope } = await openScope(await newPlace());
    await store.write({ scope }, async (tx) => {
      for (const kind of ["a.one", "a.two", "a.three"]) tx.emit({ kind });
      return null;
    });
    const { events } = await store.readEvents({ scope, since: 1 });
    expect(events.map((event) => event.kind)).toEqual(["a.one", "a.two", "a.three"]);
    expect(new Set(events.map((event) => event.operation)).size).toBe(1);
  });

  it("C-06 a write that only emits may be the first thing its transaction does", async () => {
    const { store, scope } = await openScope(await newPlace());
    const id = await store.write({ scope }, async (tx) =>
      tx.emit({ kind: "edit.done", actor: "ac_1", subject: "src/a.ts", data: { lines: 3 } }),
    );
    const [event] = (await store.readEvents({ scope, last: 1 })).events;
    expect(event).toMatchObject({
      id,
      seq: 2,
      kind: "edit.done",
      actor: "ac_1",
      subject: "src/a.ts",
    });
    expect(event!.data).toEqual({ lines: 3 });
    expect(event!.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("C-06 pages go on at their cursor, also when the kind lets nothing through", async () => {
    const { store, scope } = await openScope(await newPlace());
    await fill(store, scope, 20);
    const seen: number[] = [];
    let cursor = 0;
    for (;;) {
      const page = await store.readEvents({ scope, since: cursor, limit: 6 });
      seen.push(...page.events.map((event) => event.seq));
      cursor = page.cursor;
      if (page.cursor === page.head) break;
    }
    expect(seen).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
    const some = await store.readEvents({ scope, kind: "claim.*", limit: 3 });
    expect(some.events.map((event) => event.seq)).toEqual([3, 5, 7]);
    const rest = await store.readEvents({ scope, kind: "claim.*", since: some.cursor });
    expect([some.events.length + rest.events.length, rest.cursor]).toEqual([10, 21]);
    const none = await store.readEvents({ scope, kind: "run.*" });
    expect(none).toEqual({ events: [], cursor: 21, head: 21 });
    expect((await store.readEvents({ scope, kind: "*" })).events).toHaveLength(21);
    expect((await store.readEvents({ scope, kind: "*.granted" })).events).toHaveLength(10);
    expect((await store.readEvents({ scope, kind: "claim" })).events).toHaveLength(0);
    expect((await store.readEvents({ scope, kind: "claim_granted" })).events).toHaveLength(0);
  });

  it("C-06 the newest events can be asked for, oldest of them first", async () => {
    const { store, scope } = await openScope(await newPlace());
    await fill(store, scope, 5);
    const page = await store.readEvents({ scope, last: 2 });
    expect(page.events.map((event) => event.seq)).toEqual([5, 6]);
    expect(page.cursor).toBe(6);
    const claims = await store.readEvents({ scope, last: 2, kind: "claim.*" });
    expect(claims.events.map((event) => event.seq)).toEqual([3, 5]);
  });

  it("C-06 a cursor or pattern that this log never gave out is refused", async () => {
    const { store, scope } = await openScope(await newPlace());
    for (const since of [-1, 2, 0.5, Number.NaN, 2 ** 53]) {
      const read = store.readEvents({ scope, since });
      await expect(read).rejects.toMatchObject({ code: "CURSOR_INVALID" });
    }
    for (const kind of ["", "Claim.*", "a?b", "[ab]", "a%", "a'b", "*".repeat(65)]) {
      const read = store.readEvents({ scope, kind });
      await expect(read).rejects.toMatchObject({ code: "USAGE" });
    }
    for (const limit of [0, -1, 1001, 1.5]) {
      const read = store.readEvents({ scope, limit });
      await expect(read).rejects.toMatchObject({ code: "USAGE" });
    }
  });

  it("C-06 an event that would not come back as it is given is refused, and nothing is kept", async () => {
    const { store, scope } = await openScope(await newPlace());
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { deeper: deep(levels - 1) });
    const bad: unknown[] = [
      ...["", "Claim.Granted", "claim..x", ".x", "x.", "a b", "ü", "a".repeat(65)].map((kind) => ({
        kind,
      })),
      { kind: "a", actor: "nul \u0000" },
      { kind: "a", subject: "half \ud800" },
      { kind: "a", subject: "x".repeat(17 * 1024) },
      ...[
        { nul: "\u0000" },
        { ["\ud800"]: 1 },
        { n: Number.NaN },
        { n: Infinity },
        { missing: undefined },
        { list: [undefined] },
        { date: new Date() },
        { map: new Map() },
        { big: 1n },
        { call: () => 1 },
        { large: "x".repeat(65 * 1024) },
        deep(70),
        [1],
        "text",
      ].map((data) => ({ kind: "a", data })),
    ];
    for (const event of bad) {
      const write = store.write({ scope }, async (tx) => tx.emit(event as never));
      await expect(write, inspect(event).slice(0, 80)).rejects.toMatchObject({
        code: "EVENT_INVALID",
      });
    }
    const many = store.write({ scope }, async (tx) => {
      for (let index = 0; index <= 1000; index += 1) tx.emit({ kind: "a" });
      return null;
    });
    await expect(many).rejects.toMatchObject({ code: "EVENT_INVALID" });
    expect((await store.readEvents({ scope })).head).toBe(1);
  });

  it("C-06 the database itself refuses to change or remove an event", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await fill(store, scope, 3);
    for (const sql of [
      "UPDATE events SET data = '{}' WHERE seq = 2",
      "DELETE FROM events WHERE seq = 4",
      "DELETE FROM events",
    ]) {
      await expect(place.sql(sql)).rejects.toThrow(/events are/);
    }
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: 4 });
  });
});

describe.each(backends)("event chain on $name", ({ migratedPlace: newPlace }) => {
  const harmed: [what: string, sql: string, seq: number][] = [
    ["its data", `UPDATE events SET data = '{"index":9}' WHERE seq = 5`, 5],
    ["its actor", "UPDATE events SET actor = 'ac_2' WHERE seq = 5", 5],
    ["its actor to nobody", "UPDATE events SET actor = NULL WHERE seq = 5", 5],
    ["its subject", "UPDATE events SET subject = 's' WHERE seq = 5", 5],
    ["its kind", "UPDATE events SET kind = 'x.y' WHERE seq = 5", 5],
    ["its time", "UPDATE events SET at = at + 1 WHERE seq = 5", 5],
    ["its id", "UPDATE events SET id = 'ev_x' WHERE seq = 5", 5],
    ["its operation", "UPDATE events SET operation = 'op_x' WHERE seq = 5", 5],
    ["its hash", "UPDATE events SET hash = 'x' WHERE seq = 5", 5],
  ];
  it.each(harmed)("C-06 verification finds an event with %s changed", async (_what, sql, seq) => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await fill(store, scope, 8);
    await dropTriggers(place);
    await place.sql(sql);
    expect(await verifyEvents(store, scope)).toMatchObject({
      ok: false,
      code: "EVENTS_TAMPERED",
      seq,
    });
  });

  it("C-06 verification finds removed, reordered and foreign events at the right place", async () => {
    const removals: [sql: string[], seq: number][] = [
      [["DELETE FROM events WHERE seq = 4"], 4],
      [["DELETE FROM events WHERE seq = 1"], 1],
      [["DELETE FROM events WHERE seq > 6"], 7],
      [["DELETE FROM events WHERE seq = 4", "UPDATE events SET seq = seq - 1 WHERE seq > 4"], 4],
      [
        [
          "UPDATE events SET seq = 100 WHERE seq = 3",
          "UPDATE events SET seq = 3 WHERE seq = 4",
          "UPDATE events SET seq = 4 WHERE seq = 100",
        ],
        3,
      ],
      [["UPDATE scopes SET event_seq = 8"], 9],
      [["UPDATE scopes SET event_hash = 'x'"], 9],
      [["DELETE FROM events WHERE seq < 4", "UPDATE scopes SET pruned_seq = 3"], 4],
    ];
    for (const [sql, seq] of removals) {
      const place = await newPlace();
      const { store, scope } = await openScope(place);
      await fill(store, scope, 8);
      await dropTriggers(place);
      for (const text of sql) await place.sql(text);
      expect(await verifyEvents(store, scope), sql.join("; ")).toMatchObject({ ok: false, seq });
    }
  });

  it("C-06 reading never hides a hole", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await fill(store, scope, 8);
    await dropTriggers(place);
    await place.sql("DELETE FROM events WHERE seq = 4");
    const tampered = { code: "EVENTS_TAMPERED", data: { seq: 4 } };
    await expect(store.readEvents({ scope })).rejects.toMatchObject(tampered);
    await expect(store.readEvents({ scope, since: 3, limit: 1 })).rejects.toMatchObject(tampered);
    await place.sql("DELETE FROM events WHERE seq > 6");
    await expect(store.readEvents({ scope, since: 4 })).rejects.toMatchObject({ data: { seq: 7 } });
  });

  it("C-06 a cleanly cut end is found by a head noted earlier", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await fill(store, scope, 5);
    const earlier = await verifyEvents(store, scope);
    if (!earlier.ok) throw new Error("the fresh chain does not hold");
    await fill(store, scope, 2);
    expect(await verifyEvents(store, scope, { head: earlier.head })).toMatchObject({ ok: true });
    await dropTriggers(place);
    await place.sql("DELETE FROM events WHERE seq > 4");
    await place.sql(
      `UPDATE scopes SET event_seq = 4, event_hash = (SELECT hash FROM events WHERE seq = 4)`,
    );
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: 4 });
    const noted = await verifyEvents(store, scope, { head: earlier.head });
    expect(noted).toMatchObject({ ok: false, seq: 5 });
    await fill(store, scope, 4);
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: 8 });
    const rewritten = await verifyEvents(store, scope, { head: earlier.head });
    expect(rewritten).toMatchObject({ ok: false, seq: 6 });
    const malformed = verifyEvents(store, scope, { head: "6" });
    await expect(malformed).rejects.toMatchObject({ code: "USAGE" });
  });

  it("C-06 verification walks a log of several pages", async () => {
    const { store, scope } = await openScope(await newPlace());
    for (let round = 0; round < 3; round += 1) {
      await store.write({ scope }, async (tx) => {
        for (let index = 0; index < 700; index += 1)
          tx.emit({ kind: "test.many", data: { index } });
        return null;
      });
    }
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: 2101 });
  });
});

describe.each(backends)("pruning on $name", ({ migratedPlace: newPlace }) => {
  it("C-06 pruning leaves a record, and verification accepts exactly that", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await fill(store, scope, 9);
    const before = await verifyEvents(store, scope);
    expect(await pruneEvents(store, scope, { beforeSeq: 6 })).toEqual({ count: 5, oldest: 6 });
    const { events } = await store.readEvents({ scope });
    expect(events.map((event) => event.seq)).toEqual([6, 7, 8, 9, 10, 11]);
    expect(events.at(-1)).toMatchObject({
      kind: "events.pruned",
      data: { from: 1, to: 5, count: 5, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: 6, prunedTo: 5 });
    if (!before.ok) throw new Error("the fresh chain does not hold");
    expect(await verifyEvents(store, scope, { head: before.head })).toMatchObject({ ok: true });
    expect(await pruneEvents(store, scope, { beforeSeq: 9 })).toEqual({ count: 3, oldest: 9 });
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, prunedTo: 8 });
    // Removing one more by hand and claiming that it was pruned has no record.
    const [row] = await place.sql("SELECT hash FROM events WHERE seq = 9");
    await place.sql(`UPDATE scopes SET pruned_seq = 9, pruned_hash = '${String(row!["hash"])}'`);
    await place.sql("DELETE FROM events WHERE seq = 9");
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: false, seq: 10 });
  });

  it("C-06 pruning by age keeps the young and always the newest", async () => {
    const { store, scope } = await openScope(await newPlace());
    await fill(store, scope, 4);
    expect(await pruneEvents(store, scope, { keepDays: 1 })).toEqual({ count: 0, oldest: 1 });
    expect((await store.readEvents({ scope })).head).toBe(5);
    const all = await pruneEvents(store, scope, { beforeSeq: 1_000_000 });
    expect(all).toEqual({ count: 4, oldest: 5 });
    const bad = () => pruneEvents(store, scope, { keepDays: -1 });
    expect(bad).toThrow(expect.objectContaining({ code: "USAGE" }));
  });

  it("C-06 a cursor before the pruned part is refused, the beginning is not", async () => {
    const { store, scope } = await openScope(await newPlace());
    await fill(store, scope, 9);
    await pruneEvents(store, scope, { beforeSeq: 6 });
    await expect(store.readEvents({ scope, since: 4 })).rejects.toMatchObject({
      code: "CURSOR_PRUNED",
      data: { cursor: 4, oldest: 6 },
    });
    expect((await store.readEvents({ scope, since: 5 })).events[0]).toMatchObject({ seq: 6 });
    expect((await store.readEvents({ scope, since: 0 })).events[0]).toMatchObject({ seq: 6 });
  });
});

describe.each(backends)("following on $name", ({ migratedPlace: newPlace }) => {
  const take = async (events: AsyncGenerator<Event>, count: number): Promise<number[]> => {
    const seen: number[] = [];
    for await (const event of events) {
      seen.push(event.seq);
      if (seen.length === count) break;
    }
    return seen;
  };

  it("C-06 a follower gets old and new events of all writers without a gap", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await fill(store, scope, 3);
    const { signal } = new AbortController();
    const following = take(followEvents(store, scope, { since: 1, signal }), 63);
    const { address, localDir } = place;
    const other = await place.open();
    await Promise.all([
      runStoreWorker({ address, localDir, work: "append", times: 20 }),
      fill(store, scope, 20),
      fill(other, scope, 20),
    ]);
    expect(await following).toEqual(Array.from({ length: 63 }, (_, index) => index + 2));
  });

  it("C-06 a follower of some kinds sees only those", async () => {
    const { store, scope } = await openScope(await newPlace());
    const { signal } = new AbortController();
    const following = take(followEvents(store, scope, { kind: "claim.*", signal }), 4);
    await fill(store, scope, 8);
    expect(await following).toEqual([3, 5, 7, 9]);
  });

  it("C-06 a follower that starts far behind gets every page", async () => {
    const { store, scope } = await openScope(await newPlace());
    for (let round = 0; round < 3; round += 1) {
      await store.write({ scope }, async (tx) => {
        for (let index = 0; index < 700; index += 1) tx.emit({ kind: "test.many" });
        return null;
      });
    }
    const { signal } = new AbortController();
    const seen = await take(followEvents(store, scope, { signal }), 2101);
    expect(seen).toEqual(Array.from({ length: 2101 }, (_, index) => index + 1));
  });

  it("C-06 an aborted follower ends", async () => {
    const { store, scope } = await openScope(await newPlace());
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const event of followEvents(store, scope, { signal: stop.signal })) {
        seen.push(event.seq);
        setImmediate(() => stop.abort());
      }
    })();
    await following;
    expect(seen).toEqual([1]);
  });
});
