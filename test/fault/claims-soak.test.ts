import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { overlap } from "../../src/claims/targets/overlap.ts";
import { parseTarget } from "../../src/claims/targets/target.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { freshDir, openClaimsAt } from "../helpers/claims.ts";
import type { SoakReport } from "../helpers/claims-soak.ts";
import { describeIfAsked, describeWith } from "../helpers/not-run.ts";
import { type FaultWorker, startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { type Backend, backends } from "../helpers/store-backends.ts";

const actorCount = 20;
const megabyte = 2 ** 20;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** How much the last third lies above the second; the first is for warming up. */
const growth = (
  samples: SoakReport["samples"],
  of: (sample: SoakReport["samples"][number]) => number,
): number => {
  const third = Math.floor(samples.length / 3);
  const part = (from: number, to?: number) => median(samples.slice(from, to).map(of));
  return part(2 * third) - part(third, 2 * third);
};

/** Twenty processes claim, wait, renew and release at random; then everything must be as it was. */
const soakFor = async (backend: Backend, forMs: number): Promise<SoakReport[]> => {
  const there = await backend.place();
  const dir = freshDir();
  const place = await openClaimsAt(there, { dir });
  const workers: FaultWorker[] = [];
  for (let first = 0; first < actorCount; first += 5) {
    const some = Array.from({ length: 5 }, (_, index) =>
      startFaultWorker({ address: there.address, localDir: dir, actor: `actor-${first + index}` }),
    );
    workers.push(...(await Promise.all(some)));
  }
  const reports = await Promise.all(
    workers.map((worker, index) =>
      worker.command<SoakReport>({
        do: "soak",
        forMs,
        callsMin: 40,
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
  if (process.env["HEADGATE_SOAK_MINUTES"]) console.log(summary(backend.name, reports));
  return reports;
};

const summary = (name: string, reports: readonly SoakReport[]): string => {
  const calls = reports.reduce((total, report) => total + report.calls, 0);
  const shown = (of: (sample: SoakReport["samples"][number]) => number, unit: number) =>
    reports.map(({ samples }) => (growth(samples, of) / unit).toFixed(1)).join(" ");
  const heap = shown(({ heapBytes }) => heapBytes, megabyte);
  const rss = shown(({ rssBytes }) => rssBytes, megabyte);
  return `${name}: ${calls} calls; growth per process in MB: heap ${heap}; resident ${rss}`;
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
    ["busy too often", sum(({ busy }) => busy) > 5 + sum(({ calls }) => calls) / 50],
    ["the heap grows", grown(({ heapBytes }) => heapBytes) > megabyte],
    ["resident memory grows", grown(({ rssBytes }) => rssBytes) > 16 * megabyte],
    ["handles grow", grown(({ handles }) => handles) > 1],
  ];
  return found.flatMap(([what, isSo]) => (isSo ? [what] : []));
};

const runs = [
  { ...backends[0]!, seconds: 9 },
  { ...backends[1]!, seconds: 6 },
];

describeWith({ platforms: ["linux"] }, "twenty actors for a short while", () => {
  it.each(runs)(
    "G1 G8 D08 on $name: no error, no leak, nothing left over",
    { timeout: 180_000 },
    async (run) => {
      expect(problemsOf(await soakFor(run, run.seconds * 1_000))).toEqual([]);
    },
  );
});

describeIfAsked("HEADGATE_SOAK_MINUTES", "twenty actors for a long while", () => {
  describe.each(backends)("on $name", (backend) => {
    const minutes = Number(process.env["HEADGATE_SOAK_MINUTES"] ?? 0);
    it(
      `G1 G8 D08 for ${minutes} minutes: no error, no leak, nothing left over`,
      { timeout: (minutes + 5) * 60_000 },
      async () => {
        expect(problemsOf(await soakFor(backend, minutes * 60_000))).toEqual([]);
      },
    );
  });
});
