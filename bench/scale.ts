// 10,000 actors over 200 hosts on PostgreSQL: costs are measured on a real server here, the crowd is simulated with
// the real claim code. `npm run bench scale` writes docs/scale.md; `-- --simulate` reuses the measured costs.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { printTable, saveResult } from "./harness.ts";
import { type Layout, simulate, type Told } from "./scale-model.ts";
import { writeScaleReport } from "./scale-report.ts";
import { type Measured, measureServer } from "./scale-server.ts";

const kept = resolve(import.meta.dirname, "results/scale.json");
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "headgate-scale-"));
let runs = 0;

/** A server as one would rent it; its disk and network are assumptions, told as such in the report. */
const usual: Layout = {
  actors: 10_000,
  hosts: 200,
  scopes: 200,
  servers: 1,
  coresPerServer: 16,
  roundTripMs: 0.5,
  flushMs: 1,
  notices: true,
  thinkMs: 20_000,
  holdMs: 10_000,
  hotShare: 0.05,
  looks: true,
  warmUpMs: 2000,
  spanMs: 5000,
};
/** Ten times as many edits. */
const busy = { thinkMs: 2000, holdMs: 1000, warmUpMs: 500, spanMs: 1000 };

const run = async (measured: Measured, change: Partial<Layout>): Promise<Told> => {
  const own = join(folder, String((runs += 1)));
  const told = await simulate({ ...usual, ...change }, measured.costs, own);
  rmSync(own, { recursive: true, force: true });
  process.stderr.write(`\rsimulated ${runs}: ${told.calls} calls of the claim code      `);
  return told;
};

const growing = async (measured: Measured): Promise<Told[]> => {
  const all: Told[] = [];
  for (const scopes of [1, 10, 200]) {
    for (const actors of [100, 1000, 3000, 10_000, 20_000]) {
      // The larger the crowd, the sooner there is enough to count.
      const spanMs = actors > 10_000 ? 2000 : usual.spanMs;
      all.push(await run(measured, { actors, scopes, spanMs }));
    }
  }
  return all;
};

const layouts = async (measured: Measured) => {
  const wanted: readonly (readonly [name: string, change: Partial<Layout>])[] = [
    ["one repository, one server", { scopes: 1 }],
    ["200 repositories, one server", {}],
    ["ten times as busy: one repository, one server", { ...busy, scopes: 1 }],
    ["ten times as busy: 200 repositories, one server", busy],
    ["the same without NOTIFY", { ...busy, notices: false }],
    ["the same, disk of 0.2 ms", { ...busy, flushMs: 0.2 }],
    ["the same, 8 servers", { ...busy, servers: 8 }],
    ["the same, 16 servers", { ...busy, servers: 16 }],
  ];
  const told = [];
  for (const [name, change] of wanted) told.push({ name, ...(await run(measured, change)) });
  return told;
};

/** The same closed loop as was measured, with this machine's figures: how far is the model off? */
const compared = async (measured: Measured) => {
  const rows = [];
  for (const one of measured.situations) {
    if (one.listeners > 0) continue;
    const told = await run(measured, {
      actors: measured.clients,
      hosts: measured.clients,
      scopes: one.scopes,
      coresPerServer: 2,
      roundTripMs: measured.costs.roundTripMs,
      flushMs: one.flushMs,
      notices: one.notices,
      thinkMs: 0.001,
      holdMs: 0.001,
      hotShare: 0,
      looks: false,
      warmUpMs: 200,
      spanMs: 1000,
    });
    rows.push({ ...one, simulated: told.writesPerSecond });
  }
  return rows;
};

try {
  const mayReuse = process.argv.includes("--simulate") && existsSync(kept);
  const measured = mayReuse
    ? (JSON.parse(readFileSync(kept, "utf8")) as { measured: Measured }).measured
    : await measureServer(folder);
  const start = performance.now();
  const result = {
    measured,
    usual,
    compared: await compared(measured),
    grown: await growing(measured),
    layouts: await layouts(measured),
    simulatedInMs: 0,
  };
  result.simulatedInMs = performance.now() - start;
  process.stderr.write("\n");
  printTable(
    "10,000 actors, 200 hosts (simulated)",
    ["layout", "offered/s", "writes/s", "p50 ms", "p99 ms"],
    result.layouts.map((one) => [
      one.name,
      one.offeredPerSecond.toFixed(0),
      one.writesPerSecond.toFixed(0),
      one.p50Ms.toFixed(1),
      one.p99Ms.toFixed(1),
    ]),
  );
  saveResult("scale", result);
  writeScaleReport();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
