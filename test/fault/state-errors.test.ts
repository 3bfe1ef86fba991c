import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LineWorker } from "../helpers/line-worker.ts";
import { describeWith } from "../helpers/not-run.ts";
import { expectBeforeOrAfter } from "../helpers/outcome.ts";
import { startStateWorker } from "../helpers/state-worker.ts";
import { attachStrace, callsBetweenMarkers, type Tracing } from "../helpers/strace.ts";
import { temporaryStateFolder } from "../helpers/temporary-folder.ts";
import { recoveries, type StateOperation, stateOperations } from "./state-operations.ts";

/** Every kind of call the operations make; the errors that it can really return, and a lie or two. */
const faults: Readonly<Record<string, readonly string[]>> = {
  openat: ["error=EIO", "error=ENOSPC", "error=EMFILE"],
  write: ["error=EIO", "error=ENOSPC", "retval=0", "retval=5", "retval=36"],
  fsync: ["error=EIO", "error=ENOSPC"],
  rename: ["error=EIO", "error=ENOSPC"],
  link: ["error=EIO", "error=ENOSPC"],
  unlink: ["error=EIO"],
  close: ["error=EIO"],
  fcntl: ["error=EIO"],
  fchmod: ["error=EIO"],
  statx: ["error=EIO"],
  pread64: ["error=EIO"],
  readlink: ["error=EIO"],
  getdents64: ["error=EIO"],
};

const operations: readonly (readonly [string, StateOperation])[] = [
  ...stateOperations.map((operation) => [operation.op, operation] as const),
  ...Object.entries(recoveries).map(
    ([name, operation]) => [`recover: ${name}`, operation] as const,
  ),
];

describeWith(
  { platforms: ["linux"], programs: ["strace"] },
  "state: system calls that fail",
  () => {
    let worker: LineWorker;
    beforeAll(async () => {
      worker = await startStateWorker();
    });
    afterAll(() => worker.end());
    const renew = async (): Promise<void> => {
      await worker.end();
      worker = await startStateWorker();
    };

    it.each(operations)(
      "S-01 S-09 %s: the n-th call of each kind fails",
      async (_name, operation) => {
        const root = temporaryStateFolder();
        const log = join(root, "trace");
        const runWith = async (tracing: Omit<Tracing, "log">) => {
          const folder = mkdtempSync(join(root, "case-"));
          operation.prepare(folder);
          const tracer = await attachStrace(worker.pid, { ...tracing, log });
          const answer = await worker.ask({ op: operation.op, folder });
          await tracer.detach();
          return { folder, answer };
        };

        const clean = await runWith({ calls: ["access", ...Object.keys(faults)] });
        expect(clean.answer).toEqual({ ok: true });
        const calls = callsBetweenMarkers(log).map(({ name }) => name);
        let count = 0;
        for (const [call, ways] of Object.entries(faults)) {
          const times = calls.filter((name) => name === call).length;
          for (let n = 1; n <= times; n += 1) {
            for (const way of ways) {
              const inject = `${call}:${way}:when=${n}`;
              const { folder, answer } = await runWith({ calls: [call], inject });
              expect(readFileSync(log, "utf8")).toContain("(INJECTED)");
              const mayLeaveTemporary = call === "unlink";
              // What a running process left is not touched, so it has to end first.
              if (mayLeaveTemporary) await renew();
              try {
                await expectBeforeOrAfter(folder, operation, { answer, mayLeaveTemporary });
              } catch (error) {
                throw new Error(`${call} number ${n}, ${way}: ${JSON.stringify(answer)}`, {
                  cause: error,
                });
              }
              count += 1;
            }
          }
        }
        expect(count).toBeGreaterThan(10);
      },
    );
  },
);
