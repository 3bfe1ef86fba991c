// Writes docs/benchmarks.md from the kept results, so that every number in it comes from a command.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

interface Measured {
  name: string;
  medianMs: number;
  ratio: number;
}
interface Share {
  what: string;
  commitsPerSecond: number;
  throughputRatio: number;
  slowestToFastest: number;
  longestWaitMs: number;
  errors: number;
}
interface Result {
  command: string;
  machine: { platform: string; cores: number; node: string };
  rounds: number;
}

const folder = resolve(import.meta.dirname, "results");
const read = <T>(name: string): Result & T =>
  JSON.parse(readFileSync(resolve(folder, `${name}.json`), "utf8")) as Result & T;
/** A part whose benchmark has not been run yet says so instead of stopping the others. */
const part = (name: string, text: () => string): string =>
  existsSync(resolve(folder, `${name}.json`)) ? text() : `Not run yet: \`npm run bench ${name}\`.`;
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
const times = (rows: readonly Measured[]): string =>
  table(
    ["", "ms", "ratio"],
    rows.map(({ name, medianMs, ratio }) => [name, medianMs.toFixed(3), ratio.toFixed(2)]),
  );

const sharesTable = (rows: readonly Share[]): string =>
  table(
    ["", "commits/s", "of the same loop by hand", "slowest / fastest", "longest wait", "errors"],
    rows.map((one) => [
      one.what,
      String(one.commitsPerSecond),
      one.throughputRatio.toFixed(2),
      one.slowestToFastest.toFixed(2),
      `${Math.round(one.longestWaitMs)} ms`,
      String(one.errors),
    ]),
  );

const write = read<{ measured: (Measured & { fullDisk: string })[] }>("durable-write");
const events = read<{ sqlite: Measured[]; postgres: Measured[] }>("events");
const startUp = read<{ measured: Measured[] }>("start-up");
const fairness = read<{
  processes: number;
  seconds: number;
  measured: Share[];
}>("fairness");
const claimsPart = (): string => {
  const claims = read<Record<"pairs" | "checks" | "grants" | "wakes", Measured[]>>("claims");
  return `Grant and release of one target, SQLite, one process, against the two write transactions it needs and
against other ways to hold something; looking; PostgreSQL, where a durable write alone is several times \`select 1\`:

${[claims.pairs, claims.checks, claims.grants, claims.wakes].map(times).join("\n\n")}`;
};
const sharesPart = (): string => {
  const shares = read<{ processes: number; seconds: number; measured: Share[] }>("claims-shares");
  return `${shares.processes} processes claim and release targets of their own for ${shares.seconds} s.

${sharesTable(shares.measured)}`;
};
const judgePart = (): string => {
  const result = read<{
    measured: Measured[];
    shots: Measured[];
    spreads: { path: string; p50Ms: number; p99Ms: number; ratio: number }[];
    grown: { path: string; lines: number; ms: number; msPer1000: number }[];
    peers: { attempts: number; rows: { name: string; wrote: number }[] };
  }>("judge");
  const { measured, shots, spreads, grown, peers } = result;
  return `A 1,000-line file, warm, against the bare parsers in the same process:

${times(measured)}

${table(
  ["400 judgements", "p50 ms", "p99 ms", "p99 / p50"],
  spreads.map((one) => [
    one.path,
    one.p50Ms.toFixed(1),
    one.p99Ms.toFixed(1),
    one.ratio.toFixed(1),
  ]),
)}

${table(
  ["as files grow", "lines", "ms", "ms per 1,000 lines"],
  grown.map((one) => [one.path, String(one.lines), one.ms.toFixed(0), one.msPer1000.toFixed(1)]),
)}

The command, with its own start and that of its parsers:

${times(shots)}

Who writes ${peers.attempts} bad edits, half of them methods that exist, half broken:

${table(
  ["", "written"],
  peers.rows.map(({ name, wrote }) => [name, String(wrote)]),
)}`;
};
const hooksPart = (): string => {
  const { http, shim, own, commitServed, commitAlone } = read<
    Record<"http" | "shim" | "own", Measured[]> & {
      readonly commitServed?: Measured[];
      readonly commitAlone?: Measured[];
    }
  >("hooks");
  const commits = commitServed &&
    commitAlone && [...commitServed, ...commitAlone.filter(({ ratio }) => ratio !== 1)];
  return `One edit of a 1,000-line Python file that is allowed: judged, and the changed method claimed. Through the server, through the
shim with a server, and without one:

${[http, shim, own].map(times).join("\n\n")}${commits ? `\n\nA commit of that file, by git with our hooks:\n\n${times(commits)}` : ""}`;
};
const overlap = read<{ measured: Measured[] }>("overlap");
const { platform, cores, node } = write.machine;

const text = `# Benchmarks

Made by \`npm run bench\` on ${platform}, ${cores} cores, Node ${node.slice(1)}. Ratios are within one run of interleaved rounds; read those,
the milliseconds are this machine's. Raw results: bench/results/.

## Durable write of a 1 KB file (\`${write.command}\`)

The floor is the hand-written sequence open, write, fsync, rename, fsync of the folder, without locks, checks or recovery.

${table(
  ["", "ms", "ratio", "a good file after a full disk"],
  write.measured.map((one) => [
    one.name,
    one.medianMs.toFixed(3),
    one.ratio.toFixed(2),
    one.fullDisk,
  ]),
)}

## One event transaction (\`${events.command}\`)

SQLite, synchronous=FULL:

${times(events.sqlite)}

PostgreSQL, fsync on:

${times(events.postgres)}

## Even shares (\`${fairness.command}\`)

${fairness.processes} processes commit as fast as they can for ${fairness.seconds} s; worst of ${fairness.rounds} rounds for shares and waits, median for throughput.

${sharesTable(fairness.measured)}

## Start-up (\`${startUp.command}\`)

${times(startUp.measured)}

## Claims (\`npm run bench claims\`)

${part("claims", claimsPart)}

## Claims by many processes (\`npm run bench claims-shares\`)

${part("claims-shares", sharesPart)}

## The gate (\`npm run bench judge\`)

${part("judge", judgePart)}

## Hooks (\`npm run bench hooks\`)

${part("hooks", hooksPart)}

## Overlap of two targets (\`${overlap.command}\`)

${times(overlap.measured)}
`;
writeFileSync(resolve(import.meta.dirname, "../docs/benchmarks.md"), text);
