/** Every speed that was promised and has a benchmark: the aim, what was measured, and whether it was met. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

interface Row {
  readonly name: string;
  readonly medianMs: number;
  readonly ratio: number;
}
/** Results are read as they lie there: each benchmark has its own shape. */
type Result = Readonly<Record<string, unknown>>;

interface Promised {
  readonly what: string;
  /** The benchmark that measures it. */
  readonly bench: string;
  readonly aim: number;
  readonly isAtLeast?: true;
  readonly unit?: string;
  /** "noise": the run cannot tell, because its own floor came out at nothing or less. */
  measure(result: Result): number | "noise" | undefined;
}

const rows = (result: Result, part: string): readonly Row[] =>
  (result[part] ?? []) as readonly Row[];
const ratioOf = (part: string, name: RegExp) => (result: Result) =>
  rows(result, part).find((row) => name.test(row.name))?.ratio;
const msOf = (part: string, name: RegExp) => (result: Result) =>
  rows(result, part).find((row) => name.test(row.name))?.medianMs;
const largest = (part: string, pick: (row: Result) => unknown) => (result: Result) => {
  const values = ((result[part] ?? []) as readonly Result[]).map((row) => Number(pick(row)));
  return values.length === 0 ? undefined : Math.max(...values);
};
const shareOf = (what: RegExp, pick: "throughputRatio" | "slowestToFastest") => (result: Result) =>
  ((result["measured"] ?? []) as readonly (Result & Record<typeof pick, number>)[]).find((row) =>
    what.test(String(row["what"])),
  )?.[pick];
const tree = (title: string, part: "fast" | "slow", name: RegExp) => (result: Result) => {
  const found = ((result["trees"] ?? []) as readonly Result[]).find(
    (one) => one["title"] === title,
  );
  return found ? ratioOf(part, name)(found) : undefined;
};
const checks = (pick: (row: Row) => number, name: string) => (result: Result) => {
  const { situations = [] } = (result["checks"] ?? {}) as {
    situations?: readonly { measured: readonly Row[] }[];
  };
  const values = situations.flatMap(({ measured }) =>
    measured.filter((row) => row.name === name).map(pick),
  );
  return values.length === 0 ? undefined : Math.max(...values);
};
/** Time per line (or file, or claim) of the largest over that of the smallest that is no mere start-up. */
const grantsWithMany = (result: Result) => {
  const few = ratioOf("pairs", /10 live/)(result);
  const many = ratioOf("pairs", /100000 live/)(result);
  return few === undefined || many === undefined ? undefined : many / few;
};
const httpHook = (result: Result) => {
  const [echo, parse, ours] = [/empty HTTP/, /one parse/, /hook through/].map((name) =>
    msOf("http", name)(result),
  );
  return echo && parse && ours ? ours / (3 * echo + parse) : undefined;
};
/** A ratio to what /bin/true adds means nothing where that was below the noise of the machine. */
const inClient = (result: Result) => {
  const all = (result["results"] ?? []) as readonly (Row & { readonly addedMs: number })[];
  const floor = all.find((row) => row.name.startsWith("/bin/true"));
  if (floor && floor.addedMs <= 0) return "noise" as const;
  return ratioOf("results", /http hook/)(result);
};
const synthesisCpu = (result: Result) =>
  ((result["rows"] ?? []) as readonly { size: number; cpuMs: number }[]).find(
    ({ size }) => size === 2000,
  )?.cpuMs;

