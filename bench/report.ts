// Writes docs/benchmarks.md from the kept results, so that every number in it comes from a command.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Machine } from "./harness.ts";
import { promiseRows } from "./promises.ts";
import { writeScaleReport } from "./scale-report.ts";
import { drawPlot, type Plot } from "./svg-plot.ts";

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
  machine: Machine;
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
const judgeTreePart = (): string => {
  const { small, ratios, machine } = read<{
    small: Measured[];
    ratios: { name: string; overParsers: number; overSyntax: number }[];
  }>("judge-tree");
  return `In a tree with every rule live, warm, new content each time; processor time of all processes (load at the start: ${machine.load}):

${table(
  ["judge over the bare parsers of both sides", "all its parsers", "the parser of syntax alone"],
  ratios.map((one) => [one.name, one.overParsers.toFixed(1), one.overSyntax.toFixed(1)]),
)}

${times(small)}`;
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
type Point = Readonly<Record<string, number>>;
/** What each curve shows: the file, the words of the plot, and which columns are drawn. */
const drawn: readonly (readonly [
  curve: string,
  plot: Omit<Plot, "series">,
  columns: readonly string[],
])[] = [
  [
    "claims",
    { title: "One more claim, among many", x: "live claims", y: "ms" },
    ["grant + release", "check"],
  ],
  [
    "actors",
    {
      title: "Processes that claim and release at once",
      x: "processes",
      y: "per second, all together",
    },
    ["commits per second"],
  ],
  ["lines", { title: "Judging one edit of a file", x: "lines", y: "ms" }, ["python", "typescript"]],
  ["files", { title: "Profile of a tree", x: "files", y: "ms" }, ["profile"]],
  ["findings", { title: "Synthesis of a review", x: "findings", y: "ms" }, ["synthesis"]],
];
const curvesPart = (): string => {
  const { curves, machine } = read<{ curves: Record<string, readonly Point[]> }>("curves");
  const images = resolve(import.meta.dirname, "../docs/images");
  mkdirSync(images, { recursive: true });
  const parts = drawn.map(([name, plot, columns]) => {
    const points = curves[name];
    if (!points) return `${plot.title}: not run yet (\`node bench/curves.ts ${name}\`).`;
    const series = columns.map((column) => ({
      name: column,
      points: points.map((point) => [point["x"]!, point[column]!] as const),
    }));
    writeFileSync(resolve(images, `curve-${name}.svg`), drawPlot({ ...plot, series }));
    const header = Object.keys(points[0] ?? {});
    const shown = table(
      header.map((one) => (one === "x" ? plot.x : one)),
      points.map((point) => header.map((one) => String(Number(point[one]!.toPrecision(3))))),
    );
    return `![${plot.title}](images/curve-${name}.svg)\n\n${shown}`;
  });
  const load =
    machine.load === undefined
      ? ""
      : ` Load of the machine at the start: ${machine.load} on ${machine.cores} cores.`;
  return `One thing grows at a time; both axes are logarithmic, milliseconds unless told.${load}\n\n${parts.join("\n\n")}`;
};
const profilePart = (): string => {
  const { trees } = read<{ trees: { title: string; fast: Measured[]; slow: Measured[] }[] }>(
    "profile",
  );
  return trees
    .map(
      ({ title, fast, slow }) =>
        `${title}, against the floor and against peers:\n\n${times(fast)}\n\n${times(slow)}`,
    )
    .join("\n\n");
};
const clientsPart = (): string => {
  const { results, edits } = read<{ results: (Measured & { addedMs: number })[]; edits: number }>(
    "clients",
  );
  const rows = results.map((one) => [
    one.name,
    one.medianMs.toFixed(1),
    one.addedMs.toFixed(1),
    one.ratio.toFixed(2),
  ]);
  const isNoise = (results.find(({ name }) => name.startsWith("/bin/true"))?.addedMs ?? 0) <= 0;
  const warning = isNoise
    ? "**This run is unusable**: its floor came out below no hook at all, so the ratios mean nothing.\n\n"
    : "";
  return `${warning}What hooks add to one edit inside the real client (${edits} edits a session):\n\n${table(["", "ms", "added", "ratio"], rows)}`;
};
const synthesisPart = (): string => {
  const { rows } = read<{
    rows: { size: number; cpuMs: number; clusters: number; growth?: number; nLogN?: number }[];
  }>("synthesis");
  return table(
    ["findings", "CPU ms", "clusters", "growth", "n·log n would be"],
    rows.map((one) => [
      String(one.size),
      one.cpuMs.toFixed(0),
      String(one.clusters),
      one.growth?.toFixed(2) ?? "",
      one.nLogN?.toFixed(2) ?? "",
    ]),
  );
};
const loads = (): string => {
  const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));
  const loadOf = (name: string) => read<object>(name).machine.load;
  const busy = names.filter((name) => (loadOf(name) ?? 0) > read<object>(name).machine.cores);
  const unknown = names.filter((name) => loadOf(name) === undefined);
  const told = (list: readonly string[], words: string) =>
    list.length === 0 ? "" : `\n\n${words}: ${list.join(", ")}.`;
  return (
    told(busy, "The machine had other work during these, so their times are too long") +
    told(
      unknown,
      "These were kept before the load was noted, some on a busy machine; run them again before quoting them",
    )
  );
};
const routingPart = (): string => {
  const { applied, looked } = read<Record<"applied" | "looked", Measured[]>>("routing");
  return [applied, looked].map(times).join("\n\n");
};
const runsPart = (): string => {
  const one =
    read<Record<"bareCommitMs" | "overheadMs" | "ratio" | "wholeTaskMs" | "tasks", number>>("runs");
  return `${one.tasks} tasks in one plan, each a file changed by a shell as the agent; the overhead is the time in which none of agent, verify
command and git runs (the conversation with \`git update-ref\` is counted as ours).

${table(
  ["", "ms", "ratio"],
  [
    ["bare git commit", one.bareCommitMs.toFixed(1), "1.00"],
    ["run: everything but programs", one.overheadMs.toFixed(1), one.ratio.toFixed(2)],
    ["run: with agent, verify and git", one.wholeTaskMs.toFixed(1), ""],
  ],
)}`;
};
const dashboardPart = (): string => {
  const {
    claims,
    events: count,
    measured,
    replay,
  } = read<{
    claims: number;
    events: number;
    measured: { name: string; medianMs: number; worstMs: number }[];
    replay: { wholeMs: number; asked: number };
  }>("dashboard");
  return `The server's answers over HTTP, with ${claims} claims and ${count} events in a SQLite store. A moment of the past that nobody
looked at before took ${(replay.wholeMs / 1000).toFixed(1)} s in ${replay.asked} answers.

${table(
  ["", "ms", "worst ms"],
  measured.map(({ name, medianMs, worstMs }) => [name, medianMs.toFixed(1), worstMs.toFixed(1)]),
)}`;
};
const overlap = read<{ measured: Measured[] }>("overlap");
const { platform, cores, node } = write.machine;

