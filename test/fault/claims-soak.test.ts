import { statSync } from "node:fs";
import { expect, it } from "vitest";
import { overlap } from "../../src/claims/targets/overlap.ts";
import { parseTarget } from "../../src/claims/targets/target.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { freshDir, openClaimsAt } from "../helpers/claims.ts";
import type { SoakReport } from "../helpers/claims-soak.ts";
import { describeWith } from "../helpers/not-run.ts";
import { countRounds } from "../helpers/rounds.ts";
import { type FaultWorker, startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { type Backend, backends } from "../helpers/store-backends.ts";

const actorCount = 20;
const megabyte = 2 ** 20;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** How much more there is in the last third of the calls than in the second. */
const growth = (
  samples: SoakReport["samples"],
  of: (sample: SoakReport["samples"][number]) => number,
): number => {
  const half = samples.length / 2;
  return median(samples.slice(half).map(of)) - median(samples.slice(0, half).map(of));
};

/** Twenty processes claim, wait, renew and release at random; then everything must be as it was. */
const soakFor = async (backend: Backend, calls: number): Promise<SoakReport[]> => {
  const there = await backend.place();
  const dir = freshDir();
  const place = await openClaimsAt(there, { dir });
  const workers: FaultWorker[] = [];
  for (let first = 0; first < actorCount; first += 5) {
    const some = Array.from({ length: 5 }, (_, index) =>
      startFaultWorker({
        address: there.address,
        localDir: dir,
        actor: `actor-${first + index}`,
        // On a busy machine a turn may be long in coming, which is no error here.
        waitMs: 300_000,
      }),
    );
    workers.push(...(await Promise.all(some)));
  }
  const reports = await Promise.all(
    workers.map((worker, index) =>
      worker.command<SoakReport>({
        do: "soak",
        calls,
        seed: 4711 + index,
        places: 30,
      }),
    ),
  );
  const { claims, waiters } = await place.as("watcher").list();
  expect(waiters).toEqual([]);
  for (const [index, one] of claims.entries()) {
    const others = claims.slice(index + 1).filter(({ target, mode }) => {
      const isConflict = mode === "exclusive" || one.mode === "exclusive";
      return isConflict && overlap(parseTarget(target), parseTarget(one.target));
    });
    expect(others).toEqual([]);
  }
  expect(await verifyEvents(place.store, place.scope)).toMatchObject({ ok: true });
  // SQLite takes its log back into the store while it runs.
  if (backend.name === "SQLite")
    expect(statSync(`${there.address}-wal`).size).toBeLessThan(64 * megabyte);
  console.log(summary(backend.name, reports));
  return reports;
};

const summary = (name: string, reports: readonly SoakReport[]): string => {
  const made = reports.reduce((total, report) => total + report.calls, 0);
  const shown = (of: (sample: SoakReport["samples"][number]) => number, unit: number) =>
    reports.map(({ samples }) => (growth(samples, of) / unit).toFixed(1)).join(" ");
  const heap = shown(({ heapBytes }) => heapBytes, megabyte);
  const rss = shown(({ rssBytes }) => rssBytes, megabyte);
  return `${name}: ${made} calls; growth per process in MB: heap ${heap}; resident ${rss}`;
};

/** What would be wrong with a run; memory and handles are judged by their median over all processes. */
const problemsOf = (reports: readonly SoakReport[]): string[] => {
  const sum = (of: (report: SoakReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const grown = (of: (sample: SoakReport["samples"][number]) => number) =>
    median(reports.map(({ samples }) => growth(samples, of)));
  const found: [string, boolean][] = [
    ["hardly any grants", sum(({ granted }) => granted) <= actorCount],
    ["nobody waited", sum(({ waited }) => waited) === 0],
    ["nobody was refused", sum(({ refused }) => refused) === 0],
    ["the heap grows", grown(({ heapBytes }) => heapBytes) > megabyte],
    ["resident memory grows", grown(({ rssBytes }) => rssBytes) > 16 * megabyte],
    ["handles grow", grown(({ handles }) => handles) > 1],
  ];
  return found.flatMap(([what, isSo]) => (isSo ? [what] : []));
};

describeWith({ platforms: ["linux"] }, "twenty actors for a while", () => {
  it.each(backends)(
    "G1 G8 D08 on $name: no error, no leak, nothing left over",
    { timeout: 60 * 60_000 },
    async (backend) => {
      const calls = countRounds(`calls of each of 20 actors on ${backend.name}`, 500, 25);
      expect(problemsOf(await soakFor(backend, calls))).toEqual([]);
    },
  );
});
