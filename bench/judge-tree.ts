// Judging in a real tree, every rule live, new content each time: against the bare parsers of both sides. In processor
// time of this process and all it started, because a busy machine stretches everything else.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHeadgate } from "../src/index.ts";
import { judgeSyntax } from "../src/structure/syntax/index.ts";
import { parserFor } from "../src/structure/worker/grammars.ts";
import {
  type Contender,
  type Measured,
  measuredRows,
  median,
  printTable,
  saveResult,
} from "./harness.ts";
import { cSample, type Sample, samples } from "./judge-samples.ts";

/** Of a process and all below it, in milliseconds; Linux counts in hundredths of a second. */
const usedMs = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const own = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) * 10;
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").split(" "))
      .filter((child) => child !== "")
      .reduce((sum, child) => sum + usedMs(Number(child)), own);
  } catch {
    return 0;
  }
};

/** As `compare` of the harness, in processor time; a block is long enough for the kernel's steps. */
const compareUsed = async (
  contenders: readonly Contender[],
  { rounds, perRound }: { readonly rounds: number; readonly perRound: number },
): Promise<Measured[]> => {
  const used = contenders.map((): number[] => []);
  let index = 0;
  for (let round = -2; round < rounds; round += 1) {
    const order = [...contenders.keys()];
    if (round % 2 === 0) order.reverse();
    for (const which of order) {
      const before = usedMs(process.pid);
      for (let step = 0; step < perRound; step += 1) await contenders[which]!.run((index += 1));
      if (round >= 0) used[which]!.push((usedMs(process.pid) - before) / perRound);
    }
  }
  return contenders.map(({ name }, which) => ({
    name,
    medianMs: median(used[which]!),
    ratio: median(used[which]!) / median(used[0]!),
  }));
};

const folder = mkdtempSync(join(tmpdir(), "headgate-judge-tree-"));
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
const small = (mark: number): string =>
  `import os\n\ndef five(a):\n    os.getcwd()\n    return a + ${mark}\n`;
const sizes = [
  { lines: 1000, of: samples, perRound: 20 },
  { lines: 20_000, of: samples, perRound: 2 },
  { lines: 3000, of: [cSample], perRound: 5 },
] as const;
const nameOf = (lines: number, sample: Sample): string => `f${lines}_${sample.path}`;

const measured: Measured[][] = [];
try {
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(folder, "small.py"), small(0));
  // Neighbours that a project has.
  for (let at = 0; at < 40; at += 1) {
    writeFileSync(join(folder, `m${at}.py`), `import os\n\ndef f${at}(a):\n    return a\n`);
    writeFileSync(join(folder, `n${at}.ts`), `export const g${at} = (a: number): number => a;\n`);
  }
  for (const { lines, of } of sizes)
    for (const sample of of)
      writeFileSync(join(folder, nameOf(lines, sample)), sample.text(lines, 0));
  git("add", "--all");
  git("-c", "user.name=b", "-c", "user.email=b@b.b", "commit", "--quiet", "--message=Base");
  const headgate = await openHeadgate({ repo: folder });
  const judgeIn = async (path: string, after: string, files?: Record<string, string>) => {
    const proposal = { writes: [{ path, after }], ...(files && { files }) };
    const { verdict } = await headgate.gate.judge(proposal);
    if (verdict !== "allow") throw new Error(`${path} was refused`);
  };
  const tiny = { "small.py": small(0) };
  measured.push(
    await compareUsed(
      [
        {
          name: "5 lines of Python, content given",
          run: (at) => judgeIn("small.py", small(at), tiny),
        },
        { name: "5 lines of Python, in the tree", run: (at) => judgeIn("small.py", small(at)) },
      ],
      { rounds: 7, perRound: 25 },
    ),
  );
  for (const { lines, of, perRound } of sizes) {
    for (const sample of of) {
      const { grammar, language } = sample;
      const path = nameOf(lines, sample);
      const before = sample.text(lines, 0);
      const parser = await parserFor(grammar);
      const bare = (text: string) => judgeSyntax({ language, path, text }, async () => []);
      const structure = (text: string) => parser.parse(text)?.delete();
      const both = `${sample.path}, ${lines.toLocaleString("en")} lines`;
      const contenders: Contender[] = [
        {
          name: `${both}: structure parser, both sides`,
          run: (at) => {
            structure(before);
            structure(sample.text(lines, at));
          },
        },
        ...(sample === cSample
          ? []
          : [
              {
                name: `${both}: syntax parser, both sides`,
                run: async (at: number) => {
                  await bare(before);
                  await bare(sample.text(lines, at));
                },
              },
            ]),
        { name: `${both}: judge in the tree`, run: (at) => judgeIn(path, sample.text(lines, at)) },
      ];
      measured.push(await compareUsed(contenders, { rounds: 5, perRound }));
    }
  }
  await headgate.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
/** Over the sum of the bare parsers that it is made of, and over the faster one alone. */
const ratios = measured.slice(1).map((rows) => {
  const judged = rows.at(-1)!;
  const parsers = rows.slice(0, -1).map(({ medianMs }) => medianMs);
  return {
    name: judged.name.replace(": judge in the tree", ""),
    overParsers: judged.medianMs / parsers.reduce((sum, one) => sum + one, 0),
    overSyntax: judged.medianMs / parsers.at(-1)!,
  };
});
for (const rows of measured) printTable("Processor time", ["", "ms", "ratio"], measuredRows(rows));
printTable(
  "Judge over the bare parsers of both sides",
  ["", "over all its parsers", "over the parser of syntax alone"],
  ratios.map((one) => [one.name, one.overParsers.toFixed(1), one.overSyntax.toFixed(1)]),
);
saveResult("judge-tree", { small: measured[0], measured: measured.slice(1).flat(), ratios });
