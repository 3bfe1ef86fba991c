import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeWith } from "../helpers/not-run.ts";
import { expectRecovers } from "../helpers/outcome.ts";
import { createPowerCutDisk, type PowerCutDisk } from "../helpers/power-cut-disk.ts";
import { startStateWorker } from "../helpers/state-worker.ts";
import { stopAfterEachCall } from "../helpers/strace.ts";
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

  it.each(cases)(
    "S-01 S-05 %s: the power fails after its n-th call",
    { timeout: 300_000 },
    async (name, operation) => {
      const parent = temporaryFolder();
      const disk = createPowerCutDisk(parent);
      const log = join(parent, "trace");
      const { before, after, between = [] } = operation;

      const folder = prepared(disk, operation);
      const worker = await startStateWorker();
      onTestFinished(() => worker.end());
      const copies = [disk.copy()];
      const answer = await stopAfterEachCall(
        worker,
        { calls: cutPoints, log },
        { command: { op: operation.op, folder }, onStop: () => copies.push(disk.copy()) },
      );
      expect(answer).toEqual({ ok: true });
      await disk.afterCut(async (revived) => {
        const found = contentsOf(join(revived, basename(folder)));
        // What has returned is durable; the class `normal` promises only that nothing is torn.
        if (name === "write-normal") expect([before, after]).toContainEqual(found);
        else expect(found).toEqual(after);
      });

      expect(copies.length).toBeGreaterThan(5);
      // A power cut ends every process: what it left has no owner any more.
      await worker.end();
      for (const [n, copy] of copies.entries()) {
        await disk.revive(copy, async (revived) => {
          const inside = join(revived, basename(folder));
          expect([before, after, ...between], `after call ${n}`).toContainEqual(contentsOf(inside));
          await expectRecovers(inside, [before, after]);
        });
      }
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
