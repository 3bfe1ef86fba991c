import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";
import { expectBeforeOrAfter } from "../helpers/outcome.ts";
import { startStateWorker } from "../helpers/state-worker.ts";
import { attachStrace, stopAfterEachCall } from "../helpers/strace.ts";
import { temporaryFolder, temporaryStateFolder } from "../helpers/temporary-folder.ts";
import {
  contentsOf,
  recoveries,
  type StateOperation,
  stateOperations,
  temporariesIn,
} from "./state-operations.ts";

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
  const prepared = (root: string, operation: StateOperation): string => {
    const folder = mkdtempSync(join(root, "case-"));
    operation.prepare(folder);
    return folder;
  };

  /** The folder as it is after each call; the process that made it is gone when they are looked at. */
  const stopEverywhere = async (
    operation: StateOperation,
  ): Promise<{ readonly folders: readonly string[]; readonly calls: readonly string[] }> => {
    const root = temporaryStateFolder();
    const log = join(temporaryFolder(), "trace");
    const folder = prepared(root, operation);
    const worker = await startStateWorker();
    onTestFinished(() => worker.end());
    const copies: string[] = [];
    const copy = (): void => {
      const place = join(root, `after-${copies.length}`);
      // Links to one file stay links to one file.
      runProgram("cp", "--archive", folder, place);
      copies.push(place);
    };
    copy();
    const answer = await stopAfterEachCall(
      worker,
      { calls: killPoints, log },
      { command: { op: operation.op, folder }, onStop: copy },
    );
    expect(answer).toEqual({ ok: true });
    await worker.end();
    const lines = readFileSync(log, "utf8").split("\n");
    const names = lines.map((line) => /^(\w+)\(/.exec(line)?.[1] ?? "");
    return { folders: copies, calls: names.filter((one) => killPoints.includes(one)) };
  };

  it.each(operations)(
    "S-01 S-05 %s: ended after its n-th call",
    { timeout: 300_000 },
    async (_name, operation) => {
      const { folders } = await stopEverywhere(operation);
      expect(folders.length).toBeGreaterThan(5);
      for (const [n, folder] of folders.entries()) {
        try {
          await expectBeforeOrAfter(folder, operation, { answer: undefined });
        } catch (error) {
          throw new Error(`ended after call ${n}`, { cause: error });
        }
      }
    },
  );

  it(
    "S-01 S-05 an update that is killed at its n-th call leaves what the stop before it shows",
    { timeout: 300_000 },
    async () => {
      const operation = stateOperations.find(({ op }) => op === "json")!;
      const { folders, calls } = await stopEverywhere(operation);
      expect(calls.length).toBeGreaterThan(5);
      const root = temporaryStateFolder();
      const log = join(temporaryFolder(), "trace");
      for (const [index, call] of calls.entries()) {
        const n = calls.slice(0, index + 1).filter((one) => one === call).length;
        const shown = folders[index]!;
        const folder = prepared(root, operation);
        const worker = await startStateWorker();
        onTestFinished(() => worker.end());
        const inject = `${call}:signal=SIGKILL:when=${n}`;
        const tracer = await attachStrace(worker.pid, { calls: [call], inject, log });
        expect(await worker.ask({ op: operation.op, folder })).toBeUndefined();
        await tracer.detach();
        await worker.end();
        expect(contentsOf(folder), `${call} number ${n}`).toEqual(contentsOf(shown));
        expect(temporariesIn(folder)).toHaveLength(temporariesIn(shown).length);
        await expectBeforeOrAfter(folder, operation, { answer: undefined });
      }
    },
  );
});
