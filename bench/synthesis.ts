// How long a synthesis takes as findings grow: one review, twelve reviewers, each problem seen by about three of them.
import { synthesize } from "../src/review/synthesis/synthesize.ts";
import { makeFindings } from "./many-findings.ts";
import { median, printTable, saveResult } from "./harness.ts";

const sizes = [125, 250, 500, 1000, 2000, 4000, 8000];
const rounds = 5;

const rows = sizes.map((size) => {
  const findings = makeFindings(size);
  let clusters = 0;
  let converged = 0;
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    ({ clusters, converged } = synthesize(findings).counts);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return { size, cpuMs: median(times), clusters, converged };
});
const told = rows.map(({ size, cpuMs, clusters, converged }, index) => {
  const before = rows[index - 1];
  // 2 would be linear, 2 · log(2n) / log(n) is n·log n.
  const growth = before ? cpuMs / before.cpuMs : undefined;
  const nLogN = before
    ? (size * Math.log(size)) / (before.size * Math.log(before.size))
    : undefined;
  return { size, cpuMs, clusters, converged, growth, nLogN };
});
printTable(
  `Synthesis, twelve reviewers (CPU of one core, median of ${rounds})`,
  ["findings", "CPU ms", "clusters", "converged", "growth", "n·log n would be"],
  told.map(({ size, cpuMs, clusters, converged, growth, nLogN }) => [
    String(size),
    cpuMs.toFixed(0),
    String(clusters),
    String(converged),
    growth?.toFixed(2) ?? "",
    nLogN?.toFixed(2) ?? "",
  ]),
);
saveResult("synthesis", { rounds, rows: told });
