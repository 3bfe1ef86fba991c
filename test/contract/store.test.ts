import { describe, expect, it } from "vitest";
import { isId } from "../../src/base/ids.ts";
import type { Writer } from "../../src/store/index.ts";
import { runStoreWorker } from "../helpers/run-store-worker.ts";
import { backends, makeNumbers, openScope } from "../helpers/store-backends.ts";

const setNumber = { sql: "INSERT INTO numbers (name, value) VALUES (:name, :value)" };
const getNumber = { sql: "SELECT value FROM numbers WHERE name = :name" };
const allNumbers = { sql: "SELECT name, value FROM numbers ORDER BY name" };
const note = (tx: Writer) => tx.emit({ kind: "test.noted" });

describe.each(backends)("store on $name: transactions", ({ migratedPlace: newPlace }) => {
  it("C-01 writes of one process never interleave", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await makeNumbers(place);
    await store.write({ scope }, async (tx) => {
      await tx.run(setNumber, { name: "count", value: 0 });
      return note(tx);
    });
    const add = () =>
      store.write({ scope }, async (tx) => {
        const row = await tx.get<{ value: number }>(getNumber, { name: "count" });
        const value = row!.value + 1;
        await tx.run({ sql: "UPDATE numbers SET value = :value WHERE name = 'count'" }, { value });
        note(tx);
        return value;
      });
    const values = await Promise.all(Array.from({ length: 20 }, add));
    expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  it("C-01 of eight racing processes exactly one wins, every time, and no update is lost", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await makeNumbers(place);
    await place.sql("INSERT INTO numbers (name, value) VALUES ('count', 0)");
    const { address, localDir } = place;
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index < 4
          ? runStoreWorker({ address, localDir, work: "win", times: 25 })
          : runStoreWorker({ address, localDir, work: "count", times: 25 }),
      ),
    );
    const won = ends.flatMap((end) => end.lines.flatMap((line) => line.won ?? []));
    expect(won.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, index) => index));
    expect(ends.map((end) => end.code)).toEqual(Array.from({ length: 8 }, () => 0));
    const row = await store.read((tx) => tx.get<{ value: number }>(getNumber, { name: "count" }));
    expect(row?.value).toBe(100);
    expect((await store.readEvents({ scope })).head).toBe(126);
  });

  it("C-06 a change and its event are kept together or not at all", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await makeNumbers(place);
    const failing = store.write({ scope }, async (tx) => {
      await tx.run(setNumber, { name: "a", value: 1 });
      note(tx);
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await store.read((tx) => tx.all(allNumbers))).toEqual([]);
    expect((await store.readEvents({ scope })).head).toBe(1);
    await store.write({ scope }, async (tx) => {
      await tx.run(setNumber, { name: "a", value: 2 });
      return note(tx);
    });
    expect(await store.read((tx) => tx.all(allNumbers))).toEqual([{ name: "a", value: 2 }]);
    expect((await store.readEvents({ scope })).head).toBe(2);
  });

  it("C-06 a change without an event is a defect and is rolled back", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await makeNumbers(place);
    const silent = store.write({ scope }, async (tx) => tx.run(setNumber, { name: "a", value: 1 }));
    await expect(silent).rejects.toMatchObject({ code: "INTERNAL" });
    const returning = { sql: `${setNumber.sql} RETURNING value` };
    const alsoSilent = store.write({ scope }, async (tx) =>
      tx.all(returning, { name: "b", value: 1 }),
    );
    await expect(alsoSilent).rejects.toMatchObject({ code: "INTERNAL" });
    expect(await store.read((tx) => tx.all(allNumbers))).toEqual([]);
  });

  it("C-06 a write that changes nothing and emits nothing leaves no trace", async () => {
    const { store, scope } = await openScope(await newPlace());
    expect(await store.write({ scope, key: "look" }, async () => "first")).toBe("first");
    expect(await store.write({ scope, key: "look" }, async () => "second")).toBe("second");
    expect((await store.readEvents({ scope })).head).toBe(1);
  });

  it("C-06 a transaction with a failed statement is never committed, even if the error was caught", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await makeNumbers(place);
    const write = store.write({ scope }, async (tx) => {
      await tx.run(setNumber, { name: "a", value: 1 });
      note(tx);
      await tx.run(setNumber, { name: "a", value: 2 }).catch(() => {});
      return "fine";
    });
    await expect(write).rejects.toMatchObject({ code: "INTERNAL" });
    expect(await store.read((tx) => tx.all(allNumbers))).toEqual([]);
  });

  it("C-01 a transaction cannot be used after its end", async () => {
    const { store, scope } = await openScope(await newPlace());
    let leaked: Writer | undefined;
    await store.write({ scope }, async (tx) => {
      leaked = tx;
      return note(tx);
    });
    await expect(leaked!.all({ sql: "SELECT 1 AS one" })).rejects.toMatchObject({
      code: "INTERNAL",
    });
  });

  it("C-01 a read sees one moment and cannot change anything", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await makeNumbers(place);
    await store.read(async (tx) => {
      expect(await tx.all(allNumbers)).toEqual([]);
      await store.write({ scope }, async (other) => {
        await other.run(setNumber, { name: "a", value: 1 });
        return note(other);
      });
      expect(await tx.all(allNumbers)).toEqual([]);
    });
    expect(await store.read((tx) => tx.all(allNumbers))).toHaveLength(1);
    const writing = store.read((tx) => tx.all(setNumber, { name: "b", value: 1 }));
    await expect(writing).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
    expect(await store.read((tx) => tx.all(allNumbers))).toHaveLength(1);
  });

  it("C-01 a waiting writer is told STORE_BUSY after its waiting time, and then gets its turn", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    const other = await place.open({ waitMs: 1_000 });
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const holding = store.write({ scope }, async (tx) => {
      await tx.now();
      begin();
      await held;
      return note(tx);
    });
    await begun;
    const waiting = other.write({ scope }, async (tx) => note(tx));
    await expect(waiting).rejects.toMatchObject({ code: "STORE_BUSY" });
    letGo();
    await holding;
    await other.write({ scope }, async (tx) => note(tx));
    expect((await store.readEvents({ scope })).head).toBe(3);
  });

  it("C-01 the first to need a scope makes it, and everybody gets the same", async () => {
    const place = await newPlace();
    const stores = await Promise.all([place.open(), place.open(), place.open(), place.open()]);
    const scopes = await Promise.all(stores.map((store) => store.scope({ key: "k", name: "n" })));
    expect(new Set(scopes.map((scope) => scope.id)).size).toBe(1);
    const { events } = await stores[0]!.readEvents({ scope: scopes[0]! });
    expect(events.map((event) => event.kind)).toEqual(["scope.created"]);
    const second = await stores[0]!.scope({ key: "k2", name: "n" });
    expect(second.id).not.toBe(scopes[0]!.id);
  });

  it("C-11 scopes, events and operations have ids of the one format", async () => {
    const { store, scope } = await openScope(await newPlace());
    const id = await store.write({ scope }, async (tx) => note(tx));
    const { events } = await store.readEvents({ scope });
    expect(isId("scope", scope.id)).toBe(true);
    expect(events.map((event) => event.id).includes(id)).toBe(true);
    for (const event of events) {
      expect(isId("event", event.id)).toBe(true);
      expect(isId("operation", event.operation)).toBe(true);
    }
  });

  it("C-01 one transaction sees one moment of the store's clock, and the clock moves on", async () => {
    const { store, scope } = await openScope(await newPlace());
    const before = await store.now();
    const [first, second] = await store.write({ scope }, async (tx) => {
      const times = [(await tx.now()).wallMs, (await tx.now()).wallMs];
      note(tx);
      return times;
    });
    expect(first).toBe(second);
    expect(first).toBeGreaterThanOrEqual(before.wallMs);
    expect((await store.now()).wallMs).toBeGreaterThanOrEqual(first!);
  });

  it("C-01 a closed store answers STORE_UNAVAILABLE, and closing twice is fine", async () => {
    const { store, scope } = await openScope(await newPlace());
    await store.close();
    await store.close();
    const code = { code: "STORE_UNAVAILABLE" };
    await expect(store.read(async () => 1)).rejects.toMatchObject(code);
    await expect(store.write({ scope }, async (tx) => note(tx))).rejects.toMatchObject(code);
    await expect(store.now()).rejects.toMatchObject(code);
  });
});

