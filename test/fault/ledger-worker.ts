/** Holds reviews in a store for a test: `node ledger-worker.ts JOB`; one JSON value per line. */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { openLedger, synthesizeReports } from "../../src/review/index.ts";
import { openStore, type StoreStep } from "../../src/store/index.ts";
import { reportsOf, type Said, wholeFiles } from "../review/ledger/scene.ts";

export interface LedgerJob {
  readonly address: string;
  readonly localDir: string;
  readonly files: Readonly<Record<string, string>>;
  readonly said: readonly Said[];
  readonly reviews?: number;
  /** Dies by its own hand after this step of the review, or inside the n-th commit. */
  readonly dieAfter?: "begin" | "first-report" | "reports" | "finish";
  readonly dieIn?: { readonly step: StoreStep; readonly time: number };
}

const job = JSON.parse(process.argv[2] ?? "{}") as LedgerJob;
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);
const die = (step: LedgerJob["dieAfter"]) => {
  if (job.dieAfter === step) process.kill(process.pid, "SIGKILL");
};
let times = 0;
const store = await openStore({
  address: job.address,
  localDir: job.localDir,
  onStep: (step) => {
    if (step !== job.dieIn?.step) return;
    times += 1;
    if (times === job.dieIn.time) process.kill(process.pid, "SIGKILL");
  },
});
const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
// Most of them are killed; compiled code is kept for the next one.
flushCompileCache();
const there = { store, scope };
const place = { open: async () => there, look: async () => there };
const ledger = openLedger({ place, actor: `worker-${process.pid}` });
for (let turn = 0; turn < (job.reviews ?? 1); turn += 1) {
  const subject = wholeFiles(job.files);
  const { id } = await ledger.begin({ subject, request: { turn } });
  say({ begun: id });
  die("begin");
  const reports = reportsOf(id, { subject, said: job.said });
  for (const [index, report] of reports.entries()) {
    await ledger.saveReport(id, { reviewer: report.reviewer, report });
    say({ saved: report.reviewer });
    if (index === 0) die("first-report");
  }
  die("reports");
  const findings = reports.flatMap((report) => report.findings);
  await ledger.finish(id, { synthesis: synthesizeReports(reports), findings, subject });
  say({ finished: id });
  die("finish");
}
await store.close();
say({ done: true });
