import { describe, expect, it } from "vitest";
import { claimColumns } from "../../src/claims/claim-row.ts";
import { openClaimsIn, parseActor } from "../../src/claims/index.ts";
import type { Reader, Row, Statement, Store } from "../../src/store/index.ts";
import { type ClaimsPlace, granted, openClaimsAt, timeFor } from "../helpers/claims.ts";
import { readEventPage } from "../../src/store/events/read-event-page.ts";
import { backends, type StorePlace } from "../helpers/store-backends.ts";

const kinds = ["claim.granted", "claim.released", "edit.applied", "gate.allowed"];
const holders = 10;
const kindOf = `CASE n % 4 ${kinds.map((kind, at) => `WHEN ${at} THEN '${kind}'`).join(" ")} END`;

/** Past Headgate, because the chain of hashes does not matter here: a thousand times as fast. */
const grow = async (place: StorePlace, scope: string, size: { from: number; to: number }) => {
  const isServer = place.backend === "postgres";
  const numbers = `WITH RECURSIVE numbers (n) AS (
    SELECT ${size.from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${size.to - 1})`;
  const copied: Readonly<Record<string, string>> = {
    id: "'cl_' || n",
    target: "'gen/f' || n",
    place: "'gen/f' || n",
    actor: `'holder ' || (n / 10 % ${holders})`,
    session: `'holder ' || (n / 10 % ${holders})`,
  };
  const columns = claimColumns.split(",").map((name) => name.trim());
  const values = columns.map((name) => copied[name] ?? name).join(", ");
  await place.sql(`
    INSERT INTO events (scope_id, seq, id, at, kind, operation, data, hash)
    ${numbers} SELECT '${scope}', 1000 + n, 'ev_' || n, 1, ${kindOf}, 'op', '{}', '' FROM numbers;
    UPDATE scopes SET event_seq = 1000 + ${size.to - 1} WHERE id = '${scope}';
    INSERT INTO claims (scope_id, ${columns.join(", ")})
    ${numbers} SELECT scope_id, ${values} FROM claims, numbers
    WHERE target = 'first' AND n % 10 < 2;
    ${isServer ? "ANALYZE" : ""}`);
};

interface Seen {
  /** Rows of events and claims that the server's plans went through; of SQLite, rows that were answered. */
  rows: number;
  /** Plans that go through all events or claims of a scope. */
  readonly scans: string[];
}

