import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { LineWorker } from "../helpers/line-worker.ts";
import { describeWith } from "../helpers/not-run.ts";
import { expectBeforeOrAfter } from "../helpers/outcome.ts";
import { startStateWorker } from "../helpers/state-worker.ts";
import { attachStrace, callsBetweenMarkers, type Tracing } from "../helpers/strace.ts";
import { temporaryStateFolder } from "../helpers/temporary-folder.ts";
import { recoveries, type StateOperation, stateOperations } from "./state-operations.ts";

/** Calls that change something on disk or in who holds what; between two of them a kill changes nothing. */
const killPoints = [
  "openat",
  "write",
  "fchmod",
  "fsync",
  "close",
  "rename",
  "link",
  "unlink",
  "fcntl",
];

const operations: readonly (readonly [string, StateOperation])[] = [
  ...stateOperations
    .filter(({ op }) => !["write-normal", "write-cache"].includes(op))
    .map((operation) => [operation.op, operation] as const),
  ...Object.entries(recoveries).map(
    ([name, operation]) => [`recover: ${name}`, operation] as const,
  ),
];

describeWith({ platforms: ["linux"], programs: ["strace"] }, "state: kills at every call", () => {
  it.each(operations)(
    "S-01 S-05 %s: killed at its n-th call",
    { timeout: 180_000 },
    async (_name, operation) => {
      const root = temporaryStateFolder();
      const log = join(root, "trace");
      const prepared = (): string => {
        const folder = mkdtempSync(join(root, "case-"));
        operation.prepare(folder);
        return folder;
      };
      const runWith = async (worker: LineWorker, folder: string, tracing: Omit<Tracing, "log">) => {
        const tracer = await attachStrace(worker.pid, { ...tracing, log });
        const answer = await worker.ask({ op: operation.op, folder });
        await tracer.detach();
        return answer;
      };

      const first = await startStateWorker();
      await runWith(first, prepared(), { calls: ["access", ...killPoints] });
      await first.end();
      const calls = callsBetweenMarkers(log).map(({ name }) => name);
      const points = calls.map((call, index) => ({
        call,
        n: calls.slice(0, index + 1).filter((name) => name === call).length,
      }));
      expect(points.length).toBeGreaterThan(5);
      let starting = startStateWorker();
      for (const { call, n } of points) {
        const worker = await starting;
        // The next one starts while this one is killed.
        starting = startStateWorker();
        const folder = prepared();
        const tracing = { calls: [call], inject: `${call}:signal=SIGKILL:when=${n}` };
        const answer = await runWith(worker, folder, tracing);
        await worker.end();
        expect(answer, `${call} number ${n}`).toBeUndefined();
        try {
          await expectBeforeOrAfter(folder, operation, { answer });
        } catch (error) {
          throw new Error(`killed at ${call} number ${n}`, { cause: error });
        }
      }
      await (await starting).end();
    },
  );
});