describe.each(backends)("store on $name: repetition and outcome", ({ migratedPlace: newPlace }) => {
  it("G7 a repetition with the same key returns the first result and does nothing", async () => {
    const { store, scope } = await openScope(await newPlace());
    const result = { list: [1, null, "é"], nested: { yes: true } };
    const first = await store.write({ scope, key: "grant 1" }, async (tx) => {
      note(tx);
      return result;
    });
    let ran = false;
    const second = await store.write({ scope, key: "grant 1" }, async (tx) => {
      ran = true;
      note(tx);
      return { list: [] };
    });
    expect([first, second, ran]).toEqual([result, result, false]);
    expect((await store.readEvents({ scope })).head).toBe(2);
  });

  it("G7 the same key in two processes at once runs the work once", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    const others = await Promise.all([place.open(), place.open(), place.open()]);
    const results = await Promise.all(
      [store, ...others].map((one, index) =>
        one.write({ scope, key: "once" }, async (tx) => {
          note(tx);
          return index;
        }),
      ),
    );
    expect(new Set(results).size).toBe(1);
    expect((await store.readEvents({ scope })).head).toBe(2);
  });

  it("G7 a key belongs to its scope", async () => {
    const { store, scope } = await openScope(await newPlace());
    const other = await store.scope({ key: "other", name: "other" });
    const write = (target: typeof scope, value: string) =>
      store.write({ scope: target, key: "k" }, async (tx) => {
        note(tx);
        return value;
      });
    expect(await write(scope, "one")).toBe("one");
    expect(await write(other, "two")).toBe("two");
  });

  it("G7 outcome tells what became of a key and of an operation", async () => {
    const { store, scope } = await openScope(await newPlace());
    await store.write({ scope, key: "known" }, async (tx) => {
      note(tx);
      return { fence: 7 };
    });
    expect(await store.outcome(scope, "known")).toEqual({
      state: "committed",
      result: { fence: 7 },
    });
    expect(await store.outcome(scope, "unknown")).toEqual({ state: "not-committed" });
    await store.write({ scope }, async (tx) => note(tx));
    const [event] = (await store.readEvents({ scope, last: 1 })).events;
    expect(await store.outcome(scope, event!.operation)).toMatchObject({ state: "committed" });
    const never = "op_000000000000000000";
    expect(await store.outcome(scope, never)).toEqual({ state: "not-committed" });
    expect(await store.outcome(scope, never)).toEqual({ state: "not-committed" });
  });

  it("G7 a key that cannot be stored is refused before anything happens", async () => {
    const { store, scope } = await openScope(await newPlace());
    for (const key of ["", "a\u0000b", "x".repeat(201), "\ud800"]) {
      const write = store.write({ scope, key }, async (tx) => note(tx));
      await expect(write).rejects.toMatchObject({ code: "USAGE" });
    }
  });
});

