import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import type { LineWorker } from "../helpers/line-worker.ts";
import { describeWith } from "../helpers/not-run.ts";
import { expectRecovers } from "../helpers/outcome.ts";
import { createPowerCutDisk, type PowerCutDisk } from "../helpers/power-cut-disk.ts";
import { startStateWorker } from "../helpers/state-worker.ts";
import { attachStrace, callsBetweenMarkers, type Tracing } from "../helpers/strace.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  contentsOf,
  newText,
  oldText,
  recoveries,
  type StateOperation,
  stateOperations,
} from "./state-operations.ts";

const byName = new Map(stateOperations.map((operation) => [operation.op, operation]));
const cutPoints = ["openat", "write", "fsync", "close", "rename", "link", "unlink"];
const cases: readonly (readonly [string, StateOperation])[] = [
  ...["write", "write-normal", "create", "json", "markdown"].map(
    (op) => [op, byName.get(op)!] as const,
  ),
  ["recover: promote", recoveries["promote"]!],
  ["recover: replace a corrupt file", recoveries["replace a corrupt file"]!],
];
const needs = {
  platforms: ["linux"],
  root: true,
  programs: ["strace", "mkfs.ext4", "mount"],
} as const;

describeWith(needs, "state: power cuts", () => {
  const prepared = (disk: PowerCutDisk, operation: StateOperation): string => {
    const folder = mkdtempSync(join(disk.folder, "case-"));
    let isSettled = false;
    const settle = (): void => {
      disk.settle();
      isSettled = true;
    };
    operation.prepare(folder, settle);
    if (!isSettled) settle();
    return folder;
  };
  const runOn = async (
    worker: LineWorker,
    operation: StateOperation,
    trace: Tracing & { readonly folder: string },
  ) => {
    const tracer = await attachStrace(worker.pid, trace);
    const answer = await worker.ask({ op: operation.op, folder: trace.folder });
    await tracer.detach();
    await worker.end();
    return answer;
  };

  it.each(cases)(
    "S-01 S-05 %s: the power fails at its n-th call",
    { timeout: 120_000 },
    async (name, operation) => {
      const parent = temporaryFolder();
      const disk = createPowerCutDisk(parent);
      const log = join(parent, "trace");
      const { before, after, between = [] } = operation;

      let folder = prepared(disk, operation);
      const clean = ["access", ...cutPoints];
      const answer = await runOn(await startStateWorker(), operation, { folder, calls: clean, log });
      expect(answer).toEqual({ ok: true });
      await disk.afterCut(async (revived) => {
        const found = contentsOf(join(revived, basename(folder)));
        // What has returned is durable; the class `normal` promises only that nothing is torn.
        if (name === "write-normal") expect([before, after]).toContainEqual(found);
        else expect(found).toEqual(after);
      });

      const calls = callsBetweenMarkers(log).map((call) => call.name);
      let starting = startStateWorker();
      for (const [index, call] of calls.entries()) {
        const n = calls.slice(0, index + 1).filter((one) => one === call).length;
        const worker = await starting;
        starting = startStateWorker();
        folder = prepared(disk, operation);
        const inject = `${call}:signal=SIGKILL:when=${n}`;
        expect(
          await runOn(worker, operation, { folder, calls: [call], inject, log }),
        ).toBeUndefined();
        await disk.afterCut(async (revived) => {
          const inside = join(revived, basename(folder));
          expect([before, after, ...between], `${call} ${n}`).toContainEqual(contentsOf(inside));
          await expectRecovers(inside, [before, after]);
        });
      }
      await (await starting).end();
    },
  );

  it("the rig sees a returned write vanish when nothing was synced", async () => {
    const parent = temporaryFolder();
    const disk = createPowerCutDisk(parent);
    const operation = byName.get("write-cache")!;
    const folder = prepared(disk, operation);
    const worker = await startStateWorker();
    expect(await worker.ask({ op: operation.op, folder })).toEqual({ ok: true });
    await worker.end();
    expect(contentsOf(folder)).toEqual({ "state.json": newText });
    await disk.afterCut(async (revived) => {
      expect(contentsOf(join(revived, basename(folder)))).toEqual({ "state.json": oldText });
    });
  });

  it("the rig sees torn content when only the folder was synced", async () => {
    const parent = temporaryFolder();
    const disk = createPowerCutDisk(parent);
    const folder = prepared(disk, byName.get("write")!);
    writeFileSync(join(folder, "careless"), newText);
    renameSync(join(folder, "careless"), join(folder, "state.json"));
    const handle = openSync(folder, "r");
    fsyncSync(handle);
    closeSync(handle);
    await disk.afterCut(async (revived) => {
      expect(contentsOf(join(revived, basename(folder)))).toEqual({ "state.json": "" });
    });
  });
});
