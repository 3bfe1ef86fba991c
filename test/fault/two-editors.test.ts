import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHeadgate } from "../../src/index.ts";
import { bundleProgram } from "../helpers/bundled-program.ts";
import type { EditorJob } from "../helpers/editor-worker.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { startLineWorker } from "../helpers/line-worker.ts";
import { countRounds } from "../helpers/rounds.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const source = `class A:
    def f(self):
        return "nobody"

    def g(self):
        return "nobody"
`;

interface Report {
  readonly written: readonly number[];
  readonly refused: readonly string[];
}

const scene = async (symbols: readonly string[], rounds: number) => {
  const repo = makeRepository(temporaryFolder());
  put(join(repo, "a.py"), source);
  const { argv, env } = await bundleProgram(
    join(import.meta.dirname, "../helpers/editor-worker.ts"),
  );
  const workers = await Promise.all(
    symbols.map(async (symbol, index) => {
      const job: EditorJob = { repo, actor: `actor-${index}`, file: "a.py", symbol, rounds };
      const worker = await startLineWorker([...argv, JSON.stringify(job)], { env });
      onTestFinished(() => worker.end());
      return worker;
    }),
  );
  return {
    repo,
    text: () => readFileSync(join(repo, "a.py"), "utf8"),
    work: async (from: number): Promise<Report[]> =>
      (await Promise.all(workers.map((worker) => worker.ask(from)))) as unknown as Report[],
  };
};

describe("two processes edit one file", () => {
  it(
    "E-11 G3 different symbols, again and again: nothing is lost",
    { timeout: 30 * 60_000 },
    async () => {
      const rounds = countRounds("edits of one file by each of two processes", 250);
      const { repo, text, work } = await scene(["A.f", "A.g"], rounds);
      const reports = await work(0);
      expect(reports.map(({ written, refused }) => [written.length, refused])).toEqual([
        [rounds, []],
        [rounds, []],
      ]);
      expect(text()).toBe(
        source
          .replace('"nobody"', `"actor-0 ${rounds - 1}"`)
          .replace('"nobody"', `"actor-1 ${rounds - 1}"`),
      );
      const headgate = await openHeadgate({ repo, actor: "watcher" });
      onTestFinished(() => headgate.close());
      expect(await headgate.edit.history({ limit: 1000 })).toHaveLength(2 * rounds);
    },
  );

  it(
    "E-07 G3 the same symbol: of two that saw the same version exactly one wins, each time",
    { timeout: 30 * 60_000 },
    async () => {
      const { text, work } = await scene(["A.f", "A.f"], 1);
      // Both saw something now; whoever lost has seen by its refusal what is there.
      await work(0);
      const rounds = countRounds("edits of one symbol by two processes at once", 100);
      let contested = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const reports = await work(round);
        const winners = reports.filter(({ written }) => written.length === 1);
        const losers = reports.flatMap(({ refused }) => refused);
        expect(winners.length + losers.length).toBe(2);
        // The lines of the other are not committed, or changed since they were seen.
        for (const code of losers) expect(["LINES_HELD", "STALE_VIEW"]).toContain(code);
        expect(winners.length).toBeLessThanOrEqual(1);
        if (winners.length === 1) contested += 1;
        expect(text()).toMatch(
          /^class A:\n {4}def f\(self\):\n {8}return "actor-[01] \d+"\n\n {4}def g/,
        );
      }
      expect(contested).toBe(rounds);
    },
  );
});
