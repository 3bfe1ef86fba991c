/**
 * Many actors on many hosts in simulated time. Who gets what is decided by the real claim code on a real
 * (SQLite) store under a simulated clock; how long it takes is decided by queues for what a PostgreSQL server has
 * only once: a scope's row, the lock that NOTIFY takes at commit, the disk, cores, connections.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../src/base/clock.ts";
import { systemFiles } from "../src/base/files.ts";
import { limits } from "../src/base/limits.ts";
import { ownIdentity } from "../src/base/process-identity.ts";
import { type Claims, FenceMark, openClaimsIn, parseActor } from "../src/claims/index.ts";
import { openStore, type Reader, type Store, type Writer } from "../src/store/index.ts";
import type { Costs } from "./scale-server.ts";

export interface Layout {
  readonly actors: number;
  readonly hosts: number;
  readonly scopes: number;
  /** Servers; a scope lives on one of them. */
  readonly servers: number;
  readonly coresPerServer: number;
  readonly roundTripMs: number;
  readonly flushMs: number;
  /** Commits send NOTIFY, as they do today. */
  readonly notices: boolean;
  /** Between two edits of an actor, and from the grant to the release (means of exponentials). */
  readonly thinkMs: number;
  readonly holdMs: number;
  /** Share of edits that go to one of twenty files of the scope that everybody wants. */
  readonly hotShare: number;
  /** Each edit looks first, as hooks do. */
  readonly looks: boolean;
  readonly warmUpMs: number;
  readonly spanMs: number;
}

export interface Told {
  readonly layout: Layout;
  /** What the actors would do per second if answers took no time. */
  readonly offeredPerSecond: number;
  readonly writesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of asked claims that somebody else held. */
  readonly refused: number;
  /** Share of the time in which it was in use, the busiest of its kind. */
  readonly use: Readonly<Record<"scope row" | "commit lock" | "cores" | "connections", number>>;
  readonly connectionsPerServer: number;
  /** Calls of the real claim code. */
  readonly calls: number;
  readonly flightsOfRelease: number;
}

/** What happens next, in simulated milliseconds. */
class Agenda {
  nowMs = 0;
  readonly #heap: { readonly atMs: number; readonly order: number; run(): void | Promise<void> }[] =
    [];
  #order = 0;

  after(ms: number, run: () => void | Promise<void>): void {
    const heap = this.#heap;
    heap.push({ atMs: this.nowMs + ms, order: (this.#order += 1), run });
    for (let at = heap.length - 1; at > 0;) {
      const up = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[up]!)) break;
      [heap[at], heap[up]] = [heap[up]!, heap[at]!];
      at = up;
    }
  }

  async runUntil(endMs: number): Promise<void> {
    for (let next = this.#take(endMs); next; next = this.#take(endMs)) {
      this.nowMs = next.atMs;
      await next.run();
    }
    this.nowMs = endMs;
  }

  #take(endMs: number) {
    const heap = this.#heap;
    const first = heap[0];
    if (!first || first.atMs > endMs) return undefined;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child]!, heap[least]!)) least = child;
      }
      if (least === at) return first;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }
}

const isBefore = (
  one: { readonly atMs: number; readonly order: number },
  other: { readonly atMs: number; readonly order: number },
): boolean => one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

/** So many may have it at once; the others wait in order. */
class Resource {
  readonly #agenda: Agenda;
  readonly #places: number;
  readonly #line: (() => void | Promise<void>)[] = [];
  #taken = 0;
  #busyMs = 0;
  #changedMs = 0;

  constructor(agenda: Agenda, places: number) {
    this.#agenda = agenda;
    this.#places = places;
  }

  take(run: () => void | Promise<void>): void {
    if (this.#taken === this.#places) return void this.#line.push(run);
    this.#count(1);
    this.#agenda.after(0, run);
  }

  give(): void {
    const next = this.#line.shift();
    if (next) this.#agenda.after(0, next);
    else this.#count(-1);
  }

  /** Has it for so long, then goes on. */
  use(ms: number, then: () => void | Promise<void>): void {
    this.take(() =>
      this.#agenda.after(ms, () => {
        this.give();
        return then();
      }),
    );
  }

  startCounting(): void {
    this.#count(0);
    this.#busyMs = 0;
  }

  useSince(spanMs: number): number {
    this.#count(0);
    return this.#busyMs / spanMs / this.#places;
  }

  #count(change: number): void {
    this.#busyMs += this.#taken * (this.#agenda.nowMs - this.#changedMs);
    this.#changedMs = this.#agenda.nowMs;
    this.#taken += change;
  }
}