interface Plan {
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

const rowsRead = (plan: Plan): number => {
  const inner = (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);
  if (!/^(?:events|claims)$/.test(plan["Relation Name"] ?? "")) return inner;
  const passed = (plan["Actual Rows"] ?? 0) + (plan["Rows Removed by Filter"] ?? 0);
  return inner + passed * (plan["Actual Loops"] ?? 1);
};

/** Has every statement explained before it runs. */
const explained = (store: Store, seen: Seen): Store => {
  const look = async (tx: Reader, statement: Statement, parameters: Row | undefined) => {
    if (store.capabilities.name === "sqlite") {
      const sqlite = `EXPLAIN QUERY PLAN ${"sql" in statement ? statement.sql : statement.sqlite}`;
      for (const { detail } of await tx.all({ sqlite, postgres: "" }, parameters)) {
        const text = String(detail);
        if (/SCAN (?:events|claims)\b|\b(?:events|claims) .*\(scope_id=\?\)/.test(text)) {
          seen.scans.push(`${text}: ${sqlite}`);
        }
      }
      return;
    }
    const text = "sql" in statement ? statement.sql : statement.postgres;
    const postgres = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`;
    const [row] = await tx.all({ postgres, sqlite: "" }, parameters);
    const told: unknown = row?.["QUERY PLAN"];
    const [top] = (typeof told === "string" ? JSON.parse(told) : told) as [{ Plan: Plan }];
    seen.rows += rowsRead(top.Plan);
  };
  const watch = (tx: Reader): Reader => ({
    now: () => tx.now(),
    all: async (statement, parameters) => {
      await look(tx, statement, parameters);
      const rows = await tx.all<never>(statement, parameters);
      if (store.capabilities.name === "sqlite") seen.rows += rows.length;
      return rows;
    },
    get: async (statement, parameters) => {
      await look(tx, statement, parameters);
      return tx.get(statement, parameters);
    },
  });
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "read") {
        return (work: (tx: Reader) => Promise<unknown>) => target.read((tx) => work(watch(tx)));
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
};

/** What `status`, `claims`, `sweep` and the dashboard ask, one after the other. */
const looks = (
  place: ClaimsPlace,
  store: Store,
): Readonly<Record<string, () => Promise<unknown>>> => {
  const { scope, fences } = place;
  const claims = openClaimsIn({ store, scope, fences }, { actor: parseActor("holder 3") });
  const newest = (kind: string, range: object = { last: 50 }) =>
    store.read((tx) => readEventPage(tx, { scope, kind, ...range }));
  return {
    "the overview": () => claims.overview(),
    "the oldest claims": () => claims.list({ limit: 5 }),
    "the claims of one": () => claims.list({ actor: "holder 3", limit: 5 }),
    "what a sweep finds": () => claims.sweep({ dryRun: true }),
    "the newest events": () => newest("*"),
    "the newest of a frequent kind": () => newest("gate.allowed"),
    "the newest of a rare kind": () => newest("scope.created"),
    "the newest of no kind": () => newest("session.*"),
    "the newest of a pattern": () => newest("claim.*"),
    "the newest before one": () => newest("gate.allowed", { last: 50, before: 900 }),
    "a rare kind from the start": () => newest("scope.created", { since: 0, limit: 50 }),
  };
};

const cost = async (place: ClaimsPlace): Promise<Map<string, Seen>> => {
  const costs = new Map<string, Seen>();
  const seen: Seen = { rows: 0, scans: [] };
  const all = looks(place, explained(place.store, seen));
  for (const [name, look] of Object.entries(all)) {
    seen.rows = 0;
    await look();
    costs.set(name, { rows: seen.rows, scans: seen.scans.splice(0) });
  }
  return costs;
};

describe.each(backends)("G14 looking on $name", ({ migratedPlace: newPlace }) => {
  it("G14 reads no more in a log of 20,000 events with 4,000 claims than with 1,000 and 200", async () => {
    const there = await newPlace();
    const place = await openClaimsAt(there);
    granted(await place.as("ada").claim({ targets: ["first"], ttlMs: 3_600_000 }));
    const { id } = place.scope;
    await grow(there, id, { from: 0, to: 1_000 });
    const few = await cost(place);
    await grow(there, id, { from: 1_000, to: 20_000 });
    const many = await cost(place);
    expect([...many].flatMap(([name, { scans }]) => scans.map((one) => `${name}: ${one}`))).toEqual(
      [],
    );
    const grown = [...many].flatMap(([name, { rows }]) => {
      const before = few.get(name)?.rows ?? 0;
      return rows > 2 * Math.max(before, 1) ? [`${name}: ${before} rows, then ${rows}`] : [];
    });
    expect(grown).toEqual([]);
  });

  it("C-15 counts by holder what is live, whatever was granted, ended, ran out or was moved", async () => {
    const there = await newPlace();
    const time = timeFor(there);
    const place = await openClaimsAt(there, { clock: time.clock });
    const [ada, ben] = [place.as("ada"), place.as("ben")];
    const counted = async () => {
      const { live, holders } = await ada.overview();
      return {
        live,
        holders: holders.map(({ actor, claims }) => `${actor} ${claims}`),
      };
    };
    expect(await counted()).toEqual({ live: 0, holders: [] });
    granted(await ada.claim({ targets: ["a", "b", "c"], ttlMs: 60_000 }));
    granted(await ben.claim({ targets: ["d"], ttlMs: 1_000 }));
    expect(await counted()).toEqual({ live: 4, holders: ["ada 3", "ben 1"] });
    await time.pass(2_000);
    // Nobody has ended what ran out.
    expect(await counted()).toEqual({ live: 3, holders: ["ada 3"] });
    await ada.transfer({ claims: ["a"] }, { to: "carol" });
    await ada.release({ claims: ["b"] });
    expect(await counted()).toEqual({
      live: 2,
      holders: ["ada 1", "carol 1"],
    });
    expect((await ada.sweep()).expired).toHaveLength(1);
    await ada.release({ all: true });
    expect(await counted()).toEqual({ live: 1, holders: ["carol 1"] });
  });

  it("C-05 counts the claims that were there before the store could count", async () => {
    const there = await newPlace();
    const place = await openClaimsAt(there);
    granted(await place.as("ada").claim({ targets: ["a", "b"] }));
    await place.store.close();
    const isServer = there.backend === "postgres";
    const triggers = isServer
      ? "DROP FUNCTION count_claims CASCADE;"
      : "DROP TRIGGER claims_counted; DROP TRIGGER claims_counted_less;";
    await there.sql(`${triggers} DROP TABLE claim_counts; DROP INDEX events_by_kind;
      DROP INDEX claims_by_holder; DROP INDEX claims_by_end;
      DELETE FROM schema_migrations WHERE version >= 12;`);
    const again = await openClaimsAt(there, { dir: place.dir });
    expect((await again.as("ada").overview()).holders).toMatchObject([{ actor: "ada", claims: 2 }]);
    await again.as("ada").release({ all: true });
    expect((await again.as("ada").overview()).live).toBe(0);
  });
});
