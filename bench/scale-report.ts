/** docs/scale.md and its plots from the kept result, so that every number in them comes from the command. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Machine } from "./harness.ts";
import type { Layout, Told } from "./scale-model.ts";
import type { Measured, Situation } from "./scale-server.ts";
import { drawPlot } from "./svg-plot.ts";

interface Result {
  readonly machine: Machine;
  readonly measured: Measured;
  readonly usual: Layout;
  readonly compared: readonly (Situation & { readonly simulated: number })[];
  readonly grown: readonly Told[];
  readonly layouts: readonly (Told & { readonly name: string })[];
  readonly simulatedInMs: number;
}

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
const per = (share: number): string => `${Math.round(share * 100)} %`;
const count = (value: number): string => Math.round(value).toLocaleString("en");
const ms = (value: number): string => (value < 10 ? value.toFixed(1) : count(value));

/** A row is held while its transaction waits for a core or for the commit, so those are named first. */
const fullest = ({ use }: Told): string => {
  const order = ["cores", "commit lock", "scope row", "connections"] as const;
  const most = order.reduce((best, one) => (use[one] > use[best] + 0.03 ? one : best));
  return `${most} ${per(use[most])}`;
};
/** Actors have to wait for each other so long that they do less than they would. */
const isFull = (told: Told): boolean =>
  told.writesPerSecond < 0.9 * told.offeredPerSecond * (1 - told.refused);

export const writeScaleReport = (): void => {
  const docs = resolve(import.meta.dirname, "../docs");
  const file = resolve(import.meta.dirname, "results/scale.json");
  const result = JSON.parse(readFileSync(file, "utf8")) as Result;
  mkdirSync(resolve(docs, "images"), { recursive: true });
  const byScopes = Map.groupBy(result.grown, (told) => told.layout.scopes);
  const lines = (pick: (told: Told) => number) =>
    [...byScopes].map(([scopes, all]) => ({
      name: scopes === 1 ? "1 repository" : `${scopes} repositories`,
      points: all.map((told) => [told.layout.actors, pick(told)] as const),
    }));
  const plots = {
    "scale-latency.svg": drawPlot({
      title: "Time until the answer, p99 (simulated, one server)",
      x: "actors",
      y: "ms",
      series: lines((told) => told.p99Ms),
    }),
    "scale-throughput.svg": drawPlot({
      title: "Claims and releases per second (simulated, one server)",
      x: "actors",
      y: "per second",
      series: lines((told) => told.writesPerSecond),
    }),
  };
  for (const [name, text] of Object.entries(plots))
    writeFileSync(resolve(docs, "images", name), text);
  writeFileSync(resolve(docs, "scale.md"), pageOf(result));
};