/** Counts how often the code above waits for the store: statements sent together are one flight. */
const countingFlights = (store: Store): { readonly store: Store; flights: number } => {
  const counter = { store, flights: 0 };
  let outstanding = 0;
  const flight = async <T>(work: () => Promise<T>): Promise<T> => {
    if (outstanding === 0) counter.flights += 1;
    outstanding += 1;
    try {
      return await work();
    } finally {
      outstanding -= 1;
    }
  };
  const reader = (tx: Reader): Reader => ({
    // Told together with the lock.
    now: () => tx.now(),
    all: (...given) => flight(() => tx.all(...given)) as never,
    get: (...given) => flight(() => tx.get(...given)) as never,
  });
  const writer = (tx: Writer): Writer => ({
    ...reader(tx),
    run: (...given) => flight(() => tx.run(...given)),
    emit: (event) => tx.emit(event),
  });
  counter.store = new Proxy(store, {
    get: (whole, name) => {
      if (name === "write") {
        const write: Store["write"] = (options, work) =>
          whole.write(options, (tx) => work(writer(tx)));
        return write;
      }
      if (name === "read") {
        const read: Store["read"] = (work) => whole.read((tx) => work(reader(tx)));
        return read;
      }
      const value: unknown = Reflect.get(whole, name, whole);
      return typeof value === "function" ? value.bind(whole) : value;
    },
  });
  return counter;
};

type Kind = "grant" | "release" | "check";