export const promises: readonly Promised[] = [
  {
    what: "Durable write over the same steps by hand",
    bench: "durable-write",
    aim: 1.15,
    measure: ratioOf("measured", /writeFileAtomic/),
  },
  {
    what: "8 processes: throughput of the loop by hand",
    bench: "fairness",
    aim: 0.6,
    isAtLeast: true,
    measure: shareOf(/Headgate's store/, "throughputRatio"),
  },
  {
    what: "8 processes: slowest over fastest",
    bench: "fairness",
    aim: 0.4,
    isAtLeast: true,
    measure: shareOf(/Headgate's store/, "slowestToFastest"),
  },
  {
    what: "Grant + release over the two transactions it needs",
    bench: "claims",
    aim: 2,
    measure: ratioOf("pairs", /10 live/),
  },
  {
    what: "The same with 100,000 live claims over 10",
    bench: "claims",
    aim: 1.5,
    measure: grantsWithMany,
  },
  {
    what: "check with 100,000 live claims over one write transaction",
    bench: "claims",
    aim: 0.5,
    measure: ratioOf("checks", /clear/),
  },
  {
    what: "32 processes: throughput of the loop by hand",
    bench: "claims-shares",
    aim: 0.6,
    isAtLeast: true,
    measure: shareOf(/Headgate/, "throughputRatio"),
  },
  {
    what: "32 processes: slowest over fastest",
    bench: "claims-shares",
    aim: 0.4,
    isAtLeast: true,
    measure: shareOf(/Headgate/, "slowestToFastest"),
  },
  {
    what: "PostgreSQL: grant over `select 1`",
    bench: "claims",
    aim: 2.5,
    measure: ratioOf("grants", /^grant/),
  },
  {
    what: "PostgreSQL: waking a waiter over NOTIFY",
    bench: "claims",
    aim: 3,
    measure: ratioOf("wakes", /waiter/),
  },
  {
    what: "`headgate claim a.ts` over `node -e 0`",
    bench: "start-up",
    aim: 1.8,
    measure: ratioOf("measured", /claim a\.ts$/),
  },
  {
    what: "Warm judge over two raw parses, Python",
    bench: "judge",
    aim: 2,
    measure: ratioOf("measured", /py: judge/),
  },
  {
    what: "Warm judge over two raw parses, TypeScript",
    bench: "judge",
    aim: 2,
    measure: ratioOf("measured", /ts: judge/),
  },
  {
    what: "Judge in a tree over all bare parsers it uses, both sides, 1,000 and 20,000 lines",
    bench: "judge-tree",
    aim: 3,
    measure: largest("ratios", (row) => row["overParsers"]),
  },
  {
    what: "Judge in a tree over the bare parser of syntax alone, both sides",
    bench: "judge-tree",
    aim: 3,
    measure: largest("ratios", (row) => row["overSyntax"]),
  },
  {
    what: "Judge of 5 lines of Python in a tree over the same with content given",
    bench: "judge-tree",
    aim: 1.5,
    measure: ratioOf("small", /in the tree/),
  },
  {
    what: "Judge: p99 over p50",
    bench: "judge",
    aim: 8,
    measure: largest("spreads", (row) => row["ratio"]),
  },
  {
    what: "`headgate judge`, one shot",
    bench: "judge",
    aim: 600,
    unit: "ms",
    measure: largest("shots", (row) => row["medianMs"]),
  },
  {
    what: "Hook through the server over 3 empty answers and a parse",
    bench: "hooks",
    aim: 1,
    measure: httpHook,
  },
  {
    what: "Another agent's hook beside 200 expensive edits, over a quiet server",
    bench: "busy-agent",
    aim: 2,
    measure: ratioOf("measured", /beside the flood/),
  },
  {
    what: "An edit's hooks with lines over those before",
    bench: "lines",
    aim: 1.1,
    measure: ratioOf("edit", /with lines/),
  },
  {
    what: "A hook with a notice over one without: an edit's, through the server",
    bench: "notices",
    aim: 1.1,
    measure: ratioOf("rows", /Edit's hooks, with one/),
  },
  {
    what: "A hook with a notice over one without: after a Read, without a server",
    bench: "notices",
    aim: 1.1,
    measure: ratioOf("rows", /no server, after a Read, with one/),
  },
  {
    what: "A hook with a notice over one without: after a Read, through the server",
    bench: "notices",
    aim: 1.1,
    measure: ratioOf("rows", /^server, after a Read, with one/),
  },
  {
    what: "An agent's `git commit` of one file over the hooks before",
    bench: "lines",
    aim: 1.3,
    measure: ratioOf("commit", /with lines/),
  },
  {
    what: "`headgate commit` over `git commit -- file` with our hooks",
    bench: "lines",
    aim: 3,
    measure: ratioOf("own", /headgate commit/),
  },
  {
    what: "10,000 dirty files of another session: `headgate status` over `git status`",
    bench: "lines",
    aim: 2,
    measure: ratioOf("dirty-others", /headgate status/),
  },
  {
    what: "10,000 dirty files of another session: `headgate commit --dry-run` over `git status`",
    bench: "lines",
    aim: 2,
    measure: ratioOf("dirty-others", /dry-run/),
  },
  {
    what: "Shim over bare curl",
    bench: "hooks",
    aim: 1.5,
    measure: ratioOf("shim", /nothing to us/),
  },
  {
    what: "Shim with a judged edit over bare curl",
    bench: "hooks",
    aim: 1.5,
    measure: ratioOf("shim", /judged/),
  },
  {
    what: "Hook without a server over `node -e 0`",
    bench: "hooks",
    aim: 2.5,
    measure: ratioOf("own", /nothing to us/),
  },
  {
    what: "Hook without a server, judged edit, over `node -e 0`",
    bench: "hooks",
    aim: 2.5,
    measure: ratioOf("own", /^headgate hook, edit/),
  },
  {
    what: "In Claude Code: http hook over what /bin/true adds",
    bench: "clients",
    aim: 1.5,
    measure: inClient,
  },
  {
    what: "Profile of 50,000 files over git's list and the manifests",
    bench: "profile",
    aim: 3,
    measure: tree("50,000 files", "fast", /^headgate/),
  },
  {
    what: "Profile, 4,000 files: times faster than stack-analyser",
    bench: "profile",
    aim: 10,
    isAtLeast: true,
    measure: tree("4,000 files", "slow", /stack-analyser/),
  },
  {
    what: "Profile, 50,000 files: times faster than stack-analyser",
    bench: "profile",
    aim: 10,
    isAtLeast: true,
    measure: tree("50,000 files", "slow", /stack-analyser/),
  },
  {
    what: "Profile, 4,000 files: times faster than linguist-js",
    bench: "profile",
    aim: 10,
    isAtLeast: true,
    measure: tree("4,000 files", "slow", /linguist/),
  },
  {
    what: "`profile check` over `git status`, 50,000 files, worst case",
    bench: "profile",
    aim: 2,
    measure: checks((row) => row.ratio, "profile check"),
  },
  {
    what: "`profile check`, 50,000 files, worst case",
    bench: "profile",
    aim: 500,
    unit: "ms",
    measure: checks((row) => row.medianMs, "profile check"),
  },
  {
    what: "Synthesis of 2,000 findings, one core",
    bench: "synthesis",
    aim: 1500,
    unit: "ms",
    measure: synthesisCpu,
  },
  {
    what: "Applying an override over the git calls it needs",
    bench: "routing",
    aim: 1.5,
    measure: ratioOf("applied", /routing apply/),
  },
  {
    what: "Routing status with 100,000 outcomes over one",
    bench: "routing",
    aim: 100,
    measure: ratioOf("looked", /status with 100,000/),
  },
  {
    what: "A task of a run, without its programs, over a bare commit",
    bench: "runs",
    aim: 3,
    measure: (result) => (typeof result["ratio"] === "number" ? result["ratio"] : undefined),
  },
  {
    what: "`headgate --version` over `node -e 0`",
    bench: "start-up",
    aim: 1.2,
    measure: ratioOf("measured", /--version/),
  },
];

const folder = resolve(import.meta.dirname, "results");

/** As rows of a table: promise, aim, measured, met or missed. */
export const promiseRows = (): string[][] =>
  promises.map(({ what, bench, aim, isAtLeast, unit, measure }) => {
    const file = resolve(folder, `${bench}.json`);
    const value = existsSync(file)
      ? measure(JSON.parse(readFileSync(file, "utf8")) as Result)
      : undefined;
    const shown = (one: number) =>
      `${unit ? Math.round(one) : Number(one.toPrecision(3))}${unit ? ` ${unit}` : ""}`;
    const isMet = typeof value === "number" && (isAtLeast ? value >= aim : value <= aim);
    const said = value === undefined ? "" : isMet ? "met" : "**missed**";
    return [
      what,
      `${isAtLeast ? "≥" : "≤"} ${shown(aim)}`,
      value === undefined ? "not run" : value === "noise" ? "unusable run" : shown(value),
      value === "noise" ? "**not known**" : said,
      `\`${bench}\``,
    ];
  });