describe.each(backends)("store on $name: values", ({ migratedPlace: newPlace }) => {
  const hostile = [
    `it's "quoted"`,
    "$(touch /tmp/owned) `id` ; && | > <",
    "line\nbreak\r\n\ttab\\backslash\\n",
    "'); DROP TABLE events; --",
    ":name ::text $1 ? @x #{y} ${z} %s %%",
    "emoji 🦦 family 👨‍👩‍👧 flag 🇨🇭 combining e\u0301 bidi \u202e end",
    "\u0001\u001b[31m\u007f\u0080\ufeff\uffff\u{10ffff}",
    "x".repeat(10_000),
    "",
    " leading and trailing ",
  ];

  it("C-02 F07 hostile text comes back byte-identical from every field", async () => {
    const place = await newPlace();
    const { store } = await openScope(place);
    await makeNumbers(place);
    for (const text of hostile) {
      const key = `k ${text}`.slice(0, 200);
      const scope = await store.scope({ key: `scope ${text}`, name: text });
      expect(scope).toMatchObject({ key: `scope ${text}`, name: text });
      expect(await store.scope({ key: `scope ${text}`, name: "other" })).toEqual(scope);
      const result = await store.write({ scope, key }, async (tx) => {
        await tx.run(setNumber, { name: text, value: 1 });
        const row = await tx.get(
          { sql: "SELECT name FROM numbers WHERE name = :text /* it's :not */ -- :nor 'this" },
          { text },
        );
        tx.emit({
          kind: "test.text",
          actor: text,
          subject: text,
          data: { [text]: text, row } as never,
        });
        return { text };
      });
      expect(result).toEqual({ text });
      expect(await store.write({ scope, key }, async () => ({ text: "again" }))).toEqual({ text });
      const [event] = (await store.readEvents({ scope, last: 1 })).events;
      expect(event).toMatchObject({ actor: text, subject: text });
      expect(event!.data).toEqual({ [text]: text, row: { name: text } });
    }
    const names = await store.read((tx) => tx.all<{ name: string }>(allNumbers));
    expect(names.map((row) => row.name).toSorted()).toEqual(hostile.toSorted());
  });

  it("C-02 text that no store can keep is refused, the same on both", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await makeNumbers(place);
    for (const text of ["nul \u0000 inside", "half \ud83e pair", "\udda6"]) {
      const write = store.write({ scope }, async (tx) => {
        note(tx);
        return tx.run(setNumber, { name: text, value: 1 });
      });
      await expect(write).rejects.toMatchObject({ code: "STORE_TEXT_INVALID" });
      const scoped = store.scope({ key: text, name: "n" });
      await expect(scoped).rejects.toMatchObject({ code: "STORE_TEXT_INVALID" });
    }
    expect(await store.read((tx) => tx.all(allNumbers))).toEqual([]);
  });

  it("C-02 numbers and null come back exact, and arithmetic on them agrees", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await makeNumbers(place);
    const values = [0, -1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    await store.write({ scope }, async (tx) => {
      for (const value of values) await tx.run(setNumber, { name: `n${value}`, value });
      return note(tx);
    });
    for (const value of values) {
      const row = await store.read((tx) =>
        tx.get(
          {
            sql: `SELECT value, value / 1000 AS part, value = :value AS same, NULL AS absent,
                    count(*) OVER () AS rows, 0.5 AS half FROM numbers WHERE value = :value`,
          },
          { value },
        ),
      );
      const part = Math.trunc(value / 1000) + 0;
      expect(row).toEqual({ value, part, same: 1, absent: null, rows: 1, half: 0.5 });
    }
    const tooLarge = store.read((tx) => tx.all(getNumber, { name: 2 ** 60 }));
    await expect(tooLarge).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("C-02 a missing or strange parameter is a defect, not a guess", async () => {
    const place = await newPlace();
    const { store } = await openScope(place);
    await makeNumbers(place);
    for (const parameters of [{}, { name: undefined }, { name: true }, { name: Number.NaN }]) {
      const read = store.read((tx) => tx.all(getNumber, parameters as never));
      await expect(read).rejects.toMatchObject({ code: "INTERNAL" });
    }
  });
});

describe.each(backends)("store on $name: schema", ({ place: newPlace }) => {
  it("C-05 opening again changes nothing", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await store.write({ scope }, async (tx) => note(tx));
    const applied = "SELECT version, name, checksum, applied_at FROM schema_migrations";
    const before = await place.sql(applied);
    const again = await openScope(place);
    expect(again.scope).toEqual(scope);
    expect(await place.sql(applied)).toEqual(before);
    expect((await again.store.readEvents({ scope })).head).toBe(2);
  });

  it("C-05 F10 a store of a newer Headgate is refused and not touched", async () => {
    const place = await newPlace();
    await openScope(place);
    await place.sql("INSERT INTO schema_migrations VALUES (9999, 'from-the-future', 'x', 1)");
    const before = await place.sql("SELECT * FROM schema_migrations ORDER BY version");
    await expect(place.open()).rejects.toMatchObject({
      code: "STORE_SCHEMA_NEWER",
      data: { version: 9999 },
    });
    await expect(place.open({ readOnly: true })).rejects.toMatchObject({
      code: "STORE_SCHEMA_NEWER",
    });
    expect(await place.sql("SELECT * FROM schema_migrations ORDER BY version")).toEqual(before);
  });

  it("C-05 a migration that differs from the shipped one is refused", async () => {
    const place = await newPlace();
    await openScope(place);
    await place.sql("UPDATE schema_migrations SET checksum = 'changed' WHERE version = 1");
    await expect(place.open()).rejects.toMatchObject({ code: "STORE_MIGRATION_CHANGED" });
  });

  it("C-05 a read-only store is never created or migrated", async () => {
    const place = await newPlace();
    const open = () => place.open({ readOnly: true });
    await expect(open()).rejects.toMatchObject({ code: "STORE_ABSENT" });
    await expect(open()).rejects.toMatchObject({ code: "STORE_ABSENT" });
    const { store, scope } = await openScope(place);
    await store.write({ scope, key: "k" }, async (tx) => note(tx));
    const reader = await open();
    expect(reader.readOnly).toBe(true);
    expect(await reader.scope({ key: scope.key, name: scope.name })).toEqual(scope);
    expect((await reader.readEvents({ scope })).head).toBe(2);
    expect(await reader.outcome(scope, "k")).toMatchObject({ state: "committed" });
    const code = { code: "STORE_READ_ONLY" };
    await expect(reader.write({ scope }, async (tx) => note(tx))).rejects.toMatchObject(code);
    await expect(reader.scope({ key: "new", name: "new" })).rejects.toMatchObject(code);
  });

  it("C-05 F13 eight processes that open a new store at once agree on one schema", async () => {
    const place = await newPlace();
    const { address, localDir } = place;
    const ends = await Promise.all(
      Array.from({ length: 8 }, () =>
        runStoreWorker({ address, localDir, work: "append", times: 2 }),
      ),
    );
    expect(ends.flatMap((end) => end.lines.filter((line) => line.failed ?? line.code))).toEqual([]);
    const versions = await place.sql("SELECT version FROM schema_migrations ORDER BY version");
    expect(versions.map((row) => Number(row["version"]))).toEqual(
      versions.map((_, index) => index + 1),
    );
    const { store, scope } = await openScope(place);
    expect((await store.readEvents({ scope })).head).toBe(17);
  });
});
