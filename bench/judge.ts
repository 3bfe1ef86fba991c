// The gate, warm and cold: against the bare parsers it is made of, as files grow, as a one-shot command, and
// what other tools write where it refuses.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { judge, treeOf } from "../src/gate/index.ts";
import { Analyser } from "../src/structure/index.ts";
import { judgeSyntax } from "../src/structure/syntax/index.ts";
import { parserFor } from "../src/structure/worker/grammars.ts";
import { compare, measuredRows, median, printTable, saveResult } from "./harness.ts";
import { type Sample, samples } from "./judge-samples.ts";

const analyser = new Analyser();
const header = ["", "ms", "ratio"];
const noTree = async () => [];
let mark = 1_000_000;

const warm = async (sample: Sample) => {
  const { path, grammar, language } = sample;
  const before = sample.text(1000, 0);
  const tree = treeOf({ [path]: before });
  const parser = await parserFor(grammar);
  const rawParse = async (text: string) => {
    parser.parse(text)?.delete();
    await judgeSyntax({ language, path, text }, noTree);
  };
  const options = { rounds: 15, perRound: 20, warmUpRounds: 3 };
  const measured = await compare(
    [
      {
        name: `${path}: two raw parses with the same parsers`,
        run: async () => {
          await rawParse(before);
          await rawParse(sample.text(1000, (mark += 1)));
        },
      },
      {
        name: `${path}: judge`,
        run: async () => {
          const after = sample.text(1000, (mark += 1));
          const { verdict } = await judge(
            { writes: [{ path, after }] },
            { analyser, tree, policy: {} },
          );
          if (verdict !== "allow") throw new Error("refused");
        },
      },
    ],
    options,
  );
  const times: number[] = [];
  for (let run = 0; run < 400; run += 1) {
    const after = sample.text(1000, (mark += 1));
    const start = performance.now();
    await judge({ writes: [{ path, after }] }, { analyser, tree, policy: {} });
    times.push(performance.now() - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const spread = {
    path,
    p50Ms: sorted[200]!,
    p99Ms: sorted[396]!,
    ratio: sorted[396]! / sorted[200]!,
  };
  return { measured, spread };
};

const growth = async (sample: Sample) => {
  const rows: { path: string; lines: number; ms: number; msPer1000: number }[] = [];
  for (const lines of [1000, 5000, 10_000, 50_000]) {
    const { path } = sample;
    const before = sample.text(lines, 0);
    const tree = treeOf({ [path]: before });
    const times: number[] = [];
    for (let run = 0; run < 6; run += 1) {
      const after = sample.text(lines, (mark += 1));
      const start = performance.now();
      await judge({ writes: [{ path, after }] }, { analyser, tree, policy: {} });
      if (run > 0) times.push(performance.now() - start);
    }
    const count = before.split("\n").length;
    const ms = median(times);
    rows.push({ path, lines: count, ms, msPer1000: (ms * 1000) / count });
  }
  return rows;
};

const oneShot = async () => {
  const folder = mkdtempSync(join(tmpdir(), "headgate-judge-"));
  const program = resolve(import.meta.dirname, "../bin/headgate.js");
  try {
    const proposals = samples.map((sample) => {
      writeFileSync(join(folder, sample.path), sample.text(1000, 0));
      const file = join(folder, `${sample.path}.json`);
      const after = sample.text(1000, 1);
      writeFileSync(file, JSON.stringify({ writes: [{ path: sample.path, after }] }));
      return { name: `headgate judge (${sample.path}, 1,000 lines)`, file };
    });
    const runNode = (...args: string[]) => {
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder });
      if (status !== 0) throw new Error(stderr.toString());
    };
    return await compare(
      [
        { name: "node -e 0", run: () => runNode("-e", "0") },
        ...proposals.map(({ name, file }) => ({
          name,
          run: () => runNode(program, "judge", file),
        })),
      ],
      { rounds: 5, perRound: 3, warmUpRounds: 1 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Each attempt adds a method that exists, and one with a broken body; who writes it? */
const peers = async () => {
  const folder = mkdtempSync(join(tmpdir(), "headgate-peers-"));
  const lib = (await import("@modelcontextprotocol/server-filesystem/dist/lib.js")) as unknown as {
    setAllowedDirectories?(folders: string[]): void;
    applyFileEdits(
      path: string,
      edits: { oldText: string; newText: string }[],
      dryRun: boolean,
    ): Promise<string>;
  };
  lib.setAllowedDirectories?.([folder]);
  const [python] = samples as [Sample];
  const source = python.text(100, 0);
  const anchor = "    def method_3(self";
  const attempts = Array.from({ length: 100 }, (_, index) => {
    const duplicate = `    def method_${index % 12}(self):\n        return ${index}\n\n`;
    const broken = `    def extra_${index}(self)\n        return ${index}\n\n`;
    return [duplicate, broken].map((code) => ({ old: anchor, new: code + anchor }));
  }).flat();
  const file = join(folder, "sample.py");
  const wrote = async (write: (attempt: { old: string; new: string }) => Promise<void>) => {
    let count = 0;
    for (const attempt of attempts) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, source);
      await write(attempt);
      if (readFileSync(file, "utf8") !== source) count += 1;
    }
    return count;
  };
  const tree = treeOf({ "sample.py": source });
  const rows = [
    {
      name: "plain replacement of text",
      wrote: await wrote(async (one) => writeFileSync(file, source.replace(one.old, one.new))),
    },
    {
      name: "MCP filesystem server, edit_file",
      wrote: await wrote(async (one) => {
        await lib.applyFileEdits(file, [{ oldText: one.old, newText: one.new }], false);
      }),
    },
    {
      name: "Headgate",
      wrote: await wrote(async (one) => {
        const after = source.replace(one.old, one.new);
        const proposal = { writes: [{ path: "sample.py", after }] };
        const { verdict } = await judge(proposal, { analyser, tree, policy: {} });
        if (verdict === "allow") writeFileSync(file, after);
      }),
    },
  ];
  rmSync(folder, { recursive: true, force: true });
  return { attempts: attempts.length, rows };
};

const warmed = [];
for (const sample of samples) warmed.push(await warm(sample));
const measured = warmed.flatMap((one) => one.measured);
const spreads = warmed.map((one) => one.spread);
printTable("Warm judge, 1,000 lines (median of 15 rounds of 20)", header, measuredRows(measured));
printTable(
  "Spread over 400 judgements",
  ["", "p50 ms", "p99 ms", "p99 / p50"],
  spreads.map(({ path, p50Ms, p99Ms, ratio }) => [
    path,
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    ratio.toFixed(1),
  ]),
);
const grown = [...(await growth(samples[0]!)), ...(await growth(samples[1]!))];
printTable(
  "As files grow",
  ["", "lines", "ms", "ms per 1,000 lines"],
  grown.map(({ path, lines, ms, msPer1000 }) => [
    path,
    String(lines),
    ms.toFixed(0),
    msPer1000.toFixed(1),
  ]),
);
const shots = await oneShot();
printTable("One-shot command", header, measuredRows(shots));
const beside = await peers();
printTable(
  `Bad edits written, of ${beside.attempts} (half duplicates, half broken)`,
  ["", "written"],
  beside.rows.map(({ name, wrote }) => [name, String(wrote)]),
);
saveResult("judge", { rounds: 15, measured, spreads, grown, shots, peers: beside });
analyser.close();
