// How long a synthesis takes as findings grow: one review, twelve reviewers, each problem seen by about three of them.
import type { Finding } from "../src/review/types.ts";
import { synthesize } from "../src/review/synthesis/synthesize.ts";
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

/** Words as frequent as in prose (Zipf), so that common ones give no cheap blocking. */
function makeFindings(count: number): Finding[] {
  let state = 12_345;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const syllables = ["ba", "co", "du", "fe", "gi", "ha", "jo", "ku", "le", "mi", "na", "po", "ru"];
  const word = (rank: number): string => {
    let text = "";
    for (let left = rank + 20; left > 0; left = Math.floor(left / syllables.length)) {
      text += syllables[left % syllables.length];
    }
    return `${text}x`;
  };
  const anyWord = (): string => word(Math.floor(5000 ** random()));
  const findings: Finding[] = [];
  while (findings.length < count) {
    const own = Array.from({ length: 14 }, anyWord);
    const sightings = 1 + Math.floor(random() * 5);
    const from = Math.floor(random() * 12);
    for (let seen = 0; seen < sightings && findings.length < count; seen += 1) {
      const said = [
        ...own.filter(() => random() < 0.6),
        ...Array.from({ length: 16 }, anyWord),
      ].toSorted(() => random() - 0.5);
      findings.push({
        id: `f${findings.length}`,
        review: "one",
        reviewer: `r${(from + seen) % 12}`,
        title: said.slice(0, 8).join(" "),
        body: said.slice(8).join(" "),
        severity: "P2",
      });
    }
  }
  return findings;
}
