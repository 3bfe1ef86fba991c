/** Measures on a real PostgreSQL what the simulation of scale needs: costs, and what stops what. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { systemFiles } from "../src/base/files.ts";
import { ownIdentity } from "../src/base/process-identity.ts";
import { type Claims, FenceMark, openClaimsIn, parseActor } from "../src/claims/index.ts";
import { openStore, type Store } from "../src/store/index.ts";
import { startPostgres } from "../test/helpers/postgres.ts";
import { median } from "./harness.ts";

export interface Costs {
  /** A question to the server and back, on this machine. */
  readonly roundTripMs: number;
  /** A durable commit over one that is not: what the disk takes. */
  readonly flushMs: number;
  /** CPU time of the server. */
  readonly grantCpuMs: number;
  readonly releaseCpuMs: number;
  readonly checkCpuMs: number;
  /** CPU time of the server for one listener of one commit. */
  readonly listenerCpuMs: number;
  readonly connectMs: number;
}

export interface Situation {
  readonly scopes: number;
  readonly slowDiskMs: number;
  readonly notices: boolean;
  readonly listeners: number;
  /** What the disk took just before and after, one commit at a time. */
  readonly flushMs: number;
  /** Claims and releases together. */
  readonly writesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Measured {
  readonly version: string;
  readonly clients: number;
  readonly seconds: number;
  readonly costs: Costs;
  readonly situations: readonly Situation[];
}

const clients = 8;
const seconds = 2;

export const measureServer = async (folder: string): Promise<Measured> => {
  const server = await startPostgres({ max_connections: "400" });
  const address = server.url();
  const bare = new pg.Client({ connectionString: address });
  try {
    await bare.connect();
    const members: Member[] = [];
    for (let index = 0; index < clients; index += 1) {
      members.push(await openMember(address, join(folder, `client-${index}`)));
    }
    const { rows } = await bare.query<{ server_version: string }>("show server_version");
    const costs = await measureCosts(address, bare, members[0]!);
    const situations: Situation[] = [];
    const wanted = [
      ...[1, 8].flatMap((scopes) =>
        [0, 2].flatMap((slowDiskMs) =>
          [true, false].map((notices) => ({ scopes, slowDiskMs, notices, listeners: 0 })),
        ),
      ),
      ...[50, 200].map((listeners) => ({ scopes: 8, slowDiskMs: 0, notices: true, listeners })),
    ];
    for (const situation of wanted) {
      situations.push(await measureSituation(address, bare, members, situation));
    }
    const listenerCpuMs = await listenerCost(address, bare, members[0]!);
    for (const { store } of members) await store.close();
    return {
      version: rows[0]!.server_version,
      clients,
      seconds,
      costs: { ...costs, listenerCpuMs },
      situations,
    };
  } finally {
    await bare.end();
    await server.dispose();
  }
};

interface Member {
  readonly store: Store;
  /** By the number of the scope. */
  claims(scope: number): Promise<Claims>;
}

/** As one host has it: a store of its own with its connections and its fence mark. */
const openMember = async (address: string, dir: string): Promise<Member> => {
  const store = await openStore({ address, localDir: dir, waitMs: 60_000 });
  const known = new Map<number, Promise<Claims>>();
  const open = async (number: number): Promise<Claims> => {
    const own = join(dir, `scope-${number}`);
    mkdirSync(own, { recursive: true });
    const fences = new FenceMark({
      files: systemFiles,
      dir: own,
      store: store.location,
      isShared: true,
      bootId: ownIdentity().bootId,
    });
    const scope = await store.scope({ key: `scale:${number}`, name: `scale-${number}` });
    const actor = { ...parseActor("bench"), process: ownIdentity() };
    return openClaimsIn({ store, scope, fences }, { actor });
  };
  return {
    store,
    claims: (number) => {
      if (!known.has(number)) known.set(number, open(number));
      return known.get(number)!;
    },
  };
};

let target = 0;
const grantOne = async (claims: Claims): Promise<string> => {
  const result = await claims.claim({
    targets: [{ path: `work/f-${(target += 1)}.ts`, extent: "file" }],
  });
  if (!result.ok) throw new Error(JSON.stringify(result).slice(0, 300));
  return result.claims[0]!.id;
};

const measureCosts = async (
  address: string,
  bare: pg.Client,
  member: Member,
): Promise<Omit<Costs, "listenerCpuMs">> => {
  const claims = await member.claims(0);
  await bare.query("CREATE TABLE bench_flush (at bigint)");
  const held: string[] = [];
  const count = 500;
  for (let index = 0; index < 100; index += 1)
    await claims.release({ claims: [await grantOne(claims)] });
  const grantCpuMs = await cpuOf(bare, count, async () => void held.push(await grantOne(claims)));
  const checkCpuMs = await cpuOf(bare, count, () => claims.check(["work/elsewhere.ts"]));
  const releaseCpuMs = await cpuOf(bare, count, () => claims.release({ claims: [held.pop()!] }));
  return {
    roundTripMs: await time(500, () => bare.query("select 1")),
    flushMs: await flushTime(bare),
    grantCpuMs,
    releaseCpuMs,
    checkCpuMs,
    connectMs: await time(20, async () => {
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      await client.end();
    }),
  };
};

const time = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
};

