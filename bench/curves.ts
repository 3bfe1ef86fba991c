// How costs grow: claims, actors, lines, files, findings, each over several orders of magnitude, one at a time.
// `npm run bench curves` takes minutes; the plots are drawn by bench/report.ts.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { judge, treeOf } from "../src/gate/index.ts";
import { detectProfile } from "../src/profile/index.ts";
import { synthesize } from "../src/review/synthesis/synthesize.ts";
import { openStore } from "../src/store/index.ts";
import { Analyser } from "../src/structure/index.ts";
import { claimsInFolder, file, fill, grantAndRelease } from "./claims-crowd.ts";
import { measureFairness } from "./even-shares.ts";
import { median, printTable, saveResult } from "./harness.ts";
import { samples } from "./judge-samples.ts";
import { makeTree } from "./large-tree.ts";
import { makeFindings } from "./many-findings.ts";

const folder = mkdtempSync(join(tmpdir(), "headgate-curves-"));

/** Median of so many runs after one that does not count. */
const timed = async (runs: number, work: (index: number) => unknown): Promise<number> => {
  const times: number[] = [];
  for (let index = 0; index <= runs; index += 1) {
    const start = performance.now();
    await work(index);
    if (index > 0) times.push(performance.now() - start);
  }
  return median(times);
};

const overClaims = async () => {
  await using store = await openStore({ address: "", localDir: join(folder, "claims") });
  const claims = await claimsInFolder(folder)(store, "curve");
  const grant = grantAndRelease("", claims);
  const rows = [];
  let there = 0;
  let fresh = 0;
  for (const count of [10, 100, 1000, 10_000, 100_000]) {
    await fill(claims, count, there);
    there = count;
    const grantMs = await timed(200, () => grant.run((fresh += 1)));
    const checkMs = await timed(200, (index) => claims.check([file(`work/look-${index}.ts`)]));
    rows.push({ x: count, "grant + release": grantMs, check: checkMs });
  }
  return rows;
};

const overActors = async () => {
  const rows = [];
  for (const processes of [1, 2, 4, 8, 16, 32, 64]) {
    const told = await measureFairness({ way: "claims", processes, seconds: 2 });
    if (told.errors > 0) throw new Error(`${told.errors} errors with ${processes} processes`);
    rows.push({
      x: processes,
      "commits per second": told.commitsPerSecond,
      "slowest / fastest": told.ratio,
      "longest wait ms": told.maxMs,
    });
  }
  return rows;
};

const overLines = async () => {
  const analyser = new Analyser();
  const rows = [];
  let mark = 1_000_000;
  for (const lines of [100, 1000, 10_000, 100_000]) {
    const row: Record<string, number> = { x: lines };
    for (const sample of samples) {
      const { path } = sample;
      const tree = treeOf({ [path]: sample.text(lines, 0) });
      row[sample.language] = await timed(lines > 10_000 ? 2 : 5, async () => {
        const after = sample.text(lines, (mark += 1));
        const given = { analyser, tree, policy: {} };
        const { verdict } = await judge({ writes: [{ path, after }] }, given);
        if (verdict !== "allow") throw new Error(`${path} with ${lines} lines: ${verdict}`);
      });
    }
    rows.push(row);
  }
  analyser.close();
  return rows;
};

const overFiles = async () => {
  const rows = [];
  for (const [packages, folders] of [
    [1, 2],
    [1, 20],
    [10, 20],
    [100, 20],
  ] as const) {
    const root = join(folder, `tree-${packages}-${folders}`);
    mkdirSync(root);
    makeTree(root, packages, folders);
    rows.push({ x: packages * folders * 50, profile: await timed(3, () => detectProfile(root)) });
    rmSync(root, { recursive: true, force: true });
  }
  return rows;
};

const overFindings = async () => {
  const rows = [];
  for (const count of [100, 300, 1000, 3000, 10_000]) {
    const findings = makeFindings(count);
    rows.push({
      x: count,
      synthesis: await timed(count > 3000 ? 2 : 4, () => synthesize(findings)),
    });
  }
  return rows;
};

type Row = Readonly<Record<string, number>>;
/** The quick ones first. */
const curves: Record<string, () => Promise<readonly Row[]>> = {
  findings: overFindings,
  lines: overLines,
  actors: overActors,
  files: overFiles,
  claims: overClaims,
};

/** Named curves only (`node bench/curves.ts lines`) leave the others as they were measured before. */
const wanted = process.argv.slice(2);
const kept = resolve(import.meta.dirname, "results/curves.json");
const result: Record<string, readonly Row[]> =
  wanted.length > 0 && existsSync(kept)
    ? (JSON.parse(readFileSync(kept, "utf8")) as { curves: Record<string, readonly Row[]> }).curves
    : {};
try {
  for (const [name, measure] of Object.entries(curves)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const rows = await measure();
    const header = Object.keys(rows[0]!);
    printTable(
      `As ${name} grow`,
      header.map((one) => (one === "x" ? name : one)),
      rows.map((row) => header.map((one) => String(Number(row[one]!.toPrecision(3))))),
    );
    result[name] = rows;
    // Kept after each: all of them take minutes.
    saveResult("curves", { curves: result });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