const text = `# Benchmarks

Made by \`npm run bench\` on ${platform}, ${cores} cores, Node ${node.slice(1)}. Ratios are within one run of interleaved rounds; read those,
the milliseconds are this machine's. Raw results: bench/results/.${loads()}

## What was promised

${table(["", "aim", "measured", "", "benchmark"], promiseRows())}

Left without a benchmark so far: types against the bare checker.

## How it grows (\`npm run bench curves\`)

${part("curves", curvesPart)}

A crowd of 10,000: [scale.md](scale.md) (\`npm run bench scale\`).

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

${part("judge-tree", judgeTreePart)}

## Hooks (\`npm run bench hooks\`)

${part("hooks", hooksPart)}

### Beside another agent's flood (\`npm run bench busy-agent\`)

${part("busy-agent", () => times(read<{ measured: Measured[] }>("busy-agent").measured))}

## In the client (\`npm run bench clients\`)

${part("clients", clientsPart)}

## Profile (\`npm run bench profile\`)

${part("profile", profilePart)}

## Synthesis (\`npm run bench synthesis\`)

${part("synthesis", synthesisPart)}

## Routing (\`npm run bench routing\`)

${part("routing", routingPart)}

## A task of a run (\`npm run bench runs\`)

${part("runs", runsPart)}

## The dashboard's addresses (\`npm run bench dashboard\`)

${part("dashboard", dashboardPart)}

## Overlap of two targets (\`${overlap.command}\`)

${times(overlap.measured)}
`;
writeFileSync(resolve(import.meta.dirname, "../docs/benchmarks.md"), text);
if (existsSync(resolve(folder, "scale.json"))) writeScaleReport();
