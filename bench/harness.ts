import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, loadavg, platform } from "node:os";
import { resolve } from "node:path";

/** One way of doing the job that is measured. `run` does it once. */
export interface Contender {
  readonly name: string;
  run(index: number): void | Promise<void>;
}

export interface Measured {
  readonly name: string;
  /** Median over the rounds of a round's median time of one run. */
  readonly medianMs: number;
  /** Median over the rounds of this contender's time divided by the baseline's of the same round. */
  readonly ratio: number;
}

export interface CompareOptions {
  readonly rounds: number;
  readonly perRound: number;
  readonly warmUpRounds?: number;
}

/**
 * Runs all contenders in turn, round by round, so that a slow minute of the machine hits everyone, and
 * compares within each round. The first contender is the baseline.
 */
export const compare = async (
  contenders: readonly Contender[],
  options: CompareOptions,
): Promise<Measured[]> => {
  const times = contenders.map((): number[] => []);
  const { rounds, warmUpRounds = 1 } = options;
  let index = 0;
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    // The order is reversed every other round, so that nobody always runs after the same neighbour.
    const order = [...contenders.keys()];
    if (round % 2 === 0) order.reverse();
    for (const which of order) {
      const samples: number[] = [];
      for (let step = 0; step < options.perRound; step += 1) {
        const start = performance.now();
        await contenders[which]!.run((index += 1));
        samples.push(performance.now() - start);
      }
      if (round >= 0) times[which]!.push(median(samples));
    }
  }
  return contenders.map(({ name }, which) => ({
    name,
    medianMs: median(times[which]!),
    ratio: median(times[which]!.map((time, round) => time / times[0]![round]!)),
  }));
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export const printTable = (
  title: string,
  header: readonly string[],
  rows: readonly string[][],
): void => {
  const widths = header.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  console.log(`\n${title}\n`);
  console.log(line(header));
  console.log(`|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  for (const row of rows) console.log(line(row));
};

export interface Machine {
  readonly platform: string;
  readonly cores: number;
  readonly node: string;
  /** Mean number of processes that wanted a core in the minute before; more than `cores` is a busy machine. */
  readonly load?: number;
}

const loadAtStart = Math.round(loadavg()[0]! * 10) / 10;

/** Keeps the result beside the code; the table in docs/benchmarks.md quotes these files. */
export const saveResult = (name: string, result: object): void => {
  const folder = resolve(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const machine: Machine = {
    platform: `${platform()} ${arch()}`,
    cores: availableParallelism(),
    node: process.version,
    load: loadAtStart,
  };
  const text = JSON.stringify(
    { command: `npm run bench ${name}`, machine, ...result },
    undefined,
    2,
  );
  writeFileSync(resolve(folder, `${name}.json`), `${text}\n`);
};

/** What an earlier run kept; empty: nothing. */
export const readResult = (name: string): object => {
  const file = resolve(import.meta.dirname, "results", `${name}.json`);
  if (!existsSync(file)) return {};
  const {
    command: _,
    machine: __,
    ...parts
  } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  return parts;
};

export const measuredRows = (measured: readonly Measured[]): string[][] =>
  measured.map(({ name, medianMs, ratio }) => [name, medianMs.toFixed(3), ratio.toFixed(2)]);