const pageOf = ({
  machine,
  measured,
  usual,
  compared,
  grown,
  layouts,
  simulatedInMs,
}: Result): string => {
  const { costs } = measured;
  const release = grown[0]?.flightsOfRelease ?? 0;
  const holdGrant = costs.grantCpuMs + usual.flushMs;
  const holdRelease = release * usual.roundTripMs + costs.releaseCpuMs + usual.flushMs;
  const perScope = 2000 / (holdGrant + holdRelease);
  const find = (scopes: number, slowDiskMs: number, notices: boolean): number =>
    compared.find(
      (one) => one.scopes === scopes && one.slowDiskMs === slowDiskMs && one.notices === notices,
    )?.writesPerSecond ?? 0;
  const off = compared.map((one) => one.simulated / Math.max(1, one.writesPerSecond));
  const [least, most] = [Math.min(...off), Math.max(...off)];
  const calls = [...grown, ...layouts].reduce((sum, one) => sum + one.calls, 0);
  return `# Scale: 10,000 actors over 200 hosts

Made by \`npm run bench scale\` (PostgreSQL ${measured.version}, ${machine.platform}, ${machine.cores} cores, Node ${machine.node.slice(1)}, load at the start
${machine.load ?? "not noted"}). No such crowd was ever run: costs and locks are **measured** on one real server on this machine, the crowd is
**simulated**. A load above the number of cores means that the machine had other work: the costs are too high then, and the capacity too low.

## In short

- One repository bears about ${count(perScope)} claims and releases per second, because its writers take turns at one row (that order is
  the promise: fences and events without gaps). At an edit per actor every ${(usual.thinkMs + usual.holdMs) / 1000} s that is about ${count((perScope * (usual.thinkMs + usual.holdMs)) / 2000)} actors in *one* repository.
- One server bears about ${count(1000 / usual.flushMs)} commits per second in all repositories together on a disk that syncs in ${usual.flushMs} ms. With
  many repositories it is not their rows that bend first but **NOTIFY**: PostgreSQL lets one transaction with a NOTIFY commit at a time, sync
  included (\`PreCommit_Notify\` in its async.c).
- Before either, **connections**: ${usual.hosts} hosts with a server each hold ${count(layouts[1]?.connectionsPerServer ?? 0)} connections (${"`"}max_connections${"`"} is 100 unless set).
- Repositories never share a transaction, so they are spread over servers by giving each its own store address. Nothing else changes.

## What was measured

${table(
  ["on this machine", "ms"],
  [
    ["question and answer (`select 1`)", costs.roundTripMs.toFixed(3)],
    ["what a durable commit adds", costs.flushMs.toFixed(3)],
    ["server CPU of a grant", costs.grantCpuMs.toFixed(3)],
    ["server CPU of a release", costs.releaseCpuMs.toFixed(3)],
    ["server CPU of a look", costs.checkCpuMs.toFixed(3)],
    ["server CPU per listener and commit", costs.listenerCpuMs.toFixed(4)],
    ["a new connection", costs.connectMs.toFixed(1)],
  ],
)}

${measured.clients} clients claim and release as fast as they can for ${measured.seconds} s through the real code. A slower disk is made with
\`commit_delay\`; "without NOTIFY" has that line of \`append_events\` taken out. The last column is the model below, given this
machine's figures; it knows nothing of the clients' own work, which here shares the cores, nor of other programs. It says
${least.toFixed(1)} to ${most.toFixed(1)} × of what was measured:

${table(
  [
    "repositories",
    "sync alone, ms",
    "NOTIFY",
    "writes/s measured",
    "p50 ms",
    "p99 ms",
    "model says",
  ],
  compared.map((one) => [
    String(one.scopes),
    `${one.flushMs.toFixed(1)}${one.slowDiskMs === 0 ? "" : ` (${one.slowDiskMs} of them made)`}`,
    one.notices ? "yes" : "no",
    count(one.writesPerSecond),
    ms(one.p50Ms),
    ms(one.p99Ms),
    count(one.simulated),
  ]),
)}

With the slower disk, eight repositories do ${(find(8, 2, false) / Math.max(1, find(8, 2, true))).toFixed(1)} × as much without NOTIFY as with it. Listeners, eight repositories:

${table(
  ["listeners", "writes/s", "p50 ms", "p99 ms"],
  measured.situations
    .filter((one) => one.scopes === 8 && one.slowDiskMs === 0 && one.notices)
    .map((one) => [
      String(one.listeners),
      count(one.writesPerSecond),
      ms(one.p50Ms),
      ms(one.p99Ms),
    ]),
)}

## What was simulated

Every actor looks, claims one file, holds it for ${usual.holdMs / 1000} s on average, releases it, and goes on ${usual.thinkMs / 1000} s later (exponential times);
${per(usual.hotShare)} of the edits go to twenty files everybody wants. Whether a claim is granted is decided by the code in src/claims itself, on
a SQLite store under a simulated clock (${count(calls)} calls in ${count(simulatedInMs / 1000)} s); its flights to the store are counted, not guessed (a release: ${release.toFixed(1)}
before its commit). Time passes in queues: ${"4"} connections per host, the row of the repository, cores, the turn that NOTIFY takes at commit, the disk.
**Assumed**: ${usual.coresPerServer} cores, ${usual.roundTripMs} ms to the server and back, ${usual.flushMs} ms for a sync, one \`headgate up\` per host. **Left out**: waiting in line
(the refused come back later), reviews and runs, vacuum, replication, a network that fails.

![Time until the answer against actors](images/scale-latency.svg)

![Claims and releases per second against actors](images/scale-throughput.svg)

${table(
  ["actors", "repositories", "offered/s", "writes/s", "p50 ms", "p99 ms", "refused", "fullest"],
  grown.map((told) => [
    count(told.layout.actors),
    String(told.layout.scopes),
    count(told.offeredPerSecond),
    count(told.writesPerSecond) + (isFull(told) ? " (full)" : ""),
    ms(told.p50Ms),
    ms(told.p99Ms),
    per(told.refused),
    fullest(told),
  ]),
)}

"Full": the queue grew while we looked, so its times would be longer still later on.

10,000 actors, 200 hosts:

${table(
  ["layout", "offered/s", "writes/s", "p50 ms", "p99 ms", "fullest", "connections per server"],
  layouts.map((told) => [
    told.name,
    count(told.offeredPerSecond),
    count(told.writesPerSecond) + (isFull(told) ? " (full)" : ""),
    ms(told.p50Ms),
    ms(told.p99Ms),
    fullest(told),
    count(told.connectionsPerServer),
  ]),
)}

## Where it bends, in order

1. **Connections.** A server process keeps up to 4 and one that listens: 20 hosts fill a default PostgreSQL. Raise \`max_connections\`, or
   put a pooler in front (transaction mode is enough for all but the listener, because settings live in the transaction). Hooks without a server
   connect every time (${costs.connectMs.toFixed(0)} ms here): run \`headgate up\` on each host.
2. **The turn of NOTIFY.** One commit at a time in the whole server, with its sync. A disk that syncs faster helps at once; a second
   database in the same server does not, another server does.
3. **The row of a repository.** A grant holds it for one function and one sync (${holdGrant.toFixed(1)} ms here), a release for ${release.toFixed(0)} flights more (${holdRelease.toFixed(1)} ms).
   The network counts twice for a release: keep the database near.
4. **Listeners.** Every commit wakes every listener of the database (${(costs.listenerCpuMs * 1000).toFixed(0)} µs of server CPU each): ${count(usual.hosts)} listeners cost ${(usual.hosts * costs.listenerCpuMs).toFixed(1)} ms of a core per commit.
   On a quicker disk this is what bends next, and then the cores are full.

## How to spread it

A repository is a scope, and nothing spans two: claims, fences, events, waiters and reviews of a repository live in one database. So
the unit is the repository, and the map is the address:

\`\`\`sh
HEADGATE_STORE=postgres://headgate@db-1/headgate   # on the hosts that work on repository A
HEADGATE_STORE=postgres://headgate@db-2/headgate   # on those that work on repository B
\`\`\`

(or the same setting in the user's own configuration). Moving a repository is: stop its actors, release everything, change the address. (With claims still held
the fence mark refuses another store: \`STORE_DIFFERS\`.) One repository cannot be spread: its limit is the row.

What would move the limits next, in this order: a release in one flight as the grant is; notices sent by one process that follows the log instead
of by every commit; a channel per repository, so that a host need not hear of the others.
`;
};