export const simulate = async (layout: Layout, costs: Costs, folder: string): Promise<Told> => {
  const agenda = new Agenda();
  const epochMs = Date.UTC(2026, 0, 1);
  const clock: Clock = {
    wallMs: () => epochMs + Math.floor(agenda.nowMs),
    monoMs: () => agenda.nowMs,
    sleep: async () => {},
    yield: async () => {},
    sleepSync: () => {},
  };
  await using real = await openStore({ address: "", localDir: folder, clock });
  const counter = countingFlights(real);
  const scopes: Claims[] = [];
  const marks: FenceMark[] = [];
  for (let index = 0; index < layout.scopes; index += 1) {
    const dir = join(folder, `scope-${index}`);
    mkdirSync(dir, { recursive: true });
    const { store } = counter;
    const fences = new FenceMark({
      files: systemFiles,
      dir,
      store: store.location,
      isShared: true,
      bootId: ownIdentity().bootId,
    });
    marks.push(fences);
    const scope = await store.scope({ key: `simulated:${index}`, name: `scope-${index}` });
    scopes.push(openClaimsIn({ store, scope, fences }, { actor: parseActor("nobody"), clock }));
  }
  const each = (count: number, places: number) =>
    Array.from({ length: count }, () => new Resource(agenda, places));
  const rows = each(layout.scopes, 1);
  const commits = each(layout.servers, 1);
  const cores = each(layout.servers, layout.coresPerServer);
  // One `headgate up` per host and repository, which all its hooks ask.
  const spread = Math.max(1, Math.ceil(layout.scopes / layout.hosts));
  const pools = each(layout.hosts * spread, limits.storeConnectionsMax);
  const scopesPerServer = Math.ceil(layout.scopes / layout.servers);
  const programs = layout.scopes < layout.hosts ? layout.hosts : layout.hosts * spread;
  const programsPerServer = Math.ceil(programs / layout.servers);
  const listeners = layout.notices ? programsPerServer : 0;

  let seed = 20_260_101;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed + 0.5) / 2 ** 32;
  };
  const about = (ms: number): number => -ms * Math.log(random());
  const waits: number[] = [];
  const releaseFlights: number[] = [];
  let [calls, asked, refused] = [0, 0, 0];

  /** The real code runs at the moment at which its transaction has the scope's row. */
  const perform = (
    kind: Kind,
    place: { readonly scope: number; readonly pool: Resource },
    work: () => Promise<boolean>,
    then: (isGood: boolean) => void,
  ): void => {
    const startedMs = agenda.nowMs;
    const server = Math.floor(place.scope / scopesPerServer);
    const row = rows[place.scope]!;
    const cpu = { grant: costs.grantCpuMs, release: costs.releaseCpuMs, check: costs.checkCpuMs }[
      kind
    ];
    const finish = (isGood: boolean) =>
      agenda.after(layout.roundTripMs / 2, () => {
        place.pool.give();
        if (kind !== "check") waits.push(agenda.nowMs - startedMs);
        then(isGood);
      });
    const decide = async (): Promise<boolean> => {
      counter.flights = 0;
      calls += 1;
      return work();
    };
    const commit = (isGood: boolean) => {
      const flush = (free: () => void) =>
        agenda.after(layout.flushMs, () => {
          free();
          row.give();
          // Every listener is woken by every commit; the answer does not wait for them, cores do.
          if (listeners > 0) cores[server]!.use(listeners * costs.listenerCpuMs, () => {});
          finish(isGood);
        });
      // Without NOTIFY commits of several scopes share a flush; with it they go one by one.
      if (!layout.notices) return flush(() => {});
      const turn = commits[server]!;
      turn.take(() => flush(() => turn.give()));
    };
    place.pool.take(() =>
      agenda.after(layout.roundTripMs / 2, () => {
        if (kind === "check") {
          return cores[server]!.use(cpu, async () => {
            const isGood = await decide();
            agenda.after((counter.flights - 1) * layout.roundTripMs, () => finish(isGood));
          });
        }
        row.take(async () => {
          const isGood = await decide();
          const { flights } = counter;
          if (kind === "release") releaseFlights.push(flights);
          // A grant is one function on the server; whatever else is decided needs its rows brought here.
          const away = kind === "grant" && isGood ? 0 : flights * layout.roundTripMs;
          cores[server]!.use(cpu, () =>
            agenda.after(away, () => {
              if (isGood) return commit(isGood);
              row.give();
              finish(isGood);
            }),
          );
        });
      }),
    );
  };

  const live = async (index: number): Promise<void> => {
    const scope = index % layout.scopes;
    const host = index % layout.hosts;
    const pool = pools[host * spread + (scope % spread)]!;
    const claims = scopes[scope]!.as(`agent-${index}`);
    const place = { scope, pool };
    const pick = () => {
      const isHot = random() < layout.hotShare;
      const path = isHot
        ? `src/shared/file-${Math.floor(random() * 20)}.ts`
        : `src/area-${index % 97}/file-${index}-${Math.floor(random() * 50)}.ts`;
      return [{ path, extent: "file" as const }];
    };
    const think = () => agenda.after(about(layout.thinkMs), edit);
    const hold = (id: string) => {
      const release = async () => (await claims.release({ claims: [id] })).released.length > 0;
      agenda.after(about(layout.holdMs), () => perform("release", place, release, think));
    };
    const edit = (): void => {
      const targets = pick();
      let id = "";
      const grant = async () => {
        const result = await claims.claim({ targets });
        if (result.ok) id = result.claims[0]!.id;
        return result.ok;
      };
      const ask = () => {
        asked += 1;
        perform("grant", place, grant, (isMine) => {
          if (isMine) return hold(id);
          refused += 1;
          think();
        });
      };
      if (!layout.looks) return ask();
      perform("check", place, async () => (await claims.check(targets)).clear, ask);
    };
    // In the steady state so many hold something; they have it before the time begins.
    if (random() >= layout.holdMs / (layout.thinkMs + layout.holdMs)) return think();
    const result = await claims.claim({ targets: pick() });
    calls += 1;
    if (result.ok) hold(result.claims[0]!.id);
    else think();
  };
  for (let index = 0; index < layout.actors; index += 1) await live(index);
  await agenda.runUntil(layout.warmUpMs);
  const resources = [rows, commits, cores, pools];
  for (const one of resources.flat()) one.startCounting();
  waits.length = 0;
  await agenda.runUntil(layout.warmUpMs + layout.spanMs);
  const [rowUse, commitUse, coreUse, poolUse] = resources.map((kind) =>
    Math.max(...kind.map((one) => one.useSince(layout.spanMs))),
  ) as [number, number, number, number];
  for (const mark of marks) mark.close();
  const sorted = waits.toSorted((a, b) => a - b);
  const seconds = layout.spanMs / 1000;
  return {
    layout,
    offeredPerSecond: (2 * layout.actors * 1000) / (layout.thinkMs + layout.holdMs),
    writesPerSecond: waits.length / seconds,
    p50Ms: sorted[sorted.length >> 1] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    refused: asked === 0 ? 0 : refused / asked,
    use: { "scope row": rowUse, "commit lock": commitUse, cores: coreUse, connections: poolUse },
    connectionsPerServer: programsPerServer * (limits.storeConnectionsMax + 1),
    calls,
    flightsOfRelease:
      releaseFlights.reduce((sum, one) => sum + one, 0) / Math.max(1, releaseFlights.length),
  };
};