/** A durable commit over one that is not. */
const flushTime = async (bare: pg.Client): Promise<number> => {
  const insert = () => bare.query("INSERT INTO bench_flush (at) VALUES (1)");
  await time(20, insert);
  const durable = await time(60, insert);
  await bare.query("SET synchronous_commit = off");
  const lazy = await time(60, insert);
  await bare.query("RESET synchronous_commit");
  return Math.max(0.01, durable - lazy);
};

/** CPU time that the server's sessions took for one of `count` runs. Linux only: elsewhere by the clock. */
const cpuOf = async (
  bare: pg.Client,
  count: number,
  work: () => Promise<unknown>,
  which = "true",
): Promise<number> => {
  const spent = async (): Promise<number> => {
    const { rows } = await bare.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and ${which}`,
    );
    return rows.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
  };
  // Connections of the pool exist before the first look.
  await work();
  const before = process.platform === "linux" ? await spent() : 0;
  const start = performance.now();
  for (let index = 1; index < count; index += 1) await work();
  if (process.platform !== "linux") return (performance.now() - start) / (count - 1);
  return Math.max(0.01, ((await spent()) - before) / (count - 1));
};

/** The scheduler's own account, in nanoseconds; the better known ticks are too coarse for listeners. */
const cpuMsOf = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
};

/** `commit_delay` makes every flush wait, as a slower disk would; flushes still serve whoever waits. */
const setUp = async (
  bare: pg.Client,
  { slowDiskMs, notices }: Pick<Situation, "slowDiskMs" | "notices">,
) => {
  await bare.query(`ALTER SYSTEM SET commit_delay = ${slowDiskMs * 1000}`);
  await bare.query("ALTER SYSTEM SET commit_siblings = 0");
  await bare.query("SELECT pg_reload_conf()");
  const { rows } = await bare.query<{ source: string }>(
    "SELECT pg_get_functiondef('headgate.append_events'::regproc) AS source",
  );
  const source = rows[0]!.source.replaceAll("-- PERFORM pg_notify", "PERFORM pg_notify");
  await bare.query(
    notices ? source : source.replaceAll("PERFORM pg_notify", "-- PERFORM pg_notify"),
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
};

const measureSituation = async (
  address: string,
  bare: pg.Client,
  members: readonly Member[],
  wanted: Omit<Situation, "flushMs" | "writesPerSecond" | "p50Ms" | "p99Ms">,
): Promise<Situation> => {
  await setUp(bare, wanted);
  const listeners = await listen(address, wanted.listeners);
  const times: number[] = [];
  const all = await Promise.all(
    members.map((member, index) => member.claims(index % wanted.scopes)),
  );
  // Scopes and connections are made before the time runs.
  for (const claims of all) await claims.release({ claims: [await grantOne(claims)] });
  const flushBefore = await flushTime(bare);
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    all.map(async (claims) => {
      while (performance.now() < end) {
        const start = performance.now();
        const id = await grantOne(claims);
        const between = performance.now();
        await claims.release({ claims: [id] });
        times.push(between - start, performance.now() - between);
      }
    }),
  );
  await Promise.all(listeners.map((client) => client.end()));
  const sorted = times.toSorted((a, b) => a - b);
  return {
    ...wanted,
    flushMs: (flushBefore + (await flushTime(bare))) / 2,
    writesPerSecond: Math.round(times.length / seconds),
    p50Ms: sorted[sorted.length >> 1]!,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)]!,
  };
};

const listen = async (address: string, count: number): Promise<pg.Client[]> => {
  const all: pg.Client[] = [];
  for (let index = 0; index < count; index += 1) {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query("LISTEN headgate_events");
    all.push(client);
  }
  return all;
};

const listenerCost = async (address: string, bare: pg.Client, member: Member): Promise<number> => {
  const claims = await member.claims(0);
  const work = async () => void (await claims.release({ claims: [await grantOne(claims)] }));
  const count = 100;
  const listeners = await listen(address, count);
  const spent = await cpuOf(bare, 300, work, "query = 'LISTEN headgate_events'");
  await Promise.all(listeners.map((client) => client.end()));
  // Two commits a run.
  return spent / 2 / count;
};
