import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openLedger, synthesizeReports } from "../../src/review/index.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { bundleProgram } from "../helpers/bundled-program.ts";
import { backends, openScope, type StorePlace } from "../helpers/store-backends.ts";
import { reportsOf, wholeFiles } from "../review/ledger/scene.ts";
import type { LedgerJob } from "./ledger-worker.ts";

interface Line {
  readonly begun?: string;
  readonly saved?: string;
  readonly finished?: string;
  readonly done?: boolean;
}

interface LedgerEnd {
  readonly signal: string | null;
  readonly code: number | null;
  readonly lines: readonly Line[];
}

const run = async (
  place: StorePlace,
  job: Omit<LedgerJob, "address" | "localDir">,
): Promise<LedgerEnd> => {
  const { address, localDir } = place;
  const { argv, env } = await bundleProgram(join(import.meta.dirname, "ledger-worker.ts"));
  const [file, program] = argv;
  const child = spawn(file, [program, JSON.stringify({ address, localDir, ...job })], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({
        code,
        signal,
        lines: text
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Line),
      }),
    );
  });
};

const files = { "a.js": "one();\ntwo();\nthree();\n" };
const said = [
  { reviewer: "fd-one", title: "First call is unchecked", path: "a.js", line: 1 },
  { reviewer: "fd-two", title: "Third thing leaks a handle", path: "a.js", line: 3 },
];

describe.each(backends)("reviews and processes that die, on $name", ({ place: newPlace }) => {
  const look = async (place: StorePlace) => {
    const there = await openScope(place);
    const ledger = openLedger({
      place: { open: async () => there, look: async () => there },
      actor: "later",
    });
    return { ...there, ledger };
  };

  it.each(["begin", "first-report", "reports"] as const)(
    "V-04 killed after %s: the review is resumed with what was answered, and finished once",
    async (dieAfter) => {
      const place = await newPlace();
      const end = await run(place, { files, said, dieAfter });
      expect(end.signal).toBe("SIGKILL");
      const id = end.lines[0]!.begun!;
      const saved = end.lines.flatMap((line) => line.saved ?? []);
      const { store, scope, ledger } = await look(place);
      expect(await ledger.list()).toMatchObject([{ id, state: "interrupted" }]);
      expect(await ledger.findings()).toEqual([]);
      const resumed = await ledger.resume(id);
      expect(resumed).toMatchObject({ review: { state: "running" }, request: { turn: 0 } });
      expect(resumed.answers.map(({ reviewer }) => reviewer)).toEqual(saved);
      const subject = wholeFiles(files);
      const kept = new Map(resumed.answers.map(({ reviewer, report }) => [reviewer, report]));
      const reports = reportsOf(id, { subject, said }).map((one) => kept.get(one.reviewer) ?? one);
      for (const report of reports) {
        const isNew = await ledger.saveReport(id, { reviewer: report.reviewer, report });
        expect(isNew).toBe(!kept.has(report.reviewer));
      }
      const findings = reports.flatMap((report) => report.findings);
      await ledger.finish(id, { synthesis: synthesizeReports(reports), findings, subject });
      expect(await ledger.findings()).toHaveLength(2);
      expect([...(await ledger.uses()).values()].map(({ uses }) => uses)).toEqual([1, 1]);
      expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
    },
  );

  it("V-04 killed inside each commit: a step is there as a whole or not at all", async () => {
    const kept: number[] = [];
    for (const time of [2, 3, 4, 5]) {
      const place = await newPlace();
      const end = await run(place, { files, said, dieIn: { step: "before-commit", time } });
      expect(end.signal).toBe("SIGKILL");
      const { ledger, store, scope } = await look(place);
      const begun = end.lines.flatMap((line) => line.begun ?? []);
      const listed = await ledger.list();
      expect(listed.map(({ id, state }) => [id, state])).toEqual(
        begun.map((id) => [id, "interrupted"]),
      );
      const saved = end.lines.flatMap((line) => line.saved ?? []);
      const reports = listed[0] ? (await ledger.show(listed[0].id)).reports : [];
      expect(reports.map(({ reviewer }) => reviewer)).toEqual(saved);
      expect([...(await ledger.uses()).keys()]).toEqual(saved);
      expect(await ledger.findings()).toEqual([]);
      expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
      kept.push(saved.length);
    }
    expect(kept).toEqual([0, 0, 1, 2]);
  });

  it("V-04 two processes that finish reviews at once lose nothing and make no twins", async () => {
    const place = await newPlace();
    await (await look(place)).store.now();
    const ends = await Promise.all([1, 2, 3].map(() => run(place, { files, said, reviews: 5 })));
    for (const end of ends) expect(end).toMatchObject({ code: 0, signal: null });
    const { ledger, store, scope } = await look(place);
    const listed = await ledger.list({ limit: 100 });
    expect(listed).toHaveLength(15);
    expect(new Set(listed.map(({ state }) => state))).toEqual(new Set(["done"]));
    const findings = await ledger.findings();
    expect(findings.map(({ title, state }) => [title, state])).toEqual([
      [said[0]!.title, "persisting"],
      [said[1]!.title, "persisting"],
    ]);
    for (const { id } of findings) {
      expect((await ledger.finding(id)).sightings).toHaveLength(15);
    }
    expect([...(await ledger.uses()).values()].map(({ uses }) => uses)).toEqual([15, 15]);
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
  });
});
